"""Recurrence: bounds, counts, skipped occurrences, anchored intervals, replacement keys and expiry
(CAL-11, ADD-12, section 27)."""

from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client, request
from harness.device import update
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of
from harness.server import START_SECONDS

HOUR = 3_600
DAY = 86_400


@pytest.fixture
def app(own_client: Client) -> App:
    app = own_client.app()
    app.authorize()
    return app


def at(seconds: float) -> wire.Timestamp:
    return wire.Timestamp(seconds=START_SECONDS + int(seconds))


def day(number: int) -> wire.LocalDate:
    """A day of January 2026, in which the clock starts."""
    return wire.LocalDate(year=2026, month=1, day=number)


def recurring(identifier: str, **trigger: Any) -> wire.NotificationRequest:
    whole = request(identifier)
    whole.trigger.CopyFrom(wire.Trigger(**({"repeats": True} | trigger)))
    return whole


def daily(identifier: str, hour: int = 9, **limits: Any) -> wire.NotificationRequest:
    trigger: dict[str, Any] = {"calendar": {"date_components": {"hour": hour}}}
    if limits:
        trigger["limits"] = wire.RecurrenceLimits(**limits)
    return recurring(identifier, **trigger)


def keyed(
    identifier: str, key: str, after: float | None = None
) -> wire.NotificationRequest:
    """A request with a replacement key."""
    whole = request(identifier, after)
    whole.replacement_key = key
    return whole


def next_dates(app: App) -> dict[str, float]:
    """When what is pending fires next, in hours after the start of the clock (NC-8)."""
    return {
        entry.request.identifier: (entry.next_trigger_date.seconds - START_SECONDS) / HOUR
        for entry in app.call("ListPending").requests
    }


def told(app: App) -> list[tuple[str, str, float]]:
    """What happened to requests: kind, identifier, hours after the start."""
    found = []
    for event in app.events():
        kind = event.WhichOneof("kind")
        value = getattr(event, kind)
        if kind == "delivered":
            value = value.notification.request
        elif kind not in {"missed", "expired", "removed"}:
            continue
        hours = (event.recorded_at.seconds - START_SECONDS) / HOUR
        found.append((kind, value.identifier, hours))
    return found


def advance(app: App, seconds: float) -> None:
    app.client.advance(seconds)


def suspend(app: App, seconds: float) -> None:
    app.client.call("Suspend", by=wire.seconds(seconds))


def test_weekdays_and_the_last_friday(app: App) -> None:
    """27: several weekdays in one trigger, and ordinals from the end; the clock starts on a
    Thursday."""
    app.call(
        "Add",
        request=recurring(
            "monday, thursday",
            calendar={"weekdays": [2, 5], "date_components": {"hour": 9}},
        ),
    )
    app.call(
        "Add",
        request=recurring(
            "last friday",
            calendar={"date_components": {"weekday": 6, "weekday_ordinal": -1, "hour": 9}},
        ),
    )
    assert next_dates(app) == {"monday, thursday": 9, "last friday": 29 * 24 + 9}
    pending = {entry.request.identifier: entry.request for entry in
               app.call("ListPending").requests}
    calendar = pending["monday, thursday"].trigger.calendar
    assert list(calendar.weekdays) == [wire.WEEKDAY_MONDAY, wire.WEEKDAY_THURSDAY]
    assert pending["last friday"].trigger.calendar.date_components.weekday_ordinal == -1
    advance(app, 9 * HOUR)
    assert next_dates(app)["monday, thursday"] == 4 * 24 + 9


def test_bounds_of_a_recurrence(app: App) -> None:
    """CAL-11: nothing before the start, on a day to skip or after the end, and the end is told."""
    added = app.call(
        "Add",
        request=daily(
            "bounded",
            start_at=at(DAY),
            end_at=at(4 * DAY + 9 * HOUR),
            skip_dates=[day(4), day(3)],
        ),
    )
    assert added.next_trigger_date == at(DAY + 9 * HOUR)
    limits = app.call("ListPending").requests[0].request.trigger.limits
    assert [date.day for date in limits.skip_dates] == [3, 4]
    assert (limits.start_at, limits.end_at) == (at(DAY), at(4 * DAY + 9 * HOUR))
    advance(app, 6 * DAY)
    assert told(app) == [
        ("delivered", "bounded", 33),
        ("delivered", "bounded", 105),
        ("expired", "bounded", 105),
    ]


