"""Each unary rpc over HTTP says what it says over gRPC, in JSON and in protobuf's bytes."""

import base64
import json
from typing import Any

import pytest
from google.protobuf import json_format

from access.serving import Caller, own_token
from harness import wire
from harness.launcher import Launcher
from web.http_server import Web, path, serve

UNARY = sorted(
    rpc
    for rpc, method in wire.METHODS.items()
    if not method.client_streaming and not method.server_streaming
)
STREAMS = sorted(set(wire.METHODS) - set(UNARY))

# Connect's names of the codes, and the statuses of HTTP that go with them: by hand from the
# protocol.
CODES = {
    "INVALID_ARGUMENT": ("invalid_argument", 400),
    "FAILED_PRECONDITION": ("failed_precondition", 400),
    "NOT_FOUND": ("not_found", 404),
    "PERMISSION_DENIED": ("permission_denied", 403),
    "UNAUTHENTICATED": ("unauthenticated", 401),
    "UNIMPLEMENTED": ("unimplemented", 501),
    "RESOURCE_EXHAUSTED": ("resource_exhausted", 429),
    "OUT_OF_RANGE": ("out_of_range", 400),
}

CENTER = {"appId": "org.example.web"}

# What answers with something else each time, such as the time.
CHANGING = {"GetStats", "GetServerInfo", "GetClock"}


# What does something else the second time.
ONCE = {"UnregisterApp", "UnregisterForRemoteNotifications"}

EMPTY: list[tuple[str, dict[str, Any]]] = [(rpc, {}) for rpc in UNARY]
NAMED: list[tuple[str, dict[str, Any]]] = [
    (rpc, {"center": CENTER})
    for rpc in UNARY
    if rpc not in ONCE and "center" in getattr(wire, f"{rpc}Request").DESCRIPTOR.fields_by_name
]


@pytest.mark.parametrize(("rpc", "message"), [*EMPTY, *NAMED])
def test_an_rpc_says_the_same_as_over_grpc(
    web: Web, caller: Caller, rpc: str, message: dict[str, Any]
) -> None:
    request = getattr(wire, f"{rpc}Request")()
    json_format.ParseDict(message, request)
    expected = caller.send(rpc, request)
    in_json = web.call(rpc, message)
    in_proto = web.call_proto(rpc, request.SerializeToString())
    if expected.refusal is None:
        assert in_json.status == in_proto.status == 200, in_json.body
        assert in_json.headers["content-type"] == "application/json"
        assert in_proto.headers["content-type"] == "application/proto"
        response = getattr(wire, f"{rpc}Response")
        one = json_format.Parse(in_json.body, response())
        other = response.FromString(in_proto.body)
        if rpc not in CHANGING:
            assert one == response.FromString(expected.messages[0]) == other
        return
    name, status = CODES[expected.refusal.code.name]
    for reply in (in_json, in_proto):
        assert (reply.status, reply.json["code"]) == (status, name), reply.body
        assert reply.json["message"] == expected.refusal.message
        assert reply.reason == expected.refusal.reason


def test_a_notification_is_added_and_listed(web: Web) -> None:
    app = {"appId": "org.example.listed"}
    granted = web.call("RequestAuthorization", {"center": app, "options": [
        "AUTHORIZATION_OPTION_ALERT",
    ]})  # fmt: skip
    assert granted.json["granted"] is True
    request = {
        "identifier": "tea",
        "content": {"title": "Tea \u2028 \u202e", "body": "a\nb"},
        "trigger": {"timeInterval": {"interval": "60s"}},
    }
    added = web.call("Add", {"center": app, "request": request})
    assert added.json["identifier"] == "tea"
    assert added.json["state"] == "REQUEST_STATE_PENDING"
    (pending,) = web.call("ListPending", {"center": app}).json["requests"]
    assert pending["request"]["content"] == request["content"]


