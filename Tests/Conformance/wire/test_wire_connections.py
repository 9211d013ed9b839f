"""Connections that speak no HTTP/2, or speak it badly: the server serves everyone else."""

import random
import socket
import struct
from collections import deque
from collections.abc import Callable

import pytest

from harness.client import Client
from harness.eventually import eventually
from harness.http2 import Connection, dial, header_block, whole
from harness.junk import KINDS, PATH
from harness.launcher import Launcher
from harness.memory import MIB, anonymous_memory, descriptors, descriptors_at_rest
from harness.server import Server
from harness.torture import Torture

# Broken connections that are open at once.
OPEN = 40

# How many are made between two looks at the server.
SLICE = 40

MEMORY_SLACK = 32 * MIB


class Broken:
    """A connection that has said something broken, and is open until it is ended in some way."""

    def __init__(self, target: str, data: bytes, choices: random.Random) -> None:
        self._choices = choices
        self._socket = dial(target)
        # A server that has heard enough need not read on.
        self._socket.settimeout(0.2)
        self._send(data)

    def _send(self, data: bytes) -> None:
        size = self._choices.choice([len(data), len(data), self._choices.randint(1, 100)])
        try:
            # The first part may end anywhere.
            self._socket.sendall(data[:size])
            self._socket.sendall(data[size:])
        except OSError:
            pass

    def end(self) -> None:
        """Ends it in order, at once, by a reset, or after what the server says is read."""
        try:
            match self._choices.choice(["close", "reset", "half", "read"]):
                case "reset":
                    linger = struct.pack("ii", 1, 0)
                    self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                case "half":
                    self._socket.shutdown(socket.SHUT_WR)
                case "read":
                    self._socket.settimeout(0.01)
                    self._socket.recv(1 << 16)
        except OSError:
            pass
        self._socket.close()


def assert_serves(server: Server) -> None:
    """A new connection over each transport is answered."""
    for target in server.targets.values():
        with Client(target) as client:
            client.call("GetServerInfo")


@pytest.mark.torture
def test_broken_connections_disturb_nobody(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    server = launch()
    choices = random.Random(torture.seed)
    targets = list(server.targets.values())
    assert_serves(server)
    at_rest = descriptors_at_rest(server.pid)
    still_open: deque[Broken] = deque()
    memory: list[int] = []
    for number in torture.rounds("R8-raw"):
        kind = KINDS[number % len(KINDS)]
        still_open.append(Broken(choices.choice(targets), kind(choices), choices))
        if len(still_open) > OPEN:
            still_open.popleft().end()
        if number % SLICE == SLICE - 1:
            assert_serves(server)
            memory.append(anonymous_memory(server.pid))
    for broken in still_open:
        broken.end()
    assert_serves(server)
    eventually(lambda: descriptors(server.pid) <= at_rest)
    memory.append(anonymous_memory(server.pid))
    first, last = memory[len(memory) // 10], memory[-1]
    report(
        f"R8-raw broken connections: {torture.count('R8-raw')} of {len(KINDS)} kinds, {OPEN} open"
        f" at once; every look found the server serving; memory {first // MIB} MiB after a tenth,"
        f" {max(memory) // MIB} MiB at most, {last // MIB} MiB at the end (seed {torture.seed})"
    )
    assert last <= first * 1.05 + MEMORY_SLACK


def log_after(server: Server, value: bytes, count: int) -> str:
    """The whole log of a server to which calls came with a header that cannot be."""
    with Connection(server.targets["tcp"]) as connection:
        for _ in range(count):
            connection.status_of(connection.start(header_block(PATH, (b"te", value)), whole(b"")))
    server.terminate()
    server.wait()
    return server.log


def test_a_client_cannot_write_a_line_of_the_log(launch: Launcher) -> None:
    lines = log_after(launch(), b"x\nforged", 1).splitlines()
    assert not any(line.startswith("forged") for line in lines)


def test_a_client_cannot_fill_the_log(launch: Launcher) -> None:
    assert len(log_after(launch(), b"x" * 7_000, 100)) < 64 * 1024
