"""10,000 publications with 10,000 different buttons (K-11)."""

import statistics
import time
from collections.abc import Callable

import pytest

from access.serving import Caller
from harness import wire
from web.http_server import Web


def publish(web: Web, app: str, number: int) -> float:
    """How long a publication took, with a button of its own."""
    begun = time.perf_counter()
    reply = web.send("POST", f"/{app}", b"x", Actions=f"copy, Label {number}, {number}")
    taken = time.perf_counter() - begun
    assert reply.status == 200, reply.body
    return taken


@pytest.mark.full
def test_publications_leave_no_category_and_cost_the_same(
    web: Web, caller: Caller, report: Callable[[str], None]
) -> None:
    for number in range(9_000):
        publish(web, "buttons", number)
    # Its list is full, too, as that of the other app is.
    for number in range(1_000):
        publish(web, "fresh", number)
    taken: dict[str, list[float]] = {"fresh": [], "buttons": []}
    for number in range(9_000, 10_000):
        for app, times in taken.items():
            times.append(publish(web, app, number))
    kept = caller.call("GetNotificationCategories", center=wire.Center(app_id="buttons"))
    assert not kept.categories
    first, last = (statistics.median(times) for times in taken.values())
    report(f"a publication: of the first {first * 1e3:.2f} ms, of the last {last * 1e3:.2f} ms")
    # Real time: both are medians of one run, by turns, and no bound of seconds.
    assert last < first * 1.3
