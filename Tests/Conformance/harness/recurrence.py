"""When a rule fires, by Documentation/Rules/07-Triggers.md alone: a scan of local days.

Offsets come from Python's own reader of the zone database; all else is counted here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

ORDINAL_WEEKS = 7
YEARS_AHEAD = 60


@cache
def zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def offset(at: int, name: str) -> int:
    """How far local time is ahead of UTC at an instant, in seconds."""
    ahead = datetime.fromtimestamp(at, zone(name)).utcoffset()
    assert ahead is not None
    return round(ahead.total_seconds())


def local(at: int, name: str) -> datetime:
    return datetime.fromtimestamp(at, UTC).replace(tzinfo=None) + timedelta(
        seconds=offset(at, name)
    )


def _utc(moment: datetime) -> int:
    return round((moment - datetime(1970, 1, 1)).total_seconds())


def passes(moment: datetime, name: str) -> list[int]:
    """The instants at which a clock on the wall shows a local time: none, one or two."""
    shown = _utc(moment)
    ahead = {offset(shown + hours * 3_600, name) for hours in range(-26, 27)}
    return sorted(shown - one for one in ahead if offset(shown - one, name) == one)


def instant(moment: datetime, name: str, after: int) -> int:
    """The instant of a local time: of two the first, unless `after` lies between; of none the
    change that skips it."""
    found = passes(moment, name)
    if len(found) > 1 and found[0] < after < found[1]:
        return found[1]
    if found:
        return found[0]
    early, late = _utc(moment) - 26 * 3_600, _utc(moment) + 26 * 3_600
    # The first instant at which the wall shows a later time.
    while late - early > 1:
        middle = (early + late) // 2
        if local(middle, name) > moment:
            late = middle
        else:
            early = middle
    return late


def month_length(year: int, month: int) -> int:
    following = date(year + month // 12, month % 12 + 1, 1)
    return (following - timedelta(days=1)).day


@dataclass(frozen=True)
class Rule:
    """A calendar trigger: the components that are set, and how it reads them."""

    zone: str
    components: dict[str, int]
    weekdays: frozenset[int] = frozenset()
    short_month: int = 0
    first_weekday: int = 1
    minimum_days: int = 1


@dataclass(frozen=True)
class Grid:
    """An anchored interval: seconds, or a number of days, weeks, months or years in a zone."""

    anchor: int
    zone: str
    count: int
    # "seconds", "day", "week", "month" or "year".
    unit: str
    short_month: int = 0


@dataclass(frozen=True)
class Limits:
    """Bounds of a recurrence."""

    start: int | None = None
    end: int | None = None
    skipped: frozenset[date] = field(default_factory=frozenset)


def _weekday(day: date) -> int:
    return day.isoweekday() % 7 + 1


def _week_of_month(day: date, rule: Rule) -> int:
    """The week of the month: 1 is the first that has enough days in it."""
    # How many days of the month lie in the week of its first day.
    first = ORDINAL_WEEKS - (_weekday(day.replace(day=1)) - rule.first_weekday) % ORDINAL_WEEKS
    later = -((first - day.day) // ORDINAL_WEEKS)
    return later + (1 if first >= rule.minimum_days else 0)


def _week_of_year(day: date, rule: Rule) -> tuple[int, int]:
    """The week, and the year that it is counted in."""
    begins = day - timedelta(days=(_weekday(day) - rule.first_weekday) % ORDINAL_WEEKS)
    days = [begins + timedelta(days=number) for number in range(ORDINAL_WEEKS)]
    late = days[-1].year
    in_late = sum(one.year == late for one in days)
    year = late if in_late >= rule.minimum_days else late - 1
    # Its first week.
    start = date(year, 1, 1)
    start -= timedelta(days=(_weekday(start) - rule.first_weekday) % ORDINAL_WEEKS)
    if sum((start + timedelta(days=n)).year == year for n in range(7)) < rule.minimum_days:
        start += timedelta(days=ORDINAL_WEEKS)
    return (begins - start).days // ORDINAL_WEEKS + 1, year


def _matches(day: date, rule: Rule) -> bool:
    length = month_length(day.year, day.month)
    for name, value in rule.components.items():
        match name:
            case "year":
                hit = day.year == value
            case "month":
                hit = day.month == value
            case "day":
                hit = day.day == value
            case "weekday":
                hit = _weekday(day) == value
            case "weekday_ordinal" if value > 0:
                hit = (day.day - 1) // ORDINAL_WEEKS + 1 == value
            case "weekday_ordinal":
                hit = (length - day.day) // ORDINAL_WEEKS + 1 == -value
            case "quarter":
                hit = (day.month - 1) // 3 + 1 == value
            case "day_of_year":
                hit = day.timetuple().tm_yday == value
            case "week_of_month":
                hit = _week_of_month(day, rule) == value
            case "week_of_year":
                hit = _week_of_year(day, rule)[0] == value
            case "year_for_week_of_year":
                hit = _week_of_year(day, rule)[1] == value
            case _:
                hit = True
        if not hit:
            return False
    return not rule.weekdays or _weekday(day) in rule.weekdays


_TIMES = {"hour", "minute", "second"}
_DAYS = {"day", "weekday", "weekday_ordinal", "day_of_year"}


def _hits(day: date, rule: Rule) -> bool:
    if not _matches(day, rule):
        return False
    given = set(rule.components) - _TIMES
    if not given or given & _DAYS or rule.weekdays:
        return True
    return not _matches(day - timedelta(days=1), rule)


def _short_month(day: date, rule: Rule) -> bool:
    """Whether it is the last day of a month that lacks the rule's day."""
    wanted = rule.components.get("day", 0)
    return (
        wanted > month_length(day.year, day.month) == day.day
        and rule.components.get("month", day.month) == day.month
        and rule.components.get("year", day.year) == day.year
    )


