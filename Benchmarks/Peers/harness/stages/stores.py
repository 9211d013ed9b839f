"""The stores side by side: adds, batches of adds, firing, and adds and firings in balance."""

import contextlib
import os
import time
from collections.abc import Callable, Sequence

from harness.figures import Sample, combine
from harness.peers.beanstalkd import Beanstalkd
from harness.peers.belfry import Belfry
from harness.peers.lmdb import ADDS, FIRINGS, loop
from harness.peers.nats import Nats
from harness.peers.peer import Peer, Window
from harness.peers.postgresql import PostgreSQL
from harness.peers.redis import Redis
from harness.stages.stage import Run, rotated

IN_FLIGHT = 64
BATCH = 256
# Two batches wait while one is worked on and another is on its way.
BATCHES_IN_FLIGHT = 4
# The last one that was added is due three seconds later.
SETTLE_SECONDS = 4.0
# What the generators take at least.
SHORTEST_WINDOW = 0.1
# A guess at the rate of adds, for the first window.
FIRST_RATE = 10_000.0

Work = Callable[[Run, Peer, str, int], None]


def measure(run: Run) -> None:
    if not run.wants("add-1", "add-64", "batch", "fire", "balance"):
        return
    with contextlib.ExitStack() as stack:
        every: list[Peer] = [
            Belfry(run.place), Redis(run.place), PostgreSQL(run.place), Beanstalkd(run.place),
            Nats(run.place),
        ]
        peers = start(run, stack, every, "add, 64 in flight")
        if run.wants("add-1"):
            for round_, peer in rotated(peers, run.rounds):
                turn(run, peer, "add, 1 in flight", round_, one_at_a_time)
        if run.wants("add-64", "fire"):
            for round_, peer in rotated(peers, run.rounds):
                turn(run, peer, "add, 64 in flight", round_, _add_and_fire)
                if isinstance(peer, Belfry):
                    turn(run, peer, "add over a stream, 64 in flight", round_, _add_by_stream)
        if run.wants("batch"):
            for round_, peer in rotated([one for one in peers if one.can_batch], run.rounds):
                turn(run, peer, "batches of 256", round_, _add_batches)
        if run.wants("balance"):
            _balance(run, peers)
    _loops(run)


def sustain(
    peer: Peer,
    seconds: float,
    step: int,
    in_flight: int,
    batch: int = 1,
    *,
    is_streamed: bool = False,
) -> tuple[Sample, Sample | None]:
    """Adds for so long, and after each `step` requests fires them all.

    So the number of pending requests stays about the same, and so does the size of the store.
    """
    added: list[Sample] = []
    fired: list[Sample] = []
    rate = FIRST_RATE
    while (left := seconds - sum(one.seconds for one in added)) > 0.05 * seconds:
        limit = max(in_flight * batch * 2, min(step, int(rate * left)))
        window = max(SHORTEST_WINDOW, min(left, limit / rate * 2))
        added.append(peer.add(Window(window, limit, in_flight, batch, is_streamed)))
        rate = max(1.0, added[-1].rate)
        if peer.can_fire:
            fired.append(peer.fire())
    return combine(added), combine(fired) if fired else None


def start(
    run: Run, stack: contextlib.ExitStack, every: Sequence[Peer], measure_name: str
) -> list[Peer]:
    """Starts and fills each peer that is here, and pauses it."""
    peers = []
    for peer in every:
        def once(peer: Peer = peer) -> None:
            version = peer.version()
            run.say(f"{peer.name} {version}: starting with {run.pending:,} pending")
            stack.callback(peer.stop)
            peer.start(run.pending)
            peer.pause()
        if run.attempt(peer.name, measure_name, once):
            peers.append(peer)
    return peers


def turn(run: Run, peer: Peer, measure_name: str, round_: int, work: Work) -> None:
    """One peer's turn in one round, while the others are paused."""
    def once() -> None:
        # What others wrote is not on its way to the disk any more.
        os.sync()
        peer.resume()
        try:
            work(run, peer, measure_name, round_)
        finally:
            peer.pause()
    run.attempt(peer.name, measure_name, once)


