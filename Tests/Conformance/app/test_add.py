"""Add and AddBatch: what becomes of a request (§6, §7.1, §7.2)."""

import re

import pytest

from harness import wire
from harness.client import App, Client, interval, request
from harness.refusals import UN_ERROR_DOMAIN, refusal_of_item

PENDING = wire.REQUEST_STATE_PENDING
DELIVERED = wire.REQUEST_STATE_DELIVERED


def test_without_a_trigger_it_is_delivered_at_once(app: App) -> None:
    response = app.add("now")
    assert response.identifier == "now"
    assert response.state == DELIVERED
    assert response.delivery == 1
    assert not response.HasField("next_trigger_date")
    assert app.delivered() == ["now"]
    assert app.pending() == []


def test_with_an_interval_it_is_pending(app: App) -> None:
    response = app.add("later", 90)
    assert response.identifier == "later"
    assert response.state == PENDING
    assert wire.nanoseconds(response.next_trigger_date) == app.client.now() + 90 * 10**9
    assert not response.HasField("delivery")
    assert app.pending() == ["later"]
    assert app.delivered() == []


@pytest.mark.parametrize("after", [None, 5], ids=["now", "later"])
def test_an_empty_identifier_becomes_a_uuid(app: App, after: float | None) -> None:
    first, second = (app.add(after=after).identifier for _ in range(2))
    assert re.fullmatch(r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}", first)
    assert first != second
    assert sorted([first, second]) == (app.delivered() if after is None else app.pending())


def test_the_same_identifier_replaces_a_pending_request(app: App) -> None:
    app.add("same", 10, title="old")
    app.add("same", 20, title="new")
    page = app.call("ListPending")
    assert [entry.request.content.title for entry in page.requests] == ["new"]
    app.client.advance(20)
    titles = [
        event.delivered.notification.request.content.title
        for event in app.events()
        if event.HasField("delivered")
    ]
    assert titles == ["new"]


def test_delivering_now_takes_a_pending_request_away(app: App) -> None:
    app.add("same", 10, title="old")
    app.add("same", title="new")
    assert app.pending() == []
    assert app.delivered() == ["same"]
    app.client.advance(10)
    assert app.call("ListDelivered").notifications[0].request.content.title == "new"


def test_a_delivered_notification_stays_until_the_new_request_fires(app: App) -> None:
    app.add("same", title="old")
    app.add("other")
    app.add("same", 10, title="new")
    assert app.pending() == ["same"]
    assert app.delivered() == ["other", "same"]
    app.client.advance(10)
    page = app.call("ListDelivered", order=wire.DELIVERED_ORDER_NEWEST_FIRST)
    titles = [entry.request.content.title for entry in page.notifications]
    assert titles == ["new", "A title"]
    event = app.events()[-1].delivered
    assert (event.notification.delivery, event.replaced_delivery) == (3, 1)


def test_one_identifier_in_two_centers_is_two_notifications(client: Client) -> None:
    first, second = client.app(), client.app()
    for app in (first, second):
        app.authorize()
        app.add("same", 10)
    first.call("RemoveAllPending")
    assert (first.pending(), second.pending()) == ([], ["same"])


def test_a_repeating_request_stays_pending_beside_its_newest_occurrence(app: App) -> None:
    added_at = app.client.now()
    app.call("Add", request=request("tick", 60, repeats=True))
    for count in range(1, 4):
        app.client.advance(60)
        [pending] = app.call("ListPending").requests
        next_instant = wire.nanoseconds(pending.next_trigger_date)
        assert next_instant == added_at + (count + 1) * 60 * 10**9
        [delivered] = app.call("ListDelivered").notifications
        assert delivered.delivery == count
        assert wire.nanoseconds(delivered.date) == added_at + count * 60 * 10**9


def test_nothing_fires_early(app: App) -> None:
    app.call("Add", request=wire.NotificationRequest(
        identifier="exact",
        content=wire.NotificationContent(title="A title"),
        trigger=wire.Trigger(
            time_interval=wire.TimeIntervalTrigger(interval=wire.Duration(seconds=3, nanos=1))
        ),
    ))  # fmt: skip
    app.client.advance(3)
    assert app.pending() == ["exact"]
    app.client.call("AdvanceClock", by=wire.Duration(nanos=1))
    assert app.pending() == []
    delivered = app.events()[-1].delivered
    assert delivered.notification.request.identifier == "exact"
    assert delivered.HasField("late_by")
    assert wire.nanoseconds(delivered.late_by) == 0


@pytest.mark.parametrize("length", [1, 256])
def test_an_identifier_may_have_up_to_256_bytes(app: App, length: int) -> None:
    identifier = "é" * (length // 2) + "e" * (length % 2)
    assert app.add(identifier).identifier == identifier
    assert app.delivered() == [identifier]


@pytest.mark.parametrize("after", [1e-9, 59.9, 100 * 365 * 86_400])
def test_an_interval_may_be_of_any_length_up_to_100_years(app: App, after: float) -> None:
    assert app.add("length", after).state == PENDING


def test_a_batch_has_a_result_for_each_request_in_order(app: App) -> None:
    response = app.call(
        "AddBatch",
        requests=[
            request("now"),
            request("later", 60),
            request("", 60),
            request("silent", 60, user_info_json="{}"),
            request("later", 120, title="replaced"),
        ],
    )
    added = [result.added for result in response.results if result.HasField("added")]
    assert [result.WhichOneof("outcome") for result in response.results] == [
        "added",
        "added",
        "added",
        "error",
        "added",
    ]
    assert [item.identifier for item in added] == ["now", "later", added[2].identifier, "later"]
    assert [item.state for item in added] == [DELIVERED, PENDING, PENDING, PENDING]
    refusal = refusal_of_item(response.results[3].error)
    assert (refusal.domain, refusal.metadata) == (UN_ERROR_DOMAIN, {"code": "1401"})
    assert refusal.fields == ("requests[3].content",)
    assert sorted(app.pending()) == sorted(["later", added[2].identifier])
    page = app.call("ListPending", filter=wire.NotificationFilter(identifiers=["later"]))
    assert page.requests[0].request.content.title == "replaced"


def test_a_batch_may_hold_1000_requests(app: App) -> None:
    requests = [request(f"request {number:04}", 60) for number in range(1_000)]
    response = app.call("AddBatch", requests=requests)
    assert all(result.added.state == PENDING for result in response.results)
    assert [result.added.identifier for result in response.results] == [
        request.identifier for request in requests
    ]
    assert app.pending(page_size=1_000) == [request.identifier for request in requests]


def test_a_trigger_of_a_repeating_request_comes_back_as_it_was(app: App) -> None:
    trigger = interval(3_600, repeats=True)
    app.call("Add", request=request("hourly", 3_600, repeats=True))
    assert app.call("ListPending").requests[0].request.trigger == trigger
