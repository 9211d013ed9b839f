"""Calendars: `belfry add calendar.ics` reads them, `belfry next --ics` writes them."""

import json
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from itertools import islice
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest
from dateutil.rrule import rrulestr
from dateutil.tz import tzical

from access.serving import DONE, REFUSED, USAGE, environment, start
from harness.launcher import Launcher
from harness.server import BOUND

# The server's clock stands at 2026-01-01T00:00:00Z.

Run = Callable[..., CompletedProcess[str]]

CALENDAR = """\
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example.org//test//EN
BEGIN:VTIMEZONE
TZID:Home
X-LIC-LOCATION:America/New_York
END:VTIMEZONE
BEGIN:VEVENT
UID:tea@example.org
DTSTAMP:20260101T000000Z
DTSTART;TZID="Europe/Lisbon":20260105T180000
DTEND;TZID="Europe/Lisbon":20260105T190000
SUMMARY:Tea\\, with
  milk
LOCATION:Kitchen
DESCRIPTION:One\\nTwo
RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=30
EXDATE;TZID=Europe/Lisbon:20260112T180000
ATTENDEE;CN="a;b:c":mailto:a@example.org
BEGIN:VALARM
ACTION:DISPLAY
TRIGGER:-PT15M
REPEAT:1
DURATION:PT10M
END:VALARM
BEGIN:VALARM
ACTION:AUDIO
TRIGGER;RELATED=END:-P1D
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:tea@example.org
RECURRENCE-ID;TZID=Europe/Lisbon:20260119T180000
DTSTART;TZID=Europe/Lisbon:20260119T200000
SUMMARY:Late tea
END:VEVENT
BEGIN:VTODO
UID:taxes
DUE;TZID=Home:20260401T090000
SUMMARY:Taxes
END:VTODO
BEGIN:VEVENT
UID:day
DTSTART;VALUE=DATE:20260601
SUMMARY:Children's day
END:VEVENT
END:VCALENDAR
"""

# When each request of the calendar fires first.
FIRST = {
    "tea@example.org": "2026-01-05T17:45:00Z",
    "tea@example.org#2": "2026-01-05T17:55:00Z",
    "tea@example.org#3": "2026-01-04T19:00:00Z",
    "tea@example.org@20260119T180000": "2026-01-19T20:00:00Z",
    "taxes": "2026-04-01T13:00:00Z",
    # Without a zone, in that of the shell, as the device has none.
    "day": "2026-05-31T22:00:00Z",
}


@pytest.fixture
def run(launch: Launcher) -> Run:
    server = start(launch, prompts="grant")
    variables = {"BELFRY_SERVER": server.targets["unix"], "TZ": "Europe/Rome"}

    def run(*arguments: str, app: str = "cli") -> CompletedProcess[str]:
        here = environment(server.home, **variables, BELFRY_APP=app)
        # Bytes, since a text would lose the ends of lines.
        ran = subprocess.run(
            [launch.binary, *arguments], env=here, capture_output=True, timeout=BOUND, check=False
        )
        out, errors = ran.stdout.decode(), ran.stderr.decode()
        return CompletedProcess(ran.args, ran.returncode, out, errors)

    for app in ("cli", "other"):
        assert run("authorize", app=app).returncode == DONE
    return run


def pending(run: Run, app: str = "cli") -> dict[str, Any]:
    """The pending requests by their names, without when they were added."""
    listed = [json.loads(line) for line in run("pending", "--json", app=app).stdout.splitlines()]
    return {
        found["request"]["identifier"]: (found["request"], found["next_trigger_date"])
        for found in listed
    }


