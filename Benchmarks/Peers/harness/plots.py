"""The two plots: rate against pending requests, and latency against rate."""

import re

from harness.figures import Figures
from harness.plot import Line, line_plot
from harness.stages.scale import SMALL, short


def _points(figures: Figures, name: str, counts: list[int]) -> list[tuple[float, float]]:
    spreads = [(count, figures.spread("Belfry", f"{name}, {short(count)} pending, rate"))
               for count in counts]
    return [(count, spread.median) for count, spread in spreads if spread is not None]


def rate_by_pending(figures: Figures, pending: int, largest: int) -> str:
    """Belfry's lines, and the peers where they were measured."""
    counts = sorted({SMALL, pending, *([largest] if largest else [])})
    lines = [
        Line("Belfry, adds", _points(figures, "add", counts)),
        Line("Belfry, firing", _points(figures, "fire", counts)),
    ]
    for peer in ("Redis", "PostgreSQL"):
        for name, measure in (("adds", "add, 64 in flight"), ("firing", "firing by 256")):
            spread = figures.spread(peer, f"{measure}, rate")
            if spread is not None:
                lines.append(Line(f"{peer}, {name}", [(pending, spread.median)]))
    return line_plot("Rate against pending requests", "pending requests", "requests a second",
                     lines)


def latency_by_rate(figures: Figures) -> str:
    """The latency of an add at fixed rates, from the instant at which it should begin."""
    lines = []
    for name in ("p50", "p99"):
        points = []
        for key in figures.values:
            found = re.fullmatch(rf"latency at (\d+)/s, {name}", key.measure)
            if found is not None:
                spread = figures.spread(key.subject, key.measure)
                assert spread is not None
                points.append((float(found[1]), spread.median))
        lines.append(Line(f"Belfry, add, {name}", points))
    return line_plot("Latency against rate (open loop)", "adds a second", "microseconds", lines)
