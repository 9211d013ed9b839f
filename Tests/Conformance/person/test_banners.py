"""What a banner shows, and acting on it while it shows (§8-10, §17, D-24 to D-26)."""

from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.device import Watch, dismiss, listed, reference, respond, update
from harness.launcher import Launcher
from harness.refusals import refusal_of
from harness.subscription import Subscription

BANNER = wire.PRESENTATION_OPTION_BANNER
LIST = wire.PRESENTATION_OPTION_LIST
SOUND = wire.PRESENTATION_OPTION_SOUND

DEFAULT = "com.apple.UNNotificationDefaultActionIdentifier"
DISMISS = "com.apple.UNNotificationDismissActionIdentifier"

SENT = wire.RESPOND_OUTCOME_SENT
WAITING = wire.RESPOND_OUTCOME_WAITING_FOR_UNLOCK

GONE = (grpc.StatusCode.NOT_FOUND, "NOTIFICATION_NOT_FOUND")

MESSAGE = wire.NotificationCategory(
    identifier="MESSAGE",
    actions=[
        wire.NotificationAction(identifier="mark", title="Mark"),
        wire.NotificationAction(
            identifier="show", title="Show", options=[wire.ACTION_OPTION_FOREGROUND]
        ),
        wire.NotificationAction(
            identifier="delete",
            title="Delete",
            options=[wire.ACTION_OPTION_AUTHENTICATION_REQUIRED],
        ),
    ],
    options=[wire.CATEGORY_OPTION_CUSTOM_DISMISS_ACTION],
    hidden_previews_body_placeholder="%u messages",
)


def standing(app: App, *options: int, is_able: bool = True) -> Subscription:
    """The app in front, which says once how all is presented, and takes responses."""
    able = [wire.DELEGATE_CAPABILITY_WILL_PRESENT] if is_able else []
    return app.subscribe(
        role=wire.SUBSCRIBER_ROLE_PRIMARY,
        capabilities=[wire.DELEGATE_CAPABILITY_DID_RECEIVE, *able],
        app_state=wire.APP_STATE_FOREGROUND,
        standing_presentation=wire.PresentationOptions(options=options),
    )


def message(app: App, identifier: str, **content: Any) -> wire.AddResponse:
    return app.add(identifier, title="Hello", category_identifier="MESSAGE", **content)


def act(app: App, identifier: str, delivery: int, action: str) -> int:
    custom = wire.CustomAction(action_identifier=action)
    return respond(app, reference(app, identifier, delivery), action=custom).outcome


def told(subscription: Subscription) -> tuple[str, str]:
    response = subscription.callback().did_receive
    return response.notification.request.identifier, response.action_identifier


def gone(app: App, identifier: str, delivery: int) -> None:
    refused = refusal_of(lambda: respond(app, reference(app, identifier, delivery)))
    assert (refused.code, refused.reason) == GONE


@pytest.fixture
def app(own_device: App) -> App:
    own_device.call("SetNotificationCategories", categories=[MESSAGE])
    return own_device


@pytest.mark.parametrize(
    "what, expected", [("tap", DEFAULT), ("mark", "mark"), ("clear", DISMISS)]
)
def test_a_banner_without_an_entry_can_be_acted_on(app: App, what: str, expected: str) -> None:
    with standing(app, BANNER) as front:
        assert message(app, "a").state == wire.REQUEST_STATE_DELIVERED
        assert app.delivered() == []
        app.client.advance(29)
        if what == "tap":
            assert respond(app, reference(app, "a", 1)).outcome == SENT
        elif what == "clear":
            dismiss(app, notification=reference(app, "a", 1))
        else:
            assert act(app, "a", 1, what) == SENT
        assert told(front) == ("a", expected)
    gone(app, "a", 1)


def test_a_banner_that_has_left_the_screen_cannot(app: App) -> None:
    with standing(app, BANNER):
        message(app, "a")
        message(app, "b")
        dismiss(app, notification=reference(app, "b", 2), kind=wire.DISMISS_KIND_SWIPE_AWAY)
        gone(app, "b", 2)
        app.client.advance(30)
        gone(app, "a", 1)


def test_a_banner_that_was_replaced_is_known_as_such(app: App) -> None:
    with standing(app, BANNER):
        message(app, "a")
        message(app, "a")
    refused = refusal_of(lambda: respond(app, reference(app, "a", 1)))
    assert refused.reason == "NOTIFICATION_REPLACED"
    assert respond(app, reference(app, "a", 2)).outcome == SENT
    gone(app, "a", 2)


def test_a_banner_outlives_the_server(launch: Launcher) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        with standing(app, BANNER) as front:
            front.started()
            app.add("a")
        server.kill()
        server.wait()
    with Client(launch(server.home).targets["unix"]) as client:
        again = App(client, app.center)
        assert respond(again, reference(again, "a", 1)).outcome == SENT
        gone(again, "a", 1)


def test_a_standing_answer_needs_no_will_present(app: App) -> None:
    with standing(app, BANNER, LIST, is_able=False) as front:
        front.started()
        message(app, "a")
        assert set(front.event().delivered.presentation.options) == {BANNER, LIST}
    assert app.delivered() == ["a"]


