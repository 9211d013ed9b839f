"""Dates when a zone, the summary or the clock changes: each due occurrence is recorded once, and no
reminder is lost (CAL-8, CAL-12, CAL-13, DT-4, DT-5)."""

import itertools
from collections import Counter
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from harness import wire
from harness.client import App, Client, request
from harness.device import update
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of
from harness.relay import Relay
from harness.server import BOUND, START_SECONDS

HOUR = 3_600
DAY = 86_400

OTHER = "another"


@pytest.fixture
def app(own_client: Client) -> App:
    app = own_client.app()
    app.authorize()
    return app


def dated(identifier: str, *, repeats: bool = True, **components: Any) -> wire.NotificationRequest:
    """A request that waits for a date."""
    dated = request(identifier)
    dated.trigger.CopyFrom(
        wire.Trigger(repeats=repeats, calendar={"date_components": components})
    )
    return dated


def add(app: App, identifier: str, *, repeats: bool = True, **components: Any) -> int:
    """Adds it, and gives when it fires first, in seconds after the start of the clock."""
    added = app.call("Add", request=dated(identifier, repeats=repeats, **components))
    return added.next_trigger_date.seconds - START_SECONDS


def set_clock(app: App, seconds: float) -> None:
    """Sets the clock to so many seconds after its start."""
    to = wire.Timestamp()
    to.FromNanoseconds(int((START_SECONDS + seconds) * 10**9))
    app.client.call("SetClock", to=to)


def set_zone(app: App, zone: str, device: str = "") -> None:
    update(app.client, "time_zone", device=device, time_zone=zone)


def told(app: App, kind: str = "delivered") -> list[Any]:
    """The events of a kind."""
    return [getattr(event, kind) for event in app.events() if event.HasField(kind)]


def names(app: App) -> list[str]:
    return [event.notification.request.identifier for event in told(app)]


def pending(app: App) -> dict[str, int]:
    """When what is pending fires next, in seconds after the start of the clock."""
    return {
        entry.request.identifier: entry.next_trigger_date.seconds - START_SECONDS
        for entry in app.call("ListPending", page_size=1_000).requests
    }


# Item by item: what a change moves, and what it leaves.


def test_the_zone_of_another_device_loses_nothing_that_is_due(app: App) -> None:
    """CAL-8: what is due by the old dates fires first, and fixed zones are left alone."""
    for part in range(5):
        app.call(
            "AddBatch",
            requests=[
                dated(f"{part}/{number}", hour=8, minute=0, time_zone="America/New_York")
                for number in range(1_000)
            ],
        )
    set_clock(app, 13 * HOUR + 60)
    set_zone(app, "Asia/Tokyo", OTHER)
    counted = Counter(names(app))
    assert len(counted) == 5_000
    assert set(counted.values()) == {1}
    assert set(pending(app).values()) == {37 * HOUR}


def test_a_set_of_the_clock_answers_when_what_became_due_is_recorded(app: App) -> None:
    """DT-5"""
    for part in range(3):
        app.call("AddBatch", requests=[dated(f"{part}/{n}", hour=8) for n in range(1_000)])
    set_clock(app, 9 * HOUR)
    assert app.client.call("GetStats").counters.fired == 3_000
    set_clock(app, 33 * HOUR)
    # A set backward fires what is due before it.
    set_clock(app, 0)
    assert app.client.call("GetStats").counters.fired == 6_000


def test_a_zone_moves_what_floats_with_its_device_alone(own_client: Client) -> None:
    here, there = own_client.app(), own_client.app(device=OTHER)
    for app in (here, there):
        app.authorize()
        assert add(app, "floating", hour=8) == 8 * HOUR
        assert add(app, "fixed", hour=8, time_zone="Asia/Tokyo") == 23 * HOUR
    set_zone(here, "America/New_York")
    assert pending(here) == {"floating": 13 * HOUR, "fixed": 23 * HOUR}
    assert pending(there) == {"floating": 8 * HOUR, "fixed": 23 * HOUR}
    own_client.advance(DAY)
    assert sorted(names(here)) == sorted(names(there)) == ["fixed", "floating"]


