"""What the person does with a notification, as its app is told (§5, §17)."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from harness import wire
from harness.client import App
from harness.device import Watch, dismiss, listed, reference, respond, update
from harness.subscription import Subscription

DEFAULT = "com.apple.UNNotificationDefaultActionIdentifier"
DISMISS = "com.apple.UNNotificationDismissActionIdentifier"

BACKGROUND = wire.LAUNCH_MODE_BACKGROUND
FOREGROUND = wire.LAUNCH_MODE_FOREGROUND

# A reply that is typed, a button of each sort, and an app that wants to know of dismissals.
MESSAGE = wire.NotificationCategory(
    identifier="MESSAGE",
    actions=[
        wire.NotificationAction(
            identifier="reply",
            title="Reply",
            text_input=wire.TextInput(button_title="Send", placeholder="Message"),
        ),
        wire.NotificationAction(identifier="mark", title="Mark as read"),
        wire.NotificationAction(
            identifier="show", title="Show", options=[wire.ACTION_OPTION_FOREGROUND]
        ),
        wire.NotificationAction(
            identifier="block", title="Block", options=[wire.ACTION_OPTION_DESTRUCTIVE]
        ),
    ],
    options=[wire.CATEGORY_OPTION_CUSTOM_DISMISS_ACTION],
)

PLAIN = wire.NotificationCategory(identifier="PLAIN")


@dataclass(frozen=True)
class Case:
    """What the person does, and what the app is told."""

    name: str
    identifier: str
    launch: int
    action: dict[str, str] = field(default_factory=dict)
    text: str | None = None


CASES = [
    Case("tap", DEFAULT, FOREGROUND),
    Case("button", "mark", BACKGROUND, {"action_identifier": "mark"}),
    Case("foreground button", "show", FOREGROUND, {"action_identifier": "show"}),
    Case("destructive button", "block", BACKGROUND, {"action_identifier": "block"}),
    Case(
        "text",
        "reply",
        BACKGROUND,
        {"action_identifier": "reply", "user_text": "On my way"},
        text="On my way",
    ),
    Case("nothing typed", "reply", BACKGROUND, {"action_identifier": "reply"}, text=""),
    Case("dismissal", DISMISS, BACKGROUND),
]


def declare(app: App, *categories: wire.NotificationCategory) -> None:
    app.call("SetNotificationCategories", categories=categories)


def attach(app: App, *capabilities: int) -> Subscription:
    """The app, in the background."""
    return app.subscribe(role=wire.SUBSCRIBER_ROLE_PRIMARY, capabilities=capabilities)


def receive(app: App) -> Subscription:
    """The app, as it takes what the person did."""
    return attach(app, wire.DELEGATE_CAPABILITY_DID_RECEIVE)


def told(subscription: Subscription) -> tuple[str, str]:
    """The next response: of which notification, and which action."""
    response = subscription.callback().did_receive
    return response.notification.request.identifier, response.action_identifier


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_an_act_is_told_with_its_notification(own_device: App, case: Case) -> None:
    app = own_device
    declare(app, MESSAGE)
    content: dict[str, Any] = {"body": "Are you there?", "target_content_identifier": "window 2"}
    app.add("a", category_identifier="MESSAGE", user_info_json='{"id": 7}', **content)
    [notification] = app.call("ListDelivered").notifications
    watch = Watch(app)
    watch.until("snapshot")
    with receive(app) as subscription:
        if case.identifier == DISMISS:
            dismiss(app, notification=reference(app, "a", 1))
        else:
            act = {"action": wire.CustomAction(**case.action)} if case.action else {}
            respond(app, reference(app, "a", 1), **act)
        response = subscription.callback().did_receive
    assert response.notification == notification
    assert response.action_identifier == case.identifier
    assert (response.user_text if response.HasField("user_text") else None) == case.text
    launch = watch.until("launch_app")[-1].launch_app
    watch.close()
    assert launch.mode == case.launch
    assert launch.target_content_identifier == "window 2"
    assert app.delivered() == []


@pytest.mark.parametrize(
    "category, kind, is_listed",
    [
        ("MESSAGE", wire.DISMISS_KIND_SWIPE_AWAY, True),
        ("PLAIN", wire.DISMISS_KIND_CLEAR, False),
        ("UNKNOWN", wire.DISMISS_KIND_CLEAR, False),
        ("", wire.DISMISS_KIND_CLEAR, False),
    ],
    ids=["swipe", "dismissal without opting in", "unknown category", "no category"],
)
def test_of_some_acts_nothing_is_told(
    own_device: App, category: str, kind: int, is_listed: bool
) -> None:
    app = own_device
    declare(app, MESSAGE, PLAIN)
    app.add("a", title="A title", category_identifier=category)
    app.add("b", title="A title", category_identifier="UNKNOWN")
    with receive(app) as subscription:
        dismiss(app, notification=reference(app, "a", 1), kind=kind)
        assert app.delivered() == (["a", "b"] if is_listed else ["b"])
        respond(app, reference(app, "b", 2))
        # The tap is the first that is told: it needs no category.
        assert told(subscription) == ("b", DEFAULT)


def test_each_member_of_a_group_is_dismissed_for_itself(own_device: App) -> None:
    app = own_device
    declare(app, MESSAGE)
    for name, category in [("a", "MESSAGE"), ("b", ""), ("c", "MESSAGE")]:
        app.add(name, title="A title", thread_identifier="t", category_identifier=category)
    app.add("other", title="A title", category_identifier="MESSAGE")
    [group] = [
        each.info.group_id for each in listed(app).groups if each.info.thread_identifier
    ]
    with receive(app) as subscription:
        assert dismiss(app, group_id=group).count == 3
        assert app.delivered() == ["other"]
        dismiss(app, notification=reference(app, "other", 4))
        assert [told(subscription) for _ in range(3)] == [
            ("a", DISMISS),
            ("c", DISMISS),
            ("other", DISMISS),
        ]


def test_an_app_that_takes_no_responses_is_told_none(own_device: App) -> None:
    app = own_device
    app.add("a")
    with attach(app, wire.DELEGATE_CAPABILITY_WILL_PRESENT) as unable:
        unable.until("caught_up")
        respond(app, reference(app, "a", 1))
        app.call("SetBadgeCount", count=1)
        frames = unable.until("event") + unable.until("event")
        assert frames[-1].event.HasField("badge_changed")
        assert "callback" not in [frame.WhichOneof("kind") for frame in frames]
    with receive(app) as able:
        assert told(able) == ("a", DEFAULT)


def test_a_locked_device_asks_to_be_unlocked_first(own_device: App) -> None:
    app, device = own_device, own_device.center.device_id
    secret = wire.NotificationCategory(
        identifier="SECRET",
        actions=[
            wire.NotificationAction(
                identifier="delete", options=[wire.ACTION_OPTION_AUTHENTICATION_REQUIRED]
            ),
            wire.NotificationAction(identifier="mark"),
        ],
    )
    declare(app, secret)
    for name in "abc":
        app.add(name, title="A title", category_identifier="SECRET")
    update(app.client, "locked", device=device, locked=True)
    outcomes = [
        respond(
            app,
            reference(app, name, delivery),
            action=wire.CustomAction(action_identifier=action),
        ).outcome
        for name, delivery, action in [("a", 1, "delete"), ("b", 2, "mark")]
    ]
    assert outcomes == [wire.RESPOND_OUTCOME_WAITING_FOR_UNLOCK, wire.RESPOND_OUTCOME_SENT]
    with receive(app) as subscription:
        assert told(subscription) == ("b", "mark")
        update(app.client, "locked", device=device)
        assert told(subscription) == ("a", "delete")
        # A person who does not unlock has refused: nothing is sent.
        update(app.client, "locked", device=device, locked=True)
        respond(
            app,
            reference(app, "c", 3),
            action=wire.CustomAction(action_identifier="delete"),
        )
        app.client.advance(30)
        update(app.client, "locked", device=device)
        assert app.delivered() == ["c"]
        respond(app, reference(app, "c", 3))
        assert told(subscription) == ("c", DEFAULT)


def shown_actions(app: App) -> list[str]:
    """The buttons of the one notification that the device shows."""
    [group] = listed(app).groups
    return [action.title for action in group.notifications[0].actions]


def test_buttons_are_those_that_are_declared_when_it_is_looked_at(own_device: App) -> None:
    app = own_device
    app.add("a", title="A title", category_identifier="MESSAGE")
    assert shown_actions(app) == []
    declare(app, MESSAGE)
    assert shown_actions(app) == ["Reply", "Mark as read", "Show", "Block"]
    other = wire.NotificationAction(identifier="other", title="Other")
    declare(app, wire.NotificationCategory(identifier="MESSAGE", actions=[other]))
    assert shown_actions(app) == ["Other"]
    declare(app, PLAIN)
    assert shown_actions(app) == []
