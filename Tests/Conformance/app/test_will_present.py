"""An app in front is asked how to present what arrives (§9)."""

from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.keys import new_key
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of, refusal_of_item
from harness.retries import as_told_again

BANNER = wire.PRESENTATION_OPTION_BANNER
LIST = wire.PRESENTATION_OPTION_LIST
SOUND = wire.PRESENTATION_OPTION_SOUND
BADGE = wire.PRESENTATION_OPTION_BADGE
ALERT = wire.PRESENTATION_OPTION_ALERT

NOT_PRESENTED = wire.SUPPRESSION_REASON_NOT_PRESENTED

CALLBACK_ENDED = Expected(grpc.StatusCode.FAILED_PRECONDITION, "CALLBACK_ENDED")
CALLBACK_UNKNOWN = Expected(grpc.StatusCode.NOT_FOUND, "CALLBACK_UNKNOWN")
NOT_PRIMARY = Expected(grpc.StatusCode.FAILED_PRECONDITION, "NOT_PRIMARY", ("subscription_id",))


def newest(app: App) -> wire.Event:
    return app.events()[-1]


def presented(app: App) -> set[int]:
    return set(newest(app).delivered.presentation.options)


def test_the_app_is_asked_with_the_whole_notification(app: App) -> None:
    with app.in_front() as front:
        started = front.started()
        assert started.role == wire.SUBSCRIBER_ROLE_PRIMARY
        assert app.add("a", body="A body").state == wire.REQUEST_STATE_ARRIVING
        callback = front.callback()
        assert callback.will_present.notification.request.content.body == "A body"
        deadline = wire.nanoseconds(callback.deadline)
        assert deadline == app.client.now() + 5 * 10**9
        assert app.pending() == app.delivered() == []
        app.present(started.subscription_id, callback, BANNER, LIST)
        ended = front.callback_ended()
        event = front.event()
        assert event.delivered.notification.request.identifier == "a"
        assert set(event.delivered.presentation.options) == {BANNER, LIST}
        assert app.delivered() == ["a"]
    assert ended.callback_id == callback.callback_id
    assert ended.outcome == wire.CALLBACK_OUTCOME_COMPLETED


@pytest.mark.parametrize(
    "answer, effects, is_listed",
    [
        ([ALERT], {BANNER, LIST}, True),
        ([LIST], {LIST}, True),
        ([BANNER, SOUND], {BANNER, SOUND}, False),
        ([BADGE], {BADGE}, False),
    ],
)
def test_only_what_the_app_names_is_presented(
    app: App, answer: list[int], effects: set[int], is_listed: bool
) -> None:
    with app.in_front() as front:
        subscription_id = front.started().subscription_id
        app.add("a", title="A title", sound={}, badge=3)
        app.present(subscription_id, front.callback(), *answer)
    delivered = next(event for event in app.events(after=1) if event.HasField("delivered"))
    assert set(delivered.delivered.presentation.options) == effects
    assert app.delivered() == (["a"] if is_listed else [])


def test_an_answer_without_options_is_silent(app: App) -> None:
    with app.in_front() as front:
        subscription_id = front.started().subscription_id
        app.add("a")
        app.present(subscription_id, front.callback())
    assert newest(app).suppressed.reason == NOT_PRESENTED
    assert app.delivered() == []


FRONT = {"app_state": wire.APP_STATE_FOREGROUND}
PRIMARY: dict[str, Any] = {"role": wire.SUBSCRIBER_ROLE_PRIMARY, **FRONT}


def test_in_front_without_a_delegate_the_system_presents(app: App) -> None:
    with app.subscribe(**FRONT) as front:
        front.started()
        assert app.add("a").state == wire.REQUEST_STATE_DELIVERED
    assert presented(app) == {BANNER, LIST}


def test_a_delegate_without_the_method_is_silent(app: App) -> None:
    with app.subscribe(**PRIMARY) as front:
        front.started()
        app.add("a")
    assert newest(app).suppressed.reason == NOT_PRESENTED


def test_a_standing_answer_asks_nothing(app: App) -> None:
    standing = wire.PresentationOptions(options=[LIST])
    with app.in_front(standing_presentation=standing) as front:
        front.started()
        assert app.add("a").state == wire.REQUEST_STATE_DELIVERED
        kinds = [frame.WhichOneof("kind") for frame in front.until("event")]
    assert "callback" not in kinds
    assert presented(app) == {LIST}


