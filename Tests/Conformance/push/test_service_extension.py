"""Pushes that the app's service extension changes before they are shown (§18)."""

import json
from typing import Any

import grpc
import pytest

from harness import device, wire
from harness.client import App, Client
from harness.eventually import eventually
from harness.extension import serve, service, text, told
from harness.keys import new_key
from harness.launcher import Launcher
from harness.pushes import of
from harness.refusals import Expected, refusal_of
from harness.relay import Relay

ARRIVING = wire.PUSH_OUTCOME_ARRIVING
DELIVERED = wire.PUSH_OUTCOME_DELIVERED

NOT_ASKED = wire.EXTENSION_OUTCOME_UNSPECIFIED
MODIFIED = wire.EXTENSION_OUTCOME_MODIFIED
BEST_ATTEMPT = wire.EXTENSION_OUTCOME_BEST_ATTEMPT
IGNORED_NO_TEXT = wire.EXTENSION_OUTCOME_IGNORED_NO_TEXT
FILTERED = wire.EXTENSION_OUTCOME_FILTERED
FALLBACK = wire.EXTENSION_OUTCOME_FALLBACK

COMPLETED = wire.CALLBACK_OUTCOME_COMPLETED
TIMED_OUT = wire.CALLBACK_OUTCOME_TIMED_OUT

ENDED = Expected(grpc.StatusCode.FAILED_PRECONDITION, "CALLBACK_ENDED")
UNKNOWN = Expected(grpc.StatusCode.NOT_FOUND, "CALLBACK_UNKNOWN")
NOT_SERVING = Expected(grpc.StatusCode.NOT_FOUND, "EXTENSION_NOT_SERVING", ("serving_id",))


def push(app: App, name: str, /, **fields: Any) -> int:
    """Pushes an alert that the extension may change, and gives what became of it."""
    return app.push(aps={"alert": name, "mutable-content": 1}, collapse_id=name, **fields).outcome


def wait(app: App, seconds: float) -> None:
    """Lets time pass, also for questions that are open."""
    app.client.call("AdvanceClock", by=wire.seconds(seconds), expire_callbacks=True)


def asks_about(callback: wire.ExtensionCallback) -> str:
    return callback.service.request.identifier


def test_nse_2_its_content_is_delivered_in_place_of_the_push(own_device: App) -> None:
    app = own_device
    with serve(app) as serving:
        assert push(app, "old", data={"own": 1}) == ARRIVING
        # Until it has answered there is nothing to see.
        assert app.delivered() == [] == list(device.listed(app).groups)
        assert told(app) == []
        callback = serving.callback()
        assert callback.center == app.center
        deadline = wire.nanoseconds(callback.deadline)
        assert deadline == app.client.now() + 30 * 10**9
        request = callback.service.request
        assert request.content.body == "old" and request.trigger.HasField("push")
        assert json.loads(request.content.user_info_json)["own"] == 1
        changed = wire.NotificationContent(
            title="T",
            subtitle="S",
            body="B",
            badge=3,
            thread_identifier="t",
            category_identifier="c",
            user_info_json='{"own":2}',
        )
        assert serving.answer(callback, changed) == MODIFIED
        ended = serving.until("callback_ended").callback_ended
    assert (ended.callback_id, ended.outcome) == (callback.callback_id, COMPLETED)
    assert told(app) == [("B", MODIFIED)]
    [shown] = app.call("ListDelivered").notifications
    # NSE-11: identifier and trigger stay.
    assert shown.request.identifier == "old" and shown.request.trigger.HasField("push")
    assert shown.request.content == changed
    [group] = device.listed(app).groups
    [seen] = group.notifications
    assert (seen.title, seen.subtitle, seen.body) == ("T", "S", "B")
    [badge] = [event for event in app.events() if event.HasField("badge_changed")]
    assert badge.badge_changed.badge == 3


def test_nse_3_a_warning_comes_3_s_before_the_original(own_app: App) -> None:
    with serve(own_app) as serving:
        push(own_app, "a")
        callback = serving.callback()
        wait(own_app, 26.999)
        push(own_app, "b")
        wait(own_app, 0.001)
        # The next frame, since the question about "b" waits for the end of this.
        expiring = serving.frame()
        assert expiring.callback_expiring.callback_id == callback.callback_id
        wait(own_app, 2.999)
        assert told(own_app) == []
        wait(own_app, 0.001)
        ended = serving.frame().callback_ended
        assert (ended.callback_id, ended.outcome) == (callback.callback_id, TIMED_OUT)
        assert told(own_app) == [("a", FALLBACK)]
        ENDED.check(refusal_of(lambda: serving.answer(callback, text("late"))))
        # NSE-12: the next has 30 s from the instant at which it is asked about.
        second = serving.callback()
        assert asks_about(second) == "b"
        assert wire.nanoseconds(second.deadline) == own_app.client.now() + 30 * 10**9


def test_nse_7_an_answer_after_the_warning_is_a_best_attempt(own_app: App) -> None:
    with serve(own_app) as serving:
        push(own_app, "a")
        callback = serving.callback()
        wait(own_app, 27)
        serving.until("callback_expiring")
        assert serving.answer(callback, text("A")) == BEST_ATTEMPT
    assert told(own_app) == [("A", BEST_ATTEMPT)]


