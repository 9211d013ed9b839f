"""Replies of unary calls that their clients do not read: what they cost, and whom they delay."""

import time
from collections.abc import Callable

import pytest

from harness import wire
from harness.client import Client, request
from harness.eventually import eventually
from harness.http2 import Connection, call, greeting, header_block, whole
from harness.launcher import Launcher
from harness.memory import MIB, anonymous_memory
from harness.torture import Torture

LIST = header_block(wire.path(wire.METHODS["ListPending"]))

# Bytes of all replies that are on their way, what each call may cost, what the lists that are read
# meanwhile may take, and what may be left.
REPLIES = 32 * MIB
EACH = 16 * 1024
SHARED = 16 * MIB
LEFT = 32 * MIB

CALLS_OF_CONNECTION = 50

# A page of a megabyte.
PENDING, BODY = 1_000, "x" * 1_024


@pytest.mark.torture
def test_replies_that_are_not_read_cost_little(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    server = launch()
    count = torture.count("R9-replies")
    took: list[float] = []
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        for start in range(0, PENDING, 100):
            names = range(start, start + 100)
            app.call("AddBatch", requests=[request(f"{n}", 1e6, body=BODY) for n in names])
        asked = wire.ListPendingRequest(center=app.center, page_size=PENDING)
        page = app.call("ListPending", page_size=PENDING)
        assert page.ByteSize() > MIB
        before = anonymous_memory(server.pid)
        connections: list[Connection] = []
        body = whole(asked.SerializeToString())
        for number in torture.rounds("R9-replies"):
            if number % CALLS_OF_CONNECTION == 0:
                connections.append(Connection(server.targets["unix"], greeting(window=0)))
            connection = connections[-1]
            connection.socket.sendall(call(connection.new_stream(), LIST, body))
        # Until none of them grows any more.
        last, most, since = 0, 0, time.monotonic()
        while time.monotonic() - since < 2:
            began = time.monotonic()
            client.call("GetServerInfo")
            took.append(time.monotonic() - began)
            if (now := anonymous_memory(server.pid)) > last + MIB:
                last, since = now, time.monotonic()
            most = max(most, now)
        # Those who read are answered, whether or not all room is taken.
        with Client(server.targets["unix"]) as other:
            began = time.monotonic()
            assert other.call("ListPending", center=app.center, page_size=PENDING) == page
            waited = time.monotonic() - began
        for connection in connections:
            connection.close()
        began = time.monotonic()
        eventually(lambda: anonymous_memory(server.pid) - before < LEFT)
        relief = time.monotonic() - began
    slowest = sorted(took)[len(took) * 99 // 100]
    report(
        f"R9-replies: {count} lists grew the server by {(most - before) / MIB:.1f} MiB; another"
        f" client's calls took {slowest * 1_000:.1f} ms at the 99th percentile, and its list"
        f" {waited:.1f} s; less than {LEFT // MIB} MiB of it were left {relief:.1f} s after they"
        " ended"
    )
    assert most - before <= REPLIES + count * EACH + SHARED
