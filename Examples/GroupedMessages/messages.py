"""A chat app: messages in threads, one group for each, and a reply typed into a notification.

    python messages.py [TARGET]

TARGET is a server, your own unless told otherwise.
"""

import sys

from belfry import connect, rpc, v1

MESSAGES = [
    ("Ann", "garden", "Who waters the beans?"),
    ("Bob", "garden", "I can on Monday."),
    ("Cleo", "film", "Tickets for eight?"),
    ("Ann", "garden", "Tuesday is open."),
]

client = connect(*sys.argv[1:2])
app, person = client.app("org.example.grouped-messages"), client.device()


def name_groups() -> None:
    """Says how a group sums itself up, which is of a category."""
    reply = v1.NotificationAction(
        identifier="reply", title="Reply", text_input=v1.TextInput(button_title="Send")
    )
    message = v1.NotificationCategory(
        identifier="message",
        category_summary_format="%u more messages from %@",
        actions=[reply, v1.NotificationAction(identifier="mute", title="Mute")],
    )
    request = v1.SetNotificationCategoriesRequest(center=app.center, categories=[message])
    client.call(rpc.SetNotificationCategories, request)


def post(sender: str, thread: str, text: str) -> None:
    """Shows a message; all messages of a thread are one group."""
    content = v1.NotificationContent(
        title=sender,
        body=text,
        thread_identifier=thread,
        category_identifier="message",
        summary_argument=sender,
    )
    request = v1.NotificationRequest(content=content)
    client.call(rpc.Add, v1.AddRequest(center=app.center, request=request))


def show() -> None:
    """Prints the groups as the screen shows them."""
    request = v1.ListNotificationCenterRequest(app_ids=[app.id])
    for group in client.call(rpc.ListNotificationCenter, request).groups:
        newest = group.notifications[0]
        print(f"[{group.info.thread_identifier}] {newest.title}: {newest.body}")
        if group.info.summary:
            print(f"    {group.info.summary}")


app.authorize(alert=True)
name_groups()
for message in MESSAGES:
    post(*message)
show()

# The person types a reply on the notification; the app is told when it asks.
person.reply(person.screen(app.id)[0], "reply", "I take Tuesday.")
for answer in app.answers(count=1):
    print(f"-> {answer.notification.thread}: {answer.text}")
show()
