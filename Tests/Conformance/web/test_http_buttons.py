"""10,000 publications with 10,000 different buttons (K-11)."""

import statistics
import time
from collections.abc import Callable

import pytest

from access.serving import Caller
from harness import wire
from web.http_server import Web


def publish(web: Web, count: int, first: int = 0) -> list[float]:
    """How long each of some publications took, each with a button of its own."""
    taken = []
    for number in range(first, first + count):
        begun = time.perf_counter()
        reply = web.send("POST", "/buttons", b"x", Actions=f"copy, Label {number}, {number}")
        taken.append(time.perf_counter() - begun)
        assert reply.status == 200, reply.body
    return taken


@pytest.mark.full
def test_publications_leave_no_category_and_cost_the_same(
    web: Web, caller: Caller, report: Callable[[str], None]
) -> None:
    publish(web, 200)
    taken = publish(web, 10_000, 200)
    kept = caller.call("GetNotificationCategories", center=wire.Center(app_id="buttons"))
    assert not kept.categories
    first, last = (statistics.median(part) for part in (taken[:1_000], taken[-1_000:]))
    report(f"a publication: first {first * 1e3:.2f} ms, last {last * 1e3:.2f} ms")
    # Real time: both are medians of one run, one behind the other, and no bound of seconds.
    assert last < first * 1.3
