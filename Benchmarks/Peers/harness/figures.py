"""What was measured, by subject and round, and the ratios of it."""

import json
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Sample:
    """What one run of a generator measured."""

    measured: int
    seconds: float
    # All that was done, with what was not measured: so much fires later.
    total: int = 0
    p50_us: float | None = None
    p99_us: float | None = None
    client_cpu_seconds: float | None = None
    server_cpu_seconds: float | None = None

    @property
    def rate(self) -> float:
        return self.measured / self.seconds if self.seconds > 0 else 0.0


def parse_sample(line: str) -> Sample:
    """Reads the line of JSON that Load, wire-load and lmdb-loops print."""
    fields = json.loads(line)
    return Sample(
        measured=fields["measured"], seconds=fields["seconds"], total=fields.get("total", 0),
        p50_us=fields.get("p50_us"), p99_us=fields.get("p99_us"),
        client_cpu_seconds=fields.get("client_cpu_seconds"),
    )


def percentile(values: Sequence[float], fraction: float) -> float:
    """The least value that at least such a part of the values does not exceed."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values")
    return ordered[max(0, math.ceil(fraction * len(ordered)) - 1)]


def combine(samples: Sequence[Sample]) -> Sample:
    """One sample of several that followed on each other."""
    timed = [sample for sample in samples if sample.measured > 0]

    def weighted(values: list[float | None]) -> float | None:
        known = [(value, one.measured) for value, one in zip(values, timed) if value is not None]
        weight = sum(count for _, count in known)
        return sum(value * count for value, count in known) / weight if weight else None

    def total(values: list[float | None]) -> float | None:
        known = [value for value in values if value is not None]
        return sum(known) if known else None

    return Sample(
        measured=sum(one.measured for one in timed), seconds=sum(one.seconds for one in timed),
        total=sum(one.total for one in samples),
        # Of percentiles there is no exact sum: the mean by weight, and of the 99th the highest.
        p50_us=weighted([one.p50_us for one in timed]),
        p99_us=max((one.p99_us for one in timed if one.p99_us is not None), default=None),
        client_cpu_seconds=total([one.client_cpu_seconds for one in timed]),
        server_cpu_seconds=total([one.server_cpu_seconds for one in timed]),
    )


@dataclass(frozen=True)
class Spread:
    """The median of the rounds, with the least and the most."""

    median: float
    least: float
    most: float
    count: int

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        return cls(statistics.median(values), min(values), max(values), len(values))


@dataclass(frozen=True)
class Key:
    """What is measured: of whom and what, such as Redis and 'add, 64 in flight, rate'."""

    subject: str
    measure: str


@dataclass
class Figures:
    """All figures of a run, by round, and why those that are missing are missing."""

    values: dict[Key, dict[int, float]] = field(default_factory=dict)
    missing: dict[Key, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, subject: str, measure: str, round_: int, value: float) -> None:
        self.values.setdefault(Key(subject, measure), {})[round_] = value

    def add_sample(self, subject: str, measure: str, round_: int, sample: Sample) -> None:
        """Takes note of all that a sample tells."""
        self.add(subject, f"{measure}, rate", round_, sample.rate)
        for name in ("p50_us", "p99_us"):
            value = getattr(sample, name)
            if value is not None:
                self.add(subject, f"{measure}, {name[:3]}", round_, value)
        for name, cpu in (
            ("client", sample.client_cpu_seconds), ("server", sample.server_cpu_seconds)
        ):
            if cpu is not None and sample.measured > 0:
                self.add(subject, f"{measure}, {name} CPU", round_, cpu / sample.measured * 1e6)

    def lack(self, subject: str, measure: str, reason: str) -> None:
        self.missing[Key(subject, measure)] = reason

    def spread(self, subject: str, measure: str) -> Spread | None:
        rounds = self.values.get(Key(subject, measure))
        return Spread.of(list(rounds.values())) if rounds else None

    def ratio(self, numerator: Sequence[Key], denominator: Sequence[Key]) -> Spread | None:
        """The ratios of two sums, round by round; nil where no round has all of them.

        Only what was measured in the same round is compared: a slow minute slows both.
        """
        every = [self.values.get(key, {}) for key in (*numerator, *denominator)]
        rounds = set.intersection(*(set(one) for one in every)) if every else set()
        ratios = []
        for round_ in sorted(rounds):
            above = sum(self.values[key][round_] for key in numerator)
            below = sum(self.values[key][round_] for key in denominator)
            if below > 0:
                ratios.append(above / below)
        return Spread.of(ratios) if ratios else None