def test_a_missed_deadline_lists_it_and_the_app_is_left_alone(own_app: App) -> None:
    client = own_app.client
    with own_app.in_front() as front:
        started = front.started()
        assert started.app_state == wire.APP_STATE_FOREGROUND
        own_app.add("b", after=6)
        own_app.add("a")
        callback = front.callback()
        client.advance(4.999)
        assert own_app.delivered() == []
        client.call("AdvanceClock", by=wire.seconds(0.001), expire_callbacks=True)
        assert front.callback_ended().outcome == wire.CALLBACK_OUTCOME_TIMED_OUT
        presentation = front.event().delivered.presentation
        assert (set(presentation.options), presentation.timed_out) == ({LIST}, True)
        # It does not call: it counts as in the background, and is not asked.
        client.advance(1)
        presentation = front.event().delivered.presentation
        assert (set(presentation.options), presentation.timed_out) == ({BANNER, LIST}, False)
        late = refusal_of(lambda: own_app.present(started.subscription_id, callback, BANNER))
        CALLBACK_ENDED.check(late)
        # Even a late answer shows that it is there.
        assert own_app.add("c").state == wire.REQUEST_STATE_ARRIVING


CALLS_OF_ITS_OWN: dict[str, dict[str, Any]] = {
    "GetNotificationSettings": {},
    "GetNotificationCategories": {},
    "ListPending": {},
    "ListDelivered": {},
    "RemovePending": {"identifiers": ["x"]},
    "SetBadgeCount": {"count": 1},
    "RequestAuthorization": {"options": [wire.AUTHORIZATION_OPTION_ALERT]},
    # Refused, and a call all the same.
    "AddBatch": {},
    "Subscribe": {},
}


@pytest.mark.parametrize("rpc", CALLS_OF_ITS_OWN)
def test_an_app_that_calls_again_is_asked_again(app: App, rpc: str) -> None:
    with app.in_front() as front:
        front.started()
        app.add("later", after=10)
        app.add("a")
        front.callback()
        app.client.call("AdvanceClock", by=wire.seconds(5), expire_callbacks=True)
        front.callback_ended()
        fields = CALLS_OF_ITS_OWN[rpc]
        if rpc == "Subscribe":
            with app.subscribe() as observer:
                assert observer.started().app_state == wire.APP_STATE_FOREGROUND
        elif rpc == "AddBatch":
            with pytest.raises(grpc.RpcError):
                app.call(rpc, **fields)
        else:
            app.call(rpc, **fields)
        app.client.advance(5)
        assert front.callback().will_present.notification.request.identifier == "later"


def test_replies_tell_what_the_app_is_believed_to_do(app: App) -> None:
    with app.in_front() as front:
        started = front.started()
        app.add("a")
        response = app.present(started.subscription_id, front.callback(), LIST)
        assert started.app_state == response.app_state == wire.APP_STATE_FOREGROUND
        with app.subscribe(app_state=wire.APP_STATE_BACKGROUND) as other:
            assert other.started().app_state == wire.APP_STATE_FOREGROUND


def test_who_was_not_asked_is_not_told_that_it_ended(app: App) -> None:
    with app.in_front() as first:
        first.started()
        app.add("a")
        callback = first.callback()
        with app.in_front(wire.DELEGATE_CAPABILITY_DID_RECEIVE) as second:
            second.until("caught_up")
            app.client.call("AdvanceClock", by=wire.seconds(5), expire_callbacks=True)
            ended = first.callback_ended()
            assert (ended.callback_id, ended.outcome) == (
                callback.callback_id,
                wire.CALLBACK_OUTCOME_TIMED_OUT,
            )
            # A later event tells that nothing came before it.
            app.call("SetBadgeCount", count=1)
            frames = second.until("event")
            while not frames[-1].event.HasField("badge_changed"):
                frames += second.until("event")
            assert {frame.WhichOneof("kind") for frame in frames} == {"event"}


def test_an_app_says_what_it_does(app: App) -> None:
    with app.in_front() as front:
        subscription_id = front.started().subscription_id
        for state in (wire.APP_STATE_BACKGROUND, wire.APP_STATE_FOREGROUND):
            response = app.call(
                "UpdateAppState",
                subscription_id=subscription_id,
                app_state=state,
                idempotency_key=new_key(),
            )
            assert response.app_state == state
            is_asked = app.add("a").state == wire.REQUEST_STATE_ARRIVING
            assert is_asked == (state == wire.APP_STATE_FOREGROUND)
    refusal = refusal_of(
        lambda: app.call(
            "UpdateAppState", subscription_id="gone", app_state=wire.APP_STATE_FOREGROUND
        )
    )
    Expected(grpc.StatusCode.NOT_FOUND, "SUBSCRIPTION_UNKNOWN", ("subscription_id",)).check(refusal)


