"""Notifications that the person opens, and the content extensions that show them (§19)."""

from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App
from harness.content import (
    CLOSES,
    FORWARDS,
    STAYS,
    ContentExtension,
    close,
    open_notification,
    press,
)
from harness.device import Watch, dismiss, listed, reference, respond, update
from harness.keys import new_key
from harness.refusals import Expected, refusal_of
from harness.subscription import Subscription

INVALID = grpc.StatusCode.INVALID_ARGUMENT
NOT_FOUND = grpc.StatusCode.NOT_FOUND
PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION

ROTATE = wire.NotificationAction(identifier="rotate", title="Rotate")
RESET = wire.NotificationAction(identifier="reset", title="Reset")
LOCKED = wire.NotificationAction(
    identifier="private", title="Private", options=[wire.ACTION_OPTION_AUTHENTICATION_REQUIRED]
)
REPLY = wire.NotificationAction(
    identifier="reply", title="Reply", text_input=wire.TextInput(button_title="Send")
)
CLOSED = Expected(NOT_FOUND, "PRESENTATION_NOT_FOUND", ("presentation_id",))


@pytest.fixture
def red(own_device: App) -> App:
    """An app with a category of two buttons."""
    own_device.call(
        "SetNotificationCategories",
        categories=[wire.NotificationCategory(identifier="red", actions=[ROTATE, LOCKED])],
    )
    return own_device


def deliver(app: App, identifier: str = "a", **content: Any) -> wire.NotificationRef:
    """A notification of the category in the list."""
    app.add(identifier, **{"title": "Look", "category_identifier": "red", **content})
    delivered = app.call("ListDelivered").notifications
    [delivery] = [n.delivery for n in delivered if n.request.identifier == identifier]
    return reference(app, identifier, delivery)


def buttons(actions: Any) -> list[str]:
    return [action.identifier for action in actions]


def receive(app: App) -> Subscription:
    """The app, as it takes what the person did."""
    return app.subscribe(
        role=wire.SUBSCRIBER_ROLE_PRIMARY, capabilities=[wire.DELEGATE_CAPABILITY_DID_RECEIVE]
    )


def told(subscription: Subscription) -> str:
    """The action of the next response that the app is told."""
    return subscription.callback().did_receive.action_identifier


def changed(watch: Watch, kind: str) -> wire.PresentationFrame:
    """The next change of an open notification."""
    frame = watch.until("presentation")[-1].presentation
    assert frame.WhichOneof("kind") == kind, frame
    return frame


def snapshot(app: App) -> list[wire.OpenPresentation]:
    """What a new watcher is told to be open."""
    watch = Watch(app)
    parts = [watch.frame().snapshot]
    while not parts[-1].complete:
        parts.append(watch.frame().snapshot)
    watch.close()
    return [shown for part in parts for shown in part.presentations]


def test_without_an_extension_the_buttons_are_those_of_the_category(red: App) -> None:
    opened = open_notification(red, deliver(red))
    assert not opened.HasField("extension") and not opened.HasField("view")
    assert opened.notification.title == "Look"
    assert buttons(opened.actions) == ["rotate", "private"]
    assert snapshot(red) == [opened]
    with receive(red) as app:
        assert press(red, opened.presentation_id, "rotate") == wire.RESPOND_OUTCOME_SENT
        assert told(app) == "rotate"
    # The act took the notification from the list, and so it is closed.
    assert red.delivered() == [] and snapshot(red) == []


def test_what_is_open_already_stays_open(red: App) -> None:
    notification = deliver(red)
    assert open_notification(red, notification) == open_notification(red, notification)


def test_the_extension_is_that_of_the_category_and_case_matters(red: App) -> None:
    with ContentExtension(red, "red"):
        assert open_notification(red, deliver(red, "a")).extension.extension_id.endswith(".view")
        other = deliver(red, "b", category_identifier="Red")
        assert not open_notification(red, other).HasField("extension")


def test_a_category_of_another_extension_is_taken(red: App) -> None:
    with ContentExtension(red, "red"):
        refusal = refusal_of(lambda: ContentExtension(red, "blue", "red", name="other"))
    expected = Expected(
        grpc.StatusCode.ALREADY_EXISTS, "EXTENSION_CATEGORY_TAKEN", ("extension.categories[1]",)
    )
    expected.check(refusal)


