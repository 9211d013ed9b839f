"""Threads, groups and the line under a collapsed group (§15)."""

import pytest

from harness import wire
from harness.client import App
from harness.device import listed

# The app's two sorts of notifications: messages in threads, and reminders that have none.
MESSAGE = wire.NotificationCategory(
    identifier="MESSAGE", category_summary_format="%u more notifications from %@"
)


def send(app: App, author: str, body: str, *, friend: str = "Alice") -> None:
    """What a messaging app does with a message of a conversation with a friend."""
    settings = app.call("GetNotificationSettings").settings
    assert settings.authorization_status == wire.AUTHORIZATION_STATUS_AUTHORIZED
    app.add(
        after=1,
        title=author,
        body=body,
        thread_identifier=f"message-{friend}",
        summary_argument=author,
        category_identifier="MESSAGE",
    )
    app.client.advance(1)


def remind(app: App) -> None:
    """A reminder of the same app, without a thread."""
    app.add(after=1, title="Reminder", body="Call back")
    app.client.advance(1)


def groups(app: App) -> list[tuple[str, int, str]]:
    """The groups from the top: the thread, how many they are, the line below."""
    return [
        (group.info.thread_identifier, group.info.count, group.info.summary)
        for group in listed(app).groups
    ]


@pytest.fixture
def chat(own_device: App) -> App:
    own_device.call("SetNotificationCategories", categories=[MESSAGE])
    return own_device


def test_messages_with_a_friend_are_a_group_and_reminders_another(chat: App) -> None:
    for number in range(6):
        send(chat, "Alice", f"Message {number}")
    assert groups(chat) == [("message-Alice", 6, "5 more notifications from Alice")]
    remind(chat)
    alice = ("message-Alice", 6, "5 more notifications from Alice")
    assert groups(chat) == [("", 1, ""), alice]
    remind(chat)
    assert groups(chat) == [("", 2, "1 more notification"), alice]
    send(chat, "Bob", "Hello", friend="Bob")
    reminders = ("", 2, "1 more notification")
    assert groups(chat) == [("message-Bob", 1, ""), reminders, alice]
    # A group with a newer member comes to the top.
    send(chat, "Alice", "And now?")
    top = ("message-Alice", 7, "6 more notifications from Alice")
    assert groups(chat) == [top, ("message-Bob", 1, ""), reminders]
    assert [shown.title for shown in listed(chat).groups[0].notifications] == ["Alice"] * 7


def test_a_conversation_names_each_author_once(chat: App) -> None:
    # The newest comes last; it leads the group, and the line tells of the others.
    for author in ["Alice", "Alice", "Me", "Alice", "Me", "Alice"]:
        send(chat, author, "A message")
    assert groups(chat) == [("message-Alice", 6, "5 more notifications from Me and Alice")]


@pytest.mark.parametrize(
    "grouping, counts",
    [
        (wire.NOTIFICATION_GROUPING_AUTOMATIC, [1, 2, 1]),
        (wire.NOTIFICATION_GROUPING_BY_APP, [4]),
        (wire.NOTIFICATION_GROUPING_OFF, [1, 1, 1, 1]),
    ],
    ids=["automatic", "by app", "off"],
)
def test_the_person_chooses_how_an_app_is_grouped(
    chat: App, grouping: int, counts: list[int]
) -> None:
    send(chat, "Bob", "Hello", friend="Bob")
    send(chat, "Alice", "Hello")
    send(chat, "Alice", "Hello?")
    remind(chat)
    chat.call("UpdateSettings", grouping=grouping)
    assert [count for _, count, _ in groups(chat)] == counts


def test_apps_do_not_share_a_group(chat: App) -> None:
    other = chat.client.app(device=chat.center.device_id)
    other.authorize()
    for app in (chat, other):
        app.add(title="A title", thread_identifier="t")
    assert groups(chat) == [("t", 1, ""), ("t", 1, "")]
