"""Pushes to many devices by tag (§23.2): whom they reach, what is told and refused (AZ-1..AZ-9)."""

import threading
from collections.abc import Iterator

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.keys import new_key
from harness.pushes import devices
from harness.refusals import Expected, refusal_of

INVALID = grpc.StatusCode.INVALID_ARGUMENT
NOT_FOUND = grpc.StatusCode.NOT_FOUND

PAYLOAD = '{"aps":{"alert":"News"}}'
YEAR = 366 * 24 * 3600


def push(client: Client, app_id: str, **fields: object) -> Iterator[wire.PushToTagsResponse]:
    fields = {"idempotency_key": new_key(), "payload_json": PAYLOAD} | fields
    return client.call("PushToTags", app_id=app_id, **fields)


def told(
    stream: Iterator[wire.PushToTagsResponse],
) -> tuple[str, list[wire.DeviceOutcome], wire.PushTotals]:
    """Reads a stream to its end: the push, what became of it, and the totals."""
    responses = list(stream)
    kinds = [response.WhichOneof("kind") for response in responses]
    assert kinds[0] == "started" and kinds[-1] == "totals"
    assert set(kinds[1:-1]) <= {"outcomes"}
    outcomes = [outcome for response in responses for outcome in response.outcomes.outcomes]
    return responses[0].started.push_id, outcomes, responses[-1].totals


def reached(stream: Iterator[wire.PushToTagsResponse]) -> list[str]:
    return [outcome.center.device_id for outcome in told(stream)[1]]


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("", ["a", "b", "c", "d"]),
        ("(follows_RedSox || follows_Cardinals) && location_Boston", ["a", "c"]),
        ("location_Boston && !follows_Cardinals", ["a"]),
        ("follows_RedSox || follows_Cardinals && location_Boston", ["a", "b", "c"]),
        ("!location_Boston", ["b", "d"]),
        ("$InstallationId:{d} || follows_Cardinals", ["c", "d"]),
        ("Follows_RedSox", []),
    ],
)
def test_a_push_reaches_the_devices_that_match_once(
    client: Client, expression: str, expected: list[str]
) -> None:
    app_id = devices(
        client,
        {
            "a": ["follows_RedSox", "location_Boston"],
            "b": ["follows_RedSox"],
            "c": ["follows_RedSox", "follows_Cardinals", "location_Boston"],
            "d": [],
        },
    )
    push_id, outcomes, totals = told(push(client, app_id, tag_expression=expression))
    assert [outcome.center.device_id for outcome in outcomes] == expected
    assert [outcome.number for outcome in outcomes] == list(range(1, len(expected) + 1))
    assert {outcome.outcome for outcome in outcomes} <= {wire.PUSH_OUTCOME_DELIVERED}
    assert len({outcome.apns_id for outcome in outcomes}) == len(expected)
    assert totals.devices == len(expected) and totals.complete and not totals.cancelled
    for device in "abcd":
        app = App(client, wire.Center(app_id=app_id, device_id=device))
        assert len(app.delivered()) == (device in expected)
    status = client.call("GetPushStatus", app_id=app_id, push_id=push_id)
    assert status.totals == totals and status.HasField("completed_at")
    listed = client.call("ListRegistrations", app_id=app_id, tag_expression=expression)
    assert [entry.center.device_id for entry in listed.registrations] == expected


def test_a_retry_goes_on_behind_an_outcome_and_pushes_nothing_more(client: Client) -> None:
    app_id = devices(client, {name: ["x"] for name in ("a", "b", "c")})
    key = new_key()
    first = told(push(client, app_id, tag_expression="x", idempotency_key=key))
    again = told(
        push(client, app_id, tag_expression="x", idempotency_key=key, after_outcome=1)
    )
    assert again[0] == first[0]
    assert again[1] == first[1][1:]
    assert again[2] == first[2]
    app = App(client, wire.Center(app_id=app_id, device_id="a"))
    assert len(app.delivered()) == 1
    stream = push(client, app_id, tag_expression="x", idempotency_key=key, after_outcome=4)
    Expected(INVALID, "INVALID_FIELD", ("after_outcome",)).check(refusal_of(lambda: list(stream)))
    stream = push(client, app_id, tag_expression="y", idempotency_key=key)
    Expected(INVALID, "IDEMPOTENCY_KEY_REUSED", ("idempotency_key",)).check(
        refusal_of(lambda: list(stream))
    )


@pytest.mark.parametrize(
    "expression, position",
    [("a b", 2), ("(a", 0), ("a &&", 4), ("ä", 0), ("a || " * 20 + "a", 100), ("!" * 5000, 4096)],
)
def test_an_expression_that_cannot_be_read_is_refused_with_its_place(
    client: Client, expression: str, position: int
) -> None:
    app_id = client.app().center.app_id
    for call in (
        lambda: list(push(client, app_id, tag_expression=expression)),
        lambda: client.call("ListRegistrations", app_id=app_id, tag_expression=expression),
        lambda: client.call(
            "CreateRichPush", app_id=app_id, tag_expression=expression, payload=b"a"
        ),
    ):
        refusal = refusal_of(call)
        Expected(INVALID, "TAG_EXPRESSION_INVALID", ("tag_expression",)).check(refusal)
        assert refusal.metadata["position"] == str(position)


