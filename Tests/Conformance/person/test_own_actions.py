"""Buttons that a notification carries itself (K-11)."""

from harness import wire
from harness.client import App
from harness.device import dismiss, listed, reference, respond
from harness.refusals import refusal_of
from harness.subscription import Subscription

DID_RECEIVE = wire.DELEGATE_CAPABILITY_DID_RECEIVE
YES = wire.NotificationAction(identifier="yes", title="Yes")
SAY = wire.NotificationAction(identifier="say", title="Say", text_input=wire.TextInput())


def receive(app: App) -> Subscription:
    return app.subscribe(role=wire.SUBSCRIBER_ROLE_PRIMARY, capabilities=[DID_RECEIVE])


def buttons(app: App) -> list[str]:
    """The buttons of the topmost notification, as the screen shows them."""
    return [action.title for action in listed(app).groups[0].notifications[0].actions]


def test_buttons_without_a_category_are_shown_and_pressed(own_device: App) -> None:
    app = own_device
    app.add("a", title="Deploy?", actions=[YES, SAY])
    assert buttons(app) == ["Yes", "Say"]
    [kept] = app.call("ListDelivered").notifications
    assert list(kept.request.content.actions) == [YES, SAY]
    # The app's categories are another matter.
    app.call("SetNotificationCategories", categories=[])
    assert buttons(app) == ["Yes", "Say"]
    with receive(app) as subscription:
        other = wire.CustomAction(action_identifier="no")
        refusal = refusal_of(lambda: respond(app, reference(app, "a", 1), action=other))
        assert refusal.reason == "ACTION_UNKNOWN"
        act = wire.CustomAction(action_identifier="say", user_text="now")
        respond(app, reference(app, "a", 1), action=act)
        told = subscription.callback().did_receive
    assert (told.action_identifier, told.user_text) == ("say", "now")
    assert app.delivered() == []
    assert not app.call("GetNotificationCategories").categories


def test_they_stand_in_place_of_the_categorys(own_device: App) -> None:
    app = own_device
    category = wire.NotificationCategory(
        identifier="c",
        actions=[wire.NotificationAction(identifier="old", title="Old")],
        options=[wire.CATEGORY_OPTION_CUSTOM_DISMISS_ACTION],
    )
    app.call("SetNotificationCategories", categories=[category])
    app.add("plain", title="A", category_identifier="c")
    assert buttons(app) == ["Old"]
    app.add("own", title="A", category_identifier="c", actions=[YES])
    assert buttons(app) == ["Yes"]
    with receive(app) as subscription:
        old = wire.CustomAction(action_identifier="old")
        refusal = refusal_of(lambda: respond(app, reference(app, "own", 2), action=old))
        assert refusal.reason == "ACTION_UNKNOWN"
        # The category's other options count: the app wants to know of dismissals.
        dismiss(app, notification=reference(app, "own", 2))
        told = subscription.callback().did_receive
    assert told.action_identifier == "com.apple.UNNotificationDismissActionIdentifier"
