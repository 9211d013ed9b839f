"""Kills of the server and of the client, in turn, while an app schedules, is pressed, and reads.

The client is a process of its own that writes down what it is told before it goes on: what it has
written is its ledger, as a program's own database would be.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import belfry
from belfry import Client
from belfry.pytest_plugin import START

# Long enough for any machine: what is waited for comes, unless something is lost.
BOUND = timedelta(minutes=5)

PROGRAM = '''
import json, os, sys, threading
from datetime import timedelta
import belfry

address, ledger, run = sys.argv[1:]
known = [json.loads(line) for line in open(ledger)] if os.path.exists(ledger) else []
file = os.open(ledger, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
client = belfry.connect(address, timeout=timedelta(minutes=5))
app = client.app("org.example.ledger")

def write(**entry):
    os.write(file, (json.dumps(entry) + "\\n").encode())

def read():
    after = max((entry["event"] for entry in known if "event" in entry), default=0)
    for event in app.events(after=after):
        write(event=event.number, kind=event.kind, id=event.id)

def answer():
    handled = {entry["answer"] for entry in known if "answer" in entry}
    for answer in app.answers():
        # It is told again where this ended before it was complete.
        if answer.id not in handled:
            write(answer=answer.id)
            handled.add(answer.id)

for job in (read, answer):
    threading.Thread(target=job, daemon=True).start()
buttons = [belfry.Action("done", "Done")]
number = 0
while True:
    id = f"{run}.{number}"
    write(adding=id)
    app.add("Task", id=id, actions=buttons)
    write(added=id)
    number += 1
'''


class Ledger:
    """What the client has written down."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def all(self, word: str) -> list[str]:
        """The values of a word, in order."""
        lines = self.path.read_text().splitlines(keepends=True) if self.path.exists() else []
        entries = [json.loads(line) for line in lines if line.endswith("\n")]
        return [entry[word] for entry in entries if word in entry]


def eventually(holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + BOUND.total_seconds()
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.01)


@pytest.fixture
def own_server(pytestconfig: pytest.Config) -> Iterator[Client]:
    """A server that only this test kills."""
    binary = pytestconfig.getoption("--belfry-binary")
    with belfry.start(clock=START, binary=binary, timeout=BOUND) as client:
        yield client


@pytest.mark.parametrize("kills", [6, pytest.param(200, marks=pytest.mark.full)])
def test_nothing_is_lost_and_nothing_comes_twice(
    own_server: Client, tmp_path: Path, kills: int
) -> None:
    server, ledger = own_server.server, Ledger(tmp_path / "ledger")
    assert server is not None
    app, person = own_server.app("org.example.ledger"), own_server.device()
    app.authorize()
    pressed: list[str] = []

    def client(run: int) -> "subprocess.Popen[bytes]":
        arguments = [own_server.address, str(ledger.path), f"run{run}"]
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )

    def press_some() -> None:
        for shown in person.screen(app.id)[:3]:
            person.press(shown, "done")
            pressed.append(shown.id)

    process = client(0)
    try:
        for kill in range(kills):
            # It has gone on since the last kill.
            before = len(ledger.all("added"))
            eventually(lambda: len(ledger.all("added")) > before + 3, "the client does not go on")
            press_some()
            if kill % 2:
                server.kill()
                server.start()
            else:
                process.send_signal(signal.SIGKILL)
                process.wait()
                process = client(kill + 1)
        press_some()
        last = app.add("The last one", id="last").id
        eventually(lambda: last in ledger.all("id"), "the last event is lost")
        eventually(lambda: set(pressed) <= set(ledger.all("answer")), "an answer is lost")
    finally:
        process.kill()
        process.wait()

    numbers = [int(number) for number in ledger.all("event")]
    assert numbers == list(range(1, len(numbers) + 1))
    # The client was killed before it had read all.
    events = list(app.events(after=0, follow=False))
    assert [event.id for event in events[: len(numbers)]] == ledger.all("id")
    # Each that was added was delivered once: a retry does not deliver it a second time. One whose
    # client was killed before it was answered may be there or not.
    delivered = Counter(event.id for event in events if event.kind == "delivered")
    assert set(delivered.values()) == {1}
    assert set(ledger.all("added")) <= delivered.keys() <= {*ledger.all("adding"), "last"}
    assert Counter(ledger.all("answer")) == Counter(pressed)
