"""ListPending and ListDelivered: orders, pages, filters, and the event that a page holds after."""

from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, request
from harness.refusals import Expected, refusal_of

BY_DATE = wire.PENDING_ORDER_NEXT_TRIGGER_DATE
NEWEST_FIRST = wire.DELIVERED_ORDER_NEWEST_FIRST

# Out of every order that a list has; bytes, not letters, decide.
NAMES = ["b", "a", "ab", "B", "é", "e", "z", "10", "9", "\U0001f514", "\uffee", "a\0", " "]


def by_bytes(names: list[str]) -> list[str]:
    return sorted(names, key=lambda name: name.encode())


def pages(app: App, rpc: str, **fields: Any) -> Iterator[Any]:
    """All pages of a list."""
    token = ""
    while True:
        page = app.call(rpc, page_token=token, **fields)
        yield page
        token = page.next_page_token
        if not token:
            return


def items(page: Any) -> list[Any]:
    return list(getattr(page, "requests", None) or getattr(page, "notifications", ()))


def names(app: App, rpc: str, **fields: Any) -> list[str]:
    """The identifiers of all pages, each of which is full but the last."""
    size = fields["page_size"]
    parts = [
        [item.request.identifier for item in items(page)] for page in pages(app, rpc, **fields)
    ]
    assert all(len(part) == size for part in parts[:-1])
    assert 0 < len(parts[-1]) <= size
    return sum(parts, [])


@pytest.mark.parametrize("size", [1, 5, 12, 13, 14, 1_000])
@pytest.mark.parametrize("rpc, after", [("ListPending", 60), ("ListDelivered", None)])
def test_by_identifier_is_by_its_bytes(app: App, rpc: str, after: int | None, size: int) -> None:
    app.call("AddBatch", requests=[request(name, after) for name in NAMES])
    assert names(app, rpc, page_size=size) == by_bytes(NAMES)


@pytest.mark.parametrize("size", [1, 5, 13, 1_000])
def test_by_date_is_soonest_first(app: App, size: int) -> None:
    requests = [request(name, 60 + index * 7 % 13) for index, name in enumerate(NAMES)]
    app.call("AddBatch", requests=requests)
    expected = [
        request.identifier
        for request in sorted(requests, key=lambda it: it.trigger.time_interval.interval.seconds)
    ]
    assert names(app, "ListPending", page_size=size, order=BY_DATE) == expected


def test_those_of_one_instant_have_an_order(app: App) -> None:
    app.call("AddBatch", requests=[request(name, 60) for name in NAMES])
    listed = names(app, "ListPending", page_size=2, order=BY_DATE)
    assert sorted(listed) == sorted(NAMES)


@pytest.mark.parametrize("size", [1, 5, 13, 1_000])
def test_newest_first_is_by_delivery(app: App, size: int) -> None:
    app.call("AddBatch", requests=[request(name) for name in [*NAMES, "z"]])
    expected = ["z", *(name for name in reversed(NAMES) if name != "z")]
    assert names(app, "ListDelivered", page_size=size, order=NEWEST_FIRST) == expected


@pytest.mark.parametrize("rpc, after", [("ListPending", 60), ("ListDelivered", None)])
@pytest.mark.parametrize("order", [0, 1])
def test_a_page_has_100_unless_told_otherwise(
    app: App, rpc: str, after: int | None, order: int
) -> None:
    app.call("AddBatch", requests=[request(f"{number:04}", after) for number in range(650)])
    sizes = [len(items(page)) for page in pages(app, rpc, order=order)]
    assert sizes == [100, 100, 100, 100, 100, 100, 50]


@pytest.mark.parametrize("rpc, after", [("ListPending", 60), ("ListDelivered", None)])
@pytest.mark.parametrize("order", [0, 1])
def test_a_page_ends_at_one_mebibyte(app: App, rpc: str, after: int | None, order: int) -> None:
    for number in range(20):
        app.add(f"{number:02}", after, body="b" * 65_000)
    parts = list(pages(app, rpc, page_size=1_000, order=order))
    assert [len(items(part)) for part in parts] == [17, 3]
    assert all(part.ByteSize() < 1024 * 1024 + 65_536 for part in parts)
    listed = [item.request.identifier for part in parts for item in items(part)]
    assert sorted(listed) == [f"{number:02}" for number in range(20)]


@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("rpc, after", [("ListPending", 60), ("ListDelivered", None)])
def test_an_empty_list_has_one_empty_page(
    app: App, rpc: str, after: int | None, order: int
) -> None:
    [page] = pages(app, rpc, order=order)
    assert items(page) == []


FILTERS = {
    "none": (wire.NotificationFilter(), "abcdef"),
    "identifiers": (wire.NotificationFilter(identifiers=["f", "b", "x", "b"]), "bf"),
    "unknown identifier": (wire.NotificationFilter(identifiers=["x"]), ""),
    "thread": (wire.NotificationFilter(thread_identifier="t1"), "ab"),
    "own thread": (wire.NotificationFilter(thread_identifier=""), "ef"),
    "category": (wire.NotificationFilter(category_identifier="c1"), "ace"),
    "no category": (wire.NotificationFilter(category_identifier=""), "bdf"),
    "unknown category": (wire.NotificationFilter(category_identifier="c2"), ""),
    "all of them": (
        wire.NotificationFilter(
            identifiers=["a", "b", "c"], thread_identifier="t1", category_identifier="c1"
        ),
        "a",
    ),
}


