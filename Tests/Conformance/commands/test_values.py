"""Every value of every command may begin with a hyphen, be empty, or have lines."""

import json
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from access.serving import DONE, USAGE, belfry, environment, start
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import BOUND, Server

# A value that a parser takes for help, and an empty one: tried at each place.
VALUES = ["-h\n", ""]
# What differs from these in what the command makes of it, not in how it is parsed: tried at one
# place of each command.
FURTHER = ["-5°C tonight", "\n"]

# What the help of 'belfry' says of exit statuses.
STATUSES = {0, 1, 3, 4, 64, 65, 69, 73, 74, 75, 77}
# These run until they are stopped, whatever the value is.
ENDLESS = {
    "load": ["--duration=1s"], "watch": ["--after=0", "--count=1"], "responses": ["--wait=1s"],
    "ask": ["--answer-within=1s"],
}  # fmt: skip
# A value for what a command needs beside the one that is tried, by its name in the help.
NEEDED = {"file": "/dev/null", "number": "1", "duration": "1s", "answer": "allow"}


@dataclass(frozen=True)
class Place:
    """A place of a command line at which a value stands."""

    path: tuple[str, ...]
    option: str
    others: tuple[str, ...]

    def line(self, value: str) -> list[str]:
        """The command line with a value at this place."""
        placed = [self.option, value] if self.option else [value]
        return [*self.path, *self.others, *placed]


def commands(command: dict[str, Any], *path: str) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
    """The commands without others below them, and what each takes."""
    inner = command.get("subcommands", [])
    if not inner and path != ("help",):
        yield path, command.get("arguments", [])
    for one in inner:
        yield from commands(one, *path, one["commandName"])


def places(description: dict[str, Any]) -> Iterator[Place]:
    """All places of values, by the program's own description."""
    shared: set[str] = set()
    for path, arguments in commands(description["command"]):
        values = [one for one in arguments if one["kind"] != "flag"]
        for one in values:
            option = "--" + one["preferredName"]["name"] if one["kind"] == "option" else ""
            # The options of the server are the same of all commands: those of one do.
            if one.get("sectionTitle") == "Server" and option in shared:
                continue
            if one.get("sectionTitle") == "Server":
                shared.add(option)
            needed = [
                other for other in values if not other["isOptional"] and other is not one
            ]
            others = [
                part
                for other in needed
                for part in (
                    (["--" + other["preferredName"]["name"]] if other["kind"] == "option" else [])
                    + [NEEDED.get(other.get("valueName", ""), "x")]
                )
            ]
            yield Place(path, option, tuple(others + ENDLESS.get(path[0], [])))


def tried(binary: Path, server: Server, line: list[str]) -> str | None:
    """Runs a line, and says what is wrong with how it ends."""
    variables = {"BELFRY_SERVER": server.targets["unix"]}
    done = subprocess.run(
        ["timeout", "-s", "KILL", str(BOUND), binary.resolve(), *line],
        env=environment(server.home, **variables), cwd=server.home / "work",
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode not in STATUSES:
        return f"{line} ends with {done.returncode}: {done.stderr[-300:]}"
    if "OVERVIEW:" in done.stdout or "USAGE:" in done.stdout:
        return f"{line} prints the help"
    if done.returncode != DONE and not done.stderr.strip() and "--wait=1s" not in line:
        return f"{line} ends with {done.returncode}, silently"
    return None


def test_a_value_is_a_value_whatever_it_is(launch: Launcher) -> None:
    described = json.loads(belfry(launch, launch.new_home(), "--experimental-dump-help").stdout)
    found = [place for place in places(described) if place.path[0] != "serve"]
    assert len(found) > 150
    server = start(launch, prompts="grant")
    (server.home / "work").mkdir()
    to = f"--server={server.targets['unix']}"
    assert belfry(launch, server.home, "authorize", to).returncode == DONE
    root = sorted(Path("/").iterdir())
    lines = [place.line(value) for place in found for value in VALUES]
    by_command: dict[tuple[str, ...], list[Place]] = {}
    for place in found:
        by_command.setdefault(place.path, []).append(place)
    for number, taken in enumerate(by_command.values()):
        lines += [taken[number % len(taken)].line(value) for value in FURTHER]
    with ThreadPoolExecutor(4) as pool:
        wrong = [text for text in pool.map(partial(tried, launch.binary, server), lines) if text]
    assert wrong == []
    # An empty name of a directory is not the root.
    assert sorted(Path("/").iterdir()) == root
    assert belfry(launch, server.home, "status", to).returncode == DONE


@pytest.mark.parametrize("value", ["-5°C tonight", "-1", "- milk", "-x y", "--", "-\nh"])
def test_a_text_that_begins_with_a_hyphen_is_shown(launch: Launcher, value: str) -> None:
    server = start(launch, prompts="grant")
    run = partial(belfry, launch, server.home, variables={"BELFRY_SERVER": server.targets["unix"]})
    assert run("authorize").returncode == DONE
    title = ["--", value] if value == "--" else [value]
    body = [f"--body={value}"] if value == "--" else ["--body", value]
    assert run("add", "--id=a", *body, *title).returncode == DONE
    content = json.loads(run("delivered", "--json").stdout)["request"]["content"]
    assert (content["title"], content["body"]) == (value, value)


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["add", "-x"], "If '-x' is a value, write -- before it"),
        (["add", "-ah"], "If '-ah' is a value, write -- before it"),
        (["add", "Tea", "--body", "-x"], "If '-x' is a value, write --body=-x."),
        (["add", "Tea", "--body", "--json"], "If '--json' is a value, write --body=--json."),
        (["remove", "-all"], "If '-all' is a value, write -- before it"),
        (["add", "Tea", "--thread"], "Missing value"),
    ],
)
def test_what_may_be_an_option_is_told_how_to_be_a_value(
    launch: Launcher, words: list[str], advice: str
) -> None:
    done = belfry(launch, launch.new_home(), *words)
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert advice in done.stderr


