"""What a screen shows of a notification: the lock, previews and categories (§10)."""

import pytest

from harness import wire
from harness.client import App
from harness.device import listed, update

ALWAYS = wire.SHOW_PREVIEWS_SETTING_ALWAYS
WHEN_AUTHENTICATED = wire.SHOW_PREVIEWS_SETTING_WHEN_AUTHENTICATED
NEVER = wire.SHOW_PREVIEWS_SETTING_NEVER

SHOW_TITLE = wire.CATEGORY_OPTION_HIDDEN_PREVIEWS_SHOW_TITLE
SHOW_SUBTITLE = wire.CATEGORY_OPTION_HIDDEN_PREVIEWS_SHOW_SUBTITLE

MARK = wire.NotificationAction(identifier="mark", title="Mark as read")


def category(*options: int, placeholder: str = "%u messages") -> wire.NotificationCategory:
    return wire.NotificationCategory(
        identifier="MESSAGE",
        actions=[MARK],
        hidden_previews_body_placeholder=placeholder,
        options=options,
    )


def hide(app: App, previews: int, *, locked: bool) -> None:
    """The person chooses when text may be seen, and locks the device or not."""
    app.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(show_previews_setting=previews),
        update_mask={"paths": ["show_previews_setting"]},
    )
    update(app.client, "locked", device=app.center.device_id, locked=locked)


def deliver(app: App, identifier: str, **fields: str) -> None:
    content = {"title": "Ann", "subtitle": "Tea", "body": "At five?"} | fields
    app.add(identifier, thread_identifier="t", **content)


def shown(app: App) -> wire.RenderedNotification:
    """The topmost notification."""
    return listed(app).groups[0].notifications[0]


@pytest.mark.parametrize(
    "options", [(), (SHOW_TITLE,), (SHOW_SUBTITLE,), (SHOW_TITLE, SHOW_SUBTITLE)]
)
@pytest.mark.parametrize(
    "previews, locked, is_hidden",
    [
        (ALWAYS, True, False),
        (ALWAYS, False, False),
        (WHEN_AUTHENTICATED, True, True),
        (WHEN_AUTHENTICATED, False, False),
        (NEVER, True, True),
        (NEVER, False, True),
    ],
    ids=[
        "always, locked",
        "always, unlocked",
        "when authenticated, locked",
        "when authenticated, unlocked",
        "never, locked",
        "never, unlocked",
    ],
)
def test_text_is_hidden_as_the_person_chose(
    own_device: App, previews: int, locked: bool, is_hidden: bool, options: tuple[int, ...]
) -> None:
    app = own_device
    app.call("SetNotificationCategories", categories=[category(*options)])
    deliver(app, "a", category_identifier="MESSAGE")
    hide(app, previews, locked=locked)
    text = shown(app)
    assert text.redacted == is_hidden
    assert text.title == ("Ann" if not is_hidden or SHOW_TITLE in options else "")
    assert text.subtitle == ("Tea" if not is_hidden or SHOW_SUBTITLE in options else "")
    assert text.body == ("1 messages" if is_hidden else "At five?")
    # Whose it is, when it came and what can be done show in any case.
    assert text.app_name == app.center.app_id
    assert list(text.actions) == [MARK]
    [whole] = app.call("ListDelivered").notifications
    assert text.date == whole.date
    # The app has all of it.
    assert whole.request.content.title == "Ann"
    assert whole.request.content.subtitle == "Tea"
    assert whole.request.content.body == "At five?"


@pytest.mark.parametrize(
    "declared, body",
    [
        ([category()], "2 messages"),
        ([category(placeholder="New messages")], "New messages"),
        ([category(placeholder="")], "Notification"),
        ([], "Notification"),
    ],
    ids=["placeholder", "placeholder without a number", "empty placeholder", "no category"],
)
def test_words_stand_for_a_body_that_is_hidden(
    own_device: App, declared: list[wire.NotificationCategory], body: str
) -> None:
    app = own_device
    app.call("SetNotificationCategories", categories=declared)
    app.add("another thread", title="A title", category_identifier="MESSAGE")
    for name in "ab":
        deliver(app, name, category_identifier="MESSAGE")
    hide(app, NEVER, locked=False)
    assert shown(app).body == body
