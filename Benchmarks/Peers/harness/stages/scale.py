"""Belfry with few and with many pending requests: rates, memory, and how soon it serves."""

import contextlib

from harness.peers.belfry import Belfry
from harness.process import anonymous_mebibytes
from harness.stages.stage import Run, rotated
from harness.stages.stores import IN_FLIGHT, sustain

SMALL = 10_000


def short(count: int) -> str:
    """10 k, 1 M: as the tables have it."""
    if count >= 1_000_000 and count % 1_000_000 == 0:
        return f"{count // 1_000_000} M"
    return f"{count / 1_000:g} k" if count >= 1_000 else str(count)


def measure(run: Run) -> None:
    if not run.wants("scale", "memory", "start"):
        return
    counts = sorted({0, SMALL, run.pending, *([run.largest] if run.largest else [])})
    with contextlib.ExitStack() as stack:
        servers = {count: server for count in counts if (server := _start(run, stack, count))}
        filled = [item for item in servers.items() if item[0] > 0]
        if run.wants("scale"):
            for round_, (count, belfry) in rotated(filled, run.rounds):
                _rates(run, belfry, count, round_)
        if run.wants("start"):
            for round_, (count, belfry) in rotated(list(servers.items()), run.rounds):
                _start_again(run, belfry, count, round_)


def _start(run: Run, stack: contextlib.ExitStack, count: int) -> Belfry | None:
    """Starts a server with so many pending requests, and looks at its memory."""
    belfry = Belfry(run.place, f"Belfry with {count}")

    def start() -> None:
        belfry.version()
        run.say(f"Belfry: starting with {short(count)} pending")
        stack.callback(belfry.stop)
        belfry.start(count)
        # What the first call makes is no part of what requests take.
        belfry.load("info", "--seconds", "1", "--in-flight", "1", "--warm-up", "0")
        assert belfry.server is not None
        memory = anonymous_mebibytes(belfry.server.pid)
        run.figures.add("Belfry", f"anonymous MiB, {short(count)}", 0, memory)
        run.say(f"Belfry, {short(count)} pending: {memory:.1f} MiB anonymous")
        belfry.pause()

    measure_name = f"anonymous MiB, {short(count)}"
    return belfry if run.attempt("Belfry", measure_name, start) else None


def _rates(run: Run, belfry: Belfry, count: int, round_: int) -> None:
    name = f"add, {short(count)} pending"

    def once() -> None:
        belfry.resume()
        try:
            added, fired = sustain(belfry, run.seconds / 2, max(2_560, count // 4), IN_FLIGHT)
        finally:
            belfry.pause()
        run.figures.add_sample("Belfry", name, round_, added)
        assert fired is not None
        run.figures.add_sample("Belfry", f"fire, {short(count)} pending", round_, fired)
        run.say(f"Belfry, {short(count)} pending: adds {added.rate:,.0f}/s, "
                f"fires {fired.rate:,.0f}/s")

    run.attempt("Belfry", name, once)


def _start_again(run: Run, belfry: Belfry, count: int, round_: int) -> None:
    name = f"start, {short(count)} pending"

    def once() -> None:
        belfry.stop()
        seconds = belfry.serve()
        run.figures.add("Belfry", f"{name}, ms", round_, seconds * 1e3)
        run.say(f"Belfry, {name}: {seconds * 1e3:.0f} ms")
        belfry.pause()

    run.attempt("Belfry", name, once)