def test_nse_3_the_newest_best_attempt_is_shown_at_the_deadline(own_app: App) -> None:
    with serve(own_app) as serving:
        push(own_app, "a")
        callback = serving.callback()
        for body in ("1", "2"):
            kept = serving.answer(callback, text(body), best_attempt=True)
            assert kept == BEST_ATTEMPT
        assert told(own_app) == []
        wait(own_app, 30)
        assert serving.until("callback_ended").callback_ended.outcome == TIMED_OUT
        assert told(own_app) == [("2", BEST_ATTEMPT)]
        # An answer in time counts, whatever was kept before.
        push(own_app, "b")
        callback = serving.callback()
        serving.answer(callback, text("1"), best_attempt=True)
        assert serving.answer(callback, text("B")) == MODIFIED
    assert told(own_app)[1:] == [("B", MODIFIED)]


def test_nse_6_the_originals_come_at_once_where_the_stream_ends(app: App) -> None:
    serving = serve(app)
    for name in ("a", "b"):
        assert push(app, name) == ARRIVING
    serving.answer(serving.callback(), text("A"), best_attempt=True)
    serving.close()
    eventually(lambda: told(app) == [("A", BEST_ATTEMPT), ("b", FALLBACK)])


def test_nse_12_a_cut_stream_keeps_its_place_for_5_s(launch: Launcher) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client, Relay(server.targets["tcp"]) as relay:
        app = client.app()
        app.authorize()
        with Client(relay.target) as behind:
            lost = serve(app, behind)
            push(app, "a")
            callback = lost.callback()
            relay.cut()
            lost.status()
            assert push(app, "b") == ARRIVING
            with serve(app) as serving:
                assert serving.callback() == callback
                # The call that took over answers, and the call that was cut no longer does.
                old = {"serving_id": lost.serving_id}
                NOT_SERVING.check(refusal_of(lambda: serving.answer(callback, text("A"), **old)))
                assert serving.answer(callback, text("A")) == MODIFIED
                assert serving.answer(serving.callback(), text("B")) == MODIFIED
            assert told(app) == [("A", MODIFIED), ("B", MODIFIED)]
        with Client(relay.target) as behind:
            lost = serve(app, behind)
            push(app, "c")
            lost.callback()
            relay.cut()
            lost.status()
            wait(app, 5)
            eventually(lambda: told(app)[2:] == [("c", FALLBACK)])


@pytest.mark.parametrize(
    "content", [None, wire.NotificationContent(badge=3), text("", user_info_json='{"a":1}')]
)
def test_nse_4_content_without_a_text_is_ignored(
    app: App, content: wire.NotificationContent | None
) -> None:
    with serve(app) as serving:
        push(app, "a")
        assert serving.answer(serving.callback(), content) == IGNORED_NO_TEXT
    assert told(app) == [("a", IGNORED_NO_TEXT)]
    assert not [event for event in app.events() if event.HasField("badge_changed")]


def test_nse_5_with_the_entitlement_it_drops_a_push(client: Client) -> None:
    app = client.app()
    app.call("RegisterApp", manifest={"entitlements": {"filtering": True}})
    app.authorize()
    app.push(aps={"alert": "older"}, collapse_id="a")
    with serve(app) as serving:
        push(app, "a")
        assert serving.answer(serving.callback()) == FILTERED
        push(app, "b")
        badge = wire.NotificationContent(badge=3)
        assert serving.answer(serving.callback(), badge) == IGNORED_NO_TEXT
    assert told(app) == [("older", NOT_ASKED), ("b", IGNORED_NO_TEXT)]
    # NSE-12: the older one of its identifier stays.
    assert sorted(app.delivered()) == ["a", "b"]
    [dropped] = [event.suppressed for event in app.events() if event.HasField("suppressed")]
    assert dropped.identifier == "a"
    assert dropped.reason == wire.SUPPRESSION_REASON_FILTERED


def test_nse_10_pushes_of_a_center_come_in_order_and_centers_side_by_side(app: App) -> None:
    other = of(app.client, app.center.app_id, "other")
    other.authorize()
    with serve(app) as serving:
        for name in ("a", "b"):
            assert push(app, name) == ARRIVING
        assert push(other, "c") == ARRIVING
        first, third = serving.callback(), serving.callback()
        assert (asks_about(first), asks_about(third)) == ("a", "c")
        assert third.center == other.center
        assert serving.answer(third, text("C")) == MODIFIED
        assert told(other) == [("C", MODIFIED)]
        assert serving.until("callback_ended").callback_ended.callback_id == third.callback_id
        assert serving.answer(first, text("A")) == MODIFIED
        # Only now is it asked about the next.
        assert serving.frame().callback_ended.callback_id == first.callback_id
        second = serving.callback()
        assert asks_about(second) == "b"
        assert serving.answer(second, text("B")) == MODIFIED
    assert told(app) == [("A", MODIFIED), ("B", MODIFIED)]