def test_an_extension_says_how_it_is_shown(red: App) -> None:
    how = {
        "initial_content_size_ratio": 0.5,
        "default_content_hidden": True,
        "overrides_default_title": True,
        "user_interaction_enabled": True,
    }
    with ContentExtension(red, "red", **how):
        opened = open_notification(red, deliver(red))
    assert {name: getattr(opened.extension, name) for name in how} == how
    # The header stays, and the screen decides about the rest.
    assert opened.notification.app_name == red.center.app_id
    assert opened.notification.title == "Look"


def test_the_extension_is_told_first_of_what_is_opened(red: App) -> None:
    with ContentExtension(red, "red") as view:
        opened = open_notification(red, deliver(red))
        frame = view.content("presented")
        assert frame.presentation_id == opened.presentation_id
        assert frame.center == reference(red, "a", 1).center
        [notification] = red.call("ListDelivered").notifications
        assert frame.presented.notification == notification
        assert buttons(frame.presented.actions) == ["rotate", "private"]


def test_the_extension_is_told_of_newer_ones_of_the_thread(red: App) -> None:
    with ContentExtension(red, "red") as view:
        opened = open_notification(red, deliver(red, "a", thread_identifier="t"))
        view.content("presented")
        deliver(red, "other", thread_identifier="u")
        deliver(red, "b", thread_identifier="t")
        frame = view.content("presented")
        assert frame.presentation_id == opened.presentation_id
        assert frame.presented.notification.request.identifier == "b"
        close(red, opened.presentation_id)
        view.content("closed")
        deliver(red, "c", thread_identifier="t")
        # The next frame is that of another notification.
        open_notification(red, deliver(red, "d"))
        assert view.content("presented").presented.notification.request.identifier == "d"


def test_an_extension_that_begins_to_serve_is_told_of_what_is_open(red: App) -> None:
    with ContentExtension(red, "red") as first:
        opened = open_notification(red, deliver(red))
        first.content("presented")
        with ContentExtension(red, "red") as second:
            assert second.content("presented").presentation_id == opened.presentation_id


def test_buttons_change_while_it_is_open(red: App) -> None:
    watch = Watch(red)
    watch.until("snapshot")
    with ContentExtension(red, "red") as view:
        name = open_notification(red, deliver(red)).presentation_id
        of_it = {"presentation_id": name}
        assert buttons(view.call("GetNotificationActions", **of_it).actions) == [
            "rotate",
            "private",
        ]
        view.call("SetNotificationActions", **of_it, actions=[ROTATE, RESET])
        frame = changed(watch, "actions_changed")
        assert frame.presentation_id == name
        assert buttons(frame.actions_changed.actions) == ["rotate", "reset"]
        actions = view.call("GetNotificationActions", **of_it).actions
        assert buttons(actions) == ["rotate", "reset"]
        [opened] = snapshot(red)
        assert buttons(opened.actions) == ["rotate", "reset"]
        refusal = refusal_of(lambda: press(red, name, "private"))
        Expected(INVALID, "ACTION_UNKNOWN", ("action.action_identifier",)).check(refusal)
        assert press(red, name, "reset") == wire.RESPOND_OUTCOME_HANDLED_BY_EXTENSION
        # The category, and what another device shows of it, stay.
        [category] = red.call("GetNotificationCategories").categories
        assert buttons(category.actions) == ["rotate", "private"]
        [group] = listed(red).groups
        assert buttons(group.notifications[0].actions) == ["rotate", "private"]
    watch.close()


@pytest.mark.parametrize(
    "actions, expected",
    [
        ([ROTATE, ROTATE], Expected(INVALID, "ACTION_INVALID", ("actions[1].identifier",))),
        (
            [wire.NotificationAction(title="Nameless")],
            Expected(INVALID, "ACTION_INVALID", ("actions[0].identifier",)),
        ),
        (
            [wire.NotificationAction(identifier="a", title="x" * 65_536)],
            Expected(INVALID, "CATEGORY_TOO_LARGE", ("actions",)),
        ),
        (
            [wire.NotificationAction(identifier=str(n)) for n in range(65)],
            Expected(INVALID, "ACTION_INVALID", ("actions",)),
        ),
    ],
    ids=["twice", "nameless", "too large", "too many"],
)
def test_buttons_are_judged_as_those_of_a_category(
    red: App, actions: list[wire.NotificationAction], expected: Expected
) -> None:
    with ContentExtension(red, "red") as view:
        name = open_notification(red, deliver(red)).presentation_id
        expected.check(
            refusal_of(
                lambda: view.call("SetNotificationActions", presentation_id=name, actions=actions)
            )
        )
        actions_now = view.call("GetNotificationActions", presentation_id=name).actions
        assert buttons(actions_now) == ["rotate", "private"]