def test_an_empty_value_takes_no_other_option(launch: Launcher) -> None:
    server = start(launch, prompts="grant")
    run = partial(belfry, launch, server.home, variables={"BELFRY_SERVER": server.targets["unix"]})
    assert run("authorize").returncode == DONE
    added = run("add", "Tea", "--body=", "--id=a", "--json")
    assert added.returncode == DONE and json.loads(added.stdout)["identifier"] == "a"


def test_no_focus_is_named_off(launch: Launcher) -> None:
    server = start(launch)
    run = partial(belfry, launch, server.home, variables={"BELFRY_SERVER": server.targets["unix"]})
    assert '"Work"' in run("device", "focus", "Work", "--json").stdout
    off = json.loads(run("device", "focus", "off", "--json").stdout)
    assert "focus" not in off
    assert run("device", "focus", "off", "--time-sensitive").returncode == USAGE
    # One that another program named so is not shown as none.
    named = run("device", "focus", "On call")
    assert "on: On call" in named.stdout


class TestTokensOfAnotherServer:
    """Without --data, tokens are made for the server that commands call, or for none."""

    def create(self, launch: Launcher, home: Path, **variables: str) -> Any:
        state = {"XDG_STATE_HOME": str(home / "state")}
        return belfry(
            launch, home, "token", "create", "a", "--role=app", variables=state | variables
        )

    def made(self, home: Path) -> list[Path]:
        return sorted(path.relative_to(home) for path in home.rglob("tokens.json"))

    def test_that_the_environment_names(self, launch: Launcher) -> None:
        server = start(launch)
        done = self.create(launch, server.home, BELFRY_SERVER=server.targets["unix"])
        assert (done.returncode, done.stdout) == (USAGE, "")
        assert "--data" in done.stderr
        assert self.made(server.home) == []

    def test_that_has_the_default_socket(self, launch: Launcher) -> None:
        home = launch.new_home()
        socket = home / "belfry" / "belfry.sock"
        start(launch, f"--listen=unix:{socket}", home=home)
        eventually(socket.is_socket)
        done = self.create(launch, home)
        assert (done.returncode, done.stdout) == (USAGE, "")
        assert str(socket) in done.stderr and "--data" in done.stderr
        assert self.made(home) == []
        # Its own store may be named as for the server.
        done = self.create(launch, home, BELFRY_DATA=str(home / "data"))
        assert done.returncode == DONE, done.stderr
        assert self.made(home) == [Path("data/tokens.json")]

    def test_a_server_need_not_run(self, launch: Launcher) -> None:
        home = launch.new_home()
        assert self.create(launch, home).returncode == DONE
        assert self.made(home) == [Path("state/belfry/tokens.json")]

    @pytest.mark.parametrize("option", ["--data=", "--tokens="])
    def test_no_path_is_empty(self, launch: Launcher, option: str) -> None:
        done = belfry(
            launch, launch.new_home(), "token", "create", "a", "--role=app", option
        )
        assert done.returncode == USAGE
