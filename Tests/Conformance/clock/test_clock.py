"""GetClock, AdvanceClock, SetClock and Suspend: the clock that a test moves."""

from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client, request
from harness.keys import new_key
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of
from harness.server import START_SECONDS

INVALID = grpc.StatusCode.INVALID_ARGUMENT

DAY = 86_400


def delivered(events: list[wire.Event]) -> list[wire.DeliveredEvent]:
    return [event.delivered for event in events if event.HasField("delivered")]


def test_a_manual_clock_stands_still(own_client: Client) -> None:
    first, second = (own_client.call("GetClock").clock for _ in range(2))
    assert first == second
    assert first.kind == wire.CLOCK_KIND_MANUAL
    assert wire.nanoseconds(first.now) == START_SECONDS * 10**9
    assert wire.nanoseconds(first.elapsed) == 0


def test_it_moves_by_an_interval(own_client: Client) -> None:
    for step in (wire.Duration(), wire.Duration(nanos=1), wire.seconds(DAY)):
        before = own_client.call("GetClock").clock
        response = own_client.call("AdvanceClock", by=step)
        assert response.clock == own_client.call("GetClock").clock
        moved = wire.nanoseconds(response.clock.now) - wire.nanoseconds(before.now)
        assert moved == wire.nanoseconds(step)
        moved = wire.nanoseconds(response.clock.elapsed) - wire.nanoseconds(before.elapsed)
        assert moved == wire.nanoseconds(step)
        assert response.stopped_by == wire.CLOCK_STOP_TARGET
        assert (response.fired, response.events, len(response.positions)) == (0, 0, 0)
        assert response.callback_id == ""


def test_it_moves_to_an_instant(own_client: Client) -> None:
    target = wire.Timestamp(seconds=START_SECONDS + DAY, nanos=5)
    for _ in range(2):
        response = own_client.call("AdvanceClock", to=target)
        assert response.clock.now == target
        assert response.stopped_by == wire.CLOCK_STOP_TARGET


def test_it_moves_to_what_is_due_next(own_app: App) -> None:
    client = own_app.client
    own_app.add("second", 20)
    own_app.add("first", 10)
    own_app.add("also first", 10)
    response = client.call("AdvanceClock", to_next_due={})
    assert response.clock.now.seconds == START_SECONDS + 10
    assert response.fired == 2
    response = client.call("AdvanceClock", to_next_due={})
    assert response.clock.now.seconds == START_SECONDS + 20
    assert (response.fired, response.stopped_by) == (1, wire.CLOCK_STOP_TARGET)
    response = client.call("AdvanceClock", to_next_due={})
    assert response.clock.now.seconds == START_SECONDS + 20
    assert (response.fired, response.stopped_by) == (0, wire.CLOCK_STOP_NOTHING_DUE)


def test_it_passes_each_due_instant_in_order(own_app: App) -> None:
    own_app.call("Add", request=request("tick", 60, repeats=True))
    own_app.add("between", 150)
    own_app.add("with the third", 180)
    response = own_app.client.advance(300)
    assert response.fired == 7
    told = delivered(own_app.events())
    assert [
        (
            event.notification.request.identifier,
            event.notification.date.seconds - START_SECONDS,
            wire.nanoseconds(event.late_by),
            event.collapsed_count,
        )
        for event in told
    ] == [
        ("tick", 60, 0, 0),
        ("tick", 120, 0, 0),
        ("between", 150, 0, 0),
        ("tick", 180, 0, 0),
        ("with the third", 180, 0, 0),
        ("tick", 240, 0, 0),
        ("tick", 300, 0, 0),
    ]


def test_it_tells_what_happened_on_the_way(own_client: Client) -> None:
    apps = [own_client.app() for _ in range(3)]
    for app in apps:
        app.authorize()
    apps[0].add("one", 10, badge=1)
    apps[2].add("two", 20)
    response = own_client.advance(30)
    # A badge is an event of its own.
    assert (response.fired, response.events) == (2, 3)
    positions = {
        position.center.app_id: position.last_event_number for position in response.positions
    }
    assert positions == {apps[0].center.app_id: 3, apps[2].center.app_id: 2}
    assert {position.center.device_id for position in response.positions} == {"local"}


