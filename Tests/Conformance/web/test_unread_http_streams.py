"""Streams over HTTP whose clients read nothing: what they cost of memory, and what comes back."""

import json
import socket
import time
from collections.abc import Callable

import pytest

from access.serving import Caller, own_token
from harness import wire
from harness.client import Client, request
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.memory import MIB, anonymous_memory
from harness.server import BOUND, Server
from harness.torture import Torture
from web.http_server import Web, envelope, path, serve

# Bytes that messages may cost beside the stream, that readers may share, and that may be left.
EACH = 16 * 1024
SHARED = 4 * MIB
LEFT = 32 * MIB

# One address has half of the places that those before it left.
ADDRESSES = 200

# The events of each stream: many times as many bytes as it may keep, and as the system keeps.
EVENTS, BODY = 4_000, "x" * 2_048


def subscribe(web: Web, token: str, app: str, number: int) -> socket.socket:
    """A stream of all events of an app, every second one in envelopes."""
    host, port = web.host.split(":")
    asked = json.dumps({"center": {"appId": app}, "after": "0"}).encode()
    accepted, kind, body = (
        ("text/event-stream", "application/json", asked)
        if number % 2 == 0
        else ("*/*", "application/connect+json", envelope(asked))
    )
    head = (
        f"POST {path('Subscribe')} HTTP/1.1\r\nHost: {web.host}\r\nAccept: {accepted}\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    connection = socket.socket()
    connection.settimeout(BOUND)
    connection.bind((f"127.0.0.{2 + number % ADDRESSES}", 0))
    connection.connect((host, int(port)))
    connection.sendall(head.encode() + body)
    return connection


def settled(server: Server, ask: Callable[[], object]) -> int:
    """The most memory of a server until it grows no more; it is asked meanwhile."""
    last, most, since = 0, 0, time.monotonic()
    while time.monotonic() - since < 3:
        ask()
        if (now := anonymous_memory(server.pid)) > last + MIB // 4:
            last, since = now, time.monotonic()
        most = max(most, now)
    return most


def deliver(caller: Caller, app: str, count: int) -> None:
    """Delivers notifications of an app."""
    center = wire.Center(app_id=app)
    assert caller.call("RequestAuthorization", center=center, options=[1, 4]).granted
    for start in range(0, count, 100):
        batch = [request(f"r{start + n}", None, body=BODY) for n in range(min(count, 100))]
        caller.call("AddBatch", center=center, requests=batch)


@pytest.mark.torture
def test_a_stream_over_http_that_is_not_read_costs_little(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    server, web = serve(launch)
    token = own_token(server)
    count = torture.count("R9-unread-http")
    with Client(server.targets["tcp"]) as client:
        caller = Caller(client, token)
        apps = ["org.example.quiet", "org.example.unread"]
        for app, events in zip(apps, [0, EVENTS], strict=True):
            deliver(caller, app, events)
        before = anonymous_memory(server.pid)
        costs: list[int] = []
        streams: list[socket.socket] = []
        for app in apps:
            at = anonymous_memory(server.pid)
            streams += [
                subscribe(web, token, app, number) for number in torture.rounds("R9-unread-http")
            ]
            eventually(lambda: caller.call("GetStats").subscriptions == len(streams))
            costs.append(settled(server, lambda: caller.call("GetServerInfo")) - at)
        for connection in streams:
            connection.close()
        began = time.monotonic()
        eventually(lambda: anonymous_memory(server.pid) - before < LEFT)
        relief = time.monotonic() - began
    quiet, unread = costs
    report(
        f"R9-unread-http: {count} streams over HTTP without messages grew the server by"
        f" {quiet / count / 1024:.1f} KiB each, and {count} that were not read by"
        f" {unread / count / 1024:.1f} KiB each; less than {LEFT // MIB} MiB of it were left"
        f" {relief:.1f} s after they ended"
    )
    assert unread - quiet <= count * EACH + SHARED


def test_a_stop_does_not_wait_for_streams_that_are_not_read(launch: Launcher) -> None:
    server, web = serve(launch)
    token = own_token(server)
    with Client(server.targets["tcp"]) as client:
        caller = Caller(client, token)
        deliver(caller, "org.example.unread", 500)
        streams = [subscribe(web, token, "org.example.unread", number) for number in range(4)]
        eventually(lambda: caller.call("GetStats").subscriptions == len(streams))
        settled(server, lambda: caller.call("GetServerInfo"))
    server.terminate()
    assert server.wait() == 0
    for stream in streams:
        stream.close()