def _clock(rule: Rule) -> tuple[int, int, int]:
    of = rule.components.get
    return of("hour", 0), of("minute", 0), of("second", 0)


def _on_day(day: date, rule: Rule, after: int) -> Iterator[int]:
    start = datetime.combine(day, datetime.min.time())
    of = rule.components.get
    if _hits(day, rule):
        if "hour" not in rule.components and _TIMES & set(rule.components):
            minutes = [of("minute", 0)] if "minute" in rule.components else range(60)
            shown = (
                start.replace(hour=hour, minute=minute, second=of("second", 0))
                for hour in range(24)
                for minute in minutes
            )
            yield from sorted(at for moment in shown for at in passes(moment, rule.zone))
        else:
            hour, minute, second = _clock(rule)
            moment = start.replace(hour=hour, minute=minute, second=second)
            if exists(day, rule.zone):
                yield instant(moment, rule.zone, after)
    elif _short_month(day, rule):
        hour, minute, second = _clock(rule)
        next_day = start + timedelta(days=1)
        match rule.short_month:
            case 0:
                moment = next_day.replace(hour=hour, minute=minute, second=second)
                yield instant(moment, rule.zone, after)
            case 1:
                yield instant(next_day, rule.zone, after)
            case 3:
                moment = start.replace(hour=hour, minute=minute, second=second)
                yield instant(moment, rule.zone, after)


def exists(day: date, name: str) -> bool:
    """Whether a day comes at all: a zone may skip one (CAL-6)."""
    noon = datetime.combine(day, datetime.min.time()).replace(hour=12)
    return bool(passes(noon, name))


def occurrences(rule: Rule | Grid, after: int, until: int) -> Iterator[int]:
    """The instants after one and up to another, in order."""
    if isinstance(rule, Grid):
        yield from _on_grid(rule, after, until)
        return
    day = local(after, rule.zone).date() - timedelta(days=1)
    last = local(until, rule.zone).date() + timedelta(days=1)
    while day <= last and day.year <= rule.components.get("year", day.year):
        for at in _on_day(day, rule, after):
            if after < at <= until:
                yield at
                after = at
        day += timedelta(days=1)


def _on_grid(grid: Grid, after: int, until: int) -> Iterator[int]:
    if grid.unit == "seconds":
        at = grid.anchor
        if at <= after:
            at += (after - at) // grid.count * grid.count
        while at <= until:
            if at > after:
                yield at
            at += grid.count
        return
    anchor = local(grid.anchor, grid.zone)
    number = 0
    while True:
        moment = _step(anchor, number * grid.count, grid)
        if moment is not None:
            at = grid.anchor if number == 0 else instant(moment, grid.zone, after)
            if at > until:
                return
            if at > after and exists(moment.date(), grid.zone):
                yield at
        number += 1


def _step(anchor: datetime, count: int, grid: Grid) -> datetime | None:
    """The anchor's local time so many units later; nothing where a short month is left out."""
    if grid.unit in ("day", "week"):
        return anchor + timedelta(days=count * (7 if grid.unit == "week" else 1))
    months = anchor.month - 1 + count * (12 if grid.unit == "year" else 1)
    year, month = anchor.year + months // 12, months % 12 + 1
    length = month_length(year, month)
    if anchor.day <= length:
        return anchor.replace(year=year, month=month)
    last = anchor.replace(year=year, month=month, day=length)
    match grid.short_month:
        case 0:
            return last + timedelta(days=1)
        case 1:
            return datetime.combine(last.date() + timedelta(days=1), datetime.min.time())
        case 3:
            return last
    return None


def next_instant(rule: Rule | Grid, limits: Limits, after: int) -> int | None:
    """The first instant after one that a rule and its limits allow; nothing where none comes."""
    until = after + YEARS_AHEAD * 366 * 86_400
    if limits.end is not None:
        until = min(until, limits.end)
    if limits.start is not None:
        after = max(after, limits.start - 1)
    for at in occurrences(rule, after, until):
        if local(at, rule.zone).date() not in limits.skipped:
            return at
    return None