def dates(run: Run, identifier: str, app: str = "cli") -> list[str]:
    """The dates of a request within a year."""
    listed = run("next", identifier, "--days=366", "--limit=1000", "--json", app=app).stdout
    return [json.loads(line)["date"] for line in listed.splitlines()]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_a_calendar_is_read(run: Run, tmp_path: Path, line_end: str) -> None:
    file = tmp_path / "calendar.ics"
    file.write_bytes(CALENDAR.replace("\n", line_end).encode())
    added = run("add", str(file))
    assert added.returncode == DONE, added.stderr
    assert "Added 6 of 6." in added.stderr
    assert "Not kept: ATTENDEE." in added.stderr
    found = pending(run)
    assert {name: date for name, (_, date) in found.items()} == FIRST
    content = found["tea@example.org#3"][0]["content"]
    assert content["title"] == "Tea, with milk"
    assert (content["subtitle"], content["body"]) == ("Kitchen", "One\nTwo")
    assert "sound" in content and "sound" not in found["tea@example.org"][0]["content"]
    # The excluded date and the one that has an event of its own are left out.
    assert dates(run, "tea@example.org")[:3] == [
        "2026-01-05T17:45:00Z", "2026-01-26T17:45:00Z", "2026-02-02T17:45:00Z",
    ]  # fmt: skip
    # The clock in Lisbon is set forward on March 29.
    assert "2026-03-30T16:45:00Z" in dates(run, "tea@example.org")
    # The same file again replaces.
    assert run("add", str(file)).returncode == DONE
    assert pending(run) == found


