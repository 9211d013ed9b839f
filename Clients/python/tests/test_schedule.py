"""From `at`, `in_` and `every` to the trigger of the wire, and what is refused."""

from datetime import date, datetime, time, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from google.protobuf import json_format

from belfry import InvalidRequest
from belfry._schedule import trigger

ROME = ZoneInfo("Europe/Rome")
NINE = datetime(2026, 3, 31, 9, 0, tzinfo=ROME)


def parts(**values: Any) -> dict[str, Any]:
    return {"dateComponents": values}


def anchored(anchor: str, zone: str, **step: Any) -> dict[str, Any]:
    return {"repeats": True, "anchoredInterval": {"anchor": anchor, "timeZone": zone, **step}}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"in_": timedelta(minutes=4)}, {"timeInterval": {"interval": "240s"}}),
        ({"in_": "1h 30m"}, {"timeInterval": {"interval": "5400s"}}),
        ({"in_": timedelta(microseconds=1)}, {"timeInterval": {"interval": "0.000001s"}}),
        ({"at": NINE}, {"at": "2026-03-31T07:00:00Z"}),
        ({"at": time(9, 30)}, {"calendar": parts(hour=9, minute=30, second=0)}),
        (
            {"at": time(9, 30, tzinfo=ROME)},
            {"calendar": parts(hour=9, minute=30, second=0, timeZone="Europe/Rome")},
        ),
        (
            {"at": date(2026, 12, 24)},
            {"calendar": parts(year=2026, month=12, day=24, hour=0, minute=0, second=0)},
        ),
        (
            {"every": "day", "at": time(9, tzinfo=timezone.utc)},
            {"repeats": True, "calendar": parts(hour=9, minute=0, second=0, timeZone="UTC")},
        ),
        (
            {"every": "Mondays, thursday", "at": time(9)},
            {"repeats": True, "calendar": {**parts(hour=9, minute=0, second=0),
                                           "weekdays": ["WEEKDAY_MONDAY", "WEEKDAY_THURSDAY"]}},
        ),
        (
            {"every": "weekend", "at": time(9)},
            {"repeats": True, "calendar": {**parts(hour=9, minute=0, second=0),
                                           "weekdays": ["WEEKDAY_SATURDAY", "WEEKDAY_SUNDAY"]}},
        ),
        (
            {"every": "2 weeks", "at": NINE},
            anchored("2026-03-31T07:00:00Z", "Europe/Rome",
                     calendarStep={"count": 2, "unit": "CALENDAR_UNIT_WEEK"}),
        ),
        (
            {"every": timedelta(days=1), "at": NINE},
            anchored("2026-03-31T07:00:00Z", "Europe/Rome",
                     calendarStep={"count": 1, "unit": "CALENDAR_UNIT_DAY"}),
        ),
        (
            {"every": "90 minutes", "at": NINE},
            anchored("2026-03-31T07:00:00Z", "UTC", interval="5400s"),
        ),
        (
            {"every": timedelta(hours=36)},
            {"repeats": True, "timeInterval": {"interval": "129600s"}},
        ),
        ({"every": "5m"}, {"repeats": True, "timeInterval": {"interval": "300s"}}),
        (
            {"every": "*/15 9-17 * * mon-fri"},
            {"repeats": True, "recurrence": {"cron": "*/15 9-17 * * mon-fri"}},
        ),
        ({"every": "@daily"}, {"repeats": True, "recurrence": {"cron": "@daily"}}),
        (
            {"every": "FREQ=MONTHLY;BYDAY=-1FR", "at": NINE},
            {"repeats": True, "recurrence": {"rule": "FREQ=MONTHLY;BYDAY=-1FR",
                                             "start": "20260331T090000",
                                             "timeZone": "Europe/Rome"}},
        ),
        (
            {"every": "hour", "times": 3},
            {"repeats": True, "timeInterval": {"interval": "3600s"},
             "limits": {"maxOccurrences": 3}},
        ),
        (
            {"every": "day", "at": time(9), "until": NINE, "skip": [date(2026, 1, 6)]},
            {"repeats": True, "calendar": parts(hour=9, minute=0, second=0),
             "limits": {"endAt": "2026-03-31T07:00:00Z",
                        "skipDates": [{"year": 2026, "month": 1, "day": 6}]}},
        ),
    ],
)  # fmt: skip
def test_a_trigger(arguments: dict[str, Any], expected: dict[str, Any]) -> None:
    made = trigger(**arguments)
    assert made is not None
    assert json_format.MessageToDict(made) == expected


def test_without_a_time_it_is_now() -> None:
    assert trigger() is None


@pytest.mark.parametrize(
    ("arguments", "field", "would_do"),
    [
        ({"at": datetime(2026, 1, 31, 9, 5)}, "at", "datetime(2026, 1, 31, 9, 5, tzinfo=ZoneInfo("),
        ({"at": NINE, "in_": timedelta(1)}, "in_", "leave `at` and `every` out"),
        ({"in_": 240}, "in_", "a timedelta"),
        ({"in_": "soon"}, "in_", "write '1 day'"),
        ({"every": "day"}, "at", "at=time(9, 0)"),
        ({"every": "monday"}, "at", "at=time(9, 0)"),
        ({"every": "monday", "at": NINE}, "at", "at=time(9, 0)"),
        ({"every": "month", "at": time(9)}, "at", "at=datetime("),
        ({"every": "2 days", "at": time(9)}, "at", "at=datetime("),
        ({"every": "month", "at": datetime(2026, 1, 1)}, "at", "tzinfo=ZoneInfo("),
        ({"every": "hour", "at": time(9)}, "at", "write a datetime"),
        ({"every": "fortnight", "at": time(9)}, "every", "'2 weeks'"),
        ({"every": "", "at": time(9)}, "every", "'2 weeks'"),
        (
            {"every": "month", "at": datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=2)))},
            "at",
            "ZoneInfo(",
        ),
        ({"at": time(9, tzinfo=timezone(timedelta(hours=2)))}, "at", "ZoneInfo("),
        ({"at": NINE, "times": 3}, "every", "bounds of it"),
        ({"times": 3}, "every", "bounds of it"),
        ({"every": "day", "at": time(9), "until": datetime(2026, 1, 1)}, "until", "tzinfo="),
    ],
)
def test_what_is_refused_says_what_would_do(
    arguments: dict[str, Any], field: str, would_do: str
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        trigger(**arguments)
    assert refused.value.field == field
    assert would_do in str(refused.value)
