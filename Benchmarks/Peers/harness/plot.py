"""A small writer of line plots in SVG: no more than the two plots need."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 84, 190, 44, 56
# Told apart without colours too: each line has a mark of its own.
COLOURS = ("#1f5fa8", "#c4501b", "#2d7d46", "#7a3e9d", "#8a6d00", "#555555")
MARKS = ("circle", "square", "diamond", "triangle", "cross", "circle")


@dataclass(frozen=True)
class Line:
    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis."""

    title: str
    least: float
    most: float

    @classmethod
    def over(cls, title: str, values: Sequence[float]) -> "Axis":
        low, high = math.log10(min(values)), math.log10(max(values))
        return cls(title, 10 ** (math.floor(low * 4) / 4), 10 ** (math.ceil(high * 4 + 0.01) / 4))

    def part(self, value: float) -> float:
        """Where a value stands: 0 at the least, 1 at the most."""
        whole = math.log10(self.most) - math.log10(self.least)
        return (math.log10(value) - math.log10(self.least)) / whole

    def ticks(self) -> list[float]:
        decades = range(math.floor(math.log10(self.least)), math.ceil(math.log10(self.most)) + 1)
        every = [step * 10.0**decade for decade in decades for step in (1, 2, 5)]
        return [tick for tick in every if self.least <= tick <= self.most * 1.0001]


def label(value: float) -> str:
    """10 k, 1 M: as an axis has it."""
    for unit, name in ((1e6, " M"), (1e3, " k")):
        if value >= unit:
            return f"{value / unit:g}{name}"
    return f"{value:g}"


def line_plot(title: str, x_title: str, y_title: str, lines: Sequence[Line]) -> str:
    """The plot as SVG; both axes are logarithmic. Empty where there are no points."""
    points = [point for line in lines for point in line.points if min(point) > 0]
    if not points:
        return ""
    x_axis = Axis.over(x_title, [x for x, _ in points])
    y_axis = Axis.over(y_title, [y for _, y in points])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="24" font-size="15" font-weight="bold">{escape(title)}</text>',
        *_grid(x_axis, y_axis),
    ]
    for place, line in enumerate(lines):
        parts += _line(line, place, x_axis, y_axis)
    return "\n".join([*parts, "</svg>", ""])


def _x(axis: Axis, value: float) -> float:
    return LEFT + axis.part(value) * (WIDTH - LEFT - RIGHT)


def _y(axis: Axis, value: float) -> float:
    return HEIGHT - BOTTOM - axis.part(value) * (HEIGHT - TOP - BOTTOM)


def _grid(x_axis: Axis, y_axis: Axis) -> list[str]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = []
    for tick in y_axis.ticks():
        y = _y(y_axis, tick)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{right}" stroke="#dddddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{label(tick)}</text>')
    for tick in x_axis.ticks():
        x = _x(x_axis, tick)
        parts.append(f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="#eeeeee"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{label(tick)}</text>'
        )
    middle = (TOP + bottom) / 2
    parts += [
        f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="black"/>',
        f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 14}" text-anchor="middle">'
        f"{escape(x_axis.title)}</text>",
        f'<text transform="translate(20 {middle}) rotate(-90)" text-anchor="middle">'
        f"{escape(y_axis.title)}</text>",
    ]
    return parts


def _line(line: Line, place: int, x_axis: Axis, y_axis: Axis) -> list[str]:
    colour, mark = COLOURS[place % len(COLOURS)], MARKS[place % len(MARKS)]
    known = sorted(point for point in line.points if min(point) > 0)
    spots = [(_x(x_axis, x), _y(y_axis, y)) for x, y in known]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
    parts = [f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>'] if path else []
    parts += [_mark(mark, colour, x, y) for x, y in spots]
    x, y = WIDTH - RIGHT + 20, TOP + 10 + place * 22
    parts.append(_mark(mark, colour, x, y))
    parts.append(f'<text x="{x + 12}" y="{y + 4}">{escape(line.name)}</text>')
    return parts


def _mark(kind: str, colour: str, x: float, y: float) -> str:
    if kind == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'
    shapes = {
        "square": "m-4 -4h8v8h-8z", "diamond": "m0 -5l5 5l-5 5l-5 -5z",
        "triangle": "m0 -5l5 9h-10z", "cross": "m-4 -4l8 8m0 -8l-8 8",
    }
    return (
        f'<path d="M{x:.1f} {y:.1f}{shapes[kind]}" fill="{colour}" stroke="{colour}" '
        'stroke-width="1.5"/>'
    )