@pytest.mark.parametrize("filter, expected", FILTERS.values(), ids=FILTERS.keys())
@pytest.mark.parametrize("rpc, after", [("ListPending", 60), ("ListDelivered", None)])
@pytest.mark.parametrize("order", [0, 1])
def test_a_filter_selects(
    app: App,
    rpc: str,
    after: int | None,
    order: int,
    filter: wire.NotificationFilter,
    expected: str,
) -> None:
    for index, name in enumerate("abcdef"):
        app.add(
            name,
            after,
            title="A title",
            thread_identifier=["t1", "t2", ""][index // 2],
            category_identifier=["c1", ""][index % 2],
        )
    listed = [
        item.request.identifier
        for page in pages(app, rpc, filter=filter, order=order, page_size=2)
        for item in items(page)
    ]
    assert sorted(listed) == list(expected)


def test_a_filter_may_name_1000_identifiers(app: App) -> None:
    everyone = [f"{number:04}" for number in range(1_000)]
    app.call("AddBatch", requests=[request(name, 60) for name in everyone])
    filter = wire.NotificationFilter(identifiers=everyone)
    assert names(app, "ListPending", page_size=300, filter=filter) == everyone


def test_what_follows_a_page_is_in_the_events_after_it(app: App) -> None:
    app.add("waits", 60)
    app.add("shown")
    pending, delivered = app.call("ListPending"), app.call("ListDelivered")
    assert pending.as_of_event == delivered.as_of_event == app.events()[-1].number
    app.add("new")
    app.call("RemovePending", identifiers=["waits"])
    events = app.events(after=pending.as_of_event)
    assert [event.WhichOneof("kind") for event in events] == ["delivered", "removed"]
    assert events[0].number == pending.as_of_event + 1


def test_a_list_and_the_events_after_it_give_the_list_that_follows(app: App) -> None:
    app.call("AddBatch", requests=[request(f"{number}", number + 1) for number in range(50)])
    page = app.call("ListDelivered")
    shown = {item.request.identifier for item in page.notifications}
    for step in range(25):
        app.client.advance(1)
        app.call("RemoveDelivered", identifiers=[f"{step - 3}"])
    for event in app.events(after=page.as_of_event):
        if event.HasField("delivered"):
            shown.add(event.delivered.notification.request.identifier)
        else:
            shown.remove(event.removed.identifier)
    assert sorted(shown) == sorted(app.delivered())


def test_pages_go_on_where_they_ended_while_the_list_changes(app: App) -> None:
    app.call("AddBatch", requests=[request(f"{number:02}", 60) for number in range(20)])
    first = app.call("ListPending", page_size=10)
    app.call("RemovePending", identifiers=["03", "09", "10"])
    app.add("05a", 60)
    app.add("15a", 60)
    rest = app.pending(page_size=100, page_token=first.next_page_token)
    assert rest == ["11", "12", "13", "14", "15", "15a", "16", "17", "18", "19"]


def test_pending_requests_tell_when_they_were_added_and_fire(app: App) -> None:
    added_at = app.client.now()
    app.add("later", 100)
    app.client.advance(40)
    [pending] = app.call("ListPending").requests
    assert wire.nanoseconds(pending.added_at) == added_at
    assert wire.nanoseconds(pending.next_trigger_date) == added_at + 100 * 10**9


def test_more_than_10000_are_not_sorted_by_date(own_app: App) -> None:
    for batch in range(10):
        requests = [request(f"{batch}/{number:03}", 60 + batch) for number in range(1_000)]
        own_app.call("AddBatch", requests=requests)
    page = own_app.call("ListPending", order=BY_DATE, page_size=1_000)
    assert len(page.requests) == 1_000
    own_app.add("one more", 60)
    refusal = refusal_of(lambda: own_app.call("ListPending", order=BY_DATE))
    Expected(grpc.StatusCode.FAILED_PRECONDITION, "LIST_TOO_LARGE", ("order",)).check(refusal)
    assert "10000" in refusal.message
    assert len(names(own_app, "ListPending", page_size=1_000)) == 10_001


@pytest.mark.parametrize("rpc, after", [("ListPending", 60), ("ListDelivered", None)])
@pytest.mark.parametrize("order", [0, 1])
def test_a_token_is_of_one_list(app: App, rpc: str, after: int | None, order: int) -> None:
    other_app = app.client.app()
    other_app.authorize()
    for each in (app, other_app):
        each.call("AddBatch", requests=[request(name, after) for name in "abc"])
    token = app.call(rpc, order=order, page_size=1).next_page_token
    assert items(app.call(rpc, order=order, page_size=2, page_token=token))
    expected = Expected(grpc.StatusCode.INVALID_ARGUMENT, "PAGE_TOKEN_INVALID", ("page_token",))
    other_rpc = "ListDelivered" if rpc == "ListPending" else "ListPending"
    filter = wire.NotificationFilter(identifiers=["a", "b", "c"])
    for call in (
        lambda: other_app.call(rpc, order=order, page_token=token),
        lambda: app.call(rpc, order=1 - order, page_token=token),
        lambda: app.call(other_rpc, order=order, page_token=token),
        lambda: app.call(rpc, order=order, filter=filter, page_token=token),
    ):
        expected.check(refusal_of(call))
