"""RESULTS.md: ratios, absolute figures, facts, and the command that repeats them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.figures import Figures, Key, Spread
from harness.rows import Row


@dataclass(frozen=True)
class Subject:
    """What is told of a peer."""

    name: str
    version: str
    settings: str
    does: str


@dataclass(frozen=True)
class Report:
    """All that RESULTS.md says."""

    figures: Figures
    rows: Sequence[Row]
    subjects: Sequence[Subject]
    facts: Mapping[str, str]
    # What was asked for: duration, pending, rounds.
    terms: str
    command: str
    plots: Sequence[tuple[str, str]]
    is_trial: bool

    def markdown(self) -> str:
        parts = [_heading(self), _ratios(self), _plots(self.plots), _absolutes(self.figures),
                 _subjects(self.subjects), _missing(self.figures), _facts(self.facts),
                 f"## Repeat it\n\n```\n{self.command}\n```\n"]
        return "\n".join(part for part in parts if part)


def number(value: float) -> str:
    """Three digits, or all before the point, with commas."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def spread(value: Spread) -> str:
    """The median, with the least and the most where there is more than one round."""
    if value.count == 1:
        return number(value.median)
    return f"{number(value.median)} ({number(value.least)} - {number(value.most)})"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    for cells in rows:
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def _heading(report: Report) -> str:
    trial = (
        "**A trial with short windows: nothing here is a result.**\n\n" if report.is_trial else ""
    )
    return (
        "# Belfry beside its peers\n\n" + trial +
        "Measured by `make bench-peers` in one run on one machine, over loopback: requests of 330 "
        "bytes,\nevery acknowledged write synced by everyone, the same number of calls in flight "
        "and of pending\nrequests. Rounds are interleaved, the order rotates, and who is not "
        f"measured is paused.\n\n{report.terms}\n\nA figure is the median of the rounds, with the "
        "least and the most.\n"
    )


def _ratios(report: Report) -> str:
    cells = []
    for row in report.rows:
        value = row.spread(report.figures)
        floor, aim = ("-" if one is None else number(one) for one in (row.floor, row.aim))
        if value is None:
            cells.append([row.path, row.why_missing(report.figures), floor, aim, "-"])
        else:
            verdict = row.verdict(value.median)
            cells.append([row.path, spread(value), floor, aim, verdict])
    return "## Ratios\n\n" + table(["path", "measured", "floor", "aim", "reaches"], cells)


def _plots(plots: Sequence[tuple[str, str]]) -> str:
    return "".join(f"![{title}]({path})\n" for title, path in plots)


def _measures(figures: Figures) -> dict[str, list[str]]:
    """The measures by name without their unit, each with its subjects, in the order they came."""
    found: dict[str, list[str]] = {}
    for key in figures.values:
        name = key.measure
        for suffix in (", rate", ", p50", ", p99", ", client CPU", ", server CPU"):
            name = name.removesuffix(suffix)
        subjects = found.setdefault(name, [])
        if key.subject not in subjects:
            subjects.append(key.subject)
    return found


def _absolutes(figures: Figures) -> str:
    cells, single = [], []
    for measure, subjects in _measures(figures).items():
        for subject in subjects:
            whole = figures.spread(subject, measure)
            if whole is not None:
                single.append([measure, subject, spread(whole)])
                continue
            columns = ("rate", "p50", "p99", "server CPU", "client CPU")
            values = [figures.spread(subject, f"{measure}, {column}") for column in columns]
            cells.append([measure, subject, *(spread(one) if one else "-" for one in values)])
    header = ["work", "who", "per second", "p50 us", "p99 us", "server CPU us", "client CPU us"]
    text = (
        "## Absolute figures\n\nThe CPU time is for each request, not each call. Client and server "
        "share the machine. A p99 over\nseveral windows is the highest of them.\n\n"
        + table(header, cells)
    )
    return text + ("\n" + table(["figure", "who", "value"], single) if single else "")


def _subjects(subjects: Sequence[Subject]) -> str:
    cells = [[one.name, one.version, one.settings, one.does] for one in subjects]
    return "## What each does and does not do\n\n" + table(
        ["who", "version", "settings", "its work"], cells
    )


def _missing(figures: Figures) -> str:
    if not figures.missing and not figures.notes:
        return ""
    lines = [f"- {key.subject}, {key.measure}: {why}" for key, why in _by_subject(figures)]
    return "## What is missing\n\n" + "\n".join([*lines, *(f"- {n}" for n in figures.notes)]) + "\n"


def _by_subject(figures: Figures) -> list[tuple[Key, str]]:
    return sorted(figures.missing.items(), key=lambda item: (item[0].subject, item[0].measure))


def _facts(facts: Mapping[str, str]) -> str:
    return "## The machine\n\n" + table(["fact", "value"], facts.items())
