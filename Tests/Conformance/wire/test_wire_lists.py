"""Clients that ask for many long lists: those who follow events wait for none of them."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client, request
from harness.goodclient import GoodClient
from harness.launcher import Launcher
from harness.memory import MIB
from harness.torture import Torture

BATCH = 1_000

# What a release build has to hold in the long form; a debug build on a loaded machine is slow.
P99_BOUND = 0.1
RECOVERY_BOUND = 10.0

NO_THREAD = {"thread_identifier": "of no notification"}


def fill(client: Client, apps: int, pending: int) -> App:
    """Delivers 1,000 notifications to each app; gives the first, which has so many pending."""
    first = client.app()
    for number in range(apps):
        app = first if number == 0 else client.app()
        app.authorize()
        app.call("AddBatch", requests=[request(f"{n}") for n in range(BATCH)])
    for start in range(0, pending, BATCH):
        names = range(start, start + BATCH)
        first.call("AddBatch", requests=[request(f"p{n}", 1e6) for n in names])
    return first


def lists(client: Client, app: App, count: int) -> list[Any]:
    """Begins so many lists at once: of the whole device, and of what is pending with a filter."""
    device = client._stubs["belfry.v1.DeviceService"].ListNotificationCenter
    pending = client._stubs["belfry.v1.NotificationCenterService"].ListPending
    filtered = wire.ListPendingRequest(center=app.center, filter=NO_THREAD)
    return [
        device.future(wire.ListNotificationCenterRequest())
        if number % 2
        else pending.future(filtered)
        for number in range(count)
    ]


def answered(calls: list[Any]) -> int:
    """How many of the calls were answered, now that they are over."""
    return sum(call.done() and not call.cancelled() and call.exception() is None for call in calls)


@pytest.mark.torture
def test_lists_hold_no_event_up_and_cancelled_ones_are_not_begun(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    server = launch()
    count = torture.count("R9-lists")
    apps, pending, rounds = (90, 100_000, 5) if torture.is_full else (5, 5_000, 2)
    target = server.targets["tcp"]
    with Client(target) as client:
        app = fill(client, apps, pending)
    with Client(target) as attacker, Client(target) as other, GoodClient(server) as good:
        calls = []
        began = time.monotonic()
        for _ in torture.rounds("R9-lists", rounds):
            calls = lists(attacker, app, count)
            # Longer than the bound, so that an event which waits for the lists is too late.
            time.sleep(5)
            for call in calls:
                call.cancel()
        asked = time.monotonic()
        # The attacker's own next list waits for the one that was being read, and for no other.
        for client in (other, attacker):
            client.call("ListNotificationCenter", page_size=1)
        recovery = time.monotonic() - asked
        took = asked - began
    report(
        f"R9-lists: {rounds} times {count} lists at once over {apps * BATCH} notifications and"
        f" {pending} pending, cancelled after {took / rounds:.0f} s; {good.figures()}; the next"
        f" list after {recovery:.2f} s"
    )
    if torture.is_full:
        # Real time: promises in figures, of a quiet machine.
        assert good.p99 <= P99_BOUND and max(good.delays) <= 1 and recovery <= RECOVERY_BOUND
    assert good.peak - good.at_rest <= 256 * MIB


def pages(app: App, rpc: str, **fields: Any) -> Iterator[Any]:
    """All pages of a list."""
    token = ""
    while True:
        page = app.call(rpc, page_token=token, **fields)
        yield page
        token = page.next_page_token
        if not token:
            return


@pytest.mark.parametrize(
    "order", [wire.PENDING_ORDER_IDENTIFIER, wire.PENDING_ORDER_NEXT_TRIGGER_DATE]
)
def test_a_page_with_a_filter_looks_at_2_048_requests(own_app: App, order: int) -> None:
    for start in range(0, 5_000, BATCH):
        requests = [
            request(f"{n:04}", 100 + n, body="b", thread_identifier="rare" * (n % 2_500 == 9))
            for n in range(start, start + BATCH)
        ]
        own_app.call("AddBatch", requests=requests)
    found = [
        [entry.request.identifier for entry in page.requests]
        for page in pages(own_app, "ListPending", order=order, filter={"thread_identifier": "rare"})
    ]
    assert found == [["0009"], ["2509"], []]
    none = [page.requests for page in pages(own_app, "ListPending", order=order, filter=NO_THREAD)]
    assert [len(page) for page in none] == [0, 0, 0]
    # A page without a filter is full, whatever else the app has.
    sizes = [len(page.requests) for page in pages(own_app, "ListPending", page_size=1_000)]
    assert sizes == [1_000] * 5
    # Names are looked up, wherever they are.
    named = {"identifiers": ["4999", "0000", "none"]}
    [page] = list(pages(own_app, "ListPending", filter=named, order=order))
    assert [entry.request.identifier for entry in page.requests] == ["0000", "4999"]


def test_what_was_delivered_is_one_page_beside_much_that_is_pending(own_app: App) -> None:
    for start in range(0, 4_000, BATCH):
        requests = [request(f"{n:04}", 100) for n in range(start, start + BATCH)]
        own_app.call("AddBatch", requests=requests)
    for name in ("zz", "b", "a"):
        own_app.add(name)
    assert own_app.delivered() == ["a", "b", "zz"]
    first = own_app.call("ListDelivered", page_size=2)
    assert own_app.delivered(page_token=first.next_page_token) == ["zz"]
    rare = [page.notifications for page in pages(own_app, "ListDelivered", filter=NO_THREAD)]
    assert rare == [[]]


def test_a_connection_waits_for_as_many_lists_as_it_has_calls(own_client: Client) -> None:
    app = own_client.app()
    app.authorize()
    calls = lists(own_client, app, 1_000)
    assert all(call.exception() is None for call in calls)
    assert answered(calls) == 1_000
    assert grpc.StatusCode.OK == calls[0].code()
