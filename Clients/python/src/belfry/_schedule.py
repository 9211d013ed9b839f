"""When a request fires: from `at`, `in_` and `every` to the trigger of the wire."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Optional, Union

from google.protobuf.duration_pb2 import Duration

from . import v1
from ._times import Length, length_of, to_duration, to_timestamp, zone_name
from .errors import InvalidRequest, invalid

At = Union[datetime, date, time]

_DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_WEEKDAYS = {
    **{name: [f"WEEKDAY_{name.upper()}"] for name in _DAYS},
    "weekday": [f"WEEKDAY_{name.upper()}" for name in _DAYS[1:6]],
    "weekend": ["WEEKDAY_SATURDAY", "WEEKDAY_SUNDAY"],
}
# Steps of a fixed length, in seconds, and those of the calendar.
_FIXED = {"minute": 60, "hour": 3_600}
_CALENDAR = {
    "day": v1.CALENDAR_UNIT_DAY,
    "week": v1.CALENDAR_UNIT_WEEK,
    "month": v1.CALENDAR_UNIT_MONTH,
    "year": v1.CALENDAR_UNIT_YEAR,
}
_FORMS = (
    "'day', '2 weeks', 'month', 'weekday', 'monday, thursday', '90 minutes', a timedelta, a line of a"
    " crontab as '0 9 * * 1-5', or a rule as 'FREQ=MONTHLY;BYDAY=-1FR'"
)


def trigger(
    *,
    at: Optional[At] = None,
    in_: Optional[Length] = None,
    every: Optional[Length] = None,
    until: Optional[datetime] = None,
    times: Optional[int] = None,
    skip: Iterable[date] = (),
) -> Optional[v1.Trigger]:
    """The trigger, or none where the notification is for now."""
    if in_ is not None and (at is not None or every is not None):
        raise invalid("in_", "is for once, counted from now: leave `at` and `every` out, or in_")
    made = _in(in_) if in_ is not None else None
    if every is not None:
        made = _every(every, at)
    elif at is not None:
        made = _at(at)
    skipped = list(skip)
    if until is None and times is None and not skipped:
        return made
    if made is None or every is None:
        raise invalid("every", "is missing: `until`, `times` and `skip` are bounds of it")
    if until is not None:
        made.limits.end_at.CopyFrom(to_timestamp("until", until))
    if times is not None:
        made.limits.max_occurrences = times
    for day in skipped:
        made.limits.skip_dates.add(year=day.year, month=day.month, day=day.day)
    return made


def _in(length: Length) -> v1.Trigger:
    interval = to_duration(length_of("in_", length))
    return v1.Trigger(time_interval=v1.TimeIntervalTrigger(interval=interval))


def _at(at: At) -> v1.Trigger:
    """Fires once."""
    if isinstance(at, datetime):
        return v1.Trigger(at=to_timestamp("at", at))
    if isinstance(at, time):
        return v1.Trigger(calendar=v1.CalendarTrigger(date_components=_time_of_day(at)))
    day = v1.DateComponents(year=at.year, month=at.month, day=at.day, hour=0, minute=0, second=0)
    return v1.Trigger(calendar=v1.CalendarTrigger(date_components=day))


def _every(every: Length, at: Optional[At]) -> v1.Trigger:
    """Fires again and again."""
    if isinstance(every, str) and _is_cron(every):
        if at is not None:
            raise invalid("at", "is in the crontab already: leave it out")
        return v1.Trigger(repeats=True, recurrence=v1.RecurrenceTrigger(cron=every))
    if isinstance(every, str) and "FREQ=" in every.upper():
        return v1.Trigger(repeats=True, recurrence=_rule(every, at))
    days = _weekdays(every)
    if days:
        if not isinstance(at, time):
            raise invalid("at", f"every={every!r} needs a time of day: write at=time(9, 0)")
        rule = v1.CalendarTrigger(date_components=_time_of_day(at), weekdays=days)
        return v1.Trigger(repeats=True, calendar=rule)
    count, unit = _step(every, has_anchor=at is not None)
    if unit in _FIXED:
        length = to_duration(timedelta(seconds=count * _FIXED[unit]))
        return _every_length(length, at)
    if isinstance(at, time) and unit == "day" and count == 1:
        rule = v1.CalendarTrigger(date_components=_time_of_day(at))
        return v1.Trigger(repeats=True, calendar=rule)
    if not isinstance(at, datetime):
        would_do = "at=time(9, 0), or " if unit == "day" and count == 1 else ""
        raise invalid(
            "at",
            f"every={every!r} counts from a date: write {would_do}"
            'at=datetime(2026, 1, 31, 9, 0, tzinfo=ZoneInfo("Europe/Lisbon"))',
        )
    step = v1.CalendarStep(count=int(count), unit=_CALENDAR[unit])
    anchored = v1.AnchoredIntervalTrigger(
        anchor=to_timestamp("at", at), calendar_step=step, time_zone=zone_name("at", at.tzinfo)
    )
    return v1.Trigger(repeats=True, anchored_interval=anchored)


def _every_length(length: Duration, at: Optional[At]) -> v1.Trigger:
    """Fires after each such time, from now or from an instant."""
    if at is None:
        return v1.Trigger(repeats=True, time_interval=v1.TimeIntervalTrigger(interval=length))
    if not isinstance(at, datetime):
        raise invalid("at", "a length of time counts from an instant: write a datetime, or none")
    anchored = v1.AnchoredIntervalTrigger(
        anchor=to_timestamp("at", at), interval=length, time_zone="UTC"
    )
    return v1.Trigger(repeats=True, anchored_interval=anchored)


def _is_cron(every: str) -> bool:
    """Whether a text is a line of a crontab, right or wrong: the server knows more of it."""
    return every.startswith("@") or (len(every.split()) in (5, 6) and every[0] in "*0123456789")


def _rule(every: str, at: Optional[At]) -> v1.RecurrenceTrigger:
    """A rule of RFC 5545, which counts from a date."""
    if not isinstance(at, datetime):
        raise invalid(
            "at", "a rule counts from a date: write datetime(2026, 1, 31, 9, 0), or one with a zone"
        )
    return v1.RecurrenceTrigger(
        rule=every, start=f"{at:%Y%m%dT%H%M%S}", time_zone=zone_name("at", at.tzinfo)
    )


def _weekdays(every: Length) -> list[str]:
    """The days that a text names, each once; none where it names no days."""
    if isinstance(every, timedelta):
        return []
    words = [word.removesuffix("s") for word in re.split(r"[,\s]+", every.lower().strip())]
    if not all(word in _WEEKDAYS for word in words):
        return []
    return list(dict.fromkeys(day for word in words for day in _WEEKDAYS[word]))


def _step(every: Length, *, has_anchor: bool) -> tuple[float, str]:
    """How many of which unit."""
    if isinstance(every, timedelta):
        # As in Python's own arithmetic, whole days from a date keep its time of day.
        if has_anchor and every and every % timedelta(days=1) == timedelta():
            return every.days, "day"
        return every.total_seconds() / 60, "minute"
    match = re.fullmatch(r"(?:(\d+)\s+)?(minute|hour|day|week|month|year)s?", every.strip().lower())
    if match is not None:
        return int(match[1] or 1), match[2]
    try:
        return _step(length_of("every", every), has_anchor=has_anchor)
    except InvalidRequest:
        raise invalid("every", f"{every!r} is no repetition: write {_FORMS}") from None


def _time_of_day(at: time) -> v1.DateComponents:
    """The parts of a time of day; without a zone it is that of wherever the device is."""
    parts = v1.DateComponents(
        hour=at.hour, minute=at.minute, second=at.second, time_zone=zone_name("at", at.tzinfo)
    )
    if at.microsecond:
        parts.nanosecond = at.microsecond * 1_000
    return parts
