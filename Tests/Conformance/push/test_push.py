"""Pushes to one device: payload, headers, presentation (§20, §21)."""

import json
import uuid
from typing import Any

import grpc
import pytest

from harness import device, wire
from harness.client import App, Client
from harness.keys import new_key
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of

DELIVERED = wire.PUSH_OUTCOME_DELIVERED
ARRIVING = wire.PUSH_OUTCOME_ARRIVING
SUPPRESSED = wire.PUSH_OUTCOME_SUPPRESSED

INVALID = grpc.StatusCode.INVALID_ARGUMENT
NOT_FOUND = grpc.StatusCode.NOT_FOUND


def contents(app: App) -> list[wire.NotificationContent]:
    page = app.call("ListDelivered")
    return [notification.request.content for notification in page.notifications]


def test_a_push_becomes_a_notification_with_its_payload(app: App) -> None:
    payload = json.dumps(
        {
            "aps": {
                "alert": {"title": "T", "subtitle": "S", "body": "B"},
                "thread-id": "t",
                "interruption-level": "time-sensitive",
                "relevance-score": 0.5,
            },
            "own": [1, {"é": None}],
        },
        ensure_ascii=False,
    )
    pushed = app.push(payload, collapse_id="c")
    assert (pushed.outcome, pushed.identifier) == (DELIVERED, "c")
    assert str(uuid.UUID(pushed.apns_id)) == pushed.apns_id
    event = app.events()[-1].delivered
    assert event.notification.request.identifier == "c"
    assert event.notification.request.trigger.HasField("push")
    assert not event.HasField("late_by")
    (content,) = contents(app)
    assert (content.title, content.subtitle, content.body) == ("T", "S", "B")
    assert content.thread_identifier == "t"
    assert content.interruption_level == wire.INTERRUPTION_LEVEL_TIME_SENSITIVE
    assert content.relevance_score == 0.5
    assert content.user_info_json == payload


def test_a_push_goes_to_a_token(app: App) -> None:
    token = app.register_for_pushes()
    pushed = app.push(token=token, topic=app.center.app_id)
    assert pushed.outcome == DELIVERED
    # Without a collapse id its name is the push's.
    assert app.delivered() == [pushed.identifier] == [pushed.apns_id]


def test_the_same_collapse_id_replaces(app: App) -> None:
    app.push(collapse_id="c", aps={"alert": "old"})
    first = app.events()[-1].delivered.notification.delivery
    app.push(collapse_id="c", aps={"alert": "new"})
    assert [content.body for content in contents(app)] == ["new"]
    assert app.events()[-1].delivered.replaced_delivery == first


@pytest.mark.parametrize("badge, kept", [(7, 7), (0, 0), (-3, 0), (1e300, 2**31 - 1)])
def test_b_4_a_push_with_a_badge_alone_shows_nothing(app: App, badge: float, kept: int) -> None:
    app.call("SetBadgeCount", count=3)
    pushed = app.push(aps={"badge": badge})
    assert pushed.outcome == DELIVERED
    assert app.delivered() == []
    after = [event for event in app.events() if event.HasField("badge_changed")]
    assert after[-1].badge_changed.badge == kept


@pytest.mark.parametrize(
    "payload",
    ["{}", '{"own": 1}', '{"aps": {}}', '{"aps": {"alert": ""}}', '{"aps": {"alert": 7}}'],
)
def test_pay_3_a_push_without_effects_has_none(app: App, payload: str) -> None:
    newest = app.events()[-1].number
    pushed = app.push(payload)
    assert (pushed.outcome, pushed.identifier) == (DELIVERED, "")
    assert app.events(newest) == []


@pytest.mark.parametrize("push_type", range(3, 12))
def test_the_other_types_are_taken_and_do_nothing(app: App, push_type: int) -> None:
    pushed = app.push(push_type=push_type)
    assert (pushed.outcome, pushed.identifier) == (DELIVERED, "")
    assert app.delivered() == []


def test_reg_5_a_push_is_silent_without_permission(client: Client) -> None:
    app = client.app()
    app.register_for_pushes()
    pushed = app.push(collapse_id="c")
    assert pushed.outcome == SUPPRESSED
    event = app.events()[-1].suppressed
    assert event.reason == wire.SUPPRESSION_REASON_NOT_AUTHORIZED
    assert event.identifier == "c"