def test_a_push_to_many_is_refused_for_what_is_wrong(client: Client) -> None:
    app_id = client.app().center.app_id

    def refused(**fields: object) -> tuple[str, tuple[str, ...]]:
        refusal = refusal_of(lambda: list(push(client, app_id, **fields)))
        assert refusal.code == INVALID
        return refusal.reason, refusal.fields

    assert refused(idempotency_key="")[0] == "IDEMPOTENCY_KEY_REQUIRED"
    assert refused(idempotency_key="x") == ("INVALID_FIELD", ("idempotency_key",))
    assert refused(payload_json="")[0] == "PAYLOAD_EMPTY"
    assert refused(payload_json="{")[0] == "PAYLOAD_INVALID"
    assert refused(payload_json='{"a":"' + "x" * 4096 + '"}')[0] == "PAYLOAD_TOO_LARGE"
    assert refused(headers={"apns_id": new_key()})[0] == "BAD_MESSAGE_ID"
    assert refused(headers={"priority": 3})[0] == "BAD_PRIORITY"
    assert refused(headers={"topic": "org.example.another"})[0] == "DEVICE_TOKEN_NOT_FOR_TOPIC"
    ahead = wire.timestamp(client.now() + (YEAR + 1) * 10**9)
    assert refused(deliver_at=ahead) == ("INVALID_FIELD", ("deliver_at",))
    refusal = refusal_of(lambda: list(push(client, "", payload_json=PAYLOAD)))
    Expected(INVALID, "APP_ID_INVALID", ("app_id",)).check(refusal)


def test_a_push_that_is_scheduled_begins_at_its_instant(own_client: Client) -> None:
    client = own_client
    app_id = devices(client, {"a": ["x"]})
    at = client.now() + 3600 * 10**9
    fields = {
        "tag_expression": "x",
        "deliver_at": wire.timestamp(at),
        "idempotency_key": new_key(),
    }
    push_id, outcomes, totals = told(push(client, app_id, **fields))
    assert not outcomes and not totals.complete
    status = client.call("GetPushStatus", app_id=app_id, push_id=push_id)
    assert wire.nanoseconds(status.deliver_at) == at and not status.HasField("started_at")
    client.advance(3599)
    assert not client.call("GetPushStatus", app_id=app_id, push_id=push_id).totals.devices
    client.advance(1)
    assert reached(push(client, app_id, **fields)) == ["a"]
    status = client.call("GetPushStatus", app_id=app_id, push_id=push_id)
    assert wire.nanoseconds(status.started_at) == at


def test_a_push_that_is_cancelled_reaches_nobody_more(own_client: Client) -> None:
    client = own_client
    app_id = devices(client, {"a": ["x"]})
    at = wire.timestamp(client.now() + 3600 * 10**9)
    push_id = told(push(client, app_id, deliver_at=at))[0]
    totals = client.call("CancelPush", app_id=app_id, push_id=push_id).totals
    assert totals.cancelled and totals.complete and not totals.devices
    assert client.call("CancelPush", app_id=app_id, push_id=push_id).totals == totals
    client.advance(7200)
    app = App(client, wire.Center(app_id=app_id, device_id="a"))
    assert not app.delivered()
    # For a week it can be asked for.
    client.advance(7 * 24 * 3600)
    refusal = refusal_of(lambda: client.call("GetPushStatus", app_id=app_id, push_id=push_id))
    Expected(NOT_FOUND, "PUSH_NOT_FOUND").check(refusal)


def test_a_push_that_is_refused_for_its_place_never_began(client: Client) -> None:
    app_id = devices(client, {"a": []})
    before = int(told(push(client, app_id))[0])
    key = new_key()
    stream = push(client, app_id, idempotency_key=key, after_outcome=5)
    Expected(INVALID, "INVALID_FIELD", ("after_outcome",)).check(refusal_of(lambda: list(stream)))
    # The key is free, and between the two pushes there is none.
    after = int(told(push(client, app_id, idempotency_key=key))[0])
    for number in range(before + 1, after):
        status = refusal_of(
            lambda: client.call("GetPushStatus", app_id=app_id, push_id=str(number))  # noqa: B023
        )
        Expected(NOT_FOUND, "PUSH_NOT_FOUND").check(status)


@pytest.mark.parametrize("push_id", ["", "0", "01", "x", "9" * 30, "18446744073709551615"])
def test_a_push_that_never_was_is_not_found(client: Client, push_id: str) -> None:
    app_id = client.app().center.app_id
    for rpc in ("GetPushStatus", "CancelPush"):
        refusal = refusal_of(lambda rpc=rpc: client.call(rpc, app_id=app_id, push_id=push_id))
        Expected(NOT_FOUND, "PUSH_NOT_FOUND").check(refusal)


def test_a_push_is_its_apps_alone(client: Client) -> None:
    app_id = devices(client, {"a": []})
    push_id = told(push(client, app_id))[0]
    other = client.app().center.app_id
    refusal = refusal_of(lambda: client.call("GetPushStatus", app_id=other, push_id=push_id))
    Expected(NOT_FOUND, "PUSH_NOT_FOUND").check(refusal)


def test_many_pushes_at_once_reach_all(client: Client) -> None:
    app_id = devices(client, {f"d{number}": ["x"] for number in range(30)})
    found: list[list[str]] = []

    def follow() -> None:
        found.append(reached(push(client, app_id, tag_expression="x")))

    threads = [threading.Thread(target=follow) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [sorted(f"d{number}" for number in range(30))] * 6
