"""A reminder that comes every day at nine, and that the person snoozes on one of the days.

    python reminder.py [TARGET]

TARGET is a server on the manual clock, your own unless told otherwise: the program lets the
days pass.
"""

import sys

from belfry.v1 import (
    admin_service_pb2_grpc,
    device_service_pb2_grpc,
    notification_center_service_pb2_grpc,
)
from belfry.v1.admin_service_pb2 import AdvanceClockRequest
from belfry.v1.category_pb2 import SetNotificationCategoriesRequest
from belfry.v1.device_service_pb2 import ListNotificationCenterRequest, RespondRequest
from belfry.v1.notification_center_service_pb2 import AddRequest, RequestAuthorizationRequest
from belfry.v1.snooze_pb2 import ListSnoozedRequest
from belfry_connect import connect

APP = {"app_id": "org.example.reminder"}
CATEGORY = {
    "identifier": "task",
    "actions": [{"identifier": "done", "title": "Done"}],
    "snooze": {"duration": {"seconds": 1_800}, "title": "In half an hour"},
}
PILLS = {
    "identifier": "pills",
    "content": {"title": "Pills", "category_identifier": "task"},
    "trigger": {
        "repeats": True,
        "calendar": {"date_components": {"hour": 9, "minute": 0, "time_zone": "UTC"}},
    },
}
HOUR = 3_600

channel = connect(*sys.argv[1:2])
center = notification_center_service_pb2_grpc.NotificationCenterServiceStub(channel)
person = device_service_pb2_grpc.DeviceServiceStub(channel)
admin = admin_service_pb2_grpc.AdminServiceStub(channel)


def wait(seconds: int) -> None:
    """Lets time pass."""
    admin.AdvanceClock(AdvanceClockRequest(by={"seconds": seconds}))


def shown():
    """Prints what the screen shows now, and gives it."""
    groups = person.ListNotificationCenter(
        ListNotificationCenterRequest(app_ids=[APP["app_id"]])
    ).groups
    notifications = [entry for group in groups for entry in group.notifications]
    for entry in notifications:
        print(f"shown: {entry.title}, of {entry.date.ToJsonString()}")
    if not notifications:
        print("shown: nothing")
    return notifications


def press(notification, action: str) -> None:
    """The person presses a button."""
    button = {"action_identifier": action}
    person.Respond(RespondRequest(notification=notification.notification, action=button))


center.RequestAuthorization(
    RequestAuthorizationRequest(center=APP, options=["AUTHORIZATION_OPTION_ALERT"])
)
center.SetNotificationCategories(
    SetNotificationCategoriesRequest(center=APP, categories=[CATEGORY])
)
added = center.Add(AddRequest(center=APP, request=PILLS))
print(f"first at {added.next_trigger_date.ToJsonString()}")

wait(10 * HOUR)
press(shown()[0], "org.belfry.SnoozeActionIdentifier")
shown()
for entry in person.ListSnoozed(ListSnoozedRequest(app_ids=[APP["app_id"]])).notifications:
    print(f"snoozed: {entry.notification.title}, until {entry.until.ToJsonString()}")
wait(HOUR)
press(shown()[0], "done")
shown()

# The snooze has not moved the days after it.
wait(24 * HOUR)
press(shown()[0], "done")