def test_what_fired_is_told_when_it_answers(app: App) -> None:
    with app.subscribe() as subscription:
        subscription.until("caught_up")
        app.call("AddBatch", requests=[request(f"{number}", 5) for number in range(600)])
        app.client.advance(5)
        assert len(app.delivered(page_size=1_000)) == 600
        assert [subscription.event().number for _ in range(600)] == list(range(2, 602))


def test_intervals_do_not_drift_over_1000_firings(own_app: App) -> None:
    own_app.call("Add", request=request("tick", 60.5, repeats=True))
    for _ in range(10):
        own_app.client.advance(6_050)
    dates = [wire.nanoseconds(event.notification.date) for event in delivered(own_app.events())]
    start = START_SECONDS * 10**9
    assert dates == [start + count * 60_500_000_000 for count in range(1, 1_001)]


def target_invalid(path: str) -> Expected:
    return Expected(INVALID, "CLOCK_TARGET_INVALID", (path,))


REFUSED = {
    "no target": (target_invalid("target"), {}),
    "backward": (target_invalid("by"), {"by": wire.seconds(-1)}),
    "just backward": (target_invalid("by"), {"by": wire.Duration(nanos=-1)}),
    "more than 100 years": (target_invalid("by"), {"by": wire.seconds(200 * 365 * DAY)}),
    "greatest interval": (target_invalid("by"), {"by": wire.Duration(seconds=2**63 - 1)}),
    "too many nanoseconds": (target_invalid("by"), {"by": wire.Duration(nanos=1_000_000_000)}),
    "to the past": (target_invalid("to"), {"to": wire.Timestamp(seconds=START_SECONDS - 1)}),
    "to the greatest instant": (target_invalid("to"), {"to": wire.Timestamp(seconds=2**63 - 1)}),
    "to the least instant": (target_invalid("to"), {"to": wire.Timestamp(seconds=-(2**63))}),
    "to negative nanoseconds": (
        target_invalid("to"),
        {"to": wire.Timestamp(seconds=START_SECONDS + DAY, nanos=-1)},
    ),
}


@pytest.mark.parametrize("expected, fields", REFUSED.values(), ids=REFUSED.keys())
def test_other_targets_are_refused(
    client: Client, expected: Expected, fields: dict[str, Any]
) -> None:
    before = client.now()
    expected.check(refusal_of(lambda: client.call("AdvanceClock", **fields)))
    assert client.now() == before


def test_a_set_of_the_wall_clock_moves_no_interval(own_app: App) -> None:
    client = own_app.client
    own_app.add("a", 60)
    for day in (-1, 1):
        to = wire.Timestamp(seconds=START_SECONDS + day * DAY)
        response = client.call("SetClock", to=to)
        assert response.clock == client.call("GetClock").clock
        assert response.clock.now == to
        assert wire.nanoseconds(response.clock.elapsed) == 0
    client.advance(59)
    assert own_app.delivered() == []
    client.advance(1)
    assert own_app.delivered() == ["a"]
    date = delivered(own_app.events())[0].notification.date
    assert date.seconds == START_SECONDS + DAY + 60


def test_after_time_away_what_was_due_fires_late_or_is_missed(own_app: App) -> None:
    client = own_app.client
    own_app.add("once", 60)
    own_app.call("Add", request=request("again", 100, repeats=True))
    response = client.call("Suspend", by=wire.seconds(1_000))
    assert (response.fired, response.events) == (2, 2)
    assert response.clock.now.seconds == START_SECONDS + 1_000
    assert response.positions[0].last_event_number == 3
    told = [
        (event.notification.request.identifier, event.late_by.seconds, event.collapsed_count)
        for event in delivered(own_app.events())
    ]
    assert told == [("once", 940, 0), ("again", 0, 9)]
    own_app.call("RemoveAllPending")
    own_app.add("old", 60)
    client.call("Suspend", by=wire.seconds(DAY + 61))
    assert own_app.events()[-1].missed.identifier == "old"


