"""The local times of rules and crontabs by dateutil and by croniter."""

import datetime as python_datetime
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

from croniter import CroniterBadDateError, croniter
from dateutil import rrule

from harness.rule_scan import EPOCH, CronLine, Rule

# dateutil looks for a rule that never comes until the year 9999: here it ends with the comparison.
_names = SimpleNamespace(**{name: getattr(python_datetime, name) for name in dir(python_datetime)})
setattr(rrule, "datetime", _names)

FREQUENCIES = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]


class TookTooLong(Exception):
    """A library found no date within its time."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Ends what a library does after so much time of the processor: some of its searches go through
    each second of years."""

    def end(number: int, frame: object) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _second(moment: datetime) -> int:
    return round((moment - EPOCH).total_seconds())


def dateutil_times(rule: Rule, last: int) -> Iterator[int]:
    """The local times of a rule up to one, by dateutil; none where it calls the rule empty."""
    _names.MAXYEAR = (EPOCH + timedelta(seconds=last)).year
    until = rule.until if rule.until is not None and not rule.until_is_instant else None
    parts: dict[str, Any] = {name.lower(): numbers for name, numbers in rule.parts.items()}
    if rule.weekdays:
        parts["byweekday"] = [
            rrule.weekday(weekday, ordinal or None) for ordinal, weekday in rule.weekdays
        ]
    try:
        for moment in rrule.rrule(
            FREQUENCIES.index(rule.frequency),
            dtstart=EPOCH + timedelta(seconds=rule.start),
            interval=rule.interval,
            wkst=rule.week_start,
            count=rule.count,
            until=None if until is None else EPOCH + timedelta(seconds=until),
            **parts,
        ):
            if (second := _second(moment)) > last:
                return
            yield second
    except ValueError as error:
        # "Invalid rrule byxxx generates an empty set", "resulting in empty rule".
        assert "empty" in str(error), error
    finally:
        # Others of the process ask it for dates as well.
        _names.MAXYEAR = python_datetime.MAXYEAR


def croniter_times(line: CronLine, first: int, last: int) -> Iterator[int]:
    """The local times of a crontab after one and up to another, by croniter."""
    fields = line.text.split()
    # It writes the last Friday as L5.
    if fields[-1][1:] == "L":
        fields[-1] = "L" + fields[-1][0]
    iterator = croniter(
        " ".join(fields),
        EPOCH + timedelta(seconds=first),
        ret_type=datetime,
        second_at_beginning=True,
    )
    try:
        while (second := _second(iterator.get_next(datetime))) <= last:
            yield second
    except CroniterBadDateError:
        # None within 50 years.
        return
