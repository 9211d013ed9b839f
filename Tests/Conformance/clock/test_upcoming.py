"""ListUpcoming and ListTriggerDates: what is listed is what fires, within the window and the limits of a page."""

from collections import defaultdict
from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client, request
from harness.device import update
from harness.refusals import Expected, refusal_of
from harness.server import START_SECONDS

DAY = 86_400
WEEK = 7 * DAY

# From the start of the clock to the Thursday before the clocks of Europe go forward in 2026.
BEFORE_CHANGE = 84 * DAY


@pytest.fixture
def app(own_client: Client) -> App:
    app = own_client.app()
    app.authorize()
    return app


def add(app: App, identifier: str, **trigger: Any) -> None:
    added = request(identifier)
    added.trigger.CopyFrom(wire.Trigger(**trigger))
    app.call("Add", request=added)


def dates(entry: Any) -> list[int]:
    """The dates of a request, in nanoseconds."""
    return [wire.nanoseconds(date) for date in entry.dates]


def upcoming(app: App, **fields: Any) -> dict[str, list[int]]:
    """The dates of all pages, by the requests' identifiers."""
    found: dict[str, list[int]] = {}
    token = ""
    while True:
        page = app.call("ListUpcoming", page_token=token, **fields)
        found |= {entry.request.identifier: dates(entry) for entry in page.requests}
        token = page.next_page_token
        if not token:
            return found


def test_what_is_listed_is_what_fires(app: App) -> None:
    update(app.client, "time_zone", time_zone="Europe/Lisbon")
    app.client.advance(BEFORE_CHANGE)

    def calendar(**components: int) -> dict[str, Any]:
        return {"date_components": components}

    add(app, "once", time_interval={"interval": wire.seconds(3 * DAY)})
    add(app, "hours", repeats=True, time_interval={"interval": wire.seconds(9_000)})
    add(app, "day", repeats=True, calendar=calendar(hour=9, minute=30))
    # Sunday's is skipped by the change of the clocks, and comes at 02:00.
    add(app, "skipped", repeats=True, calendar=calendar(hour=1, minute=30))
    add(app, "sunday", repeats=True, calendar=calendar(weekday=wire.WEEKDAY_SUNDAY, hour=9))
    add(app, "minute", repeats=True, calendar=calendar(minute=15))
    add(app, "april", repeats=False, calendar=calendar(month=4, day=1, hour=8))
    add(app, "later", repeats=False, calendar=calendar(month=5, day=1, hour=8))
    add(
        app,
        "limited",
        repeats=True,
        calendar=calendar(hour=7),
        limits={
            "max_occurrences": 4,
            "skip_dates": [wire.LocalDate(year=2026, month=3, day=28)],
        },
    )
    add(
        app,
        "weekdays",
        repeats=True,
        calendar=calendar(hour=6) | {"weekdays": [wire.WEEKDAY_MONDAY, wire.WEEKDAY_FRIDAY]},
    )

    anchor = wire.Timestamp(seconds=START_SECONDS)
    step = wire.CalendarStep(count=2, unit=wire.CALENDAR_UNIT_DAY)
    add(app, "anchored", repeats=True, anchored_interval={"anchor": anchor, "calendar_step": step})

    # It has fired before, which counts.
    app.client.advance(DAY)
    listed = upcoming(app, window=wire.seconds(WEEK), dates_per_request=1_000)
    after = max(event.number for event in app.events())
    app.client.advance(WEEK)
    fired: defaultdict[str, list[int]] = defaultdict(list)
    for event in app.events(after):
        if event.HasField("delivered"):
            assert wire.nanoseconds(event.delivered.late_by) == 0
            identifier = event.delivered.notification.request.identifier
            fired[identifier].append(wire.nanoseconds(event.recorded_at))
    assert listed == fired
    assert len(listed["day"]) == len(listed["skipped"]) == 7
    assert len(listed["minute"]) == 7 * 24
    assert len(listed["limited"]) == 3
    assert len(listed["weekdays"]) == 2
    assert "later" not in listed


def test_the_window_is_a_week_unless_told_otherwise(app: App) -> None:
    for number in range(1, 10):
        add(app, f"{number}", time_interval={"interval": wire.seconds(number * DAY)})
    assert sorted(upcoming(app)) == [f"{number}" for number in range(1, 8)]
    assert sorted(upcoming(app, window=wire.seconds(2 * DAY - 1))) == ["1"]
    assert sorted(upcoming(app, window=wire.seconds(2 * DAY))) == ["1", "2"]
    assert sorted(upcoming(app, window=wire.seconds(366 * DAY))) == sorted(map(str, range(1, 10)))
    assert upcoming(app, filter={"identifiers": ["3", "9", "x"]}) == {
        "3": [(START_SECONDS + 3 * DAY) * 10**9]
    }


