"""Clients that ask for work without end: they are sent away, and nobody else notices."""

import contextlib
import re
import resource
import socket
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import pytest

from harness import wire
from harness.client import Client
from harness.eventually import eventually
from harness.flood import FLOODS, Flood
from harness.http2 import (
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    Closed,
    Connection,
    dial,
    frame,
    greeting,
    header_block,
    reset,
    whole,
    window_update,
)
from harness.launcher import Launcher
from harness.memory import MIB, anonymous_memory
from harness.server import BOUND, Server
from harness.torture import Torture

INFO = header_block(wire.path(wire.METHODS["GetServerInfo"]))
ADD = header_block(wire.path(wire.METHODS["Add"]))

# The memory that a flood may take, and that may be left 10 s after it.
GROWTH = 256 * MIB
LEFT = 64 * MIB

# The quota of what clients send and have not finished.
QUOTA = 128 * MIB

LONGEST_MESSAGE = MIB

# Frames are metered as they come, and over TLS once they are decrypted: the transports that stand
# for each kind of listener.
LISTENERS = {"unix": "unix", "tcp": "unix", "inherited": "unix", "tls": "tls"}
METERED = sorted(set(LISTENERS.values()))

# The promises of the 99th percentile.
SLOWEST, SLOWEST_UNFINISHED = 0.1, 3.0
RELIEF = 10.0


