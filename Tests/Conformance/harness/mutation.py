"""Whole messages, and broken ones that are made from them."""

import random
from typing import Any

from google.protobuf import message_factory
from google.protobuf.message import DecodeError, Message

from harness import wire
from harness.client import request

# A message that is whole could move the clock of other tests.
MOVES_THE_CLOCK = ("AdvanceClock", "SetClock", "Suspend")


_UUID = "01890a5d-ac96-774b-bcce-b302099a8057"


def samples(center: wire.Center) -> list[Message]:
    """A whole message for each rpc, from which broken ones are made."""
    whole = request("one", 60, repeats=True, title="é", user_info_json="{}", badge=1, sound={})
    category = wire.NotificationCategory(
        identifier="c", actions=[wire.NotificationAction(identifier="a", title="é")], options=[1]
    )
    filter = wire.NotificationFilter(identifiers=["one"], thread_identifier="t")
    fields: dict[str, dict[str, Any]] = {
        "RequestAuthorization": {"options": [1, 2, 4], "wait": wire.seconds(1)},
        "Add": {"request": whole},
        "AddBatch": {"requests": [whole, whole]},
        "Schedule": {"add": wire.AddRequest(center=center, request=whole)},
        "ListPending": {"filter": filter, "order": 1, "page_size": 10, "page_token": "00" * 9},
        "ListUpcoming": {
            "filter": filter,
            "window": wire.seconds(60),
            "dates_per_request": 10,
            "page_size": 10,
            "page_token": "00" * 9,
        },
        "ListTriggerDates": {"trigger": whole.trigger, "count": 7},
        "ListDelivered": {"filter": filter, "order": 1, "page_size": 10, "page_token": "00" * 8},
        "RemovePending": {"identifiers": ["one", "two"]},
        "RemoveDelivered": {"identifiers": ["one", "two"]},
        "SetBadgeCount": {"count": 5},
        "SetNotificationCategories": {"categories": [category]},
        "UpsertNotificationCategories": {"categories": [category]},
        "RemoveNotificationCategories": {"identifiers": ["c", "d"]},
        "RegisterApp": {
            "manifest": wire.AppManifest(
                names=[wire.AppName(language="en", name="é")], ephemeral=True
            )
        },
        "ListApps": {"page_size": 10, "page_token": "00" * 9},
        "UpdateSettings": {"grouping": 1},
        "AnswerAuthorizationPrompt": {"prompt_id": "7", "answer": 0, "options": [4]},
        "Subscribe": {"after": 10**9},
        "AwaitAnswer": {"identifier": "é", "request_number": 2**40, "after": 10**9},
        "UpdateAppState": {"subscription_id": "a", "app_state": 3},
        "CompleteWillPresent": {
            "subscription_id": "a",
            "answers": [wire.WillPresentAnswer(callback_id="1", presentation={"options": [16]})],
        },
        "CompleteResponse": {
            "subscription_id": "a",
            "answers": [wire.ResponseAnswer(callback_id="1")],
        },
        "UpdateDeviceState": {
            "device_id": "mutated",
            "state": wire.DeviceState(locked=True, focus={"name": "Work"}),
            "update_mask": {"paths": ["locked", "focus"]},
        },
        "ListNotificationCenter": {"app_ids": [center.app_id], "page_size": 10},
        "Respond": {
            "notification": wire.NotificationRef(center=center, identifier="one", delivery=1),
            "action": wire.CustomAction(action_identifier="reply", user_text="é"),
        },
        "Dismiss": {
            "notification": wire.NotificationRef(center=center, identifier="one", delivery=1),
            "kind": 0,
        },
        "OpenNotification": {
            "notification": wire.NotificationRef(center=center, identifier="one", delivery=1),
        },
        "CloseNotification": {"device_id": "mutated", "presentation_id": _UUID},
        "Serve": {
            "app_id": center.app_id,
            "extension": wire.AppExtension(
                extension_id=f"{center.app_id}.view", kind=0, categories=["é"]
            ),
        },
        "CompleteContentExtension": {
            "app_id": center.app_id,
            "serving_id": "a",
            "callback_id": "1.1",
            "response_option": 1,
        },
        "GetNotificationActions": {"app_id": center.app_id, "presentation_id": _UUID},
        "SetNotificationActions": {
            "app_id": center.app_id,
            "presentation_id": _UUID,
            "actions": category.actions,
        },
        "UpdateContentView": {
            "app_id": center.app_id,
            "presentation_id": _UUID,
            "view": wire.ContentView(
                media_type="image/png",
                data=b"data",
                media={"button_type": 1, "button_frame": {"width": 1, "height": 1}},
            ),
        },
        "PerformDefaultAction": {"app_id": center.app_id, "presentation_id": _UUID},
        "DismissContentExtension": {"app_id": center.app_id, "presentation_id": _UUID},
        "SetSound": {"app_id": center.app_id, "name": "é.caf", "attachment_id": "a"},
        "ListSounds": {"app_id": center.app_id, "page_token": "00" * 9},
        "ListStringTables": {"app_id": center.app_id, "page_size": 7},
        "ListAttachments": {"app_id": center.app_id, "page_token": "00" * 9},
        "UploadAttachment": {
            "app_id": center.app_id,
            "metadata": wire.AttachmentMetadata(file_name="é.png", size_bytes=10),
        },
        "PutAttachment": {
            "app_id": center.app_id,
            "metadata": wire.AttachmentMetadata(file_name="é", purpose=3, media_type="text/html"),
            "data": b"payload",
        },
        "GetAttachment": {"app_id": center.app_id, "attachment_id": "a"},
        "DownloadAttachment": {"app_id": center.app_id, "attachment_id": "a", "offset": 7},
        "Push": {
            "headers": {"collapse_id": "é", "priority": 5, "push_type": 1},
            "payload_json": '{"aps":{"alert":{"title":"\\u00e9"},"badge":1e3,"sound":"a"}}',
        },
        "SetTags": {"app_id": center.app_id, "token": "0" * 64, "tags": ["news", "a:b"]},
        "ListRegistrations": {"app_id": center.app_id, "page_token": "00" * 9},
        "WithdrawNotifications": {
            "app_id": center.app_id,
            "token": "0" * 64,
            "identifiers": ["one", "two"],
        },
        "RevokeDeviceToken": {"token": "0" * 64, "revocation": 1},
        "CreateToken": {"name": "mutated", "roles": ["metrics"], "expires_in": wire.Duration(seconds=1)},
        "RevokeToken": {"id": "00000000"},
        "CreateWebPushSubscription": {
            "device_id": "mutated", "endpoint": "https://fcm.googleapis.com/a", "p256dh": bytes(65),
            "auth": bytes(16),
        },
        "DeleteWebPushSubscription": {"device_id": "mutated", "id": "0" * 16},
        "CompleteBackgroundPush": {
            "subscription_id": "a",
            "answers": [wire.BackgroundPushAnswer(callback_id="1", result=1)],
        },
        "PushToTags": {
            "app_id": center.app_id,
            "idempotency_key": "019b76da-a800-7000-8000-000000000001",
            "tag_expression": "(a || b) && !$InstallationId:{c}",
            "headers": wire.PushHeaders(collapse_id="é", priority=5),
            "payload_json": '{"aps":{"alert":{"title":"é"},"badge":1e300}}',
            "deliver_at": wire.Timestamp(seconds=-1),
        },
        "GetPushStatus": {"app_id": center.app_id, "push_id": "1"},
        "CancelPush": {"app_id": center.app_id, "push_id": "1"},
        "CreateRichPush": {
            "app_id": center.app_id,
            "tag_expression": "username:é",
            "message": "é",
            "rich_type": "img",
            "payload": b"payload",
            "media_type": "image/png",
        },
        "GetRichPush": {"rich_id": 1},
        "ListRichPushes": {"unread_only": True, "page_size": 10},
        "DownloadRichPayload": {"rich_id": 1, "offset": 7},
        "MarkRichPushRead": {"rich_id": 1},
        # Never moves: the clock is the tests' own.
        "AdvanceClock": {"by": wire.seconds(-1)},
        "SetClock": {"to": wire.Timestamp(seconds=-1)},
        "Suspend": {"by": wire.seconds(-1)},
    }
    messages: list[Message] = []
    for name, method in wire.METHODS.items():
        message = message_factory.GetMessageClass(method.input_type)(**fields.get(name, {}))
        if "center" in method.input_type.fields_by_name:
            message.center.CopyFrom(center)
        messages.append(message)
    return messages


def mutated(data: bytes, choices: random.Random) -> bytes:
    """The bytes with a few of them changed, taken out, put in, or cut off."""
    result = bytearray(data)
    for _ in range(choices.randint(1, 4)):
        place = choices.randint(0, len(result))
        match choices.choice(["flip", "cut", "insert", "end", "repeat"]):
            case "flip" if place < len(result):
                result[place] ^= 1 << choices.randrange(8)
            case "cut" if place < len(result):
                del result[place]
            case "insert":
                result.insert(place, choices.choice([0, 1, 0x7F, 0x80, 0xFF]))
            case "end":
                del result[place:]
            case _:
                result[place:place] = result[place : place + 8]
    return bytes(result)


def can_be_read(message: Message, data: bytes) -> bool:
    """Whether protobuf takes the bytes for a message of the same type."""
    try:
        type(message).FromString(data)
    except DecodeError:
        return False
    return True
