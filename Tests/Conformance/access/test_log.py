"""What a server logs: equal refusals in one line, and JSON for programs that gather logs (W-11)."""

import json
import re
from datetime import datetime

import grpc

from access.serving import Caller, start
from harness.client import Client
from harness.eventually import eventually
from harness.launcher import Launcher
from web.http_server import serve


def test_equal_refusals_have_one_line_with_a_count(launch: Launcher) -> None:
    server, web = serve(launch)
    stranger = web.bearing(None)
    for _ in range(500):
        assert stranger.call("GetStats").status == 401
    assert stranger.send("GET", "/metrics").status == 401

    def counts() -> list[int]:
        lines = [line for line in server.log.splitlines() if "refused a call" in line]
        return [int(line.split("times=")[1].split(" ")[0]) if "times=" in line else 1
                for line in lines]  # fmt: skip

    # Each refusal is in a line, and a line counts what came in a second or longer.
    eventually(lambda: sum(counts()) == 501)
    assert "refused_without_a_line" not in server.log
    assert len(counts()) < 100, counts()


def test_another_refusal_has_a_line_of_its_own(launch: Launcher) -> None:
    server, web = serve(launch)
    stranger = web.bearing(None)
    for rpc in ("GetStats", "Add", "GetStats", "Add"):
        stranger.call(rpc)
    stranger.send("GET", "/livez", Host="evil.example")
    for part in ("AdminService/GetStats", "NotificationCenterService/Add", "rpc=/livez"):
        eventually(lambda part=part: part in server.log)


def test_a_log_may_be_json(launch: Launcher) -> None:
    server = start(launch, "--log-format=json")
    eventually(lambda: "listening on 127.0.0.1" in server.log)
    (port,) = re.findall(r"listening on 127.0.0.1:(\d+)", server.log)
    with Client(f"127.0.0.1:{port}") as client:
        Caller(client, None).ask("GetStats").check(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REQUIRED")
    eventually(lambda: "TOKEN_REQUIRED" in server.log)
    server.terminate()
    assert server.wait() == 0
    lines = [json.loads(line) for line in server.log.splitlines()]
    assert len(lines) > 3
    for line in lines:
        assert set(line) - {"metadata"} == {"time", "level", "source", "message"}
        assert datetime.fromisoformat(line["time"]).tzinfo is not None
    (refused,) = [line for line in lines if line["level"] == "warning"]
    assert refused["metadata"]["reason"] == "TOKEN_REQUIRED"
    assert refused["metadata"]["rpc"].endswith("/GetStats")