def test_a_banner_without_an_entry_has_its_date_and_counts_itself(app: App) -> None:
    app.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(show_previews_setting=wire.SHOW_PREVIEWS_SETTING_NEVER),
        update_mask={"paths": ["show_previews_setting"]},
    )
    watch = Watch(app)
    watch.until("snapshot")
    message(app, "a", thread_identifier="t")
    assert watch.until("banner")[-1].banner.notification.body == "1 messages"
    with standing(app, BANNER):
        message(app, "b", thread_identifier="t")
        shown = watch.until("banner")[-1].banner.notification
        message(app, "c", thread_identifier="another")
        other = watch.until("banner")[-1].banner.notification
    watch.close()
    assert wire.nanoseconds(shown.date) == app.client.now()
    assert (shown.body, other.body) == ("2 messages", "1 messages")


def test_what_the_summary_keeps_away_comes_quietly(app: App) -> None:
    summary = wire.ScheduledSummary(enabled=True, times=[0], apps=[app.center.app_id])
    update(app.client, "summary", device=app.center.device_id, summary=summary)
    with standing(app, BANNER, SOUND) as front:
        front.until("caught_up")
        message(app, "a", sound={})
        presentation = front.event().delivered.presentation
    assert (list(presentation.options), presentation.quiet) == ([], True)


def test_a_critical_level_that_is_not_permitted_adds_no_sound(app: App) -> None:
    message(app, "a", interruption_level=wire.INTERRUPTION_LEVEL_CRITICAL)
    message(app, "b", interruption_level=wire.INTERRUPTION_LEVEL_CRITICAL, sound={})
    told = [event.delivered for event in app.events() if event.HasField("delivered")]
    assert [set(event.presentation.options) for event in told] == [
        {BANNER, LIST},
        {BANNER, LIST, SOUND},
    ]


# Acts that wait for the unlock, D-24.


def test_what_brings_the_app_to_the_front_waits_for_the_unlock(app: App) -> None:
    device = app.center.device_id
    for name in "abcd":
        message(app, name)
    update(app.client, "locked", device=device, locked=True)
    watch = Watch(app)
    watch.until("snapshot")
    with app.subscribe(
        role=wire.SUBSCRIBER_ROLE_PRIMARY, capabilities=[wire.DELEGATE_CAPABILITY_DID_RECEIVE]
    ) as subscription:
        assert respond(app, reference(app, "a", 1)).outcome == WAITING
        assert act(app, "b", 2, "show") == WAITING
        assert act(app, "c", 3, "delete") == WAITING
        assert act(app, "d", 4, "mark") == SENT
        assert told(subscription) == ("d", "mark")
        requested = watch.until("unlock_requested")[-1].unlock_requested
        assert requested.action_identifier == DEFAULT
        update(app.client, "locked", device=device)
        assert [told(subscription) for _ in "abc"] == [
            ("a", DEFAULT),
            ("b", "show"),
            ("c", "delete"),
        ]
    ended = [watch.until("unlock_ended")[-1].unlock_ended for _ in "abc"]
    watch.close()
    assert [end.action_identifier for end in ended] == [DEFAULT, "show", "delete"]
    assert {end.reason for end in ended} == {""}
    assert app.delivered() == []


def test_an_act_that_waits_is_never_lost_without_a_word(app: App) -> None:
    device = app.center.device_id
    for name in "abc":
        message(app, name)
    update(app.client, "locked", device=device, locked=True)
    assert act(app, "a", 1, "delete") == WAITING
    assert act(app, "b", 2, "delete") == WAITING
    assert act(app, "c", 3, "show") == WAITING
    # A second act that would wait as well is refused by name; one that need not is done.
    for second in (lambda: act(app, "a", 1, "show"), lambda: respond(app, reference(app, "a", 1))):
        refused = refusal_of(second)
        assert (refused.code, refused.reason) == (
            grpc.StatusCode.FAILED_PRECONDITION,
            "ACT_WAITING",
        )
    assert act(app, "b", 2, "mark") == SENT
    # Meanwhile the app offers one of the actions no longer.
    actions = [action for action in MESSAGE.actions if action.identifier != "delete"]
    category = wire.NotificationCategory(identifier="MESSAGE", actions=actions)
    app.call("SetNotificationCategories", categories=[category])
    watch = Watch(app)
    watch.until("snapshot")
    update(app.client, "locked", device=device)
    ended = [watch.until("unlock_ended")[-1].unlock_ended for _ in "abc"]
    watch.close()
    assert [(end.notification.identifier, end.action_identifier, end.reason) for end in ended] == [
        ("a", "delete", "ACTION_UNKNOWN"),
        ("b", "delete", "NOTIFICATION_NOT_FOUND"),
        ("c", "show", ""),
    ]
    assert all(bool(end.message) == bool(end.reason) for end in ended)
    assert app.delivered() == ["a"]


def test_an_act_that_waited_too_long_is_told_at_the_unlock(app: App) -> None:
    message(app, "a")
    update(app.client, "locked", device=app.center.device_id, locked=True)
    assert respond(app, reference(app, "a", 1)).outcome == WAITING
    app.client.advance(30)
    watch = Watch(app)
    watch.until("snapshot")
    update(app.client, "locked", device=app.center.device_id)
    assert watch.until("unlock_ended")[-1].unlock_ended.reason == "UNLOCK_TIMED_OUT"
    watch.close()
    assert app.delivered() == ["a"]


def test_a_banner_waits_for_the_unlock_with_the_act_on_it(app: App) -> None:
    device = app.center.device_id
    update(app.client, "locked", device=device, locked=True)
    with standing(app, BANNER) as front:
        message(app, "a")
        app.client.advance(20)
        assert respond(app, reference(app, "a", 1)).outcome == WAITING
        app.client.advance(20)
        update(app.client, "locked", device=device)
        assert told(front) == ("a", DEFAULT)
    assert listed(app).groups == []