CLOCKS_REFUSED = {
    "set to nothing": (target_invalid("to"), "SetClock", {}),
    "set before 1970": (target_invalid("to"), "SetClock", {"to": wire.Timestamp(seconds=-1)}),
    "set after 2162": (target_invalid("to"), "SetClock", {"to": wire.Timestamp(seconds=7 * 10**9)}),
    "away for no time": (target_invalid("by"), "Suspend", {}),
    "away backward": (target_invalid("by"), "Suspend", {"by": wire.Duration(nanos=-1)}),
    "away for ever": (target_invalid("by"), "Suspend", {"by": wire.seconds(10**11)}),
}


@pytest.mark.parametrize(
    "expected, rpc, fields", CLOCKS_REFUSED.values(), ids=CLOCKS_REFUSED.keys()
)
def test_clocks_are_not_set_to_what_they_cannot_show(
    client: Client, expected: Expected, rpc: str, fields: dict[str, Any]
) -> None:
    before = client.now()
    expected.check(refusal_of(lambda: client.call(rpc, **fields)))
    assert client.now() == before


@pytest.mark.parametrize(
    "rpc, fields",
    [
        ("SetClock", {"to": wire.Timestamp(seconds=START_SECONDS)}),
        ("Suspend", {"by": wire.seconds(9)}),
    ],
)
def test_a_retry_does_not_move_the_clock_again(
    own_client: Client, rpc: str, fields: dict[str, Any]
) -> None:
    key = new_key()
    first = own_client.call(rpc, idempotency_key=key, **fields)
    own_client.advance(1)
    now = own_client.now()
    assert own_client.call(rpc, idempotency_key=key, **fields) == first
    assert own_client.now() == now


def test_the_system_clock_is_not_moved(launch: Launcher, transport: str) -> None:
    with Client(launch(clock="system").targets[transport]) as client:
        assert client.call("GetClock").clock.kind == wire.CLOCK_KIND_SYSTEM
        expected = Expected(grpc.StatusCode.FAILED_PRECONDITION, "CLOCK_NOT_MANUAL")
        expected.check(refusal_of(lambda: client.advance(1)))
        expected.check(refusal_of(lambda: client.call("Suspend", by=wire.seconds(1))))
        expected.check(refusal_of(lambda: client.call("SetClock", to=wire.Timestamp())))


def test_the_system_clock_fires_by_itself(launch: Launcher, transport: str) -> None:
    with Client(launch(clock="system").targets[transport]) as client:
        app = client.app()
        app.authorize()
        with app.subscribe() as subscription:
            subscription.until("caught_up")
            response = app.add("soon", 0.2)
            event = subscription.event()
    assert event.delivered.notification.request.identifier == "soon"
    due_at = wire.nanoseconds(response.next_trigger_date)
    recorded_at = wire.nanoseconds(event.recorded_at)
    assert recorded_at >= due_at
    assert wire.nanoseconds(event.delivered.late_by) == pytest.approx(recorded_at - due_at, abs=1e6)


def test_a_restart_goes_on_where_the_clock_stood(launch: Launcher, transport: str) -> None:
    first = launch()
    with Client(first.targets[transport]) as client:
        app = client.app()
        app.authorize()
        app.add("later", 100)
        client.advance(60)
    first.terminate()
    assert first.wait() == 0
    with Client(launch(first.home).targets[transport]) as client:
        app.client = client
        assert client.now() == (START_SECONDS + 60) * 10**9
        assert app.pending() == ["later"]
        client.advance(39)
        assert app.delivered() == []
        client.advance(1)
        assert app.delivered() == ["later"]


def test_a_retry_of_an_advance_over_many_apps_is_told_the_same(launch: Launcher) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        apps = [App(client, wire.Center(app_id=f"org.example.app{i:04}")) for i in range(1_100)]
        for app in apps:
            app.authorize()
            app.add("a", 60)
        key = new_key()
        first = client.call("AdvanceClock", by=wire.seconds(60), idempotency_key=key)
        told = [position.center.app_id for position in first.positions]
        assert told == [app.center.app_id for app in apps[:1_000]]
        for _ in range(3):
            again = client.call("AdvanceClock", by=wire.seconds(60), idempotency_key=key)
            assert again.SerializeToString() == first.SerializeToString()