def test_the_newest_primary_takes_over_with_what_is_open(own_app: App) -> None:
    with own_app.in_front() as first:
        first_id = first.started().subscription_id
        own_app.add("a")
        callback = first.callback()
        own_app.client.advance(2)
        with own_app.in_front() as second:
            second_id = second.started().subscription_id
            assert second.callback() == callback
            first.until("demoted")
            NOT_PRIMARY.check(refusal_of(lambda: own_app.present(first_id, callback, LIST)))
            own_app.present(second_id, callback, LIST)
            assert presented(own_app) == {LIST}


@pytest.mark.parametrize("after", [None, 0, 1])
def test_what_is_open_is_offered_at_each_attach(app: App, after: int | None) -> None:
    with app.in_front() as front:
        front.started()
        app.add("a")
        callback = front.callback()
    with app.in_front(after=after) as front:
        assert front.callback() == callback


def test_each_answer_is_judged_alone(app: App) -> None:
    with app.in_front() as front:
        subscription_id = front.started().subscription_id
        app.add("a")
        callback = front.callback()
        answer = wire.WillPresentAnswer(callback_id=callback.callback_id, presentation={})
        garbage = [
            wire.WillPresentAnswer(callback_id=name, presentation={})
            for name in ("", "x", "-1", "007", "9" * 30, "9" * 19)
        ]

        def complete(*answers: wire.WillPresentAnswer) -> wire.CompleteWillPresentResponse:
            return app.call(
                "CompleteWillPresent", subscription_id=subscription_id, answers=answers
            )

        CALLBACK_UNKNOWN.check(refusal_of(lambda: complete(*garbage)))
        missing = wire.WillPresentAnswer(callback_id=callback.callback_id)
        Expected(
            grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", ("answers[0].presentation",)
        ).check(refusal_of(lambda: complete(missing)))
        assert app.events()[1:] == []
        response = complete(garbage[1], answer, garbage[2])
        assert [refused.callback_id for refused in response.refused] == ["x", "-1"]
        for refused in response.refused:
            CALLBACK_UNKNOWN.check(refusal_of_item(refused.error))
        # The same answer again is taken; another one comes too late.
        assert not complete(answer).refused
        other = wire.WillPresentAnswer(
            callback_id=callback.callback_id, presentation={"options": [LIST]}
        )
        CALLBACK_ENDED.check(refusal_of(lambda: complete(other)))
    assert len(app.events()) == 2


def test_a_retry_is_told_the_same(app: App) -> None:
    with app.in_front() as front:
        subscription_id = front.started().subscription_id
        app.add("a")
        fields: dict[str, Any] = {
            "subscription_id": subscription_id,
            "answers": [
                wire.WillPresentAnswer(callback_id=name, presentation={})
                for name in (front.callback().callback_id, "x")
            ],
            "idempotency_key": new_key(),
        }
        first = as_told_again(app.call("CompleteWillPresent", **fields))
        assert as_told_again(app.call("CompleteWillPresent", **fields)) == first
    # Even when the app is asked through another subscription by now.
    assert as_told_again(app.call("CompleteWillPresent", **fields)) == first


def test_removing_what_arrives_ends_the_question(app: App) -> None:
    with app.in_front() as front:
        front.started()
        app.add("a")
        callback = front.callback()
        assert app.call("RemoveDelivered", identifiers=["a"]).removed_identifiers == ["a"]
        ended = front.callback_ended()
        assert ended.callback_id == callback.callback_id
        assert ended.outcome == wire.CALLBACK_OUTCOME_WITHDRAWN
    assert [event.WhichOneof("kind") for event in app.events(after=1)] == ["suppressed"]


def test_the_clock_stops_at_a_question(own_app: App) -> None:
    client = own_app.client
    with own_app.in_front() as front:
        front.started()
        own_app.add("a", 10)
        response = client.advance(60)
        assert response.stopped_by == wire.CLOCK_STOP_CALLBACK
        front.callback()
        response = client.call("AdvanceClock", by=wire.seconds(5), expire_callbacks=True)
        assert response.stopped_by == wire.CLOCK_STOP_TARGET
    assert newest(own_app).delivered.presentation.timed_out


def test_a_deadline_that_passes_while_the_server_is_down(launch: Launcher, transport: str) -> None:
    first = launch()
    with Client(first.targets[transport]) as client:
        app = client.app()
        app.authorize()
        with app.in_front() as front:
            front.started()
            app.add("a")
            callback = front.callback()
            first.kill()
    with Client(launch(first.home).targets[transport]) as client:
        app = App(client, app.center)
        assert app.delivered() == []
        with app.in_front() as front:
            assert front.callback() == callback
        client.call("Suspend", by=wire.seconds(60))
        assert app.delivered() == ["a"]
        assert newest(app).delivered.presentation.timed_out
