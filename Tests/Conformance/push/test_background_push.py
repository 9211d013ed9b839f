"""Pushes on which the app works in the background (BG-1..BG-6, D-9, §8 step 3)."""

import json

import grpc

from harness import wire
from harness.client import App, Client
from harness.device import Watch
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of
from harness.subscription import Subscription

STORED = wire.PUSH_OUTCOME_STORED
EXPIRED = wire.PUSH_OUTCOME_EXPIRED
SUPPRESSED = wire.PUSH_OUTCOME_SUPPRESSED

NEW_DATA = wire.BACKGROUND_FETCH_RESULT_NEW_DATA
FAILED = wire.BACKGROUND_FETCH_RESULT_FAILED

END = wire.BackgroundPushEnd


def push(app: App, number: int, **fields: object) -> wire.PushResponse:
    aps = {"content-available": 1}
    return app.push(**({"aps": aps, "data": {"number": number}} | fields))


def attach(app: App) -> Subscription:
    return app.subscribe(
        role=wire.SUBSCRIBER_ROLE_PRIMARY,
        capabilities=[wire.DELEGATE_CAPABILITY_BACKGROUND_PUSH],
        app_state=wire.APP_STATE_BACKGROUND,
    )


def number_of(callback: wire.Callback) -> int:
    return json.loads(callback.background_push.user_info_json)["number"]


def complete(
    app: App, subscription: wire.SubscriptionStarted, callback: wire.Callback, result: int | None
) -> wire.CompleteBackgroundPushResponse:
    answer = wire.BackgroundPushAnswer(callback_id=callback.callback_id)
    if result is not None:
        answer.result = result
    return app.call(
        "CompleteBackgroundPush", subscription_id=subscription.subscription_id, answers=[answer]
    )


def is_gone(app: App, subscription: wire.SubscriptionStarted) -> bool:
    try:
        app.call(
            "UpdateAppState",
            subscription_id=subscription.subscription_id,
            app_state=wire.APP_STATE_BACKGROUND,
        )
    except grpc.RpcError:
        return True
    return False


def ends(app: App, after: int = 0) -> list[tuple[str, int]]:
    return [
        (event.background_push.apns_id, event.background_push.end)
        for event in app.events(after)
        if event.HasField("background_push")
    ]


def test_two_pushes_while_the_app_is_down_both_arrive_in_order(launch: Launcher) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = client.app()
        # Nobody has allowed anything (BG-5).
        app.register_for_pushes()
        pushed = [push(app, number) for number in [1, 2]]
        assert [response.outcome for response in pushed] == [STORED, STORED]
        assert not pushed[0].identifier
        assert app.delivered() == []
    server.kill()
    with Client(launch(server.home).targets["unix"]) as client:
        app = App(client, app.center)
        with attach(app) as subscription:
            started = subscription.started()
            for number in [1, 2]:
                callback = subscription.callback()
                assert number_of(callback) == number
                assert callback.background_push.apns_id == pushed[number - 1].apns_id
                deadline = wire.nanoseconds(callback.deadline)
                assert deadline == client.now() + 30 * 10**9
                assert not complete(app, started, callback, NEW_DATA).refused
        assert ends(app) == [(push.apns_id, END.BACKGROUND_PUSH_END_NEW_DATA) for push in pushed]


def test_an_app_that_is_there_is_asked_at_once_and_about_one_at_a_time(app: App) -> None:
    with attach(app) as subscription:
        started = subscription.started()
        for number in [1, 2]:
            assert push(app, number).outcome == STORED
        first = subscription.callback()
        assert number_of(first) == 1
        complete(app, started, first, FAILED)
        second = subscription.callback()
        assert number_of(second) == 2
        app.client.call("AdvanceClock", by=wire.seconds(31), expire_callbacks=True)
        assert subscription.callback_ended().callback_id
    assert [end for _, end in ends(app)] == [
        END.BACKGROUND_PUSH_END_FAILED,
        END.BACKGROUND_PUSH_END_TIMED_OUT,
    ]


def test_a_result_is_required_and_the_first_answer_counts(app: App) -> None:
    with attach(app) as subscription:
        started = subscription.started()
        push(app, 1)
        callback = subscription.callback()
        refusal = refusal_of(lambda: complete(app, started, callback, None))
        Expected(
            grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", ("answers[0].result",)
        ).check(refusal)
        complete(app, started, callback, NEW_DATA)
        complete(app, started, callback, NEW_DATA)
        refusal = refusal_of(lambda: complete(app, started, callback, FAILED))
        Expected(grpc.StatusCode.FAILED_PRECONDITION, "CALLBACK_ENDED").check(refusal)
    assert len(ends(app)) == 1


