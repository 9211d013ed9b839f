"""A program with the JavaScript module goes on over kills of the server and its own (W-14, W-15)."""

import json
import random
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harness import wire
from harness.client import App, Client
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.ports import free_port
from harness.server import BOUND, Server
from web.http_server import url

PROGRAM = Path(__file__).parent / "programs/todo.mjs"
APP = "org.example.resume"


class Run:
    """A server and a program, each of which is started again where the other goes on."""

    def __init__(self, launch: Launcher) -> None:
        self._launch = launch
        self.home = launch.new_home()
        self._listen = f"--http-listen=tcp:127.0.0.1:{free_port()}"
        self._journal, self.end = self.home / "journal", self.home / "end"
        self.server = self._serve()
        self.program = self._start()

    def _serve(self) -> Server:
        server = self._launch(self.home, clock="system", arguments=[self._listen])
        url(server)
        return server

    def _start(self) -> subprocess.Popen[bytes]:
        with (self.home / "said").open("ab") as said:
            command = ["node", PROGRAM, url(self.server), self._journal, self.end]
            return subprocess.Popen(command, stdout=said, stderr=said)

    def journal(self) -> list[dict[str, Any]]:
        """What the program wrote; a line that a kill cut is none."""
        text = self._journal.read_text() if self._journal.exists() else ""
        lines = [line for line in text.split("\n") if line.endswith("}")]
        return [json.loads(line) for line in lines]

    def wait_for(self, count: int) -> None:
        """Waits until the program has written some more lines."""
        before = len(self.journal())
        eventually(lambda: self._is_well() and len(self.journal()) >= before + count)

    def _is_well(self) -> bool:
        assert self.program.poll() is None, (self.home / "said").read_text()
        return True

    def kill_server(self) -> None:
        self.server.kill()
        self.server = self._serve()

    def stop_server(self) -> None:
        self.server.terminate()
        self.server.wait()
        self.server = self._serve()

    def kill_program(self) -> None:
        self.program.kill()
        self.program.wait()
        self.program = self._start()

    def finish(self) -> tuple[list[dict[str, Any]], list[wire.Event]]:
        """Lets the program see all that it did, and gives its journal and the server's events."""
        self.end.touch()
        eventually(lambda: self._is_well() and self._is_whole(self.journal()))
        with Client(self.server.targets["unix"]) as client:
            return self.journal(), App(client, wire.Center(app_id=APP)).events()

    @staticmethod
    def _is_whole(journal: list[dict[str, Any]]) -> bool:
        kinds = {
            kind: {entry[kind] for entry in journal if kind in entry}
            for kind in ("tried", "completed")
        }
        return kinds["tried"] == kinds["completed"]

    def close(self) -> None:
        self.program.kill()
        self.program.wait()


@pytest.mark.parametrize("kills", [4, pytest.param(50, marks=pytest.mark.full)])
def test_nothing_is_lost_and_nothing_comes_twice(
    launch: Launcher, pytestconfig: pytest.Config, kills: int
) -> None:
    choices = random.Random(pytestconfig.getoption("--seed"))
    run = Run(launch)
    try:
        for kill in range(kills):
            run.wait_for(choices.randint(1, 25))
            troubles = run.kill_server, run.kill_program, run.stop_server, run.kill_program
            troubles[kill % 4]()
        run.wait_for(10)
        journal, events = run.finish()
    finally:
        run.close()
    numbers = [entry["event"] for entry in journal if "event" in entry]
    assert numbers == list(range(1, len(events) + 1)), "an event was lost, or came twice"
    assert [event.number for event in events] == numbers
    tried = [entry["tried"] for entry in journal if "tried" in entry]
    assert len(set(tried)) == len(tried) > kills
    for kind in ("shown", "completed", "id"):
        counts = Counter(entry[kind] for entry in journal if entry.get(kind))
        assert counts == Counter(tried), f"not each was {kind} once"
    assert not [entry for entry in journal if "twice" in entry]