def test_a_count_of_occurrences(app: App) -> None:
    """CAL-11: each instant of the rule counts, also one that a late delivery stands for."""
    app.call("Add", request=daily("five", max_occurrences=5))
    app.call(
        "Add",
        request=recurring(
            "two",
            limits={"max_occurrences": 2},
            time_interval={"interval": wire.seconds(HOUR)},
        ),
    )
    advance(app, DAY)
    suspend(app, 2 * DAY)
    advance(app, 3 * DAY)
    assert [entry for entry in told(app) if entry[1] == "two"] == [
        ("delivered", "two", 1),
        ("delivered", "two", 2),
        ("expired", "two", 2),
    ]
    assert [entry for entry in told(app) if entry[1] == "five"] == [
        ("delivered", "five", 9),
        ("delivered", "five", 72),
        ("delivered", "five", 81),
        ("delivered", "five", 105),
        ("expired", "five", 105),
    ]


def test_skip_next(app: App) -> None:
    """27: one occurrence is skipped, once for a retry, and does not count."""
    app.call("Add", request=daily("pill", max_occurrences=2))
    key = "019b76da-a800-7000-8000-000000000001"
    for _ in range(2):
        skipped = app.call("SkipNext", identifier="pill", idempotency_key=key)
        assert skipped.skipped_date == at(9 * HOUR)
        assert skipped.next_trigger_date == at(33 * HOUR)
    update(app.client, "time_zone", device="", time_zone="America/New_York")
    assert next_dates(app) == {"pill": 38}
    advance(app, 5 * DAY)
    assert told(app) == [
        ("delivered", "pill", 38),
        ("delivered", "pill", 62),
        ("expired", "pill", 62),
    ]


def test_skip_next_of_the_last_occurrence_ends_the_request(app: App) -> None:
    app.call("Add", request=request("once", 60))
    skipped = app.call("SkipNext", identifier="once")
    assert skipped.skipped_date == at(60)
    assert not skipped.HasField("next_trigger_date")
    assert told(app) == [("expired", "once", 0)]
    assert next_dates(app) == {}


def test_skip_next_refuses_what_is_not_pending(app: App) -> None:
    app.call("Add", request=request("delivered"))
    for identifier in ["delivered", "nothing"]:
        refusal = refusal_of(lambda name=identifier: app.call("SkipNext", identifier=name))
        Expected(grpc.StatusCode.NOT_FOUND, "REQUEST_NOT_PENDING", ("identifier",)).check(refusal)
    refusal = refusal_of(lambda: app.call("SkipNext", identifier=""))
    Expected(
        grpc.StatusCode.INVALID_ARGUMENT, "IDENTIFIER_INVALID", ("identifier",)
    ).check(refusal)


def test_anchored_intervals(app: App) -> None:
    """27: every 3 days from an anchor that is past, and by elapsed hours; both keep their grid."""
    app.call(
        "Add",
        request=recurring(
            "3 days",
            anchored_interval={
                "anchor": at(10 * HOUR - 30 * DAY),
                "calendar_step": {"count": 3, "unit": wire.CALENDAR_UNIT_DAY},
                "time_zone": "Europe/Rome",
            },
        ),
    )
    app.call(
        "Add",
        request=recurring(
            "150 minutes",
            anchored_interval={"anchor": at(-HOUR), "interval": wire.seconds(9_000)},
        ),
    )
    # Once: the next instant of the grid.
    app.call(
        "Add",
        request=recurring(
            "once",
            repeats=False,
            anchored_interval={
                "anchor": at(-31 * DAY),
                "calendar_step": {"count": 1, "unit": wire.CALENDAR_UNIT_MONTH},
            },
        ),
    )
    assert next_dates(app) == {"3 days": 10, "150 minutes": 1.5, "once": 31 * 24}
    advance(app, 8 * HOUR)
    suspend(app, 4 * DAY)
    assert next_dates(app) == {"3 days": 6 * 24 + 10, "150 minutes": 106.5, "once": 31 * 24}
    anchored = {
        entry.request.identifier: entry.request.trigger.anchored_interval
        for entry in app.call("ListPending").requests
    }
    assert anchored["3 days"].anchor == at(10 * HOUR - 30 * DAY)
    assert anchored["3 days"].calendar_step.count == 3
    assert anchored["150 minutes"].interval == wire.seconds(9_000)


