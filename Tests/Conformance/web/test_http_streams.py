"""Streams over HTTP: in Connect's envelopes, and as Server-Sent Events."""

import json
from typing import Any
from urllib.parse import quote

import pytest

from access.serving import Caller, make_token, own_token, token_command
from harness import wire
from harness.client import request
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import Server
from web.http_server import END_FLAG, Web, envelope, envelopes, events, path, serve

JSON = {"Content_Type": "application/connect+json"}
PROTO = {"Content_Type": "application/connect+proto"}
EVENTS = {"Content_Type": "application/json", "Accept": "text/event-stream"}


def center(name: str) -> dict[str, str]:
    """An app of one test."""
    return {"appId": f"org.example.{name}"}


def allow(caller: Caller, name: str) -> None:
    """Lets the app of a test notify."""
    granted = caller.call(
        "RequestAuthorization", center=wire.Center(app_id=f"org.example.{name}"), options=[1, 4]
    )
    assert granted.granted


def deliver(caller: Caller, name: str, identifier: str) -> None:
    """Delivers a notification to it."""
    app = wire.Center(app_id=f"org.example.{name}")
    caller.call("Add", center=app, request=request(identifier, None))


def titles(frames: list[dict[str, Any]]) -> list[str]:
    """The requests of the deliveries that frames tell."""
    found = [frame.get("event", {}).get("delivered") for frame in frames]
    return [one["notification"]["request"]["identifier"] for one in found if one]


def test_json_in_envelopes(web: Web, caller: Caller) -> None:
    allow(caller, "json")
    with web.stream("Subscribe", envelope(json.dumps({"center": center("json")}).encode()),
                    **JSON) as response:  # fmt: skip
        assert response.status == 200
        assert response.getheader("content-type") == "application/connect+json"
        messages = envelopes(response)
        flags, first = next(messages)
        assert (flags, "started" in json.loads(first)["frames"][0]) == (0, True)
        deliver(caller, "json", "one")
        seen: list[str] = []
        while not seen:
            seen = titles(json.loads(next(messages)[1])["frames"])
        assert seen == ["one"]


def test_protobuf_in_envelopes(web: Web, caller: Caller) -> None:
    allow(caller, "proto")
    asked = wire.SubscribeRequest(center=wire.Center(app_id="org.example.proto"), after=0)
    with web.stream("Subscribe", envelope(asked.SerializeToString()), **PROTO) as response:
        flags, first = next(envelopes(response))
        frames = wire.SubscribeResponse.FromString(first).frames
        assert (flags, frames[0].WhichOneof("kind")) == (0, "started")


def test_events_go_on_where_they_ended(web: Web, caller: Caller) -> None:
    allow(caller, "events")
    asked = json.dumps({"center": center("events"), "after": "0"}).encode()
    deliver(caller, "events", "one")
    last = ""
    with web.stream("Subscribe", asked, **EVENTS) as response:
        assert response.getheader("content-type") == "text/event-stream"
        seen: list[str] = []
        for event in events(response):
            seen += titles(json.loads(event["data"])["frames"])
            last = event.get("id", last)
            if "one" in seen:
                break
    deliver(caller, "events", "two")
    with web.stream("Subscribe", asked, Last_Event_ID=last, **EVENTS) as response:
        seen = []
        for event in events(response):
            seen += titles(json.loads(event["data"])["frames"])
            if "two" in seen:
                break
    assert seen == ["two"]


