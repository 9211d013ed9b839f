"""Over HTTP each role may make the calls that it may make over gRPC, and no others (W-11)."""

import json

import pytest

from access.serving import Caller, make_token
from access.test_roles import EXPECTED, ROLES
from harness import wire
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import Server
from web.http_server import END_FLAG, Reply, Web, envelope, envelopes, path

REFUSALS = {"TOKEN_REQUIRED", "TOKEN_INVALID", "ROLE_REQUIRED", "APP_REFUSED", "DEVICE_REFUSED"}


@pytest.fixture(scope="module")
def tokens(shared_launch: Launcher, served: Server) -> dict[str, str]:
    """A token of each role."""
    return {role: make_token(shared_launch, served.home, role, role) for role in ROLES}


def reason(web: Web, rpc: str) -> str:
    """Why a call is refused because of who makes it; empty where it is not."""
    method = wire.METHODS[rpc]
    if method.client_streaming:
        found = web.call(rpc).json
    elif method.server_streaming:
        headers = {"Content_Type": "application/connect+json", "Connect_Timeout_Ms": "500"}
        with web.stream(rpc, envelope(b"{}"), **headers) as response:
            *_, (flags, end) = list(envelopes(response))
        assert flags == END_FLAG
        found = json.loads(end).get("error", {})
    else:
        found = web.call(rpc).json
    reply = Reply(0, {}, json.dumps(found).encode())
    return reply.reason if reply.reason in REFUSALS else ""


@pytest.mark.parametrize("role", ROLES)
def test_a_role(web: Web, tokens: dict[str, str], role: str) -> None:
    bearing = web.bearing(tokens[role])
    for rpc, allowed in EXPECTED.items():
        assert reason(bearing, rpc) == ("" if role in allowed else "ROLE_REQUIRED"), rpc


def test_nobody(web: Web) -> None:
    for rpc in EXPECTED:
        assert reason(web.bearing(None), rpc) == "TOKEN_REQUIRED", rpc
        assert reason(web.bearing("0" * 64), rpc) == "TOKEN_INVALID", rpc


def test_a_token_of_another_app(shared_launch: Launcher, served: Server, web: Web) -> None:
    tea = web.bearing(make_token(shared_launch, served.home, "tea", "app:org.example.tea"))
    own, other = ({"center": {"appId": f"org.example.{name}"}} for name in ("tea", "coffee"))
    assert tea.call("GetNotificationSettings", own).reason == "APP_NOT_REGISTERED"
    assert tea.call("GetNotificationSettings", other).reason == "APP_REFUSED"
    assert tea.send("POST", "/org.example.tea", b"x").status == 200
    assert tea.send("POST", "/org.example.coffee", b"x").status == 403


def test_metrics_need_the_right_to_statistics(web: Web, tokens: dict[str, str]) -> None:
    for role, status in [(None, 401), ("app", 403), ("admin", 200)]:
        found = web.bearing(tokens[role] if role else None).send("GET", "/metrics")
        assert found.status == status
        assert (b"belfry_adds_total" in found.body) == (status == 200)


@pytest.mark.parametrize(
    ("refused", "headers"),
    [
        ("TOKEN_REQUIRED", {"Authorization": ""}),
        ("TOKEN_INVALID", {"Authorization": "Bearer " + "0" * 64}),
        ("TOKEN_INVALID", {"Authorization": "Basic OnRva2Vu"}),
        ("ROLE_REQUIRED", {"Authorization": "app"}),
        ("HOST_REFUSED", {"Host": "evil.example"}),
        ("HOST_REFUSED", {"Host": ""}),
        ("ORIGIN_REFUSED", {"Origin": "https://evil.example"}),
        ("ORIGIN_REFUSED", {"Origin": "null"}),
    ],
)
@pytest.mark.parametrize("where", ["POST " + path("GetStats"), "GET /metrics", "POST /topic.x"])
def test_refusals_are_counted_and_logged(
    served: Server, web: Web, caller: Caller, tokens: dict[str, str], where: str, refused: str,
    headers: dict[str, str],
) -> None:  # fmt: skip
    method, target = where.split(" ")
    if refused == "ROLE_REQUIRED":
        # Of the roles here, that of an extension makes none of these calls.
        headers = {"Authorization": f"Bearer {tokens['extension']}"}
    bearing = web.bearing(None) if "Authorization" in headers else web
    before = caller.call("GetStats").counters.refused_calls
    lines = served.log.count(f"reason={refused}")
    headers = {name: value for name, value in headers.items() if value or name == "Host"}
    reply = bearing.send(method, target, b"{}", Content_Type="application/json", **headers)
    assert reply.status in (400, 401, 403)
    assert caller.call("GetStats").counters.refused_calls == before + 1
    eventually(lambda: served.log.count(f"reason={refused}") > lines)
    (line,) = [line for line in served.log.splitlines() if f"reason={refused}" in line][-1:]
    assert "refused a call" in line
    assert "peer=ipv4:127.0.0.1:" in line
    assert "0" * 64 not in served.log