def test_rules_crontabs_and_dates(app: App) -> None:
    """REC-1, REC-2, REC-5: each is one request, which is sent back as it was written, fires at its
    dates, collapses what was missed, and is skipped once for each of its times."""
    written: dict[str, dict[str, Any]] = {
        "office": {"cron": "0 9,18 * * 1-5"},
        "report": {
            "rule": "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            "start": "20260101T170000",
            "time_zone": "Europe/Rome",
        },
        "dates": {
            "start": "20260102T000000",
            "added_dates": ["20260103T120000Z"],
            "excluded_dates": ["20260102T000000"],
        },
    }
    for identifier, recurrence in written.items():
        app.call("Add", request=recurring(identifier, recurrence=recurrence))
    assert next_dates(app) == {"office": 9, "report": 29 * 24 + 16, "dates": 60}
    for entry in app.call("ListPending").requests:
        assert entry.request.trigger.recurrence == wire.RecurrenceTrigger(
            **written[entry.request.identifier]
        )
    app.call("SkipNext", identifier="office")
    assert next_dates(app)["office"] == 18
    suspend(app, 4 * DAY)
    assert next_dates(app) == {"office": 4 * 24 + 9, "report": 29 * 24 + 16}
    collapsed = {
        event.delivered.notification.request.identifier: event.delivered.collapsed_count
        for event in app.events()
        if event.HasField("delivered")
    }
    assert collapsed == {"office": 2, "dates": 0}


def test_a_rule_is_refused_by_its_column(app: App) -> None:
    """REC-3: the message says the column and the part, the metadata the byte."""
    bad = recurring("bad", recurrence={"cron": "0 25 * * *"})
    refusal = refusal_of(lambda: app.call("Add", request=bad))
    assert refusal.reason == "RECURRENCE_INVALID"
    assert refusal.metadata["position"] == "2"
    assert "column 3, hour" in refusal.message


def test_months_are_counted_from_the_anchor(app: App) -> None:
    """CAL-11: January 31, the end of February, March 31: no drift."""
    app.call(
        "Add",
        request=recurring(
            "rent",
            anchored_interval={
                "anchor": at(30 * DAY + 9 * HOUR),
                "calendar_step": {"count": 1, "unit": wire.CALENDAR_UNIT_MONTH},
                "short_month_policy": wire.SHORT_MONTH_POLICY_LAST_DAY,
            },
        ),
    )
    days = []
    for _ in range(3):
        hours = next_dates(app)["rent"]
        days.append((hours - 9) / 24 + 1)
        app.client.call("AdvanceClock", to=at(hours * HOUR))
    # January 31, February 28, March 31.
    assert days == [31, 59, 90]


def test_a_replacement_key(app: App) -> None:
    """ADD-12: scheduled requests succeed one another on delivery, and stay pending by
    identifier."""
    for number in [1, 2]:
        app.call("Add", request=keyed(f"step {number}", "progress", number * HOUR))
    app.call("Add", request=keyed("other", "other", 30))
    advance(app, HOUR)
    assert app.delivered() == ["other", "step 1"]
    advance(app, HOUR)
    assert app.delivered() == ["other", "step 2"]
    removed = [event.removed for event in app.events() if event.HasField("removed")]
    assert [(event.identifier, event.cause) for event in removed] == [
        ("step 1", wire.REMOVAL_CAUSE_REPLACED)
    ]
    step = app.call("ListDelivered").notifications[1].request
    assert step.replacement_key == "progress"
    # A request without a key has its identifier as its key.
    app.add("progress")
    assert app.delivered() == ["other", "progress"]


def test_a_request_that_expires(app: App) -> None:
    """27: one that is later than it says is missed, whatever D-8 says."""
    for identifier, seconds in [("short", HOUR), ("long", 9 * DAY)]:
        whole = request(identifier, HOUR)
        whole.expires_after.CopyFrom(wire.seconds(seconds))
        app.call("Add", request=whole)
    repeating = daily("daily")
    repeating.expires_after.CopyFrom(wire.seconds(HOUR))
    app.call("Add", request=repeating)
    suspend(app, 3 * DAY)
    assert sorted(told(app)) == [
        ("delivered", "long", 72),
        ("missed", "daily", 72),
        ("missed", "short", 72),
    ]
    assert next_dates(app) == {"daily": 81}
    assert app.call("ListPending").requests[0].request.expires_after == wire.seconds(HOUR)


def test_recurrence_outlasts_a_crash(launch: Launcher, transport: str) -> None:
    """DT-2: counts, skipped occurrences and keys are durable."""
    server = launch()
    with Client(server.targets[transport]) as client:
        app = client.app()
        app.authorize()
        app.call("Add", request=daily("pill", max_occurrences=2))
        app.call("Add", request=keyed("step 1", "progress"))
        app.call("SkipNext", identifier="pill")
        advance(app, 2 * DAY)
        assert next_dates(app) == {"pill": 57}
    server.kill()
    server = launch(server.home)
    with Client(server.targets[transport]) as client:
        app = App(client, app.center)
        assert next_dates(app) == {"pill": 57}
        advance(app, 2 * DAY)
        app.call("Add", request=keyed("step 2", "progress"))
        assert app.delivered() == ["pill", "step 2"]
        assert next_dates(app) == {}
