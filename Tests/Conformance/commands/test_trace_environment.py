"""A command hands on the W3C trace context that it was started with (W-24)."""

import subprocess

import pytest

from harness import wire
from harness.client import App, Client
from harness.launcher import Launcher
from harness.server import BOUND

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.mark.parametrize(
    ("environment", "kept"),
    [
        (
            {"TRACEPARENT": PARENT, "TRACESTATE": "a=1"},
            wire.TraceContext(traceparent=PARENT, tracestate="a=1"),
        ),
        (
            {"TRACEPARENT": PARENT, "TRACESTATE": "a\n"},
            wire.TraceContext(traceparent=PARENT),
        ),
        ({"TRACEPARENT": "", "TRACESTATE": "a=1"}, wire.TraceContext()),
        # What gRPC does not send at all: the command does its work.
        ({"TRACEPARENT": "caf\u00e9\n"}, wire.TraceContext()),
        ({"TRACEPARENT": "0" * 10_000}, wire.TraceContext()),
        ({}, wire.TraceContext()),
    ],
)
def test_the_environment_of_a_command(
    launch: Launcher, environment: dict[str, str], kept: wire.TraceContext
) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = App(client, wire.Center(app_id="org.example.tea"))
        app.authorize()
        own = {"HOME": str(server.home), "BELFRY_SERVER": server.targets["unix"]}
        subprocess.run(
            [launch.binary, "add", "Tea", "--app", "org.example.tea"],
            env=own | environment,
            check=True,
            capture_output=True,
            timeout=BOUND,
        )
        assert [one.trace for one in app.call("ListDelivered").notifications] == [kept]
