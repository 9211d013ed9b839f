"""The README is true: its programs and its commands are run, and print what it says."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness import wire
from harness.client import App, Client
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.readme import ADDRESS, Command, Section
from harness.server import BOUND


def without_times(text: str) -> str:
    """What a command prints, whenever it does."""
    text = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?", "TIME", text)
    return re.sub(r"\(in [^)]*\)", "(in a while)", text)


class Place:
    """A directory like the repository, in which the README's reader works."""

    def __init__(self, home: Path, binary: Path) -> None:
        self.home = home
        client, release = home / ".build/client", home / ".build/release"
        (client / "bin").mkdir(parents=True)
        release.mkdir()
        (release / "belfry").symlink_to(binary.resolve())
        (home / "Protos").symlink_to(Path(__file__).parents[2] / "Protos")
        python = client / "bin/python"
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)

    def environment(self, target: str) -> dict[str, str]:
        """What the reader's shell knows of a server that is elsewhere."""
        return {
            "BELFRY_SERVER": target,
            "HOME": str(self.home),
            "PATH": f"{self.home / '.build/release'}{os.pathsep}{os.defpath}",
            "PYTHONUNBUFFERED": "1",
        }

    def save(self, programs: dict[str, str], target: str) -> None:
        """Writes programs, with the address of a server."""
        for path, text in programs.items():
            assert ADDRESS in text
            (self.home / path).write_text(text.replace(ADDRESS, target))

    def run(self, script: str, target: str) -> tuple[str, int]:
        """Runs what is typed into a shell; gives what it prints, and its status."""
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=self.home,
            env=self.environment(target),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=BOUND,
        )
        return done.stdout, done.returncode

    def follow(self, commands: list[Command], target: str) -> None:
        """Runs commands in order, each of which has to print what the README says.

        One that prints nothing there has to end well.
        """
        exports = ""
        for command in commands:
            prints, status = self.run(exports + command.text, target)
            if command.prints:
                assert without_times(prints).rstrip() == without_times(command.prints).rstrip()
            else:
                assert status == 0, f"{command.text}\n{prints}"
            if command.text.startswith("export "):
                exports += f"{command.text}\n"

    @contextmanager
    def start(self, program: str, target: str) -> Iterator[subprocess.Popen[str]]:
        """Runs a program beside the test, which has to end in time."""
        running = subprocess.Popen(
            [".build/client/bin/python", program],
            cwd=self.home,
            env=self.environment(target),
            stdout=subprocess.PIPE,
            text=True,
        )
        end = threading.Timer(BOUND, running.kill)
        end.start()
        with running:
            try:
                yield running
                assert running.wait() == 0
            finally:
                end.cancel()
                running.kill()


@pytest.fixture(scope="module")
def place(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A directory with the stubs that the README's command makes."""
    place = Place(tmp_path_factory.mktemp("readme"), pytestconfig.getoption("--server"))
    made = next(text for text in Section("Run it").plain if "grpc_tools.protoc" in text)
    # What comes before it installs what is here already.
    assert place.run(made[made.index(".build/client/bin/python") :], "") == ("", 0)
    return place


def test_the_program_is_told_when_it_is_time(
    launch: Launcher, transport: str, place: Place
) -> None:
    section, target = Section("Run it"), launch().targets[transport]
    place.save(section.programs, target)
    said = next(text for text in section.plain if "delivered at" in text)
    with Client(target) as client, place.start(".build/client/tea.py", target) as tea:
        assert tea.stdout is not None
        printed = [next(tea.stdout), next(tea.stdout)]
        eventually(lambda: client.call("GetStats").subscriptions == 1)
        client.call("AdvanceClock", to_next_due=True)
        printed += tea.stdout
    assert without_times("".join(printed)) == without_times(said)
    assert printed[1].split()[-1] == printed[2].split()[-1] == "2026-01-01T00:00:05Z"


def test_the_shell_schedules(launch: Launcher, transport: str, place: Place) -> None:
    *commands, watch = Section("Run it").commands
    assert watch == Command("belfry watch", ""), "which has no end"
    place.follow(commands, launch(clock="system").targets[transport])


def test_both_sides(launch: Launcher, transport: str, place: Place) -> None:
    section, target = Section("Both sides"), launch(prompts="ask").targets[transport]
    place.save(section.programs, target)
    place.follow(section.commands, target)
    with Client(target) as client:
        app = App(client, wire.Center(app_id="org.example.chat"))
        handled = app.events()[-1].response_completed
        assert (handled.notification.identifier, handled.action_identifier) == ("cake", "reply")
        assert app.delivered() == ["five"]


def test_in_the_persons_language(launch: Launcher, transport: str, place: Place) -> None:
    before, section = Section("Both sides"), Section("In the person's language")
    target = launch(prompts="ask").targets[transport]
    place.save(before.programs, target)
    place.follow(before.commands + section.commands, target)
