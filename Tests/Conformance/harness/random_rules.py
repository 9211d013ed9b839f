"""Random rules and crontabs, many of them where a zone changes its clocks."""

import random
from dataclasses import dataclass
from typing import TypeVar

from harness.rule_scan import DAY, DAYS, UNITS, CronLine, Dates, Rule, zone

Item = TypeVar("Item")

# Gaps of an hour, of half an hour, of 20 minutes and of two hours, at midnight, in either half of
# the year and by half a day; days that were skipped, and offsets that are no whole hours.
ZONES = [
    "Etc/UTC",
    "Europe/Berlin",
    "Europe/Dublin",
    "Europe/London",
    "Europe/Lisbon",
    "Europe/Moscow",
    "America/New_York",
    "America/Sao_Paulo",
    "America/St_Johns",
    "America/Havana",
    "America/Santiago",
    "America/Caracas",
    "America/Asuncion",
    "America/Scoresbysund",
    "Africa/Cairo",
    "Africa/Casablanca",
    "Africa/Monrovia",
    "Antarctica/Troll",
    "Asia/Beirut",
    "Asia/Gaza",
    "Asia/Kathmandu",
    "Asia/Kolkata",
    "Asia/Pyongyang",
    "Asia/Tehran",
    "Australia/Lord_Howe",
    "Australia/Adelaide",
    "Pacific/Apia",
    "Pacific/Fakaofo",
    "Pacific/Kiritimati",
    "Pacific/Kwajalein",
    "Pacific/Chatham",
    "Pacific/Enderbury",
]

LAST = 130 * 365 * DAY  # 2099

LENGTHS = UNITS | {"WEEKLY": 7 * DAY, "MONTHLY": 30 * DAY, "YEARLY": 365 * DAY}

# How far a rule is followed.
AHEAD = {
    "SECONDLY": 10 * DAY,
    "MINUTELY": 60 * DAY,
    "HOURLY": 200 * DAY,
    "DAILY": 1_500 * DAY,
    "WEEKLY": 3_000 * DAY,
    "MONTHLY": 4_000 * DAY,
    "YEARLY": 15_000 * DAY,
}


@dataclass(frozen=True)
class Question:
    """A rule in a zone, and the time whose dates are asked for."""

    rule: Rule | CronLine
    zone: str
    after: int
    until: int
    count: int
    dates: Dates

    def __str__(self) -> str:
        return f"{self.rule} in {self.zone} after {self.after}, {self.dates}"