def test_what_cannot_be_kept_is_told_and_stops_nothing_else(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "calendar.ics"
    lines = CALENDAR.replace("TRIGGER:-PT15M", "TRIGGER:soon").splitlines()
    lines[lines.index("DTSTART;VALUE=DATE:20260601")] = "DTSTART;TZID=Mars:20260601T090000"
    lines[lines.index("SUMMARY:Taxes")] = "SUMMARY:" + "x" * 70_000
    file.write_text("\n".join(lines))
    added = run("add", str(file))
    assert added.returncode == REFUSED
    told = added.stderr.splitlines()
    for name, problem in [
        ("TRIGGER:soon", "TRIGGER: is no duration of up to 10 years, as -PT15M or P1D"),
        ("DTSTART;TZID=Mars:20260601T090000", "DTSTART: the zone 'Mars' is no name of the zone"),
    ]:
        assert any(f"line {lines.index(name) + 1}: {problem}" in line for line in told), told
    place = lines.index("DUE;TZID=Home:20260401T090000") + 1
    assert any(f"line {place}: " in line and "65" in line for line in told), told
    assert "Added 2 of 5." in added.stderr
    assert len(pending(run)) == 2
    # A file that is cut is no calendar at all.
    file.write_text(CALENDAR[: len(CALENDAR) // 2])
    cut = run("add", "--file", str(file))
    assert (cut.returncode, cut.stdout) == (65, "")
    assert "has no end" in cut.stderr
    assert run("add", str(tmp_path / "none.ics")).returncode == 65


ZONES = [
    "Africa/Cairo", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata", "Australia/Lord_Howe",
    "Europe/Dublin", "Europe/Lisbon", "Pacific/Auckland", "Africa/Casablanca",
]  # fmt: skip
TYPED = [
    ["--every", "weekday", "--at", "9:30", "--zone", "Europe/Lisbon"],
    ["--every", "other tuesday", "--at", "9:00", "--zone", "Europe/Berlin"],
    ["--every", "month", "--at", "31 jan 9:00"],
    ["--every", "last working day", "--at", "17:00", "--zone", "Australia/Lord_Howe"],
    ["--every", "first monday and third friday", "--at", "9am,6:30pm"],
    ["--every", "last friday", "--at", "16:00", "--skip", "2026-02-27"],
    ["--every", "29 feb", "--at", "9:00"],
    ["--every", "1.5h", "--from", "2026-01-01 9:00"],
    ["--every", "P1DT2H"],
    ["--cron", "30 3 * * 1-5", "--until", "2026-03-01", "--zone", "America/New_York"],
    ["--cron", "0 9 13 * 5"],
    ["--rrule", "FREQ=YEARLY;BYWEEKNO=10,20;BYDAY=SA", "--at", "9:00"],
    ["--at", "9am,6pm"],
    ["--every", "week", "--at", "2026-01-05 8:00", "--times", "7"],
    ["--at", "2026-05-01T12:00:00Z"],
    ["--in", "P2DT3H"],
]


def test_what_is_written_is_read_back(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "calendar.ics"
    file.write_text(CALENDAR)
    assert run("add", str(file)).returncode == DONE
    read = pending(run)
    for number, when in enumerate(TYPED):
        name = f"typed,{number}"
        added = run("add", f"Überschrift; {number}", f"--id={name}", *when)
        assert added.returncode == DONE, (when, added.stderr)
    assert run("skip", "typed,0").returncode == DONE
    written = run("next", "--ics")
    assert written.returncode == DONE, written.stderr
    # Only what no rule says is written with its dates.
    assert "no rule says all: 'typed,10', 'typed,13'." in written.stderr
    file.write_bytes(written.stdout.encode())
    added = run("add", str(file), app="other")
    assert added.returncode == DONE, added.stderr
    again = pending(run, app="other")
    assert {name: again[name] for name in read} == read
    for number, when in enumerate(TYPED):
        name = f"typed,{number}"
        assert dates(run, name) == dates(run, name, app="other"), when
    # Written again it is the same.
    assert run("next", "--ics", app="other").stdout == written.stdout


def test_other_programs_read_what_is_written(run: Run) -> None:
    for number, when in enumerate(TYPED):
        assert run("add", "x" * 100 + "漢" * 100, f"--id={number}", *when).returncode == DONE
    text = run("next", "--ics").stdout
    assert all(len(line) <= 75 for line in text.encode().split(b"\r\n"))
    assert "\n" not in text.replace("\r\n", "")
    calendar = icalendar.Calendar.from_ical(text)
    assert not calendar.errors
    events = calendar.walk("VEVENT")
    assert len(events) == len(TYPED)
    checked = 0
    for event in events:
        assert not event.errors, event.errors
        assert len(event["SUMMARY"]) == 200
        (alarm,) = event.walk("VALARM")
        assert alarm["TRIGGER"].dt.total_seconds() == 0
        rule = event.get("RRULE")
        # What dateutil does not read, or does not read alone.
        if rule is None or rule.keys() & {"SKIP", "UNTIL"} or "EXDATE" in event:
            continue
        first = event["DTSTART"].dt
        ours = dates(run, str(event["UID"]))[:40]
        rule = rrulestr(rule.to_ical().decode(), dtstart=first.replace(tzinfo=None))
        theirs = [found.replace(tzinfo=first.tzinfo) for found in islice(rule, len(ours))]
        assert [datetime.fromisoformat(date) for date in ours] == theirs, event.to_ical()
        checked += 1
    assert checked >= 5


def test_a_zone_is_defined_as_the_zone_database_has_it(run: Run) -> None:
    for number, zone in enumerate(ZONES):
        when = ["--every=weekday", "--at=9:00", f"--zone={zone}"]
        assert run("add", "Tea", f"--id={number}", *when).returncode == DONE
    defined = tzical(StringIO(run("next", "--ics").stdout))
    for name in ZONES:
        (theirs, ours) = (ZoneInfo(name), defined.get(name))
        for hour in range(0, 8 * 365 * 24, 7):
            instant = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hour)
            assert instant.astimezone(ours).utcoffset() == instant.astimezone(theirs).utcoffset(), (
                name, instant,
            )  # fmt: skip


def test_calendars_have_one_app_and_no_places(run: Run) -> None:
    assert run("next", "--ics", "--all").returncode == USAGE
    assert run("device", "location", "--allow", "always").returncode == DONE
    assert run("add", "Milk", "--id=milk", "--near=38.7,-9.1,200m").returncode == DONE
    written = run("next", "--ics")
    assert written.returncode == DONE
    assert "BEGIN:VEVENT" not in written.stdout
    assert "Left out, since a calendar has no places: 'milk'." in written.stderr
