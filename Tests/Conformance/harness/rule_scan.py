"""The dates of a rule of RFC 5545 or of a crontab by brute force: it looks at each day, and knows
neither the core nor another library.

A local time is the seconds since 1970 of the zone's clock, a day is counted from 1970, and weekday
0 is Monday. A quirk makes the scan read a rule as another library does.
"""

import bisect
import heapq
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

DAY = 86_400
EPOCH = datetime(1970, 1, 1)
NAMES = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
UNITS = {"SECONDLY": 1, "MINUTELY": 60, "HOURLY": 3_600, "DAILY": DAY}

Quirk = Literal[
    # dateutil
    "week without a weekday is each day of it",
    "counted and plain weekdays have to match both",
    "first week begins with the start",
    "weeks from the end of the next year are not seen",
    "last week of the year before is taken from this one",
    # croniter
    "a star with a step is none, and all numbers are one beside it",
    "a range from a number to itself is all",
    "a weekday near a day that the month lacks is near its last",
]


# Zones


class Gap(NamedTuple):
    """When a clock is set forward, and the local times that it jumps over."""

    change: int
    first: int
    end: int

    def has_day_of(self, local: int) -> bool:
        """Whether the whole day of a local time is jumped over (CAL-6)."""
        midnight = local // DAY * DAY
        return self.first <= midnight and midnight + DAY <= self.end


