"""The person snoozes a notification, and it comes back as itself (SNZ-1 to SNZ-4)."""

from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from harness import wire
from harness.client import App, Client
from harness.device import Watch, listed, reference, respond
from harness.keys import new_key
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of

INVALID = grpc.StatusCode.INVALID_ARGUMENT
SNOOZE = "org.belfry.SnoozeActionIdentifier"
DAY = 86_400


def timestamp(nanoseconds: int) -> Timestamp:
    return Timestamp(seconds=nanoseconds // 10**9, nanos=nanoseconds % 10**9)


def snooze(app: App, identifier: str, delivery: int, **fields: Any) -> wire.SnoozeResponse:
    return app.client.call(
        "Snooze",
        device_id=app.center.device_id,
        notification=reference(app, identifier, delivery),
        **fields,
    )


def snoozed(app: App, **fields: Any) -> list[wire.SnoozedNotification]:
    page = app.client.call("ListSnoozed", device_id=app.center.device_id, **fields)
    return list(page.notifications)


def test_it_leaves_the_list_and_comes_back_as_itself(own_device: App) -> None:
    app = own_device
    app.add("tea", title="Tea", body="is ready", thread_identifier="kitchen")
    before = app.call("ListDelivered").notifications[0].request
    watch = Watch(app)
    while not watch.frame().snapshot.complete:
        pass
    key = new_key()
    reply = snooze(app, "tea", 1, duration=wire.seconds(600), idempotency_key=key)
    until = wire.nanoseconds(reply.until)
    again = snooze(app, "tea", 1, duration=wire.seconds(600), idempotency_key=key)
    assert wire.nanoseconds(again.until) == until
    changed = watch.frame().list_changed
    assert changed.change == wire.LIST_CHANGE_SNOOZED
    assert wire.nanoseconds(changed.snoozed_until) == until
    assert app.delivered() == []
    assert listed(app).groups == []
    shown = snoozed(app)
    assert [entry.notification.title for entry in shown] == ["Tea"]
    assert wire.nanoseconds(shown[0].until) == until
    event = app.events()[-1].snoozed
    assert (event.identifier, event.delivery) == ("tea", 1)
    app.client.advance(600)
    notification = app.call("ListDelivered").notifications[0]
    assert notification.request == before
    assert notification.delivery == 2
    delivered = app.events()[-1].delivered
    assert delivered.snoozed_delivery == 1
    assert delivered.HasField("late_by")
    assert snoozed(app) == []


def test_an_instant_is_of_the_wall_clock_and_a_page_has_its_size(own_device: App) -> None:
    app = own_device
    now = app.client.now()
    for number in range(3):
        app.add(f"n{number}")
        until = timestamp(now + (number + 1) * 60 * 10**9)
        snooze(app, f"n{number}", number + 1, until=until)
    names: list[str] = []
    token = ""
    while True:
        page = app.client.call(
            "ListSnoozed", device_id=app.center.device_id, page_size=2, page_token=token
        )
        assert len(page.notifications) <= 2
        names += [entry.notification.notification.identifier for entry in page.notifications]
        token = page.next_page_token
        if not token:
            break
    assert names == ["n0", "n1", "n2"]
    app.client.advance(120)
    assert sorted(app.delivered()) == ["n0", "n1"]


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({}, "end"),
        ({"duration": wire.seconds(0)}, "duration"),
        ({"duration": wire.seconds(-1)}, "duration"),
        ({"duration": wire.seconds(366 * DAY + 1)}, "duration"),
        ({"duration": wire.seconds(10**12)}, "duration"),
        ({"until": timestamp(10**18)}, "until"),
        ({"until": timestamp(9 * 10**18)}, "until"),
    ],
)
def test_what_is_wrong_is_refused_by_name(
    own_device: App, fields: dict[str, Any], path: str
) -> None:
    app = own_device
    app.add("a")
    refusal = refusal_of(lambda: snooze(app, "a", 1, **fields))
    Expected(INVALID, "SNOOZE_INVALID", (path,)).check(refusal)
    assert app.delivered() == ["a"]


def test_after_a_kill_it_comes_back_however_late(launch: Launcher) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        app.add("a")
        snooze(app, "a", 1, duration=wire.seconds(60))
        center = app.center
    server.kill()
    server = launch(server.home)
    with Client(server.targets["unix"]) as client:
        client.call("Suspend", by=wire.seconds(30 * DAY))
        app = App(client, center)
        assert app.delivered() == ["a"]
        late = app.events()[-1].delivered.late_by
        assert late.seconds == 30 * DAY - 60


def test_a_category_offers_a_button(own_device: App) -> None:
    app = own_device
    category = wire.NotificationCategory(
        identifier="task",
        actions=[{"identifier": "done", "title": "Done"}],
        snooze={"duration": wire.seconds(540), "title": "In 9 minutes"},
    )
    app.call("SetNotificationCategories", categories=[category])
    assert app.call("GetNotificationCategories").categories == [category]
    app.add("a", title="A", category_identifier="task")
    app.client.call(
        "UpdateDeviceState",
        device_id=app.center.device_id,
        state={"locked": True},
        update_mask={"paths": ["locked"]},
    )
    actions = listed(app).groups[0].notifications[0].actions
    assert [(action.identifier, action.title) for action in actions] == [
        ("done", "Done"),
        (SNOOZE, "In 9 minutes"),
    ]
    response = respond(app, reference(app, "a", 1), action={"action_identifier": SNOOZE})
    assert response.outcome == wire.RESPOND_OUTCOME_SNOOZED
    assert app.delivered() == []
    app.client.advance(540)
    assert app.delivered() == ["a"]
    kinds = [event.WhichOneof("kind") for event in app.events()]
    assert kinds[-2:] == ["snoozed", "delivered"]
    category.actions[0].identifier = SNOOZE
    refusal = refusal_of(lambda: app.call("SetNotificationCategories", categories=[category]))
    assert refusal.reason == "ACTION_INVALID"
    del category.actions[:]
    category.snooze.duration.seconds = 0
    refusal = refusal_of(lambda: app.call("SetNotificationCategories", categories=[category]))
    expected = Expected(INVALID, "SNOOZE_INVALID", ("categories[0].snooze.duration",))
    expected.check(refusal)
