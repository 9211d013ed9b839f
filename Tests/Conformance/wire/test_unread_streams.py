"""Streams whose clients read nothing: what they cost of memory, and what comes back."""

import time
from collections.abc import Callable

import pytest

from harness import wire
from harness.client import Client
from harness.eventually import eventually
from harness.http2 import Connection, call, header_block, whole
from harness.launcher import Launcher
from harness.memory import MIB, anonymous_memory
from harness.torture import Torture

SUBSCRIBE = header_block(wire.path(wire.METHODS["Subscribe"]))

# Bytes that a stream may cost, that readers may share beside it, and that may be left.
EACH = 16 * 1024
SHARED = 4 * MIB
LEFT = 32 * MIB

STREAMS_OF_APP, STREAMS_OF_CONNECTION = 1_000, 50

# The events of each stream: several times as many bytes as it may keep.
EVENTS, BODY = 200, "x" * 2_048


@pytest.mark.torture
def test_a_stream_that_is_not_read_costs_little(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    server = launch()
    count = torture.count("R9-unread")
    took: list[float] = []
    with Client(server.targets["unix"]) as client:
        apps = [client.app() for _ in range(-(-count // STREAMS_OF_APP))]
        content = wire.NotificationContent(title="t", body=BODY)
        for app in apps:
            app.authorize()
            for number in range(EVENTS):
                app.call(
                    "Add",
                    request=wire.NotificationRequest(identifier=f"r{number}", content=content),
                )
        before = anonymous_memory(server.pid)
        connections: list[Connection] = []
        for number in torture.rounds("R9-unread"):
            if number % STREAMS_OF_CONNECTION == 0:
                # One peer has three quarters of the places.
                transport = "unix" if len(connections) % 2 == 0 else "tcp"
                connections.append(Connection(server.targets[transport]))
            app = apps[number // STREAMS_OF_APP]
            request = wire.SubscribeRequest(center=app.center, after=0)
            connection = connections[-1]
            body = whole(request.SerializeToString())
            connection.socket.sendall(call(connection.new_stream(), SUBSCRIBE, body))
        eventually(lambda: client.call("GetStats").subscriptions == count)
        # Until none of them grows any more.
        last, most, since = 0, 0, time.monotonic()
        while time.monotonic() - since < 1:
            began = time.monotonic()
            client.call("GetServerInfo")
            took.append(time.monotonic() - began)
            if (now := anonymous_memory(server.pid)) > last + MIB:
                last, since = now, time.monotonic()
            most = max(most, now)
        for connection in connections:
            connection.close()
        began = time.monotonic()
        eventually(lambda: anonymous_memory(server.pid) - before < LEFT)
        relief = time.monotonic() - began
    slowest = sorted(took)[len(took) * 99 // 100]
    report(
        f"R9-unread: {count} streams grew the server by {(most - before) / MIB:.1f} MiB,"
        f" {(most - before) / count / 1024:.1f} KiB each; another client's calls took"
        f" {slowest * 1_000:.1f} ms at the 99th percentile; less than {LEFT // MIB} MiB of it were"
        f" left {relief:.1f} s after they ended"
    )
    assert most - before <= count * EACH + SHARED