@pytest.mark.parametrize("rpc", STREAMS)
def test_a_stream_wants_a_type_of_streams(web: Web, rpc: str) -> None:
    if wire.METHODS[rpc].server_streaming:
        reply = web.send("POST", path(rpc), b"{}", Content_Type="application/proto")
        assert reply.status == 415
        assert "application/connect+json" in reply.headers["accept-post"]
    else:
        reply = web.call(rpc)
        assert reply.status == 501
        assert "by gRPC" in reply.json["message"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", None), (b"{}", None),
        (b"[]", "JSON"), (b"{", "JSON"), (b"\xff", "JSON"), (b'{"center":1}', "JSON"),
        (b'{"nothing":1}', "nothing"),
        (b"[" * 100_000, "JSON"), (b'{"center":' * 10_000, "JSON"),
    ],
    ids=str,
)  # fmt: skip
def test_a_body_that_is_no_json_is_refused(web: Web, body: bytes, reason: str | None) -> None:
    reply = web.send("POST", path("ListPending"), body, Content_Type="application/json")
    assert reply.status == 400, reply.body
    assert reply.json["code"] == "invalid_argument"
    if reason is None:
        assert reply.reason == "APP_ID_INVALID"
    else:
        assert reason in reply.json["message"]
    assert len(reply.body) < 1_000


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content_Type": "application/connect+json"}, 415),
        ({"Content_Type": "application/json; charset=utf-8"}, 200),
        ({"Content_Type": "APPLICATION/JSON"}, 200),
        ({"Connect_Timeout_Ms": "99999999999"}, 400),
        ({"Connect_Timeout_Ms": "-1"}, 400),
        ({"Connect_Timeout_Ms": "x"}, 400),
        ({"Connect_Timeout_Ms": "0"}, 400),
        ({"Connect_Timeout_Ms": "30000"}, 200),
        ({"Content_Encoding": "gzip"}, 501),
        ({"Content_Encoding": "identity"}, 200),
    ],
    ids=str,
)  # fmt: skip
def test_headers_count(web: Web, headers: dict[str, str], status: int) -> None:
    assert web.call("GetServerInfo", **headers).status == status


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH"])
def test_an_rpc_is_called_with_post(web: Web, method: str) -> None:
    reply = web.send(method, path("GetServerInfo"))
    assert (reply.status, reply.headers["allow"]) == (405, "POST, OPTIONS")


def test_what_is_not_there(web: Web) -> None:
    assert web.send("POST", "/belfry.v1.AdminService/Nothing", b"{}").status == 501
    assert web.send("GET", "/nothing/at/all/here").status == 404


def test_a_call_that_waits_ends_at_its_deadline(shared_launch: Launcher) -> None:
    server, web = serve(shared_launch, prompts="ask")
    web = web.bearing(own_token(server))
    asked = {"center": CENTER, "options": ["AUTHORIZATION_OPTION_ALERT"], "wait": "60s"}
    reply = web.call("RequestAuthorization", asked, Connect_Timeout_Ms="200")
    assert (reply.status, reply.json["code"]) == (504, "deadline_exceeded")


def test_one_connection_carries_many_calls(web: Web) -> None:
    connection = web.connect()
    for _ in range(50):
        connection.request("POST", path("GetServerInfo"), b"{}", web.headers | {
            "Content-Type": "application/json",
        })  # fmt: skip
        response = connection.getresponse()
        assert response.status == 200
        assert json.loads(response.read())["version"]
    connection.close()


def test_a_token_may_be_a_password(web: Web) -> None:
    token = web.headers["Authorization"].removeprefix("Bearer ")
    for user in ["", "anyone"]:
        basic = base64.b64encode(f"{user}:{token}".encode()).decode()
        reply = web.bearing(None).call("GetStats", Authorization=f"Basic {basic}")
        assert reply.status == 200, reply.body


# What the library has room for, and what it would write, differ outside of 32 bits.
@pytest.mark.parametrize("number", [2**31, 2**32, -(2**31) - 1, 24903297032854080, 2**63 - 1])
@pytest.mark.parametrize(
    "rpc, message",
    [
        ("RequestAuthorization", {"options": [1, "NUMBER"] * 1_000}),
        ("Dismiss", {"kind": "NUMBER"}),
        ("AddBatch", {"requests": [{"content": {"sound": {"kind": "NUMBER"}}}]}),
    ],
)
def test_a_number_of_an_enum_beyond_32_bits_is_refused(
    web: Web, rpc: str, message: dict[str, Any], number: int
) -> None:
    body = json.dumps(message).replace('"NUMBER"', str(number))
    reply = web.call(rpc, json.loads(body))
    assert (reply.status, reply.reason) == (400, "MALFORMED_MESSAGE")
    assert b"32 bits" in reply.body
    assert web.call("GetServerInfo").status == 200


def test_the_room_of_a_long_reply_is_free_once_it_was_read(web: Web) -> None:
    app = {"appId": "org.example.long"}
    web.call("RequestAuthorization", {"center": app, "options": ["AUTHORIZATION_OPTION_ALERT"]})
    trigger = {"timeInterval": {"interval": "86400s"}}
    for start in range(0, 1_000, 100):
        requests = [
            {"identifier": f"{n}", "content": {"body": "x" * 1_024}, "trigger": trigger}
            for n in range(start, start + 100)
        ]
        assert web.call("AddBatch", {"center": app, "requests": requests}).status == 200
    page = wire.ListPendingRequest(center=wire.Center(app_id=app["appId"]), page_size=1_000)
    # All replies that are on their way have 32 MiB.
    for _ in range(40):
        reply = web.call_proto("ListPending", page.SerializeToString())
        assert reply.status == 200
        assert len(reply.body) > 1 << 20
