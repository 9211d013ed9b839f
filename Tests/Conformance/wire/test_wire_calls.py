"""Broken calls by the thousand: none is taken for a whole one, and the server serves on."""

import random
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2

from harness import wire
from harness.broken import ALLOWED, Breaker, BrokenCall
from harness.client import App, Client
from harness.http2 import Connection, call, header_block, reset, whole
from harness.launcher import Launcher
from harness.memory import MIB, anonymous_memory, resident_memory
from harness.mutation import can_be_read
from harness.server import Server
from harness.torture import Torture

IN_FLIGHT = 64
CONNECTIONS = 4
SLICES = 20

# Bytes by which a short run may grow while allocators still find their size: they take 2 MiB at a
# time, the last of them after the first tenth. 24 runs grew by 0.8 to 4.8 MiB, and not in their
# second half.
SLACK = 6 * MIB


def lists(app: App) -> list[Any]:
    """All that a center tells of itself."""
    calls = ["GetNotificationSettings", "ListPending", "ListDelivered"]
    return [*(app.call(rpc) for rpc in calls), app.events()]


class Sender:
    """Sends broken calls over a few connections and holds each answer against what is allowed."""

    def __init__(self, targets: list[str], breaker: Breaker) -> None:
        self.judged: Counter[str] = Counter()
        self.codes: Counter[int] = Counter()
        self._connections = [Connection(target) for target in targets]
        self._breaker = breaker

    def send(self, count: int) -> None:
        """Sends so many, as many as may be in flight at once."""
        while count > 0:
            size = min(count, IN_FLIGHT * len(self._connections))
            sent = [self._start(connection) for connection in self._connections]
            for connection, calls in zip(self._connections, sent, strict=True):
                for stream, broken in calls.items():
                    self._judge(broken, self._code_of(connection, stream, broken))
            count -= size

    def _start(self, connection: Connection) -> dict[int, BrokenCall]:
        calls: dict[int, BrokenCall] = {}
        frames: list[bytes] = []
        for _ in range(IN_FLIGHT):
            stream, broken = connection.new_stream(), self._breaker.call()
            calls[stream] = broken
            frames.append(call(stream, broken.method.block, *broken.bodies))
        size = sum(len(body) for broken in calls.values() for body in broken.bodies)
        connection.send(b"".join(frames), body_size=size)
        return calls

    def _code_of(self, connection: Connection, stream: int, broken: BrokenCall) -> int:
        """The status of a call; a stream that tells something is as good as OK, and ended."""
        while stream not in connection.statuses:
            if broken.method.is_stream and stream in connection.answered:
                connection.send(reset(stream))
                connection.answered.discard(stream)
                return 0
            connection.read()
        connection.answered.discard(stream)
        return connection.statuses.pop(stream)

    def _judge(self, broken: BrokenCall, code: int) -> None:
        assert code in ALLOWED[broken.judgement], f"status {code} to {broken}"
        self.judged[broken.judgement.name] += 1
        self.codes[code] += 1

    def close(self) -> None:
        for connection in self._connections:
            connection.close()


def keep(client: Client) -> App:
    """An app with something in each of its lists."""
    app = App(client, wire.Center(app_id="org.example.kept"))
    app.authorize()
    app.add("delivered")
    app.add("pending", 3_600)
    return app


@pytest.mark.torture
def test_broken_calls_are_refused_and_change_nothing(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        kept = keep(client)
        thrown = App(client, wire.Center(app_id="com.thrown"))
        thrown.authorize()
        before = lists(kept)
        breaker = Breaker(thrown.center, random.Random(torture.seed))
        sender = Sender([*server.targets.values()] * (CONNECTIONS // 2), breaker)
        memory: list[int] = []
        took = 0.0
        for _ in torture.rounds("R8", SLICES):
            began = time.monotonic()
            sender.send(torture.count("R8") // SLICES)
            took += time.monotonic() - began
            with Client(server.targets["tcp"]) as other:
                other.call("GetServerInfo")
            memory.append(anonymous_memory(server.pid))
        sender.close()
        assert lists(kept) == before, "a call about one app changed another"
        # What came to be a right UnregisterApp may have been the last call.
        thrown.authorize()
        numbers = [event.number for event in thrown.events()]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    first, last = memory[SLICES // 10 - 1], memory[-1]
    total = sender.judged.total()
    report(
        f"R8 broken calls: {total} in {took:.0f} s, {total / took:.0f} a second over"
        f" {CONNECTIONS} connections with {IN_FLIGHT} in flight each; {described(sender)};"
        f" 0 taken for whole; memory {first // MIB} MiB after a tenth, {last // MIB} MiB at the"
        f" end, {resident_memory(server.pid) // MIB} MiB with mapped files (seed {torture.seed})"
    )
    assert last <= first * 1.05 + SLACK


def described(sender: Sender) -> str:
    judged = ", ".join(f"{name.lower()} {count}" for name, count in sender.judged.most_common())
    codes = ", ".join(f"{code}: {count}" for code, count in sorted(sender.codes.items()))
    return f"{judged}; statuses {codes}"


@pytest.mark.parametrize(
    "message",
    [b"\x0a\x01\xff", b"\xfd\xf9\xc2\x87\x51\0\0\0\0"],
    ids=["text", "field number"],
)
def test_health_refuses_what_protobuf_cannot_read(server: Server, message: bytes) -> None:
    assert not can_be_read(health_pb2.HealthCheckRequest(), message)
    with Connection(server.targets["tcp"]) as connection:
        stream = connection.start(header_block("/grpc.health.v1.Health/Check"), whole(message))
        assert connection.status_of(stream) == grpc.StatusCode.INVALID_ARGUMENT.value[0]
