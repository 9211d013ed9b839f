"""A reminder that comes every day at nine, and that the person snoozes on one of the days.

    python reminder.py [TARGET]

TARGET is a server on the manual clock, your own unless told otherwise: the program lets the
days pass.
"""

import sys
from datetime import time, timedelta, timezone

from belfry import connect, rpc, v1
from google.protobuf.duration_pb2 import Duration

client = connect(*sys.argv[1:2])
app, person, clock = client.app("org.example.reminder"), client.device(), client.clock


def offer_a_snooze() -> None:
    """Gives reminders a button for half an hour, which is of a category."""
    snooze = v1.SnoozeOffer(duration=Duration(seconds=1_800), title="In half an hour")
    done = v1.NotificationAction(identifier="done", title="Done")
    task = v1.NotificationCategory(identifier="task", actions=[done], snooze=snooze)
    request = v1.SetNotificationCategoriesRequest(center=app.center, categories=[task])
    client.call(rpc.SetNotificationCategories, request)


def shown() -> None:
    """Prints what the screen shows now."""
    for each in person.screen(app.id):
        print(f"shown: {each.title}, of {each.date:%Y-%m-%dT%H:%M:%SZ}")
    if not person.screen(app.id):
        print("shown: nothing")


app.authorize(alert=True)
offer_a_snooze()
nine = time(9, tzinfo=timezone.utc)
added = app.add("Pills", id="pills", category="task", every="day", at=nine)
print(f"first at {added.next:%Y-%m-%dT%H:%M:%SZ}")

clock.advance("10 hours")
shown()
person.press("pills", "org.belfry.SnoozeActionIdentifier")
shown()
snoozed = client.call(rpc.ListSnoozed, v1.ListSnoozedRequest(app_ids=[app.id]))
for entry in snoozed.notifications:
    print(f"snoozed: {entry.notification.title}, until {entry.until.ToJsonString()}")
clock.advance(timedelta(hours=1))
shown()
person.press("pills", "done")
shown()

# The snooze has not moved the days after it.
clock.advance("1 day")
shown()
person.press("pills", "done")
