"""Locations and beacons: what crosses a border, and what may wait for one (§7.4)."""

from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.device import update
from harness.keys import new_key
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of

HOME = {"latitude": 38.7, "longitude": -9.1}
AWAY = {"latitude": 38.8, "longitude": -9.1}
ALLOWED = wire.LOCATION_PERMISSION_AUTHORIZED_WHEN_IN_USE
UUID = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"

NOT_ALLOWED = Expected(
    grpc.StatusCode.FAILED_PRECONDITION, "LOCATION_NOT_AUTHORIZED", ("request.trigger.location",)
)
CONFLICT = Expected(
    grpc.StatusCode.FAILED_PRECONDITION,
    "REGION_CONFLICT",
    ("request.trigger.location.region.identifier",),
)


def circle(identifier: str = "home", radius: float = 200, **fields: Any) -> wire.Region:
    return wire.Region(
        identifier=identifier, circular=wire.CircularRegion(radius_meters=radius, **HOME), **fields
    )


def beacon(identifier: str = "beacon", **fields: Any) -> wire.Region:
    return wire.Region(identifier=identifier, beacon=wire.BeaconRegion(uuid=UUID, **fields))


def add(app: App, identifier: str, region: wire.Region, *, repeats: bool = False) -> Any:
    trigger = wire.Trigger(repeats=repeats, location=wire.LocationTrigger(region=region))
    content = wire.NotificationContent(title="A title")
    request = wire.NotificationRequest(identifier=identifier, content=content, trigger=trigger)
    return app.call("Add", request=request)


def report(app: App, *fixes: dict[str, Any], **fields: Any) -> int:
    device = app.center.device_id
    response = app.client.call("ReportLocation", device_id=device, fixes=fixes, **fields)
    return response.fired_count


def see(app: App, *sightings: dict[str, Any]) -> int:
    device = app.center.device_id
    sightings = tuple({"uuid": UUID} | sighting for sighting in sightings)
    return app.client.call("ReportBeacons", device_id=device, sightings=sightings).fired_count


def fired(app: App) -> list[str]:
    events = [event for event in app.events() if event.HasField("delivered")]
    return [event.delivered.notification.request.identifier for event in events]


@pytest.fixture
def place(own_device: App) -> App:
    """An app on a device of its own that may know the location."""
    own_device.call("UpdateSettings", location_permission=ALLOWED)
    return own_device


def test_a_crossing_fires_and_a_presence_does_not(place: App) -> None:
    response = add(place, "a", circle())
    assert response.state == wire.REQUEST_STATE_PENDING
    assert not response.HasField("next_trigger_date")
    (pending,) = place.call("ListPending").requests
    assert not pending.HasField("next_trigger_date")
    region = pending.request.trigger.location.region
    assert region == circle(notify_on_entry=True, notify_on_exit=True)
    assert report(place, HOME) == 0
    assert report(place, AWAY) == 1
    assert report(place, HOME) == 0
    assert fired(place) == place.delivered() == ["a"]
    assert place.pending() == []


@pytest.mark.parametrize("on_entry", [True, False])
def test_the_flags_say_which_crossings_notify(place: App, on_entry: bool) -> None:
    region = circle(notify_on_entry=on_entry, notify_on_exit=not on_entry)
    add(place, "a", region, repeats=True)
    assert report(place, AWAY) == 0
    assert report(place, HOME) == (1 if on_entry else 0)
    assert report(place, AWAY) == (0 if on_entry else 1)


def test_one_that_repeats_fires_at_every_crossing(place: App) -> None:
    add(place, "a", circle(), repeats=True)
    key = new_key()
    for _ in range(2):
        assert report(place, HOME, AWAY, HOME, AWAY, idempotency_key=key) == 3
    assert fired(place) == ["a"] * 3
    assert place.pending() == ["a"]


