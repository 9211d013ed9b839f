"""A chat app: messages in threads, one group for each, and a reply typed into a notification.

    python messages.py [TARGET]

TARGET is a server, your own unless told otherwise.
"""

import sys

from belfry.v1 import (
    delegate_service_pb2_grpc,
    device_service_pb2_grpc,
    notification_center_service_pb2_grpc,
)
from belfry.v1.category_pb2 import SetNotificationCategoriesRequest
from belfry.v1.delegate_service_pb2 import CompleteResponseRequest, SubscribeRequest
from belfry.v1.device_service_pb2 import ListNotificationCenterRequest, RespondRequest
from belfry.v1.notification_center_service_pb2 import AddRequest, RequestAuthorizationRequest
from belfry_connect import connect

APP = {"app_id": "org.example.grouped-messages"}
CATEGORY = {
    "identifier": "message",
    "category_summary_format": "%u more messages from %@",
    "actions": [
        {"identifier": "reply", "title": "Reply", "text_input": {"button_title": "Send"}},
        {"identifier": "mute", "title": "Mute"},
    ],
}
MESSAGES = [
    ("Ann", "garden", "Who waters the beans?"),
    ("Bob", "garden", "I can on Monday."),
    ("Cleo", "film", "Tickets for eight?"),
    ("Ann", "garden", "Tuesday is open."),
]

channel = connect(*sys.argv[1:2])
center = notification_center_service_pb2_grpc.NotificationCenterServiceStub(channel)
delegate = delegate_service_pb2_grpc.DelegateServiceStub(channel)
person = device_service_pb2_grpc.DeviceServiceStub(channel)


def post(sender: str, thread: str, text: str) -> None:
    """Shows a message; all messages of a thread are one group."""
    content = {
        "title": sender,
        "body": text,
        "thread_identifier": thread,
        "category_identifier": "message",
        "summary_argument": sender,
    }
    center.Add(AddRequest(center=APP, request={"content": content}))


def show():
    """Prints the groups as the screen shows them, and gives the newest notification."""
    groups = person.ListNotificationCenter(
        ListNotificationCenterRequest(app_ids=[APP["app_id"]])
    ).groups
    for group in groups:
        newest = group.notifications[0]
        print(f"[{group.info.thread_identifier}] {newest.title}: {newest.body}")
        if group.info.summary:
            print(f"    {group.info.summary}")
    return groups[0].notifications[0]


center.RequestAuthorization(
    RequestAuthorizationRequest(center=APP, options=["AUTHORIZATION_OPTION_ALERT"])
)
center.SetNotificationCategories(
    SetNotificationCategoriesRequest(center=APP, categories=[CATEGORY])
)
for message in MESSAGES:
    post(*message)
newest = show()

# The person types a reply on the notification; the app is told when it subscribes.
reply = {"action_identifier": "reply", "user_text": "I take Tuesday."}
person.Respond(RespondRequest(notification=newest.notification, action=reply))
primary = SubscribeRequest(
    center=APP, role="SUBSCRIBER_ROLE_PRIMARY", capabilities=["DELEGATE_CAPABILITY_DID_RECEIVE"]
)
subscription = ""
stream = delegate.Subscribe(primary)
for frame in (frame for message in stream for frame in message.frames):
    if frame.HasField("started"):
        subscription = frame.started.subscription_id
    elif frame.HasField("callback"):
        response = frame.callback.did_receive
        thread = response.notification.request.content.thread_identifier
        print(f"-> {thread}: {response.user_text}")
        done = [{"callback_id": frame.callback.callback_id}]
        delegate.CompleteResponse(
            CompleteResponseRequest(center=APP, subscription_id=subscription, answers=done)
        )
        break
stream.cancel()
show()
