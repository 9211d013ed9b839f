"""Latencies at a fixed rate, by `belfry load`: from the due instant to the event, and by rate."""

import contextlib
from functools import partial

from harness.peers.belfry import Belfry
from harness.stages.stage import Run

DUE_RATE = 1_000
RATES = (500, 1_000, 2_000, 5_000, 10_000, 15_000, 20_000)
STAGE_SECONDS = 10.0


def measure(run: Run) -> None:
    if not run.wants("due", "latency"):
        return
    belfry = Belfry(run.place, "Belfry for latencies", clock="system")
    with contextlib.ExitStack() as stack:
        def start() -> None:
            belfry.version()
            run.say(f"Belfry: starting with {run.pending:,} pending")
            stack.callback(belfry.stop)
            belfry.start(run.pending)

        if not run.attempt("Belfry", "due to event", start):
            return
        for round_ in range(run.rounds):
            if run.wants("due"):
                run.attempt("Belfry", "due to event", partial(_due, run, belfry, round_))
            if run.wants("latency"):
                run.attempt("Belfry", "latency by rate", partial(_by_rate, run, belfry, round_))


def _due(run: Run, belfry: Belfry, round_: int) -> None:
    stage = belfry.open_loop(run.seconds, "--rate", str(DUE_RATE), "--mix", "fire")[0]
    told = stage["due_to_event"]
    run.figures.add("Belfry", "due to event, p50", round_, told["p50_us"])
    run.figures.add("Belfry", "due to event, p99", round_, told["p99_us"])
    run.say(f"Belfry, due to event: p50 {told['p50_us']:.0f} us, p99 {told['p99_us']:.0f} us")
    if stage["unsent"] > 0:
        run.figures.notes.append(
            f"Due to event, round {round_ + 1}: {stage['unsent']} calls had no turn."
        )


def _by_rate(run: Run, belfry: Belfry, round_: int) -> None:
    sweep = "rate=" + ",".join(str(rate) for rate in RATES)
    seconds = min(STAGE_SECONDS, max(1, run.seconds / len(RATES)))
    for stage in belfry.open_loop(seconds, "--sweep", sweep):
        rate, add = int(stage["rate"]), stage["operations"].get("add")
        # A rate that was not held has no latency that means anything.
        if add is None or stage["unsent"] > 0:
            continue
        for name in ("p50", "p99"):
            measure_name = f"latency at {rate}/s, {name}"
            run.figures.add("Belfry", measure_name, round_, add[f"{name}_us"])
        run.say(f"Belfry, {rate:,}/s: p50 {add['p50_us']:.0f} us, p99 {add['p99_us']:.0f} us")
