"""Subscribers that come, go, are cut and never read: the one that stays is told everything."""

import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.churn import Comer, Faithful
from harness.client import App, Client, request
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.memory import MIB, anonymous_memory
from harness.torture import Torture

THREADS = 4
SLICES = 20
BATCH = 20

# Bytes that gRPC and the server may hold for a subscriber that reads nothing.
STALLED_BYTES = 512 * 1024


class Firing:
    """Adds requests that fire one second later, and moves the clock there."""

    def __init__(self, app: App) -> None:
        self.fired: list[str] = []
        self.slowest = 0.0
        self._app = app

    def fire(self) -> None:
        """Fires a batch."""
        names = [f"{len(self.fired) + number}" for number in range(BATCH)]
        began = time.monotonic()
        self._app.call("AddBatch", requests=[request(name, 1) for name in names])
        self._app.client.advance(1)
        self.slowest = max(self.slowest, time.monotonic() - began)
        self.fired += names

    def last_event(self) -> int:
        """The number of the newest event."""
        return self._app.call("ListPending").as_of_event


@pytest.mark.torture
def test_subscribers_come_and_go_and_one_hears_everything(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    server = launch()
    targets = list(server.targets.values())
    with Client(targets[0]) as client, ThreadPoolExecutor(THREADS) as pool:
        app = client.app()
        app.authorize()
        firing, faithful = Firing(app), Faithful(app)
        comers = [
            Comer(targets, app.center, random.Random(f"{torture.seed}/{number}"))
            for number in range(THREADS)
        ]
        memory: list[int] = []
        began = time.monotonic()
        try:
            share = -(-torture.count("R10") // (SLICES * THREADS))
            for _ in torture.rounds("R10", SLICES):
                visits = [pool.submit(comer.come_and_go, share) for comer in comers]
                while not all(visit.done() for visit in visits):
                    firing.fire()
                    # Each event is told to all who are there: few enough for a debug build.
                    time.sleep(0.1)
                for visit in visits:
                    visit.result()
                memory.append(anonymous_memory(server.pid))
            took = time.monotonic() - began
            faithful.wait_for(firing.last_event())
            for comer in comers:
                comer.close()
            eventually(lambda: client.call("GetStats").subscriptions == 1)
        finally:
            for comer in comers:
                comer.close()
            faithful.close()
    assert faithful.delivered == firing.fired
    first, stalled = memory[SLICES // 10 - 1], sum(comer.stalled for comer in comers)
    count = share * SLICES * THREADS
    report(
        f"R10: {count} subscribers came and went, {count / took:.0f} a second, {stalled} of them"
        f" read nothing; {len(firing.fired)} fired, {faithful.newest} events, each heard once and"
        f" in order; slowest batch {firing.slowest * 1_000:.0f} ms; memory {first // MIB} MiB"
        f" after a tenth, {max(memory) // MIB} MiB at most (seed {torture.seed})"
    )
    assert max(memory) <= first * 1.05 + THREADS * Comer.STALLED * STALLED_BYTES + 16 * MIB
