"""Random recurrences beside a scan of days that was written from the rules alone (§7.3, CAL-11)."""

import random
from datetime import date, timedelta
from typing import Any
from zoneinfo import available_timezones

import pytest

from harness import wire
from harness.client import App, Client, request
from harness.recurrence import Grid, Limits, Rule, local, next_instant, offset
from harness.torture import Torture

BATCH = 200

DAY = 86_400

# From an instant at which a clock counts as set (DT-4) to well after the last change that the zone
# database names.
FIRST, LAST = 1_767_225_600, 2_461_449_600

UNITS = {
    "day": wire.CALENDAR_UNIT_DAY,
    "week": wire.CALENDAR_UNIT_WEEK,
    "month": wire.CALENDAR_UNIT_MONTH,
    "year": wire.CALENDAR_UNIT_YEAR,
}

ZONES = sorted(
    name
    for name in available_timezones()
    if "/" in name and not name.startswith(("posix/", "right/"))
)


class Generator:
    """Random rules, their limits, and what the wire has for them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def now(self) -> int:
        return self.random.randrange(FIRST, LAST)

    def rule(self, now: int) -> Rule | Grid:
        return self._grid(now) if self.random.random() < 0.3 else self._calendar()

    def limits(self, now: int, rule: Rule | Grid) -> Limits:
        pick = self.random
        start = end = None
        if pick.random() < 0.3:
            start = self._noon(now + pick.randrange(-400, 800) * DAY, rule.zone)
        if pick.random() < 0.3:
            end = self._noon((start or now) + pick.randrange(1, 800) * DAY, rule.zone)
        skipped: frozenset[date] = frozenset()
        if pick.random() < 0.3:
            # Leave out days near the next instant often, some of them more than once.
            first, many = next_instant(rule, Limits(start, end), now), pick.randrange(1, 8)
            around = local(first or now, rule.zone).date()
            skipped = frozenset(around + timedelta(days=pick.randrange(9)) for _ in range(many))
            skipped |= {around}
        return Limits(start, end, skipped)

    def _noon(self, at: int, zone: str) -> int:
        """An instant near another at which no zone changes its clocks."""
        ahead = offset(at, zone)
        return (at + ahead) // DAY * DAY + 12 * 3_600 - ahead

    def _calendar(self) -> Rule:
        pick = self.random
        components: dict[str, int] = {}
        weekdays: frozenset[int] = frozenset()
        match pick.randrange(11):
            case 0:
                pass
            case 1:
                components["weekday"] = pick.randint(1, 7)
            case 2:
                weekdays = frozenset(pick.sample(range(1, 8), pick.randint(1, 7)))
            case 3:
                components["weekday"] = pick.randint(1, 7)
                components["weekday_ordinal"] = pick.choice([1, 2, 3, 4, 5, -1, -2, -3, -4, -5])
            case 4:
                components["day"] = pick.choice([1, 15, 28, 29, 30, 31])
            case 5:
                components["month"] = pick.randint(1, 12)
                components["day"] = pick.randint(1, 31)
            case 6:
                components["month"] = pick.randint(1, 12)
                components["weekday"] = pick.randint(1, 7)
                components["weekday_ordinal"] = pick.choice([1, 2, 3, 4, -1, -2])
            case 7:
                components["week_of_month"] = pick.randint(1, 5)
                components["weekday"] = pick.randint(1, 7)
            case 8:
                components["week_of_year"] = pick.randint(1, 53)
                components["weekday"] = pick.randint(1, 7)
            case 9:
                components["day_of_year"] = pick.randint(1, 366)
            case 10:
                components[pick.choice(["quarter", "month"])] = pick.randint(1, 4)
        if pick.random() < 0.9:
            components["hour"] = pick.choice([0, 1, 2, 3, 9, 12, 23])
        if "hour" not in components and components.get("day", 0) > 28:
            components["day"] = 28
        if pick.random() < 0.7:
            components["minute"] = pick.choice([0, 15, 30, 59])
        if pick.random() < 0.2:
            components["second"] = pick.randrange(60)
        if not components:
            components["hour"] = 9
        return Rule(
            pick.choice(ZONES),
            components,
            weekdays,
            short_month=pick.randrange(4),
            first_weekday=pick.choice([1, 2, 7]),
            minimum_days=pick.choice([1, 4, 7]),
        )

    def _grid(self, now: int) -> Grid:
        pick = self.random
        anchor = now + pick.randrange(-3_000, 400) * DAY + pick.randrange(DAY)
        zone = pick.choice(ZONES)
        unit = pick.choice(["seconds", *UNITS])
        if unit == "seconds":
            return Grid(anchor, "Etc/UTC", pick.choice([60, 90, 3_600, 86_400, 259_200]), unit)
        count = pick.choice([1, 2, 3, 5, 7, 30]) if unit != "year" else pick.randint(1, 4)
        # On no hour at which a zone changes its clocks at the anchor itself.
        short_month = pick.randrange(4) if unit in ("month", "year") else 0
        return Grid(self._noon(anchor, zone), zone, count, unit, short_month)


def trigger(rule: Rule | Grid, limits: Limits) -> wire.Trigger:
    """What the wire has for a rule."""
    made = wire.Trigger(repeats=True)
    if limits.start is not None:
        made.limits.start_at.seconds = limits.start
    if limits.end is not None:
        made.limits.end_at.seconds = limits.end
    for day in sorted(limits.skipped):
        made.limits.skip_dates.add(year=day.year, month=day.month, day=day.day)
    if isinstance(rule, Grid):
        made.anchored_interval.anchor.seconds = rule.anchor
        if rule.unit == "seconds":
            made.anchored_interval.interval.seconds = rule.count
            if limits.skipped:
                made.anchored_interval.time_zone = rule.zone
        else:
            made.anchored_interval.calendar_step.count = rule.count
            made.anchored_interval.calendar_step.unit = UNITS[rule.unit]
            made.anchored_interval.short_month_policy = rule.short_month
            made.anchored_interval.time_zone = rule.zone
        return made
    fields: dict[str, Any] = dict(rule.components)
    if rule.first_weekday != 1:
        fields["first_weekday"] = rule.first_weekday
    if rule.minimum_days != 1:
        fields["minimum_days_in_first_week"] = rule.minimum_days
    made.calendar.CopyFrom(
        wire.CalendarTrigger(
            date_components={**fields, "time_zone": rule.zone},
            weekdays=sorted(rule.weekdays),
            short_month_policy=rule.short_month,
        )
    )
    return made


@pytest.fixture
def app(own_client: Client) -> App:
    app = own_client.app()
    app.authorize()
    return app


def disagreements(app: App, generator: Generator) -> list[str]:
    """Where the server and the scan give different instants for the rules of one batch."""
    now = generator.now()
    app.client.call("SetClock", to=wire.Timestamp(seconds=now))
    rules = [generator.rule(now) for _ in range(BATCH)]
    limits = [generator.limits(now, rule) for rule in rules]
    requests = [request(str(number)) for number in range(BATCH)]
    for made, rule, bounds in zip(requests, rules, limits, strict=True):
        made.trigger.CopyFrom(trigger(rule, bounds))
    results = app.call("AddBatch", requests=requests).results
    found = []
    for rule, bounds, result in zip(rules, limits, results, strict=True):
        expected = next_instant(rule, bounds, now)
        given: int | str | None = None
        if result.HasField("added"):
            given = result.added.next_trigger_date.seconds
        elif result.error.reason != "NOTIFICATION_INVALID_NO_DATE":
            given = str(result.error)
        if given != expected:
            found.append(f"after {now}: {rule} {bounds}: {given}, and not {expected}")
    app.call("RemoveAllPending")
    return found


@pytest.mark.torture
def test_a_recurrence_fires_when_a_scan_of_days_says(app: App, torture: Torture) -> None:
    for number in torture.rounds("recurrence", torture.count("recurrence") // BATCH):
        seed = torture.seed + number
        assert disagreements(app, Generator(seed)) == [], f"seed {seed}"
