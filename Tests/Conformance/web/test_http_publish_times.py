"""When a publication is shown: an instant of the server's clock, or a time that passes."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from access.serving import Caller
from harness import wire
from harness.server import START_SECONDS
from web.http_server import Web

APP = "org.example.later"

# A Thursday, at midnight in UTC.
START = datetime(2026, 1, 1, tzinfo=UTC)
SECOND = 1_000_000_000


def now(caller: Caller) -> int:
    """The server's wall clock, in nanoseconds."""
    clock = caller.call("GetServerInfo").clock.now
    return int(clock.seconds * SECOND + clock.nanos)


def pending(caller: Caller, identifier: str) -> Any:
    """The pending request with an identifier; none is None."""
    listed = caller.call("ListPending", center=wire.Center(app_id=APP), page_size=1_000)
    return next((one for one in listed.requests if one.request.identifier == identifier), None)


def due(caller: Caller, identifier: str) -> int:
    """When a request fires, in nanoseconds of the wall clock."""
    date = pending(caller, identifier).next_trigger_date
    return int(date.seconds * SECOND + date.nanos)


def schedule(web: Web, delay: str, **headers: str) -> dict[str, Any]:
    """Publishes for later, and gives the answer."""
    reply = web.send("POST", f"/{APP}", b"later", Delay=delay, **headers)
    assert reply.status == 200, reply.body
    answer: dict[str, Any] = reply.json
    return answer