def test_a_request_has_100_dates_unless_told_otherwise(app: App) -> None:
    add(app, "minute", repeats=True, time_interval={"interval": wire.seconds(60)})
    for asked, given in ((0, 100), (1, 1), (1_000, 1_000)):
        [entry] = app.call("ListUpcoming", dates_per_request=asked).requests
        first = (START_SECONDS + 60) * 10**9
        assert dates(entry) == [first + index * 60 * 10**9 for index in range(given)]
        assert entry.has_more
    [entry] = app.call("ListUpcoming", window=wire.seconds(6_000)).requests
    assert len(entry.dates) == 100
    assert not entry.has_more


def test_pages_end_and_hold_each_request_once(app: App) -> None:
    names = [f"{number:02}" for number in range(25)]
    for name in names:
        add(app, name, repeats=True, time_interval={"interval": wire.seconds(60)})
    sizes, token = [], ""
    while True:
        page = app.call("ListUpcoming", page_token=token)
        sizes.append([entry.request.identifier for entry in page.requests])
        token = page.next_page_token
        if not token:
            break
    # A page has 1,000 dates, 100 of each request.
    assert sizes == [names[:10], names[10:20], names[20:]]
    # The last page may end with its last date, and then names no further page.
    page = app.call("ListUpcoming", page_size=7, dates_per_request=1)
    assert [entry.request.identifier for entry in page.requests] == names[:7]
    again = app.call(
        "ListUpcoming", page_size=1_000, dates_per_request=1, page_token=page.next_page_token
    )
    assert [entry.request.identifier for entry in again.requests] == names[7:]
    assert not again.next_page_token
    assert page.as_of_event == again.as_of_event


def test_nothing_is_listed_of_what_is_not_pending(app: App) -> None:
    app.add("now")
    assert app.call("ListUpcoming").requests == []
    stranger = app.client.app()
    refusal = refusal_of(lambda: stranger.call("ListUpcoming"))
    assert refusal.reason == "APP_NOT_REGISTERED"


@pytest.mark.parametrize(
    "fields, reason, field",
    [
        ({"window": wire.seconds(0)}, "WINDOW_INVALID", "window"),
        ({"window": wire.seconds(-1)}, "WINDOW_INVALID", "window"),
        ({"window": wire.seconds(366 * DAY + 1)}, "WINDOW_INVALID", "window"),
        ({"window": wire.Duration(seconds=2**63 - 1)}, "WINDOW_INVALID", "window"),
        ({"window": wire.Duration(nanos=2**31 - 1)}, "WINDOW_INVALID", "window"),
        ({"dates_per_request": -1}, "INVALID_FIELD", "dates_per_request"),
        ({"dates_per_request": 1_001}, "INVALID_FIELD", "dates_per_request"),
        ({"page_size": 1_001}, "INVALID_FIELD", "page_size"),
        ({"page_token": "00"}, "PAGE_TOKEN_INVALID", "page_token"),
    ],
)
def test_what_is_refused(app: App, fields: dict[str, Any], reason: str, field: str) -> None:
    refusal = refusal_of(lambda: app.call("ListUpcoming", **fields))
    Expected(grpc.StatusCode.INVALID_ARGUMENT, reason, (field,)).check(refusal)


def test_a_token_is_of_one_window(app: App) -> None:
    for name in ("a", "b"):
        app.add(name, 60)
    token = app.call("ListUpcoming", page_size=1).next_page_token
    assert token
    expected = Expected(
        grpc.StatusCode.INVALID_ARGUMENT, "PAGE_TOKEN_INVALID", ("page_token",)
    )
    for fields in ({"window": wire.seconds(DAY)}, {"dates_per_request": 7}):
        expected.check(
            refusal_of(lambda: app.call("ListUpcoming", page_token=token, **fields))
        )


# Before anything is added