@pytest.mark.parametrize(
    "option, stays, is_told",
    [(STAYS, True, False), (CLOSES, False, False), (FORWARDS, False, True)],
    ids=["do not dismiss", "dismiss", "forward"],
)
def test_an_answer_decides(red: App, option: int, stays: bool, is_told: bool) -> None:
    watch = Watch(red)
    watch.until("snapshot")
    with ContentExtension(red, "red") as view, receive(red) as app:
        name = open_notification(red, deliver(red)).presentation_id
        view.content("presented")
        assert press(red, name, "rotate") == wire.RESPOND_OUTCOME_HANDLED_BY_EXTENSION
        callback = view.question()
        question = callback.content
        assert question.presentation_id == name
        assert question.response.action_identifier == "rotate"
        [notification] = red.call("ListDelivered").notifications
        assert question.response.notification == notification
        view.complete(callback, option)
        # The same again is right, another answer is too late.
        view.complete(callback, option)
        other = STAYS if option != STAYS else CLOSES
        Expected(PRECONDITION, "CALLBACK_ENDED").check(
            refusal_of(lambda: view.complete(callback, other))
        )
        assert len(snapshot(red)) == stays
        assert red.delivered() == (["a"] if stays else [])
        if not stays:
            changed(watch, "closed")
        # A plain tap of another notification is told after what was sent on.
        respond(red, deliver(red, "b"))
        if is_told:
            assert told(app) == "rotate"
        assert told(app).endswith("DefaultActionIdentifier")
    watch.close()


def test_an_extension_that_handles_no_actions_leaves_them_to_the_app(red: App) -> None:
    with ContentExtension(red, "red", handles=False), receive(red) as app:
        name = open_notification(red, deliver(red)).presentation_id
        assert press(red, name, "rotate") == wire.RESPOND_OUTCOME_SENT
        assert told(app) == "rotate"


def test_a_tap_on_what_is_open_opens_the_app(red: App) -> None:
    with ContentExtension(red, "red") as view, receive(red) as app:
        name = open_notification(red, deliver(red)).presentation_id
        view.content("presented")
        red.client.call(
            "Respond",
            device_id=red.center.device_id,
            presentation_id=name,
            default_action=wire.DefaultAction(),
        )
        assert told(app).endswith("DefaultActionIdentifier")
        view.content("closed")


def test_the_acts_of_one_presentation_come_in_order(red: App) -> None:
    with ContentExtension(red, "red") as view:
        name = open_notification(red, deliver(red)).presentation_id
        view.call("SetNotificationActions", presentation_id=name, actions=[ROTATE, RESET, REPLY])
        press(red, name, "rotate")
        press(red, name, "reset")
        press(red, name, "reply", user_text="Hello")
        responses = [view.question().content.response for _ in range(3)]
        assert [r.action_identifier for r in responses] == ["rotate", "reset", "reply"]
        assert responses[2].user_text == "Hello" and not responses[0].HasField("user_text")


def test_an_act_is_not_lost_where_no_answer_comes(red: App) -> None:
    with ContentExtension(red, "red") as view, receive(red) as app:
        name = open_notification(red, deliver(red)).presentation_id
        press(red, name, "rotate")
        callback = view.question()
        red.client.call("AdvanceClock", by=wire.seconds(5), expire_callbacks=True)
        assert told(app) == "rotate"
        assert view.until("callback_ended").callback_ended.callback_id == callback.callback_id
        Expected(PRECONDITION, "CALLBACK_ENDED").check(
            refusal_of(lambda: view.complete(callback, STAYS))
        )
    assert red.delivered() == [] and snapshot(red) == []


def test_an_act_is_not_lost_where_the_extension_ends(red: App) -> None:
    with receive(red) as app:
        with ContentExtension(red, "red") as view:
            name = open_notification(red, deliver(red)).presentation_id
            press(red, name, "rotate")
            view.question()
        assert told(app) == "rotate"
    assert red.delivered() == [] and snapshot(red) == []


def test_without_the_extension_the_acts_are_the_apps(red: App) -> None:
    with ContentExtension(red, "red") as view:
        opened = open_notification(red, deliver(red))
        view.call("SetNotificationActions", presentation_id=opened.presentation_id, actions=[RESET])
    with receive(red) as app:
        # The cancelled stream is known to have ended when its question is refused.
        handled = wire.RESPOND_OUTCOME_HANDLED_BY_EXTENSION
        while press_or_none(red, opened.presentation_id) == handled:
            pass
        assert told(app) == "reset"


def press_or_none(app: App, presentation: str) -> int | None:
    """Presses the button; none where the notification is closed meanwhile."""
    try:
        return press(app, presentation, "reset")
    except grpc.RpcError as error:
        assert error.code() == NOT_FOUND
        return None


