"""Floods a server with frames from a process of its own, at full speed, until a time is over.

It connects again at once whenever the server ends its connection.
"""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness import wire
from harness.http2 import (
    DATA,
    END_HEADERS,
    HEADERS,
    INITIAL_WINDOW_SIZE,
    PING,
    dial,
    frame,
    greeting,
    header_block,
    reset,
    settings,
    window_update,
)
from harness.server import BOUND

PATH = wire.path(wire.METHODS["GetServerInfo"])

# Fields by their numbers in HPACK's own table, so that a call is short: POST, http, and the path,
# which enters the connection's table as its first entry, and is number 62 from then on.
FIRST = b"\x83\x86\x44" + bytes([len(PATH)]) + PATH.encode()
LATER = b"\x83\x86\xbe"
REST = header_block(PATH)[header_block(PATH).index(b"\0\x0a:authority") :]

CALLS = 100_000

_CHUNK = 1 << 20


def _calls(*, are_reset: bool) -> bytes:
    parts = []
    for number in range(CALLS):
        stream = 2 * number + 1
        block = (LATER if number else FIRST) + REST
        parts.append(frame(HEADERS, block, flags=END_HEADERS, stream=stream))
        if are_reset:
            parts.append(reset(stream))
    return b"".join(parts)


def _repeated(unit: bytes) -> bytes:
    return unit * (_CHUNK // len(unit))


# What each flood says once to each connection, and then again and again.
FLOODS = {
    "reset": (lambda: _calls(are_reset=True), None),
    "calls": (lambda: _calls(are_reset=False), None),
    "settings": (bytes, settings({INITIAL_WINDOW_SIZE: 65_535})),
    "ping": (bytes, frame(PING, b"12345678")),
    "data": (
        lambda: frame(HEADERS, FIRST + REST, flags=END_HEADERS, stream=1),
        frame(DATA, stream=1),
    ),
    "window": (bytes, window_update(1)),
}


def _send(
    connection: socket.socket, once: bytes, again: bytes, end: float
) -> tuple[int, bool]:
    """Floods a connection; gives the bytes that were sent, and whether the server ended it."""
    sent = 0
    try:
        connection.sendall(greeting())
        for place in range(0, len(once), _CHUNK):
            connection.sendall(once[place : place + _CHUNK])
            sent += len(once[place : place + _CHUNK])
        while again and time.monotonic() < end:
            connection.sendall(again)
            sent += len(again)
    except TimeoutError:
        pass
    except OSError:
        return sent, True
    return sent, False


def main(target: str, kind: str, seconds: float) -> dict[str, Any]:
    """Makes the flood and tells how large it was."""
    make, unit = FLOODS[kind]
    once, again = make(), _repeated(unit) if unit else b""
    print("ready", flush=True)
    sys.stdin.readline()
    sent = connections = ended = 0
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            with dial(target) as connection:
                connection.settimeout(left)
                connections += 1
                size, is_ended = _send(connection, once, again, end)
                sent += size
                ended += is_ended
        except OSError:
            # The server takes no connection at the moment.
            time.sleep(0.001)
    return {"connections": connections, "ended": ended, "bytes": sent}


class Flood:
    """A flood by another process."""

    def __init__(self, target: str, kind: str, seconds: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "harness.flood", target, kind, str(seconds)],
            cwd=Path(__file__).parent.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert next(self._answers()) == "ready\n"

    def _answers(self) -> Iterator[str]:
        assert self._process.stdout is not None
        return self._process.stdout

    def start(self) -> None:
        """Lets it begin."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    @property
    def is_over(self) -> bool:
        """Whether its time is over."""
        return self._process.poll() is not None

    def result(self) -> dict[str, Any]:
        """How many connections it made, and how many bytes it sent."""
        output, _ = self._process.communicate(timeout=BOUND)
        return json.loads(output)

    def close(self) -> None:
        """Ends it."""
        self._process.kill()
        self._process.wait()


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], float(sys.argv[3]))))