class Zone:
    """The spans of equal offset of a zone from 1967 to 2105."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._info = ZoneInfo(name)
        self.starts = [-3 * 365 * DAY]
        self.offsets = [self._offset(self.starts[0])]
        before = self.starts[0]
        for probe in range(before + DAY // 2, 135 * 366 * DAY, DAY // 2):
            if self._offset(probe) != self.offsets[-1]:
                low, high = before, probe
                while high - low > 1:
                    middle = (low + high) // 2
                    if self._offset(middle) == self.offsets[-1]:
                        low = middle
                    else:
                        high = middle
                self.starts.append(high)
                self.offsets.append(self._offset(high))
            before = probe

    def _offset(self, at: int) -> int:
        ahead = datetime.fromtimestamp(at, self._info).utcoffset()
        assert ahead is not None
        return round(ahead.total_seconds())

    def offset(self, at: int) -> int:
        return self.offsets[max(0, bisect.bisect_right(self.starts, at) - 1)]

    def near(self, local: int) -> range:
        """The spans in which a clock could show a local time."""
        first = max(0, bisect.bisect_right(self.starts, local - 26 * 3_600) - 1)
        return range(first, bisect.bisect_right(self.starts, local + 26 * 3_600))

    def passes(self, local: int) -> list[int]:
        """The instants at which a clock shows a local time: none, one or two."""
        found = []
        for span in self.near(local):
            at = local - self.offsets[span]
            end = self.starts[span + 1] if span + 1 < len(self.starts) else at + 1
            if self.starts[span] <= at < end:
                found.append(at)
        return found

    def gap(self, local: int) -> Gap:
        """The gap in which a local time lies that is never shown."""
        for span in self.near(local)[1:]:
            change, before, after = self.starts[span], self.offsets[span - 1], self.offsets[span]
            if change + before <= local < change + after:
                return Gap(change, change + before, change + after)
        raise AssertionError(f"{self.name} neither shows nor skips {local}")

    def gaps(self) -> list[Gap]:
        """All gaps of the years from 1970 on."""
        spans = zip(pairwise(self.offsets), self.starts[1:], strict=True)
        return [
            Gap(change, change + before, change + after)
            for (before, after), change in spans
            if after > before and change > 0
        ]

    def instant(self, local: int) -> int | None:
        """The instant of a named local time (REC-4); None on a day that the zone skips."""
        if found := self.passes(local):
            return found[0]
        gap = self.gap(local)
        return None if gap.has_day_of(local) else gap.change


@cache
def zone(name: str) -> Zone:
    return Zone(name)


# Days


class Day(NamedTuple):
    """What a calendar says of a day."""

    number: int
    year: int
    month: int
    day: int
    month_length: int
    # From 1 on.
    year_day: int
    year_length: int
    weekday: int


class _Days(dict[int, Day]):
    """The days that were asked about."""

    def __missing__(self, number: int) -> Day:
        date = EPOCH.date() + timedelta(days=number)
        is_leap = date.year % 4 == 0 and (date.year % 100 != 0 or date.year % 400 == 0)
        lengths = [31, 28 + is_leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        # 1970-01-01 was a Thursday.
        self[number] = day = Day(
            number,
            date.year,
            date.month,
            date.day,
            lengths[date.month - 1],
            sum(lengths[: date.month - 1]) + date.day,
            365 + is_leap,
            (number + 3) % 7,
        )
        return day


DAYS = _Days()


class Week(NamedTuple):
    """The number of a week, of how many of its year."""

    number: int
    count: int
    year: int


@cache
def week(number: int, week_start: int) -> Week:
    """The week of a day: it is of the year that has its middle day, the fourth."""
    begin = number - (DAYS[number].weekday - week_start) % 7
    middle = DAYS[begin + 3]
    before = (middle.year_day - 1) // 7
    after = (middle.year_length - middle.year_day) // 7
    return Week(before + 1, before + 1 + after, middle.year)


# Rules


@dataclass
class Rule:
    """A rule of RFC 5545, in plain numbers."""

    frequency: str
    start: int
    interval: int = 1
    # By the names of the parts, but for BYDAY.
    parts: dict[str, list[int]] = field(default_factory=dict)
    # An ordinal, 0 for any, and a weekday.
    weekdays: list[tuple[int, int]] = field(default_factory=list)
    week_start: int = 0
    skip: str = "OMIT"
    count: int | None = None
    # A local time, or an instant.
    until: int | None = None
    until_is_instant: bool = False

    @property
    def text(self) -> str:
        parts = [f"FREQ={self.frequency}"]
        if self.skip != "OMIT":
            parts = ["RSCALE=GREGORIAN", *parts, f"SKIP={self.skip}"]
        if self.interval != 1:
            parts.append(f"INTERVAL={self.interval}")
        for name, numbers in self.parts.items():
            parts.append(f"{name}={','.join(map(str, numbers))}")
        if self.weekdays:
            days = [f"{ordinal or ''}{NAMES[day]}" for ordinal, day in self.weekdays]
            parts.append("BYDAY=" + ",".join(days))
        if self.week_start != 0:
            parts.append(f"WKST={NAMES[self.week_start]}")
        if self.count is not None:
            parts.append(f"COUNT={self.count}")
        if self.until is not None:
            parts.append("UNTIL=" + written(self.until) + ("Z" if self.until_is_instant else ""))
        return ";".join(parts)

    @property
    def follows_clock(self) -> bool:
        """Whether the times are those that a running clock shows (REC-4)."""
        if self.frequency not in ("HOURLY", "MINUTELY", "SECONDLY"):
            return set(self.parts.get("BYHOUR", [])) == set(range(24))
        names_hours = set(self.parts.get("BYHOUR", range(24))) != set(range(24))
        return not names_hours and self.interval * UNITS[self.frequency] <= 3_600

    def has(self, *names: str) -> bool:
        return any(name in self.parts for name in names)


@dataclass
class CronLine:
    """A line of a crontab, in plain numbers: weekday 0 is Sunday here."""

    text: str
    seconds: set[int]
    minutes: set[int]
    hours: set[int]
    months: set[int]
    days: set[int]
    # How many days before the last, and days of which the nearest workday is meant (0: the last).
    days_before_last: set[int]
    workdays: set[int]
    weekdays: set[int]
    # An ordinal, and a weekday.
    counted: set[tuple[int, int]]
    day_is_star: bool
    weekday_is_star: bool

    @property
    def follows_clock(self) -> bool:
        return len(self.hours) == 24

    def has(self, number: int, quirks: Collection[Quirk]) -> bool:
        """Whether a day matches."""
        day = DAYS[number]
        if day.month not in self.months:
            return False
        is_near_last = "a weekday near a day that the month lacks is near its last" in quirks
        by_day = (
            day.day in self.days
            or day.month_length - day.day in self.days_before_last
            or any(
                _workday(day, min(wanted, day.month_length) if is_near_last else wanted) == day.day
                for wanted in self.workdays
            )
        )
        weekday = (day.weekday + 1) % 7
        by_weekday = weekday in self.weekdays or any(
            weekday == wanted and _is_counted(ordinal, day.day, day.month_length)
            for ordinal, wanted in self.counted
        )
        day_is_star, weekday_is_star = self.day_is_star, self.weekday_is_star
        if "a star with a step is none, and all numbers are one beside it" in quirks:
            *_, days, _, weekdays = self.text.split()
            # Where a star stands in the other field.
            stars = [bool({"*", "?"} & set(field)) for field in (days, weekdays)]
            day_is_star = days in "*?" or len(self.days) == 31 and stars[1]
            weekday_is_star = weekdays in "*?" or len(self.weekdays) == 7 and stars[0]
        if day_is_star or weekday_is_star:
            return by_day and by_weekday
        return by_day or by_weekday


    def widened(self) -> "CronLine":
        """The line in which a range from a number to itself has all numbers of its field."""
        ranges = [(0, 59), (0, 59), (0, 23), (1, 31), (1, 12), (0, 6)]
        fields = zip(["0", *self.text.lower().split()][-6:], ranges, strict=True)
        seconds, minutes, hours, days, months, weekdays = (
            _widened(text, first, last) for text, (first, last) in fields
        )
        return replace(
            self,
            seconds=seconds or self.seconds,
            minutes=minutes or self.minutes,
            hours=hours or self.hours,
            days=days or self.days,
            months=months or self.months,
            weekdays=weekdays or self.weekdays,
        )


def _widened(text: str, first: int, last: int) -> set[int]:
    """The numbers of a field that has a range from a number to itself; none for another field."""
    if not any(low and low == high for low, high in re.findall(r"(\w+)-(\w+)", text)):
        return set()
    numbers = set[int]()
    for part in text.split(","):
        ends, _, step = part.partition("/")
        low, _, high = ends.partition("-")
        if low in ("*", high):
            numbers |= set(range(first, last + 1, int(step or 1)))
        else:
            numbers |= set(range(_number(low), _number(high or low) + 1, int(step or 1)))
    return numbers


def _number(text: str) -> int:
    """A number, or a name of one in a crontab."""
    names = [["sun", "mon", "tue", "wed", "thu", "fri", "sat"]]
    names.append(["", "jan", "feb", "mar", "apr", "may", "jun"])
    names.append([""] * 7 + ["jul", "aug", "sep", "oct", "nov", "dec"])
    return int(text) if text.isdigit() else next(one.index(text) for one in names if text in one)


def _is_counted(ordinal: int, place: int, length: int) -> bool:
    """Whether a day is its weekday's first, second, ... or last of a month or year."""
    return ordinal in (0, (place - 1) // 7 + 1, -((length - place) // 7 + 1))


def _workday(day: Day, wanted: int) -> int | None:
    """The day from Monday to Friday in a day's month that is nearest to one of its days."""
    length = day.month_length
    if wanted > length:
        return None
    if wanted == 0:
        return max(one for one in range(1, length + 1) if (day.weekday + one - day.day) % 7 < 5)
    near = [wanted, wanted - 1, wanted + 1, wanted - 2, wanted + 2]
    return next(
        one for one in near if 1 <= one <= length and (day.weekday + one - day.day) % 7 < 5
    )


def written(second: int) -> str:
    """A local time or an instant as RFC 5545 writes it."""
    return (EPOCH + timedelta(seconds=second)).strftime("%Y%m%dT%H%M%S")


# Local times


def _day_matches(rule: Rule, day: Day, quirks: Collection[Quirk]) -> bool:
    parts, start = rule.parts, DAYS[rule.start // DAY]
    if "BYMONTH" in parts and day.month not in parts["BYMONTH"]:
        return False
    if "BYWEEKNO" in parts and not _week_matches(rule, day, quirks):
        return False
    if "BYYEARDAY" in parts and not {day.year_day, day.year_day - day.year_length - 1} & set(
        parts["BYYEARDAY"]
    ):
        return False
    if "BYMONTHDAY" in parts and not {day.day, day.day - day.month_length - 1} & set(
        parts["BYMONTHDAY"]
    ):
        return False
    if rule.weekdays and not _weekday_matches(rule, day, quirks):
        return False
    if rule.weekdays or rule.has("BYYEARDAY", "BYMONTHDAY"):
        return True
    if "BYWEEKNO" in parts:
        return (
            "week without a weekday is each day of it" in quirks or day.weekday == start.weekday
        )
    match rule.frequency:
        case "YEARLY":
            return day.day == start.day and ("BYMONTH" in parts or day.month == start.month)
        case "MONTHLY":
            return day.day == start.day
        case "WEEKLY":
            return day.weekday == start.weekday
        case _:
            return True


def _week_matches(rule: Rule, day: Day, quirks: Collection[Quirk]) -> bool:
    numbers = rule.parts["BYWEEKNO"]
    one = week(day.number, rule.week_start)
    if one.year > day.year and "weeks from the end of the next year are not seen" in quirks:
        return one.number in numbers
    if one.year < day.year and "last week of the year before is taken from this one" in quirks:
        return _matches_last_week_of_dateutil(rule, day)
    return one.number in numbers or one.number - one.count - 1 in numbers


def _matches_last_week_of_dateutil(rule: Rule, day: Day) -> bool:
    """dateutil gives the last week of the year before another number than it has: `numbers` of
    this year where the year before began late in its week, and no -2 or less."""
    numbers = rule.parts["BYWEEKNO"]
    if -1 in numbers:
        return True
    first = DAYS[day.number - day.year_day + 1]
    before = DAYS[first.number - 1]
    begin = (rule.week_start - first.weekday) % 7
    begin_before = (rule.week_start - (before.weekday - before.year_length + 1)) % 7
    if begin_before >= 4:
        turn = (before.weekday - before.year_length + 1 - rule.week_start) % 7
        return 52 + (before.year_length + turn) % 7 // 4 in numbers
    return 52 + (first.year_length - begin) % 7 // 4 in numbers


def _weekday_matches(rule: Rule, day: Day, quirks: Collection[Quirk]) -> bool:
    in_year = rule.frequency == "YEARLY" and "BYMONTH" not in rule.parts
    place, length = (
        (day.year_day, day.year_length) if in_year else (day.day, day.month_length)
    )
    if "counted and plain weekdays have to match both" in quirks:
        plain = {weekday for ordinal, weekday in rule.weekdays if ordinal == 0}
        counted = {one for one in rule.weekdays if one[0] != 0}
        return (not plain or day.weekday in plain) and (
            not counted
            or any(
                weekday == day.weekday and _is_counted(ordinal, place, length)
                for ordinal, weekday in counted
            )
        )
    return any(
        weekday == day.weekday and _is_counted(ordinal, place, length)
        for ordinal, weekday in rule.weekdays
    )


def _period(rule: Rule, day: int) -> int:
    """The number of the year, month, week or day that a day is in."""
    match rule.frequency:
        case "YEARLY":
            return DAYS[day].year
        case "MONTHLY":
            return DAYS[day].year * 12 + DAYS[day].month
        case "WEEKLY":
            # 1970-01-01 was a Thursday.
            return (day + 3 - rule.week_start) // 7
        case _:
            return day


def _moved(rule: Rule, day: Day) -> int | None:
    """The day that stands for a day that the month or year of its last day lacks (RFC 7529)."""
    if "BYYEARDAY" in rule.parts:
        lacks = day.year_day == day.year_length == 365 and 366 in rule.parts["BYYEARDAY"]
    else:
        months = rule.parts.get("BYMONTH")
        if months is None and rule.frequency == "YEARLY" and "BYMONTHDAY" not in rule.parts:
            months = [DAYS[rule.start // DAY].month]
        asked = rule.parts.get("BYMONTHDAY", [DAYS[rule.start // DAY].day])
        lacks = (
            day.day == day.month_length
            and any(one > day.month_length for one in asked)
            and (months is None or day.month in months)
        )
    if not lacks:
        return None
    moved = day.number + (rule.skip == "FORWARD")
    if rule.weekdays and DAYS[moved].weekday not in {weekday for _, weekday in rule.weekdays}:
        return None
    return moved


def _days_by_period(
    rule: Rule, first: int, last: int, quirks: Collection[Quirk]
) -> Iterator[list[int]]:
    """The matching days of each period from that of a day on, whole periods."""
    origin = _period(rule, rule.start // DAY)
    number = first
    while _period(rule, number - 1) == _period(rule, first):
        number -= 1
    can_move = rule.skip != "OMIT" and rule.frequency in ("MONTHLY", "YEARLY")
    can_move = can_move and (rule.has("BYMONTHDAY", "BYYEARDAY") or not rule.weekdays)
    while number <= last:
        period, found = _period(rule, number), set()
        while _period(rule, number) == period:
            if (period - origin) % rule.interval == 0 and period >= origin:
                day = DAYS[number]
                if _day_matches(rule, day, quirks):
                    found.add(number)
                if can_move and (moved := _moved(rule, day)) is not None:
                    found.add(moved)
            number += 1
        yield sorted(found)


def _times_of_day(rule: Rule) -> list[int]:
    start = rule.start % DAY
    hours = rule.parts.get("BYHOUR", [start // 3_600])
    minutes = rule.parts.get("BYMINUTE", [start // 60 % 60])
    seconds = rule.parts.get("BYSECOND", [start % 60])
    return sorted(
        {h * 3_600 + m * 60 + min(s, 59) for h in hours for m in minutes for s in seconds}
    )


def _short_periods(rule: Rule, day: int, begin: int) -> Iterator[list[int]]:
    """The times of each hour, minute or second of a day, from a local time on."""
    unit, parts, start = UNITS[rule.frequency], rule.parts, rule.start
    origin, step = start // unit * unit, rule.interval * unit

    def has_period(first: int, length: int) -> bool:
        """Whether a period begins within a span."""
        return first + (origin - first) % step < first + length

    for hour in sorted(set(parts.get("BYHOUR", range(24)))):
        at_hour = day * DAY + hour * 3_600
        if at_hour + 3_600 <= begin or not has_period(at_hour, 3_600):
            continue
        if unit == 3_600:
            minutes = parts.get("BYMINUTE", [start // 60 % 60])
            seconds = parts.get("BYSECOND", [start % 60])
            yield sorted({at_hour + m * 60 + min(s, 59) for m in minutes for s in seconds})
            continue
        for minute in sorted(set(parts.get("BYMINUTE", range(60)))):
            at_minute = at_hour + minute * 60
            if at_minute + 60 <= begin or not has_period(at_minute, 60):
                continue
            if unit == 60:
                seconds = parts.get("BYSECOND", [start % 60])
                yield sorted({at_minute + min(s, 59) for s in seconds})
                continue
            for second in sorted({min(s, 59) for s in parts.get("BYSECOND", range(60))}):
                if (at_minute + second - origin) % step == 0:
                    yield [at_minute + second]


def _periods(
    rule: Rule, begin: int, last_day: int, quirks: Collection[Quirk]
) -> Iterator[list[int]]:
    """The times of each period, from that of a local time on."""
    if rule.frequency in ("HOURLY", "MINUTELY", "SECONDLY"):
        for number in range(begin // DAY, last_day + 1):
            if _day_matches(rule, DAYS[number], quirks):
                yield from _short_periods(rule, number, begin)
        return
    times = _times_of_day(rule)
    first = begin // DAY
    if rule.skip == "FORWARD":
        # The first day of a month can be of the month before.
        first -= 1
    for days in _days_by_period(rule, max(first, rule.start // DAY), last_day, quirks):
        if rule.frequency == "WEEKLY" and "first week begins with the start" in quirks:
            days = [day for day in days if day >= rule.start // DAY]
        yield [day * DAY + time for day in days for time in times]


def _cron_times(line: CronLine, number: int) -> Iterator[int]:
    hours, minutes, seconds = sorted(line.hours), sorted(line.minutes), sorted(line.seconds)
    for hour in hours:
        for minute in minutes:
            for second in seconds:
                yield number * DAY + hour * 3_600 + minute * 60 + second


def local_times(
    rule: Rule | CronLine, begin: int, last_day: int, quirks: Collection[Quirk] = ()
) -> Iterator[int]:
    """The local times of a rule in order, from one on to the end of a day."""
    if isinstance(rule, CronLine):
        if "a range from a number to itself is all" in quirks:
            rule = rule.widened()
        for number in range(begin // DAY, last_day + 1):
            if rule.has(number, quirks):
                yield from (at for at in _cron_times(rule, number) if at >= begin)
        return
    rest = rule.count
    # What is counted is counted from the start.
    first = rule.start if rest is not None else max(begin, rule.start)
    latest = first - 1
    for times in _periods(rule, first, last_day, quirks):
        if positions := rule.parts.get("BYSETPOS"):
            count = len(times)
            chosen = {one - 1 if one > 0 else count + one for one in positions}
            times = [time for place, time in enumerate(times) if place in chosen]
        for time in times:
            # A day that moved can be one of the next period too.
            if time < rule.start or time <= latest:
                continue
            latest = time
            if rule.until is not None and not rule.until_is_instant and time > rule.until:
                return
            if rest is not None:
                if rest == 0:
                    return
                rest -= 1
            if time >= begin:
                yield time


# Instants


@dataclass
class Dates:
    """Dates beside those of a rule, and dates that are none: local times and instants."""

    added: list[int] = field(default_factory=list)
    added_instants: list[int] = field(default_factory=list)
    excluded: list[int] = field(default_factory=list)
    excluded_instants: list[int] = field(default_factory=list)

    def excludes(self, local: int, at: int) -> bool:
        return local in self.excluded or at in self.excluded_instants

    def instants(self, where: Zone) -> list[int]:
        found = [(local, where.instant(local)) for local in self.added]
        found += [(at + where.offset(at), at) for at in self.added_instants]
        return sorted(at for local, at in found if at is not None and not self.excludes(local, at))


NO_DATES = Dates()


def instants(
    times: Iterator[int],
    where: Zone,
    *,
    follows_clock: bool,
    until: int | None = None,
    dates: Dates = NO_DATES,
) -> Iterator[int]:
    """The instants of local times that come in order (REC-4, REC-5)."""

    def of_rule() -> Iterator[int]:
        waiting: list[int] = []
        for local in times:
            offset = max(where.offsets[span] for span in where.near(local))
            while waiting and waiting[0] < local - offset:
                yield heapq.heappop(waiting)
            if until is not None and local - offset > until:
                break
            found = where.passes(local)
            if not follows_clock and (one := where.instant(local)) is not None:
                found = [one]
            for at in found:
                if not dates.excludes(local, at) and (until is None or at <= until):
                    heapq.heappush(waiting, at)
        while waiting:
            yield heapq.heappop(waiting)

    latest: int | None = None
    for at in heapq.merge(of_rule(), dates.instants(where)):
        if at != latest:
            yield at
        latest = at


def scan(
    rule: Rule | CronLine,
    name: str,
    after: int,
    until: int,
    dates: Dates = NO_DATES,
    quirks: Collection[Quirk] = (),
) -> Iterator[int]:
    """The instants of a rule after one, and up to another."""
    where = zone(name)
    begin = after + min(where.offsets[span] for span in where.near(after)) - 2 * DAY
    times = local_times(rule, begin, until // DAY + 2, quirks)
    is_until_instant = isinstance(rule, Rule) and rule.until_is_instant
    found = instants(
        times,
        where,
        follows_clock=rule.follows_clock,
        until=rule.until if isinstance(rule, Rule) and is_until_instant else None,
        dates=dates,
    )
    for at in found:
        if at > until:
            return
        if at > after:
            yield at