@pytest.mark.parametrize("change", ["late", "zone"])
def test_a_time_that_comes_twice_fires_once(app: App, change: str) -> None:
    """CAL-8, V9: not again because it fired late, or because dates were computed again."""
    set_zone(app, "America/New_York")
    # On 1 November at 06:00 the clocks there go back by an hour.
    first = 304 * DAY + 5 * HOUR + 1_800
    set_clock(app, first - 600)
    assert add(app, "daily", hour=1, minute=30) == first
    if change == "late":
        app.client.call("Suspend", by=wire.seconds(900))
        app.client.advance(0)
    else:
        app.client.advance(900)
        set_zone(app, "America/Toronto")
    assert pending(app) == {"daily": first + 25 * HOUR}
    app.client.advance(2 * HOUR)
    assert names(app) == ["daily"]


def test_no_occurrence_fires_twice_after_a_set_back(app: App) -> None:
    """CAL-8: the search goes on from the last scheduled instant."""
    add(app, "daily", hour=8)
    app.client.advance(8 * HOUR)
    set_clock(app, 8 * HOUR - 4)
    set_zone(app, "Asia/Tokyo", OTHER)
    set_zone(app, "Europe/London")
    app.client.advance(10)
    assert names(app) == ["daily"]
    assert pending(app) == {"daily": 32 * HOUR}


@pytest.mark.parametrize("fires_first", [False, True])
def test_no_set_back_silences_a_reminder_for_longer_than_a_day(
    app: App, fires_first: bool
) -> None:
    """CAL-8: neither one that fired nor one that never did, after several sets together."""
    set_clock(app, 5 * DAY + 7 * HOUR)
    add(app, "daily", hour=8)
    if fires_first:
        app.client.advance(HOUR)
    before = len(names(app))
    for _ in range(4):
        now = app.client.now() // 10**9 - START_SECONDS
        set_clock(app, now - 23 * HOUR)
    assert app.client.advance(DAY).fired == 1
    assert len(names(app)) == before + 1