def test_a_push_that_the_app_did_not_hear_of_is_offered_again(app: App) -> None:
    with attach(app) as subscription:
        started = subscription.started()
        push(app, 1)
        assert number_of(subscription.callback()) == 1
    eventually(lambda: is_gone(app, started))
    app.client.call("AdvanceClock", by=wire.seconds(60), expire_callbacks=True)
    assert ends(app) == []
    with attach(app) as subscription:
        started = subscription.started()
        callback = subscription.callback()
        assert number_of(callback) == 1
        complete(app, started, callback, NEW_DATA)
    assert len(ends(app)) == 1


def test_d_9_a_hundred_wait_and_the_oldest_gives_way(app: App) -> None:
    first = push(app, 0)
    for number in range(1, 101):
        assert push(app, number).outcome == STORED
    assert ends(app) == [(first.apns_id, END.BACKGROUND_PUSH_END_REPLACED)]
    with attach(app) as subscription:
        subscription.started()
        assert number_of(subscription.callback()) == 1


def test_d_9_the_same_collapse_id_replaces_what_waits(app: App) -> None:
    old = push(app, 1, collapse_id="c")
    push(app, 2)
    push(app, 3, collapse_id="c")
    assert ends(app) == [(old.apns_id, END.BACKGROUND_PUSH_END_REPLACED)]
    with attach(app) as subscription:
        started = subscription.started()
        for number in [2, 3]:
            callback = subscription.callback()
            assert number_of(callback) == number
            complete(app, started, callback, NEW_DATA)


def test_d_9_an_expired_push_is_not_offered(app: App) -> None:
    now = app.client.now() // 10**9
    gone = push(app, 1, expiration={"seconds": now + 10})
    push(app, 2)
    assert push(app, 3, expiration={}).outcome == EXPIRED
    app.client.advance(11)
    with attach(app) as subscription:
        subscription.started()
        assert number_of(subscription.callback()) == 2
    assert ends(app) == [(gone.apns_id, END.BACKGROUND_PUSH_END_EXPIRED)]


def test_a_push_that_is_tried_once_reaches_an_app_that_is_there(app: App) -> None:
    with attach(app) as subscription:
        subscription.started()
        assert push(app, 1, expiration={}).outcome == STORED
        assert number_of(subscription.callback()) == 1
        # The app works on another one.
        assert push(app, 2, expiration={}).outcome == EXPIRED


def test_an_alert_that_wakes_the_app_does_both(app: App) -> None:
    pushed = push(app, 1, aps={"alert": "B", "content-available": 1})
    assert pushed.outcome == wire.PUSH_OUTCOME_DELIVERED
    assert app.delivered() == [pushed.identifier]
    with attach(app) as subscription:
        subscription.started()
        assert number_of(subscription.callback()) == 1


def test_without_permission_the_background_part_goes_on(client: Client) -> None:
    app = client.app()
    app.register_for_pushes()
    pushed = push(app, 1, aps={"alert": "B", "content-available": 1})
    assert pushed.outcome == SUPPRESSED
    assert app.delivered() == []
    with attach(app) as subscription:
        subscription.started()
        assert number_of(subscription.callback()) == 1


def test_bg_2_the_device_is_told_to_run_the_app(own_device: App) -> None:
    watch = Watch(own_device)
    watch.until("snapshot")
    push(own_device, 1)
    frame = watch.until("launch_app")[-1].launch_app
    watch.close()
    assert frame.mode == wire.LAUNCH_MODE_BACKGROUND
    assert frame.center == own_device.center
    assert not frame.HasField("notification")


def test_bg_3_the_profile_ios_holds_the_newest_and_asks_three_times_an_hour(
    launch: Launcher,
) -> None:
    with Client(launch(arguments=["--profile=ios"]).targets["unix"]) as client:
        app = client.app()
        app.authorize()
        # REG-2: without the mode the app is not woken.
        assert push(app, 0).outcome == SUPPRESSED
        app.call(
            "RegisterApp",
            manifest={"background_modes": [wire.BACKGROUND_MODE_REMOTE_NOTIFICATION]},
        )
        for number in [1, 2]:
            push(app, number)
        with attach(app) as subscription:
            started = subscription.started()
            for number in [2, 3, 4]:
                if number > 2:
                    push(app, number)
                callback = subscription.callback()
                assert number_of(callback) == number
                complete(app, started, callback, NEW_DATA)
            push(app, 5)
            push(app, 6)
            client.advance(3_601)
            push(app, 7)
            assert number_of(subscription.callback()) == 7


def test_an_app_that_is_unregistered_takes_its_pushes_with_it(app: App) -> None:
    push(app, 1)
    app.call("UnregisterApp")
    app.authorize()
    with attach(app) as subscription:
        started = subscription.started()
        push(app, 2)
        callback = subscription.callback()
        assert number_of(callback) == 2
        complete(app, started, callback, NEW_DATA)