def _step(run: Run) -> int:
    """How many are added before they fire: not many beside those that are pending."""
    return max(5_120, run.pending // 4)


def _note(run: Run, peer: Peer, measure_name: str, round_: int, sample: Sample) -> None:
    run.figures.add_sample(peer.name, measure_name, round_, sample)
    times = f", p50 {sample.p50_us:,.0f} us" if sample.p50_us is not None else ""
    run.say(f"{peer.name}, {measure_name}: {sample.rate:,.0f}/s{times}")


def one_at_a_time(run: Run, peer: Peer, measure_name: str, round_: int) -> None:
    """Adds with one call in flight, which then fire."""
    sample = peer.add(Window(min(run.seconds, 10), _step(run), 1))
    _note(run, peer, measure_name, round_, sample)
    if peer.can_fire:
        peer.fire()


def add(run: Run, peer: Peer, measure_name: str, round_: int) -> None:
    """Adds with many calls in flight, which fire meanwhile; only the adds are noted."""
    added, _ = sustain(peer, run.seconds, _step(run), IN_FLIGHT)
    _note(run, peer, measure_name, round_, added)


def _add_and_fire(run: Run, peer: Peer, measure_name: str, round_: int) -> None:
    added, fired = sustain(peer, run.seconds, _step(run), IN_FLIGHT)
    _note(run, peer, measure_name, round_, added)
    if fired is not None:
        _note(run, peer, "firing by 256", round_, fired)
    run.figures.add(peer.name, "store, MiB", round_, peer.stored_bytes() / 2**20)


def _add_by_stream(run: Run, peer: Peer, measure_name: str, round_: int) -> None:
    added, _ = sustain(peer, run.seconds, _step(run), IN_FLIGHT, is_streamed=True)
    _note(run, peer, measure_name, round_, added)


def _add_batches(run: Run, peer: Peer, measure_name: str, round_: int) -> None:
    added, _ = sustain(peer, run.seconds, _step(run), BATCHES_IN_FLIGHT, BATCH)
    _note(run, peer, measure_name, round_, added)


def _balance(run: Run, peers: list[Peer]) -> None:
    """Adds of what is due soon, with its firings: on the system's clock, which peers have too."""
    others = [peer for peer in peers if peer.can_fire and not isinstance(peer, Belfry)]
    with contextlib.ExitStack() as stack:
        belfry = Belfry(run.place, "Belfry on the system's clock", clock="system")

        def start() -> None:
            belfry.version()
            stack.callback(belfry.stop)
            belfry.start(run.pending)
            belfry.pause()

        if not run.attempt("Belfry", "balance, 1 center", start):
            return
        for round_, peer in rotated([belfry, *others], run.rounds):
            for centers in (1, 1_000) if peer is belfry else (1,):
                _balance_turn(run, peer, centers, round_)


def _balance_turn(run: Run, peer: Peer, centers: int, round_: int) -> None:
    subject = "Belfry" if isinstance(peer, Belfry) else peer.name
    measure_name = f"balance, {centers:,} {'center' if centers == 1 else 'centers'}"

    def work(run: Run, peer: Peer, measure_name: str, round_: int) -> None:
        sample = peer.balance(run.seconds, IN_FLIGHT, centers)
        run.figures.add_sample(subject, measure_name, round_, sample)
        size = peer.stored_bytes() / 2**20
        run.figures.add(subject, f"store in {measure_name}, MiB", round_, size)
        run.say(f"{subject}, {measure_name}: {sample.rate:,.0f}/s, {size:,.0f} MiB")
        # What is still to fire would otherwise fire in the next turn.
        time.sleep(SETTLE_SECONDS)
        if not isinstance(peer, Belfry):
            peer.fire()

    turn(run, peer, measure_name, round_, work)


def _loops(run: Run) -> None:
    """The plain loops over LMDB."""
    loops = {**(ADDS if run.wants("add-64") else {}), **(FIRINGS if run.wants("fire") else {})}
    for round_, (name, (kind, batch)) in rotated(list(loops.items()), run.rounds):
        def once(name: str = name, kind: str = kind, batch: int = batch, n: int = round_) -> None:
            # What fires is not replaced: it needs as much again to stay near what is pending.
            pending = run.pending * 2 if kind.startswith("fire") else run.pending
            sample = loop(run.place, kind, pending, batch, min(run.seconds, 20))
            run.figures.add_sample(name, "loop", n, sample)
            run.say(f"{name}: {sample.rate:,.0f}/s")
        run.attempt(name, "loop", once)
