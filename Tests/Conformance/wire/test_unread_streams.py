"""Streams whose clients read nothing: what they cost of memory, and what comes back."""

import time
from collections.abc import Callable

import pytest

from harness import wire
from harness.client import Client, request
from harness.eventually import eventually
from harness.http2 import Connection, call, header_block, whole
from harness.launcher import Launcher
from harness.memory import MIB, anonymous_memory
from harness.server import Server
from harness.torture import Torture

SUBSCRIBE = header_block(wire.path(wire.METHODS["Subscribe"]))
WATCH = header_block(wire.path(wire.METHODS["WatchDevice"]))

# Bytes that a stream may cost, that readers may share beside it, and that may be left.
EACH = 16 * 1024
SHARED = 4 * MIB
LEFT = 32 * MIB
# Bytes of the news of a device, which its watches share, and of what is delivered meanwhile.
NEWS = 24 * MIB

STREAMS_OF_APP, STREAMS_OF_CONNECTION = 1_000, 50

# The events of each stream: several times as many bytes as it may keep.
EVENTS, BODY = 200, "x" * 2_048

# The notifications of which the watches of a device are told.
DELIVERED = 6_000


def settled(server: Server, client: Client) -> int:
    """The most memory of a server until it grows no more."""
    last, most, since = 0, 0, time.monotonic()
    while time.monotonic() - since < 1:
        client.call("GetServerInfo")
        if (now := anonymous_memory(server.pid)) > last + MIB:
            last, since = now, time.monotonic()
        most = max(most, now)
    return most


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
            asked = wire.SubscribeRequest(center=app.center, after=0)
            connection = connections[-1]
            body = whole(asked.SerializeToString())
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


@pytest.mark.torture
def test_a_watch_that_is_not_read_costs_little(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    server = launch()
    count = torture.count("R9-unread-watches")
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()

        def deliver() -> int:
            """Delivers, and gives the memory that is then taken."""
            for start in range(0, DELIVERED, 100):
                names = range(start, start + 100)
                app.call("AddBatch", requests=[request(f"r{n}", None) for n in names])
            return anonymous_memory(server.pid)

        before = deliver()
        connections: list[Connection] = []
        body = whole(
            wire.WatchDeviceRequest(device_id=app.center.device_id).SerializeToString()
        )
        for number in torture.rounds("R9-unread-watches"):
            if number % STREAMS_OF_CONNECTION == 0:
                transport = "unix" if len(connections) % 2 == 0 else "tcp"
                connections.append(Connection(server.targets[transport]))
            connection = connections[-1]
            connection.socket.sendall(call(connection.new_stream(), WATCH, body))
        # Each waits for its client to read while more is delivered.
        quiet = settled(server, client)
        most = max(deliver(), settled(server, client))
        for connection in connections:
            connection.close()
        eventually(lambda: anonymous_memory(server.pid) - before < LEFT)
    report(
        f"R9-unread-watches: {count} watches grew the server by {(quiet - before) / MIB:.1f} MiB,"
        f" and by {(most - before) / MIB:.1f} MiB, {(most - before) / count / 1024:.1f} KiB each,"
        f" when {DELIVERED} notifications had been delivered"
    )
    assert most - before <= count * EACH + NEWS