def test_the_view_is_seen_and_kept(red: App) -> None:
    watch = Watch(red)
    watch.until("snapshot")
    with ContentExtension(red, "red") as view:
        name = open_notification(red, deliver(red)).presentation_id
        view.show(name, "text/plain", b"0 degrees")
        shown = changed(watch, "view_updated").view_updated
        assert (shown.media_type, shown.data) == ("text/plain", b"0 degrees")
        frame = {"x": 0, "y": 0, "width": 1, "height": 1}
        overlay = wire.MEDIA_PLAY_PAUSE_BUTTON_TYPE_OVERLAY
        view.show(name, "text/plain", b"", button_type=overlay, button_frame=frame)
        update_frame = changed(watch, "view_updated").view_updated
        assert update_frame.media.button_type == overlay and not update_frame.data
        [opened] = snapshot(red)
        assert opened.view.data == b"0 degrees" and opened.view.media.button_type == overlay
    watch.close()


@pytest.mark.parametrize(
    "view, expected",
    [
        ({}, Expected(INVALID, "INVALID_FIELD", ("view.media_type",))),
        ({"media_type": "png"}, Expected(INVALID, "INVALID_FIELD", ("view.media_type",))),
        (
            {"media_type": "image/png", "data": b"x" * 262_145},
            Expected(INVALID, "CONTENT_VIEW_TOO_LARGE", ("view.data",)),
        ),
        (
            {"media_type": "image/png", "media": {"button_type": 1}},
            Expected(INVALID, "INVALID_FIELD", ("view.media.button_frame",)),
        ),
        (
            {"media_type": "image/png", "media": {"button_type": 7}},
            Expected(INVALID, "INVALID_FIELD", ("view.media.button_type",)),
        ),
        (
            {"media_type": "image/png", "media": {"button_tint_color": "red"}},
            Expected(INVALID, "INVALID_FIELD", ("view.media.button_tint_color",)),
        ),
    ],
    ids=["no type", "half a type", "too large", "no frame", "unknown button", "colour"],
)
def test_a_view_is_refused_by_its_field(red: App, view: Any, expected: Expected) -> None:
    with ContentExtension(red, "red") as content:
        name = open_notification(red, deliver(red)).presentation_id
        expected.check(
            refusal_of(
                lambda: content.call(
                    "UpdateContentView", presentation_id=name, view=wire.ContentView(**view)
                )
            )
        )
    assert not snapshot(red)[0].HasField("view")


def test_the_person_plays_and_pauses(red: App) -> None:
    def play(command: int) -> int:
        return red.client.call(
            "Respond", device_id=red.center.device_id, presentation_id=name, media=command
        ).outcome

    with ContentExtension(red, "red") as view:
        name = open_notification(red, deliver(red)).presentation_id
        view.content("presented")
        Expected(PRECONDITION, "MEDIA_NOT_PLAYABLE", ("media",)).check(
            refusal_of(lambda: play(wire.MEDIA_COMMAND_PLAY))
        )
        frame = {"x": 0, "y": 0, "width": 1, "height": 1}
        view.show(name, "video/mp4", b"film", button_type=1, button_frame=frame)
        for command in (wire.MEDIA_COMMAND_PLAY, wire.MEDIA_COMMAND_PAUSE):
            assert play(command) == wire.RESPOND_OUTCOME_HANDLED_BY_EXTENSION
            assert view.content("media").media == command
        Expected(INVALID, "RESPONSE_INVALID", ("media",)).check(refusal_of(lambda: play(0)))


def test_the_extension_opens_the_app(red: App) -> None:
    with ContentExtension(red, "red") as view, receive(red) as app:
        name = open_notification(red, deliver(red)).presentation_id
        view.call("PerformDefaultAction", presentation_id=name)
        assert told(app).endswith("DefaultActionIdentifier")
    assert red.delivered() == []


def test_the_extension_closes_the_view_and_the_notification_stays(red: App) -> None:
    watch = Watch(red)
    watch.until("snapshot")
    with ContentExtension(red, "red") as view:
        name = open_notification(red, deliver(red)).presentation_id
        view.call("DismissContentExtension", presentation_id=name)
        assert changed(watch, "closed").presentation_id == name
        CLOSED.check(refusal_of(lambda: press(red, name, "rotate")))
        for rpc in ("GetNotificationActions", "SetNotificationActions", "DismissContentExtension"):
            CLOSED.check(refusal_of(lambda rpc=rpc: view.call(rpc, presentation_id=name)))
    assert red.delivered() == ["a"]
    watch.close()