def test_m_5_an_app_in_front_is_asked_as_for_its_own(app: App) -> None:
    with app.in_front() as front:
        started = front.started()
        assert app.push(collapse_id="c").outcome == ARRIVING
        callback = front.callback()
        request = callback.will_present.notification.request
        assert request.trigger.HasField("push")
        assert json.loads(request.content.user_info_json) == {"aps": {"alert": "A push"}}
        app.present(started.subscription_id, callback, wire.PRESENTATION_OPTION_LIST)
        front.event()
    assert app.delivered() == ["c"]


def test_m_5_the_person_answers_a_push_as_any_notification(own_device: App) -> None:
    app = own_device
    app.push(collapse_id="c")
    delivery = app.events()[-1].delivered.notification.delivery
    with app.in_front(wire.DELEGATE_CAPABILITY_DID_RECEIVE) as front:
        front.started()
        device.respond(app, device.reference(app, "c", delivery))
        response = front.callback().did_receive
    assert response.notification.request.identifier == "c"
    assert app.delivered() == []


def test_l10n_2_keys_are_looked_up_and_l10n_3_the_body_wins(own_device: App) -> None:
    app = own_device
    app.client.call(
        "SetStringTable",
        app_id=app.center.app_id,
        language="en",
        strings=[{"key": "greet", "value": {"text": "Hello %@"}}],
    )
    app.push(aps={"alert": {"title-loc-key": "greet", "title-loc-args": ["Ada"], "body": "B"}})
    app.push(aps={"alert": {"loc-key": "greet", "loc-args": ["Bea"]}})
    app.push(aps={"alert": {"loc-key": "greet", "body": "plain"}})
    groups = device.listed(app).groups
    texts = [
        (shown.title, shown.body) for group in groups for shown in group.notifications
    ]
    assert sorted(texts) == [("", "Hello Bea"), ("", "plain"), ("Hello Ada", "B")]


@pytest.mark.parametrize(
    "payload, reason",
    [
        ("", "PAYLOAD_EMPTY"),
        ("[]", "PAYLOAD_INVALID"),
        ('{"aps":', "PAYLOAD_INVALID"),
        ("{} x", "PAYLOAD_INVALID"),
        ('{"a":' * 65 + "1" + "}" * 65, "PAYLOAD_INVALID"),
        ("[" * 4_000, "PAYLOAD_INVALID"),
        ('{"a":"' + "x" * 4_089 + '"}', "PAYLOAD_TOO_LARGE"),
    ],
    ids=["empty", "a list", "cut", "more", "deep", "deep list", "4,097 bytes"],
)
def test_what_is_no_payload_is_refused(app: App, payload: str, reason: str) -> None:
    call = lambda: app.client.call("Push", center=app.center, payload_json=payload)  # noqa: E731
    Expected(INVALID, reason, ("payload_json",)).check(refusal_of(call))
    assert app.delivered() == []


def test_a_call_may_have_5_120_bytes(app: App) -> None:
    payload = '{"a":"' + "x" * 5_112 + '"}'
    assert app.push(payload, push_type=wire.PUSH_TYPE_VOIP).outcome == DELIVERED
    refusal = refusal_of(lambda: app.push(payload + " ", push_type=wire.PUSH_TYPE_VOIP))
    Expected(INVALID, "PAYLOAD_TOO_LARGE", ("payload_json",)).check(refusal)
    assert refusal.metadata["limit"] == "5120"


HEADERS: dict[str, tuple[dict[str, Any], str, str]] = {
    "apns_id": ({"apns_id": "no"}, "BAD_MESSAGE_ID", "apns_id"),
    "push_type": ({"push_type": 12}, "INVALID_PUSH_TYPE", "push_type"),
    "topic": ({"topic": "a/b"}, "BAD_TOPIC", "topic"),
    "voip topic": ({"topic": "a.b", "push_type": 4}, "BAD_TOPIC", "topic"),
    "expiration": (
        {"expiration": {"seconds": 2**33}},
        "BAD_EXPIRATION_DATE",
        "expiration",
    ),
    "expiration nanos": ({"expiration": {"nanos": -1}}, "BAD_EXPIRATION_DATE", "expiration"),
    "priority": ({"priority": 7}, "BAD_PRIORITY", "priority"),
    "background priority": (
        {"priority": 10, "aps": {"content-available": 1}},
        "BAD_PRIORITY",
        "priority",
    ),
    "collapse_id": ({"collapse_id": "c" * 65}, "BAD_COLLAPSE_ID", "collapse_id"),
}