def test_old_fixes_are_ignored(place: App) -> None:
    add(place, "a", circle(), repeats=True)
    now = place.client.now()

    def at(fix: dict[str, Any], ago: int) -> dict[str, Any]:
        instant = now - ago * 1_000_000_000
        time = wire.Timestamp(seconds=instant // 10**9, nanos=instant % 10**9)
        return fix | {"time": time}

    assert report(place, at(HOME, 10), at(AWAY, 20)) == 1
    assert report(place, at(AWAY, 11)) == 0
    assert report(place, at(AWAY, 10)) == 1


def test_without_permission_nothing_waits_or_fires(own_device: App) -> None:
    app = own_device
    NOT_ALLOWED.check(refusal_of(lambda: add(app, "a", circle())))
    always = wire.LOCATION_PERMISSION_AUTHORIZED_ALWAYS
    device = app.center.device_id
    state = update(app.client, "location_permission", device=device, location_permission=always)
    assert state.location_permission == always
    add(app, "a", circle(), repeats=True)
    assert report(app, HOME, AWAY) == 1
    denied = wire.LOCATION_PERMISSION_DENIED
    settings = app.call("UpdateSettings", location_permission=denied)
    assert settings.location_permission == denied
    (listed,) = app.client.call("ListApps", device_id=device).apps
    assert listed.location_permission == denied
    assert report(app, HOME) == 0
    app.call("UpdateSettings", location_permission=always)
    # The state is unknown again.
    assert report(app, AWAY) == 0
    assert report(app, HOME) == 1


def test_one_identifier_is_one_region(place: App) -> None:
    add(place, "a", circle())
    add(place, "b", circle(notify_on_exit=False))
    CONFLICT.check(refusal_of(lambda: add(place, "c", circle(radius=300))))
    CONFLICT.check(refusal_of(lambda: add(place, "c", beacon("home"))))
    place.call("RemovePending", identifiers=["a"])
    add(place, "b", circle(radius=300))
    assert place.pending() == ["b"]


def test_a_beacon_comes_and_goes(place: App) -> None:
    add(place, "any", beacon("any"), repeats=True)
    add(place, "group", beacon("group", major=1), repeats=True)
    add(place, "one", beacon("one", major=1, minor=2), repeats=True)
    assert see(place) == 0
    assert see(place, {"major": 1, "minor": 3}) == 2
    assert see(place, {"major": 1, "minor": 2}) == 1
    place.client.advance(29)
    assert len(fired(place)) == 3
    place.client.advance(1)
    assert sorted(fired(place)) == ["any", "any", "group", "group", "one", "one"]
    # Without a report between, the first sighting within 30 s is a presence.
    add(place, "any", beacon("any"))
    assert see(place, {}) == 0


def test_the_display_turns_on_inside(place: App) -> None:
    add(place, "a", beacon("a", notify_entry_state_on_display=True), repeats=True)
    add(place, "b", beacon("b"), repeats=True)
    see(place, {})
    for off in (True, False):
        update(place.client, "display_off", device=place.center.device_id, display_off=off)
    assert fired(place) == ["a"]


def test_profile_ios_has_20_regions_and_hides_delivered_ones(launch: Launcher) -> None:
    with Client(launch(arguments=["--profile=ios"]).targets["unix"]) as client:
        app = client.app()
        app.authorize()
        app.call("UpdateSettings", location_permission=ALLOWED)
        for index in range(20):
            add(app, f"{index}", circle(f"region {index}"))
        assert refusal_of(lambda: add(app, "more", circle("more"))).reason == "REGION_LIMIT"
        add(app, "same", circle("region 3"))
        assert report(app, AWAY, HOME) == 21
        assert app.delivered() == []
        removed = app.call("RemoveDelivered", identifiers=["3"]).removed_identifiers
        assert list(removed) == ["3"]


def test_regions_are_watched_after_a_restart_without_an_unlock(launch: Launcher) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        app.call("UpdateSettings", location_permission=ALLOWED)
        update(client, "locked", locked=True)
        add(app, "a", circle())
        assert report(app, AWAY) == 0
    server.kill()
    with Client(launch(server.home).targets["unix"]) as client:
        again = App(client, app.center)
        assert report(again, HOME) == 1
        assert fired(again) == ["a"]


def test_a_border_is_crossed_only_beyond_doubt(launch: Launcher) -> None:
    near = {"latitude": 38.7 + 250 / 111_195, "longitude": -9.1}
    with Client(launch(arguments=["--jitter-suppression=on"]).targets["unix"]) as client:
        app = client.app()
        app.authorize()
        app.call("UpdateSettings", location_permission=ALLOWED)
        add(app, "a", circle(), repeats=True)
        assert report(app, HOME, near) == 0
        client.advance(19)
        assert report(app, HOME, near) == 0
        client.advance(20)
        assert fired(app) == ["a"]
        assert report(app, near | {"accuracy_meters": 1_000}, HOME, AWAY) == 0
        client.advance(60)
