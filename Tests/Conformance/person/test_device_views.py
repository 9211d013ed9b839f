"""What a watcher was told, what the list shows and what apps are told agree, whatever comes at once
(§11, §15; W-17)."""

from collections import Counter
from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client, request
from harness.device import Watch, listed, reference, respond, update
from harness.eventually import eventually
from harness.refusals import Expected, refusal_of
from harness.server import START_SECONDS

HOUR = 3_600


class Copy:
    """The deliveries of an app as a client keeps them that applies each frame as it comes."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        groups = watch.frame().snapshot.groups
        self.deliveries = {
            shown.notification.delivery for group in groups for shown in group.notifications
        }
        self.unknown: list[int] = []

    def follow(self, badge: int) -> None:
        """Applies the frames up to that of a badge, which comes after what is to be seen."""
        while True:
            frame = self.watch.frame()
            if frame.HasField("badge") and frame.badge.badge == badge:
                return
            if not frame.HasField("list_changed"):
                continue
            change = frame.list_changed
            gone = [change.replaced.delivery] if change.HasField("replaced") else []
            if change.change == wire.LIST_CHANGE_REMOVED:
                gone.append(change.notification.delivery)
            else:
                self.deliveries.add(change.notification.delivery)
            self.unknown += [delivery for delivery in gone if delivery not in self.deliveries]
            self.deliveries -= set(gone)


def deliveries(app: App) -> set[int]:
    return {
        shown.notification.delivery
        for group in listed(app, page_size=1000).groups
        for shown in group.notifications
    }


@pytest.mark.parametrize(
    "identifiers",
    [["a", "a"], ["a", "a", "a"], ["a", "b", "a", "b", "c", "a"], ["new", "new"]],
    ids=lambda identifiers: " ".join(identifiers),
)
def test_what_comes_and_goes_at_once_leaves_nothing_behind(
    own_device: App, identifiers: list[str]
) -> None:
    app = own_device
    for identifier in ["a", "b"]:
        app.add(identifier)
    copy = Copy(Watch(app))
    app.call("AddBatch", requests=[request(name) for name in identifiers])
    app.call("SetBadgeCount", count=7)
    copy.follow(7)
    assert copy.deliveries == deliveries(app)
    assert copy.unknown == []
    copy.watch.close()


def test_what_is_removed_before_it_is_told_takes_the_older_one_along(own_device: App) -> None:
    app = own_device
    app.add("a")
    copy = Copy(Watch(app))
    stub = app.client._stubs["belfry.v1.NotificationCenterService"]
    remove = wire.RemoveDeliveredRequest(center=app.center, identifiers=["a"])
    for _ in range(20):
        # Both are on their way before either is answered.
        added = stub.Add.future(wire.AddRequest(center=app.center, request=request("a")))
        removed = stub.RemoveDelivered.future(remove)
        assert added.result() and removed.result()
    app.call("SetBadgeCount", count=7)
    copy.follow(7)
    assert copy.deliveries == deliveries(app)
    assert copy.unknown == []
    copy.watch.close()


def test_a_notification_that_changes_its_thread_leaves_the_old_group(own_device: App) -> None:
    app = own_device
    for number in range(2):
        app.add(f"{number}", title="A title", thread_identifier="old")
    watch = Watch(app)
    watch.frame()
    app.add("1", title="A title", thread_identifier="new")
    removed = watch.until("list_changed")[-1].list_changed
    assert removed.change == wire.LIST_CHANGE_REMOVED
    assert (removed.group.thread_identifier, removed.group.count) == ("old", 1)
    added = watch.until("list_changed")[-1].list_changed
    assert added.change == wire.LIST_CHANGE_ADDED
    assert (added.group.thread_identifier, added.group.count) == ("new", 1)
    watch.close()


def test_a_large_batch_is_told_whole(own_device: App) -> None:
    app = own_device
    watch = Watch(app)
    watch.frame()
    requests = [
        request(f"{number}", title="A title", sound={}, badge=number + 1) for number in range(1000)
    ]
    app.call("AddBatch", requests=requests)
    app.call("AddBatch", requests=requests)
    kinds = []
    while not (kinds and kinds[-1] == ("badge", 1000) and kinds.count(("badge", 1000)) == 2):
        frame = watch.frame()
        kind = frame.WhichOneof("kind")
        kinds.append((kind, frame.badge.badge if kind == "badge" else 0))
    # A notification replaced before it was told is not told: neither its banner nor its sound.
    told = Counter(kind for kind, _ in kinds)
    assert told["sound"] == told["banner"] == told["list_changed"] >= 1000
    watch.close()


@pytest.mark.parametrize("added", ["new", "b03"])
def test_pages_go_on_where_they_were(own_device: App, added: str) -> None:
    app = own_device
    for number in range(12):
        app.add(f"b{number:02}", title="A title", thread_identifier="t")
    names: list[str] = []
    token = ""
    while True:
        page = listed(app, page_size=5, page_token=token)
        names += [
            shown.notification.identifier
            for group in page.groups
            for shown in group.notifications
        ]
        if not token:
            app.add(added, title="A title", thread_identifier="t")
        token = page.next_page_token
        if not token:
            break
    before = [f"b{number:02}" for number in reversed(range(12))]
    assert names == [name for name in before if name != added]


def test_pages_repeat_nothing_when_the_newest_goes(own_device: App) -> None:
    app = own_device
    for number in range(12):
        app.add(f"b{number:02}", title="A title", thread_identifier="t")
    first = listed(app, page_size=5)
    app.call("RemoveDelivered", identifiers=["b11"])
    second = listed(app, page_size=10, page_token=first.next_page_token)
    [group] = second.groups
    assert [shown.notification.identifier for shown in group.notifications] == [
        f"b{number:02}" for number in reversed(range(7))
    ]


def test_categories_that_look_alike_are_two(own_device: App) -> None:
    app = own_device
    names = {"\u00e9": "composed", "e\u0301": "decomposed"}
    app.call(
        "SetNotificationCategories",
        categories=[
            {"identifier": identifier, "actions": [{"identifier": title, "title": title}]}
            for identifier, title in names.items()
        ],
    )
    for identifier in names:
        app.add(names[identifier], title="A title", category_identifier=identifier)
    for group in listed(app).groups:
        for shown in group.notifications:
            [action] = shown.actions
            assert action.title == shown.notification.identifier


def test_a_watcher_is_told_that_categories_changed(own_device: App) -> None:
    app = own_device
    watch = Watch(app)
    watch.frame()
    categories = [{"identifier": "c", "actions": [{"identifier": "a", "title": "A"}]}]
    app.call("SetNotificationCategories", categories=categories)
    changed = watch.frame().changed
    assert changed.app.center.app_id == app.center.app_id
    # The same again changes nothing.
    app.call("SetNotificationCategories", categories=categories)
    app.call("RemoveNotificationCategories", identifiers=["c"])
    assert watch.frame().changed.HasField("app")
    app.call("SetBadgeCount", count=1)
    assert watch.frame().HasField("badge")
    watch.close()


def test_the_clock_going_back_moves_nothing(own_client: Client) -> None:
    app = own_client.app()
    app.authorize()
    app.add("old")
    app.client.advance(100)
    app.add("up")
    app.client.call("SetClock", to={"seconds": START_SECONDS})
    app.add("new")
    [group] = listed(app).groups
    names = [shown.notification.identifier for shown in group.notifications]
    assert names == ["new", "up", "old"]


def test_only_what_is_shown_can_be_pressed(own_device: App) -> None:
    app = own_device
    actions = [{"identifier": f"k{number}", "title": "K"} for number in range(12)]
    app.call("SetNotificationCategories", categories=[{"identifier": "c", "actions": actions}])
    app.add("a", title="A title", category_identifier="c")
    shown = reference(app, "a", 1)
    expected = Expected(
        grpc.StatusCode.INVALID_ARGUMENT, "ACTION_UNKNOWN", ("action.action_identifier",)
    )
    expected.check(
        refusal_of(lambda: respond(app, shown, action={"action_identifier": "k10"}))
    )
    assert respond(app, shown, action={"action_identifier": "k9"}).outcome


def test_what_the_app_shows_itself_is_not_called_delivered(own_device: App) -> None:
    app = own_device
    app.add("old")
    with app.in_front(standing_presentation={"options": []}) as front:
        front.started()
        added = app.add("silent")
        assert added.state == wire.REQUEST_STATE_GONE
        assert not added.HasField("delivery")


def test_a_summary_alerts_for_nobody_whose_permission_is_gone(own_device: App) -> None:
    app = own_device
    minutes = (app.client.now() // (60 * 10**9)) % 1440
    summary = {
        "enabled": True,
        "times": [(minutes + 60) % 1440],
        "apps": [app.center.app_id],
    }
    device = app.center.device_id
    update(app.client, "summary", device=device, summary=summary)
    app.add("held")
    app.client.call(
        "UpdateSettings",
        center=app.center,
        settings={"authorization_status": wire.AUTHORIZATION_STATUS_DENIED},
        update_mask={"paths": ["authorization_status"]},
    )
    watch = Watch(app)
    watch.frame()
    app.client.advance(HOUR)
    kinds = []
    update(app.client, "muted", device=device, muted=True)
    while not kinds or kinds[-1] != "changed":
        kinds.append(watch.frame().WhichOneof("kind"))
    assert "banner" not in kinds
    watch.close()


def test_a_filter_by_thread_finds_conversations(own_device: App) -> None:
    app = own_device
    communication = {
        "kind": wire.COMMUNICATION_KIND_MESSAGE,
        "sender": "Anna",
        "conversation_id": "chess",
    }
    app.add("message", title="A title", communication=communication)
    app.add("plain", title="A title")
    assert app.delivered(filter={"thread_identifier": "chess"}) == ["message"]
    assert app.delivered(filter={"thread_identifier": ""}) == ["plain"]


def floating(hour: int, *, repeats: bool = True, **components: Any) -> wire.Trigger:
    return wire.Trigger(
        repeats=repeats,
        calendar={"date_components": {"hour": hour, "minute": 0, **components}},
    )


def test_another_zone_holds_when_it_is_answered(own_client: Client) -> None:
    app = own_client.app()
    app.authorize()
    update(app.client, "time_zone", time_zone="Asia/Tokyo")
    for part in range(3):
        requests = [request(f"{part} {number}") for number in range(1000)]
        for each in requests:
            each.trigger.CopyFrom(floating(8))
        app.call("AddBatch", requests=requests)
    assert app.client.call("GetStats").store.pending == 3000
    update(app.client, "time_zone", time_zone="UTC")
    page = app.call("ListPending", page_size=1000)
    dates = {pending.next_trigger_date.seconds for pending in page.requests}
    assert dates == {START_SECONDS + 8 * HOUR}
    assert app.client.advance(8 * HOUR - 1).fired == 0
    assert app.client.advance(1).fired == 3000


def test_a_date_that_another_zone_puts_into_the_past_is_late(own_client: Client) -> None:
    app = own_client.app()
    app.authorize()
    update(app.client, "time_zone", time_zone="America/New_York")
    # It is 19:00 on the day before there.
    components = {"year": 2025, "month": 12, "day": 31}
    trigger = floating(21, repeats=False, **components)
    once = request("once")
    once.trigger.CopyFrom(trigger)
    app.call("Add", request=once)
    update(app.client, "time_zone", time_zone="Europe/Berlin")
    eventually(lambda: app.delivered() == ["once"])
    delivered = app.events()[-1].delivered
    assert delivered.late_by.seconds == 4 * HOUR