class RandomRules:
    """Makes questions from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def _one_in(self, count: int) -> bool:
        return self.random.randrange(count) == 0

    def _some(self, items: list[Item], most: int) -> list[Item]:
        return sorted(self.random.sample(items, self.random.randint(1, min(most, len(items)))))

    def _place(self) -> tuple[str, int, int]:
        """A zone, an instant, and a local time near it: half of them where its clock changes."""
        name = self.random.choice(ZONES)
        where, gaps = zone(name), zone(name).gaps()
        if gaps and self._one_in(2):
            gap = self.random.choice(gaps)
            if gap.change < LAST:
                after = gap.change - self.random.randrange(DAY * self.random.choice([1, 1, 30]))
                return name, max(after, 0), self.random.randrange(gap.first, gap.end)
        after = self.random.randrange(LAST)
        return name, after, after + where.offset(after)

    # Rules of RFC 5545

    def rule(self, *, skips: bool = True) -> Question:
        name, after, near = self._place()
        frequency = self.random.choice(list(LENGTHS))
        interval = 1
        if self._one_in(2):
            short = [2, 3, 5, 7, 10, 12, 15, 20, 24, 30, 36, 45, 60, 90, 120, 1_440]
            long = [2, 3, 4, 5, 6, 7, 12, 18]
            interval = self.random.choice(short if frequency in UNITS else long)
        start = self._start(frequency, interval, near)
        rule = Rule(frequency, start, interval)
        if self._one_in(3):
            rule.week_start = self.random.randrange(7)
        self._choose_days(rule, near)
        self._choose_times(rule, near)
        self._choose_bounds(rule, name, after)
        if (rule.parts or rule.weekdays) and self._one_in(5):
            rule.parts["BYSETPOS"] = self._positions(rule)
        if skips and frequency in ("MONTHLY", "YEARLY") and self._one_in(4):
            self._skip(rule)
        dates = self._dates(name, near) if self._one_in(5) else Dates()
        if self._one_in(8):
            after = start - self.random.randrange(3 * DAY)
        until = min(after + AHEAD[frequency], LAST + 365 * DAY)
        return Question(rule, name, after, until, 5, dates)

    def _positions(self, rule: Rule) -> list[int]:
        """Positions that a period mostly has: a search of all for none takes long."""
        times = [("BYHOUR", "DAILY"), ("BYMINUTE", "HOURLY"), ("BYSECOND", "MINUTELY")]
        longer = [*UNITS, *LENGTHS].index(rule.frequency)
        size = 1
        for name, frequency in times:
            if longer >= [*UNITS, *LENGTHS].index(frequency):
                size *= len(rule.parts.get(name, [0]))
        if rule.frequency not in UNITS and not self._one_in(4):
            size *= 2
        most = 366 if self._one_in(20) else min(size, 366)
        return self._some([*range(1, most + 1), *range(-most, 0)], 3)

    def _start(self, frequency: str, interval: int, near: int) -> int:
        """A start some periods before a local time, often at its time of the day."""
        length = LENGTHS[frequency] * interval
        back = self.random.randrange(self.random.choice([2, 2, 2, 40])) * length
        start = near - back
        if self._one_in(2) and frequency not in ("HOURLY", "MINUTELY", "SECONDLY"):
            start = start // DAY * DAY + near % DAY
        if self._one_in(2) and frequency != "SECONDLY":
            start = start // 60 * 60
        while start < 0:
            start += length
        return start

    def _choose_days(self, rule: Rule, near: int) -> None:
        frequency, parts = rule.frequency, rule.parts
        today = DAYS[near // DAY]
        kinds = ["BYMONTH", "BYMONTHDAY", "BYDAY", "BYYEARDAY", "BYWEEKNO"]
        # More of them at once seldom leave a day.
        chosen = self.random.sample(kinds, self.random.choice([0, 0, 1, 1, 1, 2, 2, 3]))

        def choose(name: str, numbers: list[int], most: int, day: int) -> None:
            if name in chosen:
                some = self._some(numbers, most)
                # Not far away where the periods are short.
                parts[name] = sorted({*some, day} if frequency in UNITS else some)

        choose("BYMONTH", list(range(1, 13)), 8, today.month)
        if frequency == "YEARLY":
            ends = [1, 2, 51, 52, 53, -1, -2, -51, -52, -53]
            numbers = ends if self._one_in(2) else [*range(1, 54), *range(-53, 0)]
            choose("BYWEEKNO", numbers, 6, 1)
        if frequency not in ("DAILY", "WEEKLY", "MONTHLY"):
            choose("BYYEARDAY", [*range(1, 367), *range(-366, 0)], 60, today.year_day)
        if frequency != "WEEKLY":
            choose("BYMONTHDAY", [*range(1, 32), *range(-31, 0)], 12, today.day)
        if "BYDAY" in chosen:
            in_year = frequency == "YEARLY" and "BYMONTH" not in parts
            can_count = frequency in ("MONTHLY", "YEARLY") and "BYWEEKNO" not in parts
            far = 53 if in_year else 6
            counts = can_count and self._one_in(2)
            days: set[tuple[int, int]] = {(0, today.weekday)} if frequency in UNITS else set()
            for _ in range(self.random.randint(1, 5)):
                ordinal = self.random.choice([*range(-far, 0), *range(1, far + 1)])
                is_plain = not counts or self._one_in(6)
                days.add((0 if is_plain else ordinal, self.random.randrange(7)))
            rule.weekdays = sorted(days)

    def _choose_times(self, rule: Rule, near: int) -> None:
        second = near % DAY
        around = {"BYHOUR": second // 3_600, "BYMINUTE": second // 60 % 60, "BYSECOND": second % 60}
        for name, most, chance in [("BYHOUR", 24, 3), ("BYMINUTE", 60, 3), ("BYSECOND", 60, 6)]:
            if self._one_in(chance):
                numbers = self._some(list(range(most)), self.random.choice([2, 8, most]))
                # More often than by chance at the clock's change, and by a time of the interval.
                if rule.frequency in UNITS or self._one_in(2):
                    numbers = sorted({*numbers, around[name]})
                rule.parts[name] = numbers

    def _choose_bounds(self, rule: Rule, name: str, after: int) -> None:
        if self._one_in(6):
            rule.count = self.random.randint(1, 60)
        elif self._one_in(5):
            end = after + self.random.randrange(20 * LENGTHS[rule.frequency])
            rule.until_is_instant = self._one_in(2)
            rule.until = end if rule.until_is_instant else end + zone(name).offset(end)

    def _skip(self, rule: Rule) -> None:
        """Makes a rule that says what becomes of days that a month or year does not have."""
        rule.skip = self.random.choice(["FORWARD", "BACKWARD"])
        rule.parts.pop("BYWEEKNO", None)
        if "BYYEARDAY" in rule.parts:
            rule.parts.pop("BYMONTH", None)
            rule.parts.pop("BYMONTHDAY", None)
            rule.parts["BYYEARDAY"] = sorted({*rule.parts["BYYEARDAY"], 366})
        rule.weekdays = sorted({(0, weekday) for _, weekday in rule.weekdays})
        if not rule.weekdays and rule.parts.keys() == {"BYSETPOS"}:
            # It needs another part beside it.
            rule.parts.clear()

    def _dates(self, name: str, near: int) -> Dates:
        dates = Dates()
        where = zone(name)
        for _ in range(self.random.randint(1, 6)):
            # The local time itself often is one of the rule.
            local = near // 60 * 60 + self.random.choice([0, 0, 60, 3_600, DAY, 7 * DAY, -DAY])
            at = local - where.offset(local)
            match self.random.randrange(4):
                case 0:
                    dates.added.append(local)
                case 1:
                    dates.added_instants.append(at)
                case 2:
                    dates.excluded.append(local)
                case 3:
                    dates.excluded_instants.append(at)
        return dates

    # Crontabs

    def cron(self, *, for_croniter: bool = False) -> Question:
        name, after, near = self._place()
        second = near % DAY
        texts = ["0"]
        seconds = {0}
        if self._one_in(6):
            texts[0], seconds = self._numbers(0, 59, second % 60)
        minute, minutes = self._numbers(0, 59, second // 60 % 60)
        hour, hours = self._numbers(0, 23, second // 3_600)
        day, days, before_last, workdays = self._days(for_croniter)
        month, months = self._numbers(1, 12, DAYS[near // DAY].month, names=MONTHS)
        weekday, weekdays, counted = self._weekdays()
        fields = [minute, hour, day, month, weekday]
        if len(seconds) > 1 or texts[0] != "0":
            fields = [texts[0], *fields]
        line = CronLine(
            " ".join(fields),
            seconds,
            minutes,
            hours,
            months,
            days,
            before_last,
            workdays,
            weekdays,
            counted,
            day_is_star=day[0] in "*?",
            weekday_is_star=weekday[0] in "*?",
        )
        # What never fires is refused. croniter joins # and W to the other field of days by rules of
        # its own, where that is no plain star.
        is_own = bool(line.counted and day not in "*?" or line.workdays and weekday not in "*?")
        if not _can_fire(line) or for_croniter and is_own:
            return self.cron(for_croniter=for_croniter)
        return Question(line, name, after, after + 5_000 * DAY, 5, Dates())

    def _numbers(
        self, first: int, last: int, near: int, names: list[str] | None = None
    ) -> tuple[str, set[int]]:
        """A field, and its numbers."""
        if self._one_in(3):
            return "*", set(range(first, last + 1))
        texts, numbers = [], set[int]()

        for _ in range(self.random.choice([1, 1, 2, 4])):
            low = near if self._one_in(3) else self.random.randint(first, last)
            high = low if low == last or self._one_in(40) else self.random.randint(low + 1, last)
            step = self.random.randint(1, last)
            written = names if names and self._one_in(2) else list(map(str, range(60)))[first:]
            match self.random.randrange(6):
                case 0:
                    texts.append(f"{written[low - first]}-{written[high - first]}")
                    numbers |= set(range(low, high + 1))
                case 1:
                    texts.append(f"{low}-{high}/{step}")
                    numbers |= set(range(low, high + 1, step))
                case 2:
                    texts.append(f"*/{step}")
                    numbers |= set(range(first, last + 1, step))
                case _:
                    texts.append(written[low - first])
                    numbers.add(low)
        return ",".join(texts), numbers

    def _days(self, for_croniter: bool) -> tuple[str, set[int], set[int], set[int]]:
        # It knows neither L-3 nor LW.
        kinds = [0, 1, 3, 5, *range(6, 12)] if for_croniter else list(range(12))
        match self.random.choice(kinds):
            case 0:
                return "?", set(range(1, 32)), set(), set()
            case 1:
                return "L", set(), {0}, set()
            case 2:
                before = self.random.randint(1, 30)
                return f"L-{before}", set(), {before}, set()
            case 3:
                day = self.random.randint(1, 31)
                return f"{day}W", set(), set(), {day}
            case 4:
                return "LW", set(), set(), {0}
            case 5:
                day = self.random.randint(1, 31)
                return f"{day},L", {day}, {0}, set()
            case _:
                text, numbers = self._numbers(1, 31, 31)
                return text, numbers, set(), set()

    def _weekdays(self) -> tuple[str, set[int], set[tuple[int, int]]]:
        day = self.random.randrange(7)
        match self.random.randrange(9):
            case 0:
                return "?", set(range(7)), set()
            case 1:
                return f"{day}L", set(), {(-1, day)}
            case 2:
                ordinal = self.random.randint(1, 5)
                return f"{day}#{ordinal}", set(), {(ordinal, day)}
            case 3:
                return "7", {0}, set()
            case 4:
                return "5-7", {0, 5, 6}, set()
            case _:
                text, numbers = self._numbers(0, 6, day, names=WEEKDAYS)
                return text, numbers, set()


MONTHS = ["jan", "FEB", "Mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
WEEKDAYS = ["sun", "mon", "Tue", "WED", "thu", "fri", "sat"]


def _can_fire(line: CronLine) -> bool:
    """Whether some month has a day of its field of days, where that alone could be missing."""
    if not line.day_is_star and not line.weekday_is_star:
        return True
    lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return any(
        any(day <= lengths[month - 1] for day in line.days | line.workdays)
        or any(before < lengths[month - 1] for before in line.days_before_last)
        for month in line.months
    )
