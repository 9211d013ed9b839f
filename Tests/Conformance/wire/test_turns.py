"""An app with more work in flight than the server does at once: the others wait for little of it."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness import wire
from harness.client import App, Client
from harness.launcher import Launcher
from harness.memory import MIB, anonymous_memory
from harness.torture import Torture

IN_FLIGHT = 64
CATEGORIES = 4_095

# The promise of the 99th percentile, and what a short run on a busy machine has to hold.
SLOWEST = 0.1


def category(name: str, title: str) -> wire.NotificationCategory:
    """A category with a button."""
    return wire.NotificationCategory(
        identifier=name, actions=[wire.NotificationAction(identifier="open", title=title)]
    )


def upserts(app: App) -> Callable[[int], object]:
    """Declares very many categories, and gives a call that changes one of them."""
    app.call(
        "SetNotificationCategories",
        categories=[category(f"c{number}", "Open") for number in range(CATEGORIES)],
    )
    return lambda number: app.call(
        "UpsertNotificationCategories",
        categories=[category(f"c{number % CATEGORIES}", f"Open {number}")],
    )


def batches(app: App) -> Callable[[int], object]:
    """Gives a call that adds as many requests as one may."""
    later = wire.Trigger(time_interval=wire.TimeIntervalTrigger(interval={"seconds": 86_400}))
    return batch(app, later)


def deliveries(app: App) -> Callable[[int], object]:
    """Gives a call that adds as many requests as one may, all of which are delivered at once."""
    return batch(app, None)


def batch(app: App, trigger: wire.Trigger | None) -> Callable[[int], object]:
    requests = [
        wire.NotificationRequest(
            identifier=f"r{number}", content=wire.NotificationContent(title="t"), trigger=trigger
        )
        for number in range(1_000)
    ]
    return lambda _: app.call("AddBatch", requests=requests)


@pytest.mark.torture
@pytest.mark.parametrize(
    ("row", "make"),
    [("R9-upserts", upserts), ("R9-batches", batches), ("R9-deliveries", deliveries)],
)
def test_the_work_of_one_app_delays_no_other(
    launch: Launcher,
    torture: Torture,
    report: Callable[[str], None],
    row: str,
    make: Callable[[App], Callable[[int], object]],
) -> None:
    server = launch()
    took: list[float] = []
    with Client(server.targets["unix"]) as greedy, Client(server.targets["unix"]) as client:
        worker_app, app = greedy.app(), client.app()
        worker_app.authorize()
        app.authorize()
        call = make(worker_app)
        before = most = anonymous_memory(server.pid)
        left = iter(torture.rounds(row))
        lock = threading.Lock()

        def work() -> int:
            done = 0
            while True:
                with lock:
                    number = next(left, None)
                if number is None:
                    return done
                call(number)
                done += 1

        with ThreadPoolExecutor(IN_FLIGHT) as pool:
            workers = [pool.submit(work) for _ in range(IN_FLIGHT)]
            while not all(worker.done() for worker in workers):
                began = time.monotonic()
                app.call("SetBadgeCount", count=len(took) % 100)
                took.append(time.monotonic() - began)
                most = max(most, anonymous_memory(server.pid))
                time.sleep(0.002)
            assert sum(worker.result() for worker in workers) == torture.count(row)
        began = time.monotonic()
        app.call("SetBadgeCount", count=0)
        relief = time.monotonic() - began
    slowest = sorted(took)[len(took) * 99 // 100]
    report(
        f"{row}: {torture.count(row)} calls, {IN_FLIGHT} in flight; another app's {len(took)} calls"
        f" took {slowest * 1_000:.1f} ms at the 99th percentile, {max(took) * 1_000:.1f} ms at"
        f" most; memory {before // MIB} MiB before, {most // MIB} MiB at most; the next call after"
        f" them took {relief * 1_000:.1f} ms"
    )
    # Real time: a promise in figures, of a quiet machine.
    assert not torture.is_full or slowest <= SLOWEST
