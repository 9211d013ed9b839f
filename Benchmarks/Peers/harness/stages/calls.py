"""Calls alone, and one synced commit alone: what a single durable call cannot be faster than."""

from harness.figures import Sample
from harness.peers.echo import Echo, echoes
from harness.peers.lmdb import commit
from harness.stages.stage import Run, rotated

ECHO_SECONDS = 10.0


def measure(run: Run) -> None:
    if not run.wants("echo", "add-1", "due"):
        return
    root = run.place.sources.parent.parent
    seconds = min(run.seconds, ECHO_SECONDS)
    for round_, echo in rotated(echoes(run.place, root), run.rounds):
        if run.wants("echo"):
            _measure(run, echo, 64, seconds, round_)
        if run.wants("add-1", "due") and echo.name == "gRPC C++, echo":
            _measure(run, echo, 1, seconds, round_)
    for round_ in range(run.rounds if run.wants("add-1", "due") else 0):
        def once(round_: int = round_) -> None:
            sample = commit(run.place, seconds)
            run.figures.add_sample("LMDB commit", "one at a time", round_, sample)
            run.say(f"LMDB commit of three pages: p50 {sample.p50_us:.0f} us")
        run.attempt("LMDB commit", "one at a time", once)


def _measure(run: Run, echo: Echo, in_flight: int, seconds: float, round_: int) -> None:
    measure_name = f"echo, {in_flight} in flight"

    def once() -> None:
        sample: Sample = echo.measure(run.place, in_flight, seconds)
        run.figures.add_sample(echo.name, measure_name, round_, sample)
        run.say(f"{echo.name}, {in_flight} in flight: {sample.rate:,.0f}/s")

    run.attempt(echo.name, measure_name, once)