def test_a_page_opens_events_with_get(web: Web, caller: Caller) -> None:
    allow(caller, "get")
    asked = quote(json.dumps({"center": center("get")}))
    connection = web.connect()
    connection.request("GET", f"{path('Subscribe')}?message={asked}", headers=web.headers | {
        "Accept": "text/event-stream",
    })  # fmt: skip
    event = next(events(connection.getresponse()))
    assert "started" in json.loads(event["data"])["frames"][0]
    connection.close()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "invalid_argument"),
        (b"\0\0\0\0", "invalid_argument"),
        (b"\0\0\0\0\1", "invalid_argument"),
        (b"\0\0\0\0\1{}", "invalid_argument"),
        (b"\0\xff\xff\xff\xff{}", "invalid_argument"),
        (envelope(b"{}", flags=1), "unimplemented"),
        (envelope(b"{}", flags=2), "invalid_argument"),
        (envelope(b"{}", flags=0x80), "invalid_argument"),
        (envelope(b"{}") + envelope(b"{}"), "invalid_argument"),
        (envelope(b"nothing"), "invalid_argument"),
        (envelope(b"{}"), "invalid_argument"),
    ],
    ids=str,
)
def test_a_stream_tells_its_error_at_its_end(web: Web, body: bytes, code: str) -> None:
    with web.stream("Subscribe", body, **JSON) as response:
        assert response.status == 200
        ((flags, end),) = list(envelopes(response))
    assert flags == END_FLAG
    assert json.loads(end)["error"]["code"] == code


def test_events_tell_their_error_as_an_event(web: Web) -> None:
    with web.stream("Subscribe", b"{}", **EVENTS) as response:
        (event,) = list(events(response))
    assert event["event"] == "error"
    assert json.loads(event["data"])["code"] == "invalid_argument"


def test_a_whole_stream_ends(web: Web, caller: Caller) -> None:
    attachment = caller.call("GetStats")
    assert attachment
    with web.stream("Backup", envelope(b"{}"), **JSON) as response:
        found = list(envelopes(response))
    assert found[-1] == (END_FLAG, b"{}")
    assert all(flags == 0 for flags, _ in found[:-1]) and len(found) > 1


def test_a_client_that_goes_is_forgotten(web: Web, caller: Caller) -> None:
    before = caller.call("GetStats").subscriptions
    allow(caller, "gone")
    asked = envelope(json.dumps({"center": center("gone")}).encode())
    for _ in range(20):
        with web.stream("Subscribe", asked, **JSON) as response:
            next(envelopes(response))
            assert caller.call("GetStats").subscriptions == before + 1
        eventually(lambda: caller.call("GetStats").subscriptions <= before)


def test_a_stream_ends_at_its_deadline(web: Web, caller: Caller) -> None:
    allow(caller, "late")
    asked = envelope(json.dumps({"center": center("late")}).encode())
    with web.stream("Subscribe", asked, Connect_Timeout_Ms="300", **JSON) as response:
        *_, (flags, end) = list(envelopes(response))
    assert flags == END_FLAG
    assert json.loads(end)["error"]["code"] == "deadline_exceeded"


def test_a_stop_ends_streams(shared_launch: Launcher) -> None:
    server, web = serve(shared_launch)
    web = web.bearing(own_token(server))
    web.call("RequestAuthorization", {"center": center("stop"), "options": [4]})
    asked = json.dumps({"center": center("stop")}).encode()
    with web.stream("Subscribe", asked, **EVENTS) as response:
        found = events(response)
        assert "started" in next(found)["data"]
        server.terminate()
        *_, last = list(found)
    assert last["event"] == "error"
    assert json.loads(last["data"])["code"] == "unavailable"
    assert server.wait() == 0


def test_a_stream_ends_with_its_token(shared_launch: Launcher, served: Server, web: Web) -> None:
    token = make_token(shared_launch, served.home, "short", "app:org.example.*")
    name = {"center": center("token")}
    asked = name | {"options": ["AUTHORIZATION_OPTION_ALERT"]}
    assert web.bearing(token).call("RequestAuthorization", asked).status == 200
    with web.bearing(token).stream(
        "Subscribe", envelope(json.dumps(name).encode()), **JSON
    ) as response:
        messages = envelopes(response)
        next(messages)
        assert token_command(shared_launch, served.home, "revoke", "short").returncode == 0
        *_, (flags, end) = list(messages)
    assert flags == END_FLAG
    assert json.loads(end)["error"]["code"] == "unauthenticated"
