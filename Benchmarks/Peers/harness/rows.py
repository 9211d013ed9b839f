"""The rows that the issue of the hot path asks for: each with a floor and an aim."""

from collections.abc import Sequence
from dataclasses import dataclass

from harness.figures import Figures, Key, Spread
from harness.peers.ways import CONNECT, PLAIN, TLS, TOKEN
from harness.stages import starts, ways
from harness.stages.scale import SMALL, short


@dataclass(frozen=True)
class Row:
    """A ratio, or with `is_difference` a difference, of what was measured."""

    path: str
    above: tuple[Key, ...]
    below: tuple[Key, ...]
    # Nothing where none is set.
    floor: float | None
    aim: float | None
    less_is_better: bool = False
    is_difference: bool = False

    def spread(self, figures: Figures) -> Spread | None:
        if not self.is_difference:
            return figures.ratio(self.above, self.below)
        above = figures.spread(self.above[0].subject, self.above[0].measure)
        below = figures.spread(self.below[0].subject, self.below[0].measure)
        if above is None or below is None:
            return None
        return Spread.of([above.median - below.median])

    def verdict(self, median: float) -> str:
        """How the median stands to the floor and the aim."""
        def holds(bound: float) -> bool:
            return median <= bound if self.less_is_better else median >= bound

        if self.aim is not None and holds(self.aim):
            return "aim"
        if self.floor is None:
            return "-" if self.aim is None else "not the aim"
        return "floor" if holds(self.floor) else "not the floor"

    def why_missing(self, figures: Figures) -> str:
        # What is missing has no unit yet: "add, 64 in flight" stands for its rate and its times.
        reasons = [why for key, why in figures.missing.items()
                   if any(one.subject == key.subject and one.measure.startswith(key.measure)
                          for one in (*self.above, *self.below))]
        return reasons[0] if reasons else "not measured in this run"


# A peer, with the floor and the aim of the ratio to it.
Bounds = tuple[str, float | None, float | None]


def _keys(subject: str, *measures: str) -> tuple[Key, ...]:
    return tuple(Key(subject, measure) for measure in measures)


def _against(path: str, measure: str, peers: Sequence[Bounds]) -> list[Row]:
    return [
        Row(f"{path} / {peer}", _keys("Belfry", measure), _keys(peer, measure), floor, aim)
        for peer, floor, aim in peers
    ]


def _single_calls() -> list[Row]:
    echo, commit = "gRPC C++, echo", "LMDB commit"
    return [
        Row("one `Add` at a time, p50 / (echo + one synced LMDB commit of three pages)",
            _keys("Belfry", "add, 1 in flight, p50"),
            (Key(echo, "echo, 1 in flight, p50"), Key(commit, "one at a time, p50")),
            1.2, 0.9, less_is_better=True),
        Row("unary echo through shim and router / raw C++",
            _keys("Belfry, echo", "echo, 64 in flight, rate"),
            _keys(echo, "echo, 64 in flight, rate"), 0.9, 0.97),
    ]


def _latency() -> Row:
    return Row("due instant to event at a subscriber, 1,000/s, p99 / (echo + commit) p99",
               _keys("Belfry", "due to event, p99"),
               (Key("gRPC C++, echo", "echo, 1 in flight, p99"),
                Key("LMDB commit", "one at a time, p99")),
               5, 3, less_is_better=True)


def _events() -> list[Row]:
    return [
        Row(f"events to {count} {'subscriber' if count == 1 else 'subscribers'} / firing rate",
            _keys("Belfry", f"firing, {count} told, rate"),
            _keys("Belfry", "firing, 0 told, rate"), floor, 1.0)
        for count, floor in ((1, 1.0), (100, None))
    ]


def _scale(pending: int, largest: int) -> list[Row]:
    small, most = short(SMALL), short(largest or pending)
    rows = [
        Row(f"{most} pending / {small} pending: {name}",
            _keys("Belfry", f"{name}, {most} pending, rate"),
            _keys("Belfry", f"{name}, {small} pending, rate"), floor, aim)
        for name, floor, aim in (("add", 0.7, 0.9), ("fire", 0.6, 0.8))
    ]
    for count, floor, aim in ((pending, 1.5, 1.2), (largest, 3.0, 1.5)):
        if count == 0:
            continue
        rows += [
            Row(f"anonymous memory at {short(count)} pending over empty, MiB",
                _keys("Belfry", f"anonymous MiB, {short(count)}"),
                _keys("Belfry", "anonymous MiB, 0"), 64, 48,
                less_is_better=True, is_difference=True),
            Row(f"start to serving with {short(count)} pending / empty",
                _keys("Belfry", f"start, {short(count)} pending, ms"),
                _keys("Belfry", "start, 0 pending, ms"), floor, aim, less_is_better=True),
        ]
    return rows


def _starts() -> list[Row]:
    """No floor: at most twice as long as Redis is what the issue of the packages asks for."""
    return [
        Row(f"{kind} to serving, empty / Redis", _keys("Belfry", f"{kind}, ms"),
            _keys("Redis", f"{kind}, ms"), None, 2, less_is_better=True)
        for kind in starts.KINDS
    ]


def _ways() -> list[Row]:
    """Belfry beside itself: each way differs from the one over TCP in one thing."""
    compared = [("with a token / without", TOKEN, 0.95), ("with TLS / without", TLS, None),
                ("over Connect JSON / gRPC", CONNECT, None)]
    many = [
        Row(f"`Add` {path}, over TCP, 64 in flight", _keys(way.name, f"{ways.MANY}, rate"),
            _keys(PLAIN.name, f"{ways.MANY}, rate"), floor, None)
        for path, way, floor in compared
    ]
    one = [
        Row(f"one `Add` at a time {path}, over TCP, p50", _keys(way.name, f"{ways.ONE}, p50"),
            _keys(PLAIN.name, f"{ways.ONE}, p50"), None, None, less_is_better=True)
        for path, way, _ in compared
    ]
    return many + one


def rows(pending: int, largest: int) -> list[Row]:
    """The table, in the order of the issue."""
    with_pending = f", {short(pending)} pending"
    return [
        *_against(f"`Add`, 64 in flight{with_pending}", "add, 64 in flight, rate",
                  [("Redis", 0.8, 1.0), ("PostgreSQL", 2.0, 2.8)]),
        Row(f"the same over one `Schedule` stream{with_pending} / Redis",
            _keys("Belfry", "add over a stream, 64 in flight, rate"),
            _keys("Redis", "add, 64 in flight, rate"), 1.2, 2.0),
        Row(f"p99 of `Add`, 64 in flight{with_pending} / Redis",
            _keys("Belfry", "add, 64 in flight, p99"), _keys("Redis", "add, 64 in flight, p99"),
            1.5, 1.0, less_is_better=True),
        *_against(f"`AddBatch` 256{with_pending}", "batches of 256, rate", [("Redis", 1.0, 1.5)]),
        *_against(f"firing by 256 with all its bookkeeping{with_pending}", "firing by 256, rate",
                  [("Redis", 1.0, 1.4), ("PostgreSQL", 4.0, 6.0)]),
        *_against("adds and firings in balance, 64 in flight", "balance, 1 center, rate",
                  [("Redis", 0.8, 1.0), ("PostgreSQL", None, None)]),
        Row("the same with 1,000 centers / 1 center",
            _keys("Belfry", "balance, 1,000 centers, rate"),
            _keys("Belfry", "balance, 1 center, rate"), None, None),
        *_scale(pending, largest)[:2],
        *_single_calls(),
        *_events(),
        _latency(),
        *_scale(pending, largest)[2:],
        *_starts(),
        *_ways(),
    ]