@pytest.mark.parametrize("fields, reason, field", HEADERS.values(), ids=HEADERS.keys())
def test_headers_are_checked_with_the_reasons_of_apns(
    app: App, fields: dict[str, Any], reason: str, field: str
) -> None:
    refusal = refusal_of(lambda: app.push(**fields))
    Expected(INVALID, reason, (f"headers.{field}",)).check(refusal)


def test_where_to_push_is_checked_in_the_order_of_apns(app: App, client: Client) -> None:
    other = client.app()
    token = other.register_for_pushes()
    empty = refusal_of(lambda: client.call("Push", payload_json="{}"))
    Expected(INVALID, "MISSING_DEVICE_TOKEN", ("token",)).check(empty)
    # The token's form comes before the headers, these before the payload, this before the token.
    bad = {"collapse_id": "c" * 65}
    refusal = refusal_of(lambda: app.push("", token="no", **bad))
    Expected(INVALID, "BAD_DEVICE_TOKEN", ("token",)).check(refusal)
    refusal = refusal_of(lambda: app.push("[]", token="0" * 64, **bad))
    Expected(INVALID, "BAD_COLLAPSE_ID", ("headers.collapse_id",)).check(refusal)
    refusal = refusal_of(lambda: app.push("[]", token="0" * 64))
    Expected(INVALID, "PAYLOAD_INVALID", ("payload_json",)).check(refusal)
    refusal = refusal_of(lambda: app.push(token="0" * 64))
    Expected(INVALID, "BAD_DEVICE_TOKEN", ("token",)).check(refusal)
    other.call("UnregisterForRemoteNotifications")
    refusal = refusal_of(lambda: app.push(token=token, topic=app.center.app_id))
    Expected(INVALID, "DEVICE_TOKEN_NOT_FOR_TOPIC", ("token",)).check(refusal)
    refusal = refusal_of(lambda: app.push(token=token))
    Expected(NOT_FOUND, "UNREGISTERED", ("token",)).check(refusal)
    assert refusal.metadata["timestamp"].isdigit()
    nobody = client.app()
    refusal = refusal_of(lambda: nobody.push())
    Expected(NOT_FOUND, "APP_NOT_REGISTERED").check(refusal)


def test_a_retry_acts_once(launch: Launcher) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        name, key = str(uuid.uuid4()), new_key()
        first = app.push(apns_id=name.upper())
        assert first.apns_id == name
        assert app.push(apns_id=name) == first
        keyed = app.push(idempotency_key=key)
        assert app.push(idempotency_key=key) == keyed
        assert len(app.delivered()) == 2
        # The same name to another device is another push.
        other = App(client, wire.Center(app_id=app.center.app_id, device_id="other"))
        other.authorize()
        assert other.push(apns_id=name).outcome == DELIVERED
        assert len(other.delivered()) == 1
    server.kill()
    with Client(launch(server.home).targets["unix"]) as client:
        app = App(client, app.center)
        assert app.push(apns_id=name) == first
        assert len(app.delivered()) == 2


def test_a_provider_takes_its_notifications_back(app: App, client: Client) -> None:
    token = app.register_for_pushes()
    for name in ["a", "b"]:
        app.push(collapse_id=name)
    app.add("c", after=60)

    def withdraw(*identifiers: str, **fields: str) -> int:
        response = client.call(
            "WithdrawNotifications",
            app_id=app.center.app_id,
            identifiers=identifiers,
            **({"token": token} | fields),
        )
        return response.withdrawn_count

    assert withdraw() == 0
    assert withdraw("a", "a", "c", "unknown") == 1
    event = app.events()[-1].removed
    assert (event.identifier, event.cause) == ("a", wire.REMOVAL_CAUSE_PROVIDER)
    assert app.delivered() == ["b"]
    assert app.pending() == ["c"]
    with app.in_front() as front:
        front.started()
        assert app.push(collapse_id="d").outcome == ARRIVING
        callback = front.callback()
        assert withdraw("d") == 1
        assert front.callback_ended().callback_id == callback.callback_id
    refusal = refusal_of(lambda: withdraw("b", token="0" * 64))
    Expected(INVALID, "BAD_DEVICE_TOKEN", ("token",)).check(refusal)
    refusal = refusal_of(lambda: withdraw("b", token=""))
    Expected(INVALID, "MISSING_DEVICE_TOKEN", ("token",)).check(refusal)
    refusal = refusal_of(lambda: withdraw("x" * 257))
    Expected(INVALID, "IDENTIFIER_INVALID", ("identifiers[0]",)).check(refusal)