def test_closing_twice_is_right(red: App) -> None:
    with ContentExtension(red, "red") as view:
        name = open_notification(red, deliver(red)).presentation_id
        view.content("presented")
        close(red, name)
        close(red, name)
        assert view.content("closed").presentation_id == name
    assert red.delivered() == ["a"] and snapshot(red) == []


@pytest.mark.parametrize("how", ["removed", "dismissed", "replaced", "locked", "unregistered"])
def test_it_closes_with_its_notification(red: App, how: str) -> None:
    watch = Watch(red)
    watch.until("snapshot")
    with ContentExtension(red, "red") as view:
        notification = deliver(red)
        name = open_notification(red, notification).presentation_id
        view.content("presented")
        match how:
            case "removed":
                red.call("RemoveDelivered", identifiers=["a"])
            case "dismissed":
                dismiss(red, notification=notification)
            case "replaced":
                deliver(red)
            case "locked":
                update(red.client, "locked", device=red.center.device_id, locked=True)
            case "unregistered":
                red.call("UnregisterApp")
        assert changed(watch, "closed").presentation_id == name
        assert view.content("closed").presentation_id == name
        CLOSED.check(refusal_of(lambda: press(red, name, "rotate")))
    watch.close()


def test_hidden_text_hides_the_extension(red: App) -> None:
    update(red.client, "locked", device=red.center.device_id, locked=True)
    red.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(
            show_previews_setting=wire.SHOW_PREVIEWS_SETTING_WHEN_AUTHENTICATED
        ),
        update_mask={"paths": ["show_previews_setting"]},
    )
    with ContentExtension(red, "red"):
        opened = open_notification(red, deliver(red))
    assert opened.notification.redacted and not opened.HasField("extension")


def test_a_button_that_needs_the_unlock_waits_for_it(red: App) -> None:
    device = red.center.device_id
    update(red.client, "locked", device=device, locked=True)
    with ContentExtension(red, "red") as view:
        name = open_notification(red, deliver(red)).presentation_id
        assert press(red, name, "private") == wire.RESPOND_OUTCOME_WAITING_FOR_UNLOCK
        update(red.client, "locked", device=device, locked=False)
        assert view.question().content.response.action_identifier == "private"


def test_a_device_has_a_limit_of_open_notifications(red: App) -> None:
    for number in range(16):
        open_notification(red, deliver(red, f"{number}"))
    last = deliver(red, "last")
    Expected(grpc.StatusCode.RESOURCE_EXHAUSTED, "PRESENTATION_LIMIT").check(
        refusal_of(lambda: open_notification(red, last))
    )
    close(red, snapshot(red)[0].presentation_id)
    open_notification(red, last)


def test_a_presentation_is_the_extensions_own(red: App) -> None:
    other = red.client.app()
    other.authorize()
    with ContentExtension(red, "red"), ContentExtension(other, "red") as stranger:
        name = open_notification(red, deliver(red)).presentation_id
        for rpc in ("GetNotificationActions", "SetNotificationActions", "PerformDefaultAction"):
            CLOSED.check(refusal_of(lambda rpc=rpc: stranger.call(rpc, presentation_id=name)))
        CLOSED.check(refusal_of(lambda: press(other, name, "rotate")))
        close(other, name)
    assert len(snapshot(red)) == 1


def test_an_extension_may_schedule(red: App) -> None:
    with ContentExtension(red, "red") as view:
        name = open_notification(red, deliver(red)).presentation_id
        press(red, name, "rotate")
        callback = view.question()
        red.add("from the extension", body="Turned.")
        view.complete(callback, STAYS)
    assert sorted(red.delivered()) == ["a", "from the extension"]


def test_a_retry_of_an_act_is_asked_once(red: App) -> None:
    with ContentExtension(red, "red") as view:
        name = open_notification(red, deliver(red)).presentation_id
        key = new_key()
        for _ in range(2):
            red.client.call(
                "Respond",
                device_id=red.center.device_id,
                idempotency_key=key,
                presentation_id=name,
                action=wire.CustomAction(action_identifier="rotate"),
            )
        view.question()
        press(red, name, "private")
        assert view.question().content.response.action_identifier == "private"


def test_only_what_is_open_plays(red: App) -> None:
    notification = deliver(red)
    Expected(INVALID, "RESPONSE_INVALID", ("media",)).check(
        refusal_of(
            lambda: red.client.call(
                "Respond",
                device_id=red.center.device_id,
                notification=notification,
                media=wire.MEDIA_COMMAND_PLAY,
            )
        )
    )