def to(caller: Caller, instant: int) -> None:
    """Passes time until an instant of the wall clock."""
    at = wire.Timestamp(seconds=instant // SECOND, nanos=instant % SECOND)
    caller.call("AdvanceClock", to=at)


@pytest.mark.parametrize(
    ("text", "ahead"),
    [
        ("{second}", 0),
        ("{iso}Z", 0),
        ("{iso}+00:00", 0),
        ("{iso}.000000001Z", 1),
        ("{iso}.25Z", SECOND // 4),
        ("{iso}.999999999+0000", SECOND - 1),
    ],
)
def test_an_instant_fires_neither_early_nor_late(
    web: Web, caller: Caller, text: str, ahead: int
) -> None:
    # The clock stands between two seconds, where a cut shows.
    to(caller, (now(caller) // SECOND + 1) * SECOND + 600_000_000)
    second = now(caller) // SECOND + 10
    iso = (START + timedelta(seconds=second - START_SECONDS)).strftime("%Y-%m-%dT%H:%M:%S")
    answer = schedule(web, text.format(second=second, iso=iso))
    assert answer["time"] == second
    assert due(caller, answer["id"]) == second * SECOND + ahead
    to(caller, second * SECOND + ahead - 1)
    assert pending(caller, answer["id"]) is not None
    to(caller, second * SECOND + ahead)
    assert pending(caller, answer["id"]) is None


def test_an_instant_follows_a_clock_that_is_set(web: Web, caller: Caller) -> None:
    second = now(caller) // SECOND + 3_600
    at, after = (schedule(web, text)["id"] for text in (f"{second}", "1h"))
    before = due(caller, after)
    # Half an hour back: the instant stays, what passes moves with the clock.
    back = now(caller) - 1_800 * SECOND
    caller.call("SetClock", to=wire.Timestamp(seconds=back // SECOND, nanos=back % SECOND))
    assert due(caller, at) == second * SECOND
    assert due(caller, after) == before - 1_800 * SECOND
    # Set beyond the instant, the clock fires it and not the interval.
    caller.call("SetClock", to=wire.Timestamp(seconds=second + 1))
    caller.call("AdvanceClock", by=wire.Duration(nanos=1))
    assert pending(caller, at) is None and pending(caller, after) is not None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1s", 1), ("90s", 90), ("2 min", 120), ("30min", 1_800), ("30m", 1_800), ("1h", 3_600),
        ("2 hours", 7_200), ("1h30m", 5_400), ("1h 30m", 5_400), ("1 day", 86_400),
        ("2 days", 172_800), ("3H", 10_800), ("in 5 minutes", 300), ("100d", 8_640_000),
    ],
)  # fmt: skip
def test_a_duration_passes(web: Web, caller: Caller, text: str, seconds: int) -> None:
    before = now(caller)
    answer = schedule(web, text)
    assert due(caller, answer["id"]) == before + seconds * SECOND
    assert answer["time"] == due(caller, answer["id"]) // SECOND


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("10am", "2026-02-03 10:00:00"),
        ("8am", "2026-02-04 08:00:00"),
        ("8:30pm", "2026-02-03 20:30:00"),
        ("9:15", "2026-02-03 09:15:00"),
        ("noon", "2026-02-03 12:00:00"),
        ("tomorrow, 10am", "2026-02-04 10:00:00"),
        ("Tomorrow at 3 PM", "2026-02-04 15:00:00"),
        ("today 18:30:15", "2026-02-03 18:30:15"),
        ("tuesday, 7am", "2026-02-10 07:00:00"),
        ("Tuesday, 10am", "2026-02-03 10:00:00"),
        ("fri 7am", "2026-02-06 07:00:00"),
        ("next tuesday 10am", "2026-02-10 10:00:00"),
        ("next wednesday 10am", "2026-02-04 10:00:00"),
        ("2026-12-24 18:00", "2026-12-24 18:00:00"),
        ("18:00 2026-12-24", "2026-12-24 18:00:00"),
    ],
)
@pytest.mark.parametrize("zone", ["", "UTC"])
def test_a_local_time_is_of_the_servers_clock(
    web: Web, caller: Caller, text: str, date: str, zone: str
) -> None:
    # Tuesday, 9:00.
    tuesday = int(datetime(2026, 2, 3, 9, tzinfo=UTC).timestamp())
    caller.call("SetClock", to=wire.Timestamp(seconds=tuesday))
    answer = schedule(web, text, **({"Timezone": zone} if zone else {}))
    wanted = datetime.fromisoformat(date).replace(tzinfo=UTC)
    assert due(caller, answer["id"]) == int(wanted.timestamp()) * SECOND


@pytest.mark.parametrize(
    ("text", "zone", "instant"),
    [
        ("tomorrow, 10am", "Asia/Tokyo", "2026-02-05T01:00:00"),
        ("10am", "Asia/Tokyo", "2026-02-04T01:00:00"),
        ("tomorrow, 10am", "America/New_York", "2026-02-04T15:00:00"),
        ("next wednesday 10am", "Asia/Tokyo", "2026-02-11T01:00:00"),
        ("30m", "Asia/Tokyo", "2026-02-03T20:30:00"),
        ("2026-02-04 10:00", "Asia/Kolkata", "2026-02-04T04:30:00"),
        ("2026-02-04T10:00:00-05:00", "Asia/Tokyo", "2026-02-04T15:00:00"),
    ],
)
def test_a_zone_says_which_day_it_is(
    web: Web, caller: Caller, text: str, zone: str, instant: str
) -> None:
    # In Tokyo it is Wednesday, 5:00.
    evening = int(datetime(2026, 2, 3, 20, tzinfo=UTC).timestamp())
    caller.call("SetClock", to=wire.Timestamp(seconds=evening))
    for place in ["header", "query", "json"]:
        if place == "json":
            body = f'{{"topic":"{APP}","delay":"{text}","timezone":"{zone}"}}'
            reply = web.send("POST", "/", body.encode())
        elif place == "query":
            asked = f"delay={text}&timezone={zone}".replace("+", "%2B").replace(" ", "+")
            reply = web.send("POST", f"/{APP}?{asked}", b"later")
        else:
            reply = web.send("POST", f"/{APP}", b"later", At=text, X_Timezone=zone)
        assert reply.status == 200, reply.body
        wanted = datetime.fromisoformat(instant).replace(tzinfo=UTC)
        assert due(caller, reply.json["id"]) == int(wanted.timestamp()) * SECOND


@pytest.mark.parametrize(
    "text",
    [
        "tomorrow", "tuesday", "soon", "-5m", "0s", "0", "1", "1e9", "5", "10", "25:00", "13pm",
        "99999999999999", "99999999999999999999999", "253402300800", "9999999999d", "101 years",
        "2026-02-30 10:00", "2026-02-30T10:00:00Z", "2025-12-31T23:59:59Z", "2025-12-31 10:00",
        "2026-01-01T25:00:00Z", "2026-13-01T00:00:00Z", "2026-06-01T00:00:00+99:00", "1h30",
        "10am 11am", "tomorrow tuesday 10am", "next 10am", "\u0661\u0660am", "9" * 101,
        "2100-01-01 10:00", "yesterday 10am",
    ],
)  # fmt: skip
def test_what_is_no_time_to_come_is_refused(web: Web, caller: Caller, text: str) -> None:
    reply = web.send("POST", "/", f'{{"topic":"{APP}","delay":"{text}"}}'.encode())
    assert reply.status == 400, reply.body
    assert reply.json["error"].startswith("Delay: "), reply.body


def test_a_zone_that_is_not_known_is_refused(web: Web, caller: Caller) -> None:
    for delay in ["10am", "30m", str(now(caller) // SECOND + 60)]:
        reply = web.send("POST", f"/{APP}", b"x", Delay=delay, Timezone="Mars/Olympus")
        assert reply.status == 400, reply.body
        assert reply.json["error"].startswith("Timezone: "), reply.body