def test_what_is_due_while_dates_are_computed_again_fires(
    launch: Launcher, transport: str
) -> None:
    """CAL-8: on a clock that goes on, while the zone of many requests changes all the time."""
    with Client(launch(clock="system").targets[transport]) as client:
        many, few = client.app(device="far"), client.app()
        for app in (many, few):
            app.authorize()
        for part in range(5):
            batch = [dated(f"{part}/{number}", hour=8) for number in range(1_000)]
            many.call("AddBatch", requests=batch)
        first = client.now() // 10**9 + 2
        for second in range(first, first + 10):
            local = {"hour": second // HOUR % 24, "minute": second // 60 % 60}
            local |= {"second": second % 60, "time_zone": "UTC"}
            few.call("Add", request=dated(str(second), repeats=second % 2 == 0, **local))
        zones = itertools.cycle(["Asia/Tokyo", "America/New_York"])
        while client.now() // 10**9 < first + 10:
            set_zone(many, next(zones), "far")
        expected = [str(second) for second in range(first, first + 10)]
        eventually(lambda: sorted(names(few)) == expected)


def test_a_one_shot_is_found_again_after_a_set_back(app: App) -> None:
    set_clock(app, 400 * DAY)
    assert add(app, "next", repeats=False, hour=8) == 400 * DAY + 8 * HOUR
    set_clock(app, HOUR)
    assert pending(app) == {"next": 8 * HOUR}


def test_a_clock_that_is_not_set_fires_no_date_and_moves_none(own_client: Client) -> None:
    """DT-4: the machine's clock reads 1999 for a moment."""
    app = own_client.app()
    app.authorize()
    add(app, "once", repeats=False, hour=8)
    add(app, "daily", hour=9)
    health = health_pb2_grpc.HealthStub(own_client.channel)

    def is_set() -> bool:
        asked = health_pb2.HealthCheckRequest(service="belfry.v1.clock")
        status = health.Check(asked, timeout=BOUND).status
        return status == health_pb2.HealthCheckResponse.SERVING

    eventually(is_set)
    assert list(own_client.call("GetStats").conditions) == []
    own_client.call("SetClock", to=wire.Timestamp(seconds=946_598_400))
    assert list(own_client.call("GetStats").conditions) == [wire.CONDITION_CLOCK_NOT_SET]
    eventually(lambda: not is_set())
    set_zone(app, "Asia/Tokyo")
    assert own_client.advance(2 * DAY).fired == 0
    assert pending(app) == {"once": 8 * HOUR, "daily": 9 * HOUR}
    # Found while nobody knew the date.
    app.call("Add", request=dated("later", hour=22))
    app.call("Add", request=dated("never", repeats=False, year=2020, month=1, day=1, hour=8))
    set_clock(app, 60)
    assert names(app) == []
    assert told(app, "missed")[0].identifier == "never"
    # Nine hours ahead of the server's zone.
    assert pending(app) == {"once": 23 * HOUR, "daily": DAY, "later": 13 * HOUR}
    assert own_client.advance(DAY).fired == 3
    assert names(app) == ["later", "once", "daily"]
    eventually(is_set)


def test_a_collapsed_firing_is_as_late_as_its_latest_occurrence(app: App) -> None:
    """DT-5"""
    add(app, "daily", hour=8)
    app.call("Add", request=request("tick", 600, repeats=True))
    app.client.call("Suspend", by=wire.seconds(2 * DAY + 8 * HOUR + 90))
    assert [
        (event.notification.request.identifier, event.late_by.seconds, event.collapsed_count)
        for event in sorted(told(app), key=lambda event: event.notification.request.identifier)
    ] == [("daily", 90, 2), ("tick", 90, (2 * DAY + 8 * HOUR) // 600 - 1)]


def test_a_floating_one_shot_without_a_day_waits_for_the_new_zones_hour(app: App) -> None:
    """CAL-12: it does not fire at once."""
    assert add(app, "once", repeats=False, hour=8) == 8 * HOUR
    app.client.advance(7.5 * HOUR)
    # It is 8:30 there.
    set_zone(app, "Europe/Berlin")
    assert names(app) == []
    assert pending(app) == {"once": 31 * HOUR}


def test_a_floating_one_shot_of_a_full_date_that_has_passed_is_late_or_missed(app: App) -> None:
    """CAL-12: it denotes one local instant."""
    set_zone(app, "America/New_York")
    set_clock(app, 29 * HOUR)
    day = {"year": 2026, "month": 1, "day": 2}
    assert add(app, "late", repeats=False, hour=1, **day) == 30 * HOUR
    set_zone(app, "Asia/Tokyo")
    assert [event.late_by.seconds for event in told(app)] == [13 * HOUR]
    set_zone(app, "Pacific/Pago_Pago")
    # It is 18:00 on New Year's Day there, and 19:00 on the next in Kiritimati.
    assert add(app, "missed", repeats=False, year=2026, month=1, day=1, hour=18, minute=30)
    set_zone(app, "Pacific/Kiritimati")
    assert [event.late_by.seconds for event in told(app, "missed")] == [24 * HOUR + 1_800]
    assert pending(app) == {}


def test_a_summary_that_is_turned_off_is_presented_when_it_answers(app: App) -> None:
    summary = {"enabled": True, "times": [480], "apps": [app.center.app_id]}
    update(app.client, "summary", summary=summary)
    app.add("held")
    assert [event.WhichOneof("kind") for event in app.events()][-1] == "held"
    update(app.client, "summary", summary={"enabled": False})
    assert app.events()[-1].WhichOneof("kind") == "summary_presented"


def test_an_app_whose_settings_take_it_out_of_the_summary_has_shown_what_waited(app: App) -> None:
    summary = {"enabled": True, "times": [480], "apps": [app.center.app_id]}
    update(app.client, "summary", summary=summary)
    app.add("held")
    disabled = wire.NOTIFICATION_SETTING_DISABLED
    reply = app.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(scheduled_delivery_setting=disabled),
        update_mask={"paths": ["scheduled_delivery_setting"]},
    )
    assert app.events()[-1].WhichOneof("kind") == "summary_presented"
    assert reply.as_of_event == app.events()[-1].number


@pytest.mark.parametrize(
    "components",
    [{"nanosecond": 5}, {"nanosecond": 0}, {"era": 1, "nanosecond": 5}],
    ids=["alone", "zero", "with an era"],
)
def test_a_lone_nanosecond_is_refused_by_name(app: App, components: dict[str, int]) -> None:
    """CAL-13"""
    expected = Expected(
        grpc.StatusCode.INVALID_ARGUMENT,
        "DATE_COMPONENTS_INVALID",
        ("request.trigger.calendar.date_components.nanosecond",),
    )
    expected.check(refusal_of(lambda: add(app, "a", **components)))


# One advance of the clock over a long time.


@pytest.mark.parametrize(("interval", "days"), [(60, 9), (HOUR, 30), (DAY, 90)])
def test_one_long_advance_tells_those_who_follow_every_event(
    app: App, interval: int, days: int
) -> None:
    with app.subscribe() as observer, app.in_front(
        wire.DELEGATE_CAPABILITY_DID_RECEIVE
    ) as primary:
        for stream in (observer, primary):
            stream.until("caught_up")
        first = app.events()[-1].number + 1
        # More than a connection takes that nobody reads from.
        tick = request("tick", interval, repeats=True, title="Tick", body="x" * 2_000)
        app.call("Add", request=tick)
        fired = app.client.advance(days * DAY).fired
        assert fired == days * DAY // interval
        for stream in (observer, primary):
            numbers = [stream.event().number for _ in range(fired)]
            assert numbers == list(range(first, first + fired))


def test_a_cut_primary_keeps_its_role_for_five_seconds_of_a_long_advance(
    launch: Launcher, transport: str
) -> None:
    target = launch().targets[transport]
    with Client(target) as near, Relay(target) as relay, Client(relay.target) as far:
        app = near.app()
        app.authorize()
        front = App(far, app.center).in_front(wire.DELEGATE_CAPABILITY_DID_RECEIVE)
        front.started()
        relay.cut()
        eventually(lambda: near.call("GetStats").subscriptions == 0)
        app.add("kept", 4)
        app.add("free", HOUR)
        near.advance(4_000)
        check_roles(app)


def check_roles(app: App) -> None:
    """The app in front shows nothing itself, until its role is over."""
    assert [event.identifier for event in told(app, "suppressed")] == ["kept"]
    assert names(app) == ["free"]


@pytest.mark.parametrize("is_open_before", [True, False])
def test_no_advance_stops_for_a_primary_that_is_cut(
    launch: Launcher, transport: str, is_open_before: bool
) -> None:
    target = launch().targets[transport]
    with Client(target) as near, Relay(target) as relay, Client(relay.target) as far:
        app = near.app()
        app.authorize()
        front = App(far, app.center).in_front()
        front.started()
        if is_open_before:
            app.add("a")
        relay.cut()
        eventually(lambda: near.call("GetStats").subscriptions == 0)
        if not is_open_before:
            app.add("a", 1)
        assert near.advance(60).stopped_by == wire.CLOCK_STOP_TARGET
        assert told(app)[0].presentation.timed_out


def test_an_open_question_does_not_expire_unless_it_is_to(app: App) -> None:
    with app.in_front() as front:
        subscription_id = front.started().subscription_id
        app.add("a")
        callback = front.callback()
        for _ in range(2):
            response = app.client.advance(60)
            assert response.stopped_by == wire.CLOCK_STOP_CALLBACK
            assert response.callback_id == callback.callback_id
            assert app.client.now() == (START_SECONDS + 5) * 10**9 - 1
        app.present(subscription_id, callback, wire.PRESENTATION_OPTION_LIST)
        assert not told(app)[0].presentation.timed_out
        assert app.client.advance(60).stopped_by == wire.CLOCK_STOP_TARGET


@pytest.mark.parametrize("shift", [0, -HOUR, HOUR], ids=["not set", "set back", "set forward"])
@pytest.mark.parametrize("answered", [True, False])
def test_what_waited_for_an_answer_is_late_by_the_wait(
    app: App, *, answered: bool, shift: int
) -> None:
    with app.in_front() as front:
        subscription_id = front.started().subscription_id
        app.add("shown", 10)
        app.client.advance(10)
        callback = front.callback()
        app.client.advance(3)
        if shift:
            set_clock(app, 13 + shift)
        if answered:
            app.present(subscription_id, callback, wire.PRESENTATION_OPTION_LIST)
        else:
            # It gives way to a newer one.
            app.add("shown")
    if answered:
        event = app.events()[-1]
        assert event.delivered.late_by.seconds == 3
        assert event.recorded_at.seconds - START_SECONDS == 13 + shift
    else:
        event = told(app, "suppressed")[0]
        assert event.due_at.seconds - START_SECONDS == 10