@dataclass
class Witness:
    """A good client, and what it sees: how long its calls take, and how large the server is."""

    server: Server
    target: str
    took: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._connection = Connection(self.target)
        # No call is missing from the figures because it took too long.
        self._connection.socket.settimeout(2 * BOUND)
        self.call()
        self.took.clear()
        self.before = self.most = anonymous_memory(self.server.pid)

    def call(self) -> None:
        """Makes a call and looks at the server's memory."""
        began = time.monotonic()
        assert self._connection.status_of(self._connection.start(INFO, whole(b""))) == 0
        self.took.append(time.monotonic() - began)

    def look(self) -> None:
        """Makes a call, looks at the server's memory, and waits a little."""
        self.call()
        self.most = max(self.most, anonymous_memory(self.server.pid))
        time.sleep(0.002)

    def seconds_until_relief(self) -> float:
        """How long it takes until who connects is answered and the memory is back, or the bound."""
        began = time.monotonic()
        with Client(self.target) as client:
            client.wait_until_ready()
        while time.monotonic() - began < RELIEF and self.left > LEFT:
            time.sleep(0.05)
        return time.monotonic() - began

    @property
    def left(self) -> int:
        """What is left of what the server grew by."""
        return anonymous_memory(self.server.pid) - self.before

    @property
    def slowest(self) -> float:
        """The 99th percentile of its calls."""
        return sorted(self.took)[len(self.took) * 99 // 100]

    def __str__(self) -> str:
        return (
            f"a good client's {len(self.took)} calls took {self.slowest * 1_000:.1f} ms at the 99th"
            f" percentile, {max(self.took) * 1_000:.1f} ms at most; memory {self.before // MIB} MiB"
            f" before, {self.most // MIB} MiB at most"
        )

    def close(self) -> None:
        self._connection.close()


def test_each_kind_of_listener_is_flooded() -> None:
    source = (Path(__file__).parents[3] / "Sources/BelfryGRPC/Listener.swift").read_text()
    kinds = source.split("enum Listener")[1].split("package var")[0]
    assert set(re.findall(r"\bcase (\w+)\(", kinds)) == set(LISTENERS)


@pytest.mark.torture
@pytest.mark.parametrize("transport", METERED)
@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of_frames_is_noticed_by_nobody(
    launch: Launcher, torture: Torture, report: Callable[[str], None], transport: str, kind: str
) -> None:
    server = launch(tls=True)
    witness = Witness(server, server.targets["unix"])
    seconds = torture.count("R9-flood")
    flood = Flood(server.targets[transport], kind, seconds)
    flood.start()
    try:
        while not flood.is_over:
            witness.look()
        result = flood.result()
    finally:
        flood.close()
    relief = witness.seconds_until_relief()
    report(
        f"R9-flood {kind} over {transport}: {seconds} s, {result['bytes'] / 1e6:.1f} MB over"
        f" {result['connections']} connections, {result['ended']} ended by the server; {witness};"
        f" all answered after {relief:.2f} s, with {witness.left // MIB} MiB more than before"
    )
    eventually(lambda: witness.left <= LEFT)
    witness.close()
    assert result["ended"] > 0
    assert witness.most - witness.before <= GROWTH
    # Real time: a promise in figures, of a quiet machine.
    assert not torture.is_full or witness.slowest <= SLOWEST


def test_cancelling_all_calls_of_a_connection_is_no_flood(launch: Launcher) -> None:
    server = launch()
    with Connection(server.targets["tcp"]) as connection:
        assert connection.status_of(connection.start(INFO, whole(b""))) == 0
        # A quarter of what a connection may cancel at once it may from the beginning, and all of it
        # after four seconds.
        time.sleep(4)
        open_calls = []
        for _ in range(1_000):
            stream = connection.new_stream()
            connection.send(frame(HEADERS, INFO, flags=END_HEADERS, stream=stream))
            open_calls.append(stream)
        connection.send(b"".join(map(reset, open_calls)))
        assert connection.status_of(connection.start(INFO, whole(b""))) == 0


def test_many_connections_may_not_reset_what_one_may_not(launch: Launcher) -> None:
    # Each connection alone may reset so many calls.
    count, connections = 280, 100
    server = launch()
    ended = 0
    with contextlib.ExitStack() as stack:
        for _ in range(connections):
            connection = stack.enter_context(Connection(server.targets["unix"]))
            try:
                assert connection.status_of(connection.start(INFO, whole(b""))) == 0
                for _ in range(count // 35):
                    streams = [connection.new_stream() for _ in range(35)]
                    opened = [frame(HEADERS, INFO, flags=END_HEADERS, stream=s) for s in streams]
                    connection.send(b"".join(opened) + b"".join(map(reset, streams)))
                assert connection.status_of(connection.start(INFO, whole(b""))) == 0
            except (OSError, Closed):
                ended += 1
        # A client that cancels a few calls is not sent away meanwhile.
        with Connection(server.targets["unix"]) as connection:
            for _ in range(16):
                stream = connection.new_stream()
                connection.send(frame(HEADERS, INFO, flags=END_HEADERS, stream=stream))
                connection.send(reset(stream))
            assert connection.status_of(connection.start(INFO, whole(b""))) == 0
    # They would be 28,000 in the time of some hundreds.
    assert ended > connections // 4


def test_a_client_that_receives_much_is_no_flood(launch: Launcher) -> None:
    server = launch()
    with Connection(server.targets["tcp"]) as connection:
        assert connection.status_of(connection.start(INFO, whole(b""))) == 0
        time.sleep(0.5)
        # Two for each message, as some libraries do it.
        connection.send(window_update(1) * 200_000)
        assert connection.status_of(connection.start(INFO, whole(b""))) == 0


def bomb(mebibytes: int) -> bytes:
    """So many zeros as gzip has them."""
    packer = zlib.compressobj(9, wbits=31)
    return b"".join(packer.compress(bytes(MIB)) for _ in range(mebibytes)) + packer.flush()


def status_of_compressed(connection: Connection, encoding: bytes, body: bytes) -> int:
    """The status of a call with a message that is said to be compressed."""
    block = header_block(
        wire.path(wire.METHODS["GetServerInfo"]), (b"grpc-encoding", encoding)
    )
    stream = connection.new_stream()
    connection.send(frame(HEADERS, block, flags=END_HEADERS, stream=stream))
    message = b"\1" + len(body).to_bytes(4, "big") + body
    # As much as a stream takes without being asked for more, and a frame holds.
    for place in range(0, min(len(message), 60_000), 16_000):
        part = message[place : place + 16_000]
        last = END_STREAM if place + len(part) == len(message) else 0
        connection.send(frame(DATA, part, flags=last, stream=stream), body_size=len(part))
    return connection.status_of(stream)


@pytest.mark.torture
def test_a_compressed_message_is_refused_and_not_inflated(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    server = launch()
    # 60,000 bytes that grow to 60 MB, and that end.
    body = bomb(55)
    assert len(body) < 60_000
    witness = Witness(server, server.targets["tcp"])
    with Connection(server.targets["tcp"]) as connection:
        for _ in torture.rounds("R9-bomb"):
            for encoding in [b"gzip", b"deflate"]:
                code = status_of_compressed(connection, encoding, body)
                assert code == grpc.StatusCode.UNIMPLEMENTED.value[0]
            witness.look()
    witness.close()
    report(
        f"R9-bomb: {2 * torture.count('R9-bomb')} messages of {len(body)} bytes that grow to"
        f" {55 * MIB} were refused; {witness}"
    )
    assert witness.most - witness.before <= 16 * MIB


def test_the_server_says_that_it_takes_no_compression(server: Server) -> None:
    with dial(server.targets["tcp"]) as connection:
        connection.sendall(greeting())
        connection.sendall(
            frame(HEADERS, INFO, flags=END_HEADERS, stream=1)
            + frame(DATA, whole(b""), flags=END_STREAM, stream=1)
        )
        heard = b""
        while b"grpc-accept-encoding" not in heard:
            part = connection.recv(1 << 16)
            assert part, "the connection ended"
            heard += part
    after = heard[heard.index(b"grpc-accept-encoding") + len(b"grpc-accept-encoding") :]
    assert after[1:].startswith(b"identity") and after[0] == len(b"identity")


class Withholder(Connection):
    """Starts calls whose messages are as long as they may be, and keeps back the last byte."""

    def __init__(self, target: str, calls: int) -> None:
        super().__init__(target)
        self.sent = 0
        self._first_window = 0
        self._windows = dict.fromkeys((self.new_stream() for _ in range(calls)), 0)
        self._left = dict.fromkeys(self._windows, LONGEST_MESSAGE + 4)
        # Until its settings are confirmed the server takes few calls.
        while not self._first_window:
            self.read()
        for stream in self._windows:
            self.send(frame(HEADERS, ADD, flags=END_HEADERS, stream=stream))
        self.socket.settimeout(0.05)

    def _note(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        super()._note(kind, flags, stream, payload)
        if kind == SETTINGS:
            for place in range(0, len(payload), 6):
                if payload[place + 1] == 4:
                    self._first_window = int.from_bytes(payload[place + 2 : place + 6], "big")
        elif kind == WINDOW_UPDATE and stream in self._windows:
            self._windows[stream] += int.from_bytes(payload, "big")
        elif kind == RST_STREAM or (kind == HEADERS and flags & END_STREAM):
            self._left.pop(stream, None)

    def go_on(self) -> bool:
        """Sends what the server takes now; false when it takes nothing more."""
        try:
            self.read()
        except TimeoutError:
            pass
        except (OSError, Closed):
            return False
        before = self.sent
        try:
            self.socket.settimeout(BOUND)
            for stream, left in list(self._left.items()):
                size = min(self._windows[stream] + self._first_window, self._credit, left, 16_384)
                if size <= 0:
                    continue
                prefix = b"\0" + LONGEST_MESSAGE.to_bytes(4, "big")
                body = prefix if left == LONGEST_MESSAGE + 4 else b""
                self.send(
                    frame(DATA, (body + bytes(size))[:size], stream=stream), body_size=size
                )
                self._windows[stream] -= size
                self._left[stream] -= size
                self.sent += size
            self.socket.settimeout(0.05)
        except (OSError, Closed):
            return False
        return self.sent > before


@pytest.mark.torture
@pytest.mark.parametrize("transport", METERED)
def test_messages_that_are_not_finished_stay_under_the_quota(
    launch: Launcher, torture: Torture, report: Callable[[str], None], transport: str
) -> None:
    server = launch(tls=True)
    target = server.targets[transport]
    count, connections = torture.count("R9-unfinished"), 4
    witness = Witness(server, server.targets["unix"])
    withholders = [Withholder(target, count // connections) for _ in range(connections)]
    active = withholders
    while active:
        active = [withholder for withholder in active if withholder.go_on()]
        witness.look()
    for withholder in withholders:
        withholder.close()
    relief = witness.seconds_until_relief()
    sent = sum(withholder.sent for withholder in withholders)
    report(
        f"R9-unfinished over {transport}: {count} messages of 1 MiB over {connections} connections,"
        f" {sent // MIB} MiB sent; {witness}; all answered after {relief:.2f} s, with"
        f" {witness.left // MIB} MiB more than before"
    )
    witness.close()
    assert witness.most - witness.before <= QUOTA
    # Real time: a promise in figures, of a quiet machine.
    assert not torture.is_full or witness.slowest <= SLOWEST_UNFINISHED


def raise_descriptor_limit(count: int) -> None:
    """Lets this process have so many descriptors, if it may."""
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(least, min(count, most)), most))


def is_served(connection: socket.socket) -> bool:
    """Whether the server keeps a connection, which it greets then."""
    try:
        return connection.recv(1 << 16) != b""
    except OSError:
        return False


@pytest.mark.torture
def test_idle_connections_keep_nobody_else_out(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    server = launch()
    raise_descriptor_limit(2 * torture.count("R9-idle"))
    host, _, port = server.targets["tcp"].rpartition(":")
    idle: list[socket.socket] = []
    try:
        for _ in torture.rounds("R9-idle"):
            idle.append(dial(server.targets["tcp"]))
            idle[-1].sendall(greeting())
        # One address leaves half of the places to others.
        assert not is_served(idle[-1])
        elsewhere = ("127.0.0.2", 0)
        with socket.create_connection((host, int(port)), BOUND, source_address=elsewhere) as other:
            other.sendall(greeting())
            assert is_served(other)
        with Client(server.targets["unix"]) as owner:
            began = time.monotonic()
            owner.call("GetServerInfo")
            took = time.monotonic() - began
    finally:
        for connection in idle:
            connection.close()
    eventually(lambda: _is_answered(server.targets["tcp"]))
    report(
        f"R9-idle: {len(idle)} idle connections over TCP; the owner's call over the unix socket"
        f" took {took * 1_000:.1f} ms"
    )


def _is_answered(target: str) -> bool:
    with dial(target) as connection:
        connection.sendall(greeting())
        return is_served(connection)