TRIGGERS: dict[str, dict[str, Any]] = {
    "in": {"time_interval": {"interval": wire.seconds(5_400)}},
    "interval": {"repeats": True, "time_interval": {"interval": wire.seconds(9_000)}},
    "counted": {
        "repeats": True, "time_interval": {"interval": wire.seconds(60)},
        "limits": {"max_occurrences": 3},
    },
    "at": {"at": wire.timestamp(1_800_000_000 * 10**9)},
    "floating": {"repeats": True, "calendar": {"date_components": {"hour": 9}}},
    "zoned": {
        "repeats": True,
        "calendar": {
            "date_components": {
                "hour": 9, "weekday": 6, "weekday_ordinal": -1, "time_zone": "America/New_York",
            }
        },
    },
    "grid": {
        "repeats": True,
        "anchored_interval": {
            "anchor": wire.timestamp(1_700_000_000 * 10**9), "calendar_step": {"count": 3, "unit": 1},
        },
    },
    "rule": {
        "repeats": True, "recurrence": {"rule": "FREQ=MONTHLY;BYDAY=-1FR", "start": "20260101T080000"},
    },
    "cron": {"repeats": True, "recurrence": {"cron": "0 9 * * 1-5", "time_zone": "Asia/Tokyo"}},
}  # fmt: skip


@pytest.mark.parametrize("name", TRIGGERS)
def test_what_is_foretold_is_what_is_listed(app: App, name: str) -> None:
    update(app.client, "time_zone", time_zone="Europe/Lisbon")
    app.client.advance(BEFORE_CHANGE)
    trigger = wire.Trigger(**TRIGGERS[name])
    foretold = app.call("ListTriggerDates", trigger=trigger)
    assert app.call("ListPending").requests == []
    add(app, name, **TRIGGERS[name])
    (listed,) = app.call(
        "ListUpcoming", window=wire.seconds(366 * DAY), dates_per_request=5
    ).requests
    assert dates(foretold) == dates(listed)
    assert foretold.has_more == listed.has_more
    zone = {"in": "", "interval": "", "counted": "", "at": ""}
    zone |= {"zoned": "America/New_York", "cron": "Asia/Tokyo"}
    assert foretold.time_zone == zone.get(name, "Europe/Lisbon")


def test_as_many_dates_as_are_asked_for(app: App) -> None:
    trigger = wire.Trigger(**TRIGGERS["floating"])
    for count, found in [(0, 5), (1, 1), (100, 100)]:
        answer = app.call("ListTriggerDates", trigger=trigger, count=count)
        assert (len(answer.dates), answer.has_more) == (found, True)
    once = app.call("ListTriggerDates", trigger=wire.Trigger(**TRIGGERS["at"]), count=100)
    assert (len(once.dates), once.has_more) == (1, False)


def test_dates_are_foretold_to_who_has_no_app_yet(app: App) -> None:
    update(app.client, "time_zone", time_zone="Asia/Tokyo")
    stranger = app.client.app()
    answer = stranger.call("ListTriggerDates", trigger=wire.Trigger(**TRIGGERS["floating"]))
    # Midnight in UTC is 9:00 there, and the next one is a day later.
    assert dates(answer)[0] % (DAY * 10**9) == 0
    assert refusal_of(lambda: stranger.call("ListPending")).reason == "APP_NOT_REGISTERED"


def test_a_place_has_no_dates(app: App) -> None:
    region = {"identifier": "home", "circular": {"latitude": 1, "radius_meters": 100}}
    answer = app.call("ListTriggerDates", trigger={"location": {"region": region}})
    assert (list(answer.dates), answer.has_more, answer.time_zone) == ([], False, "")


@pytest.mark.parametrize(
    "fields, reason, field",
    [
        ({}, "INVALID_FIELD", "trigger"),
        ({"trigger": {}}, "TRIGGER_KIND_INVALID", "trigger.kind"),
        ({"trigger": {"push": {}}}, "TRIGGER_KIND_INVALID", "trigger.push"),
        ({"trigger": {"time_interval": {}}}, "TIME_INTERVAL_INVALID", "trigger.time_interval.interval"),
        ({"trigger": {"at": wire.timestamp(1)}}, "NOTIFICATION_INVALID_NO_DATE", "trigger.at"),
        (
            {"trigger": {"recurrence": {"cron": "0 25 * * *"}, "repeats": True}},
            "RECURRENCE_INVALID", "trigger.recurrence.cron",
        ),
        (
            {"trigger": {"recurrence": {"cron": "@daily", "time_zone": "Nowhere/Town"}, "repeats": True}},
            "TIME_ZONE_UNKNOWN", "trigger.recurrence.time_zone",
        ),
        ({"trigger": TRIGGERS["in"], "count": 101}, "INVALID_FIELD", "count"),
        ({"trigger": TRIGGERS["in"], "count": -1}, "INVALID_FIELD", "count"),
    ],
)
def test_what_is_no_trigger_is_refused(
    app: App, fields: dict[str, Any], reason: str, field: str
) -> None:
    refusal = refusal_of(lambda: app.call("ListTriggerDates", **fields))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.INVALID_ARGUMENT, reason)
    assert refusal.fields == (field,)
