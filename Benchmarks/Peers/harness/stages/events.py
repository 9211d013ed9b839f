"""Events to subscribers, beside firing without any."""

import contextlib

from harness.peers.belfry import Belfry
from harness.peers.peer import Window
from harness.stages.stage import Run, rotated

SUBSCRIBERS = (0, 1, 100)
IN_FLIGHT, BATCH = 4, 256


def measure(run: Run) -> None:
    if not run.wants("events"):
        return
    belfry = Belfry(run.place, "Belfry for events")
    # As many as fire in the time of a round, by what is usual.
    count = max(5_120, min(run.pending // 4, int(run.seconds * 10_000)))
    with contextlib.ExitStack() as stack:
        def start() -> None:
            belfry.version()
            stack.callback(belfry.stop)
            belfry.start(run.pending)

        if not run.attempt("Belfry", "events", start):
            return
        for round_, subscribers in rotated(SUBSCRIBERS, run.rounds):
            measure_name = f"firing, {subscribers} told"

            def once(subscribers: int = subscribers, name: str = measure_name,
                     number: int = round_) -> None:
                belfry.add(Window(600, count, IN_FLIGHT, BATCH))
                sample = belfry.fire(subscribers)
                run.figures.add_sample("Belfry", name, number, sample)
                run.say(f"Belfry, {name}: {sample.rate:,.0f}/s")

            run.attempt("Belfry", measure_name, once)
