"""The headers of a call over HTTP are its W3C trace context (W-24)."""

import json

import pytest

from access.serving import Caller
from harness import wire
from web.http_server import Web, path

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
KEPT = wire.TraceContext(traceparent=PARENT, tracestate="a=1,b=2")


def newest(caller: Caller, app: str) -> wire.TraceContext:
    answer = caller.ask("ListDelivered", center=wire.Center(app_id=app), page_size=1_000)
    assert answer.refusal is None, answer.refusal
    listed = wire.ListDeliveredResponse.FromString(answer.messages[0])
    return max(listed.notifications, key=lambda one: one.delivery).trace


def allow(web: Web, app: str) -> None:
    options = {"center": {"appId": app}, "options": ["AUTHORIZATION_OPTION_ALERT"]}
    assert web.call("RequestAuthorization", options).status == 200


def send(web: Web, path: str, body: bytes, fields: list[tuple[str, str]]) -> None:
    """Makes a request whose headers may come more than once."""
    connection = web.connect()
    try:
        connection.putrequest("POST", path)
        for name, value in [*web.headers.items(), *fields, ("Content-Length", str(len(body)))]:
            connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        assert response.status == 200, response.read()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("fields", "kept"),
    [
        ([("Traceparent", PARENT), ("Tracestate", "a=1"), ("tracestate", "b=2")], KEPT),
        ([("traceparent", PARENT), ("tracestate", "a=1 , b=2")], KEPT),
        ([("traceparent", PARENT), ("traceparent", PARENT)], wire.TraceContext()),
        ([("traceparent", PARENT[:-1])], wire.TraceContext()),
        ([("traceparent", "0" * 5_000)], wire.TraceContext()),
    ],
)
def test_the_headers_of_an_rpc(
    web: Web, caller: Caller, fields: list[tuple[str, str]], kept: wire.TraceContext
) -> None:
    app = "org.example.traced"
    allow(web, app)
    body = json.dumps({"center": {"appId": app}, "request": {"content": {"title": "T"}}})
    send(web, path("Add"), body.encode(), [("Content-Type", "application/json"), *fields])
    assert newest(caller, app) == kept


def test_the_headers_of_what_is_published(web: Web, caller: Caller) -> None:
    app = "org.example.published"
    send(web, f"/{app}", b"Tea", [("traceparent", PARENT), ("tracestate", "a=1,b=2")])
    assert newest(caller, app) == KEPT