@pytest.mark.parametrize(
    "payload",
    [
        {"alert": "x"},
        {"alert": "x", "mutable-content": 0},
        {"mutable-content": 1, "sound": "default"},
        {"mutable-content": 1, "badge": 3},
        {"mutable-content": 1, "content-available": 1},
        {"mutable-content": 1, "alert": {"title": ""}, "sound": "default"},
    ],
    ids=["immutable", "0", "sound", "badge", "silent", "no text"],
)
def test_nse_1_it_is_not_asked_about_other_pushes(app: App, payload: dict[str, Any]) -> None:
    with serve(app) as serving:
        assert app.push(aps=payload).outcome != ARRIVING
        assert {outcome for _, outcome in told(app)} <= {NOT_ASKED}
        push(app, "asked")
        assert asks_about(serving.callback()) == "asked"


@pytest.mark.parametrize("alert", ["B", {"title": "T"}, {"subtitle": "S"}, {"body": "B"}])
def test_nse_1_it_is_asked_about_an_alert_of_either_form(app: App, alert: object) -> None:
    with serve(app) as serving:
        pushed = app.push(aps={"alert": alert, "mutable-content": 1}, collapse_id="c")
        assert pushed.outcome == ARRIVING
        callback = serving.callback()
        assert asks_about(callback) == "c"
        serving.answer(callback, callback.service.request.content)


def test_nse_1_alerts_have_to_be_permitted(client: Client) -> None:
    app = client.app()
    app.call("RegisterApp", manifest={})
    with serve(app) as serving:
        assert push(app, "nobody was asked") == wire.PUSH_OUTCOME_SUPPRESSED
        # A provisional grant shows alerts in the list.
        app.authorize(wire.AUTHORIZATION_OPTION_ALERT, wire.AUTHORIZATION_OPTION_PROVISIONAL)
        assert push(app, "granted") == ARRIVING
        assert asks_about(serving.callback()) == "granted"


def test_nse_11_the_first_answer_counts(app: App) -> None:
    with serve(app) as serving:
        push(app, "a")
        callback, key = serving.callback(), new_key()
        for _ in range(2):
            assert serving.answer(callback, text("A")) == MODIFIED
        for late in (text("B"), None):
            ENDED.check(refusal_of(lambda late=late: serving.answer(callback, late)))
        refusal = refusal_of(lambda: serving.answer(callback, text("A"), best_attempt=True))
        ENDED.check(refusal)
        push(app, "b")
        callback = serving.callback()
        for _ in range(2):
            answer = serving.answer(callback, text("B"), idempotency_key=key)
            assert answer == MODIFIED
        unknown = wire.ExtensionCallback(callback_id="1.999999")
        UNKNOWN.check(refusal_of(lambda: serving.answer(unknown, text("C"))))
    assert told(app) == [("A", MODIFIED), ("B", MODIFIED)]


def test_an_extension_answers_for_its_own_app_alone(app: App, client: Client) -> None:
    other = client.app()
    with serve(app) as serving, serve(other) as stranger:
        push(app, "a")
        callback = serving.callback()
        UNKNOWN.check(refusal_of(lambda: stranger.answer(callback, text("B"))))
        assert serving.answer(callback, text("A")) == MODIFIED
    assert told(app) == [("A", MODIFIED)]


def test_nse_12_content_that_add_refuses_leaves_the_question_open(app: App) -> None:
    file = wire.AttachmentReference(identifier="p", attachment_id=new_key())
    with serve(app) as serving:
        push(app, "a")
        callback = serving.callback()
        refusal = refusal_of(lambda: serving.answer(callback, text("A", attachments=[file])))
        assert refusal.reason == "ATTACHMENT_NOT_IN_DATA_STORE"
        assert told(app) == []
        assert serving.answer(callback, text("A")) == MODIFIED
    assert told(app) == [("A", MODIFIED)]


def test_nse_12_an_app_without_a_service_extension_misses_none(client: Client) -> None:
    app = client.app()
    app.authorize()
    assert push(app, "a") == DELIVERED
    manifest = {"extensions": [service(app.center.app_id)]}
    app.call("RegisterApp", manifest=manifest)
    # NSE-11: this one has an extension, which does not serve.
    assert push(app, "b") == DELIVERED
    assert told(app) == [("a", NOT_ASKED), ("b", FALLBACK)]


def test_a_newer_push_of_the_identifier_withdraws_the_one_that_waits(app: App) -> None:
    with serve(app) as serving:
        push(app, "a")
        older = serving.callback()
        app.push(aps={"alert": "newer", "mutable-content": 1}, collapse_id="a")
        ended = serving.until("callback_ended").callback_ended
        assert ended.outcome == wire.CALLBACK_OUTCOME_WITHDRAWN
        ENDED.check(refusal_of(lambda: serving.answer(older, text("A"))))
        newer = serving.callback()
        assert newer.service.request.content.body == "newer"
        assert serving.answer(newer, text("B")) == MODIFIED
    assert told(app) == [("B", MODIFIED)]
    assert app.delivered() == ["a"]
