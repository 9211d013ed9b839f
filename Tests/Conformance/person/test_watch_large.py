"""A device with many apps, and calls with many firings, as one who watches the device sees them."""

import threading
import time
from collections import Counter
from collections.abc import Callable

import pytest

from harness import wire
from harness.client import App, Client, request
from harness.device import Watch
from harness.launcher import Launcher
from harness.memory import MIB, anonymous_memory
from harness.torture import Torture

BATCH = 1_000

# A second for 20,000 apps is several times what a release build takes.
SECONDS_PER_APP = 5e-5


def read_snapshot(watch: Watch) -> wire.DeviceSnapshot:
    """All parts of the state that a watch begins with."""
    whole = wire.DeviceSnapshot()
    while not whole.complete:
        whole.MergeFrom(watch.frame().snapshot)
    return whole


@pytest.mark.torture
def test_the_state_of_a_device_with_many_apps_is_told_once(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    server = launch()
    count = torture.count("R9-apps")
    with Client(server.targets["unix"]) as client:
        app = client.app()
        names = [f"org.example.many{number:06}" for number in range(count)]
        stub = client._stubs["belfry.v1.InstallationService"].RegisterApp
        for start in torture.rounds("R9-apps", -(-count // 500)):
            calls = [
                stub.future(wire.RegisterAppRequest(center={"app_id": name}))
                for name in names[start * 500 : start * 500 + 500]
            ]
            for call in calls:
                call.result()
        # Some have notifications, each more than a part holds.
        talkers = [App(client, wire.Center(app_id=name)) for name in names[:: count // 5]]
        for talker in talkers:
            talker.authorize()
            talker.call("AddBatch", requests=[request(f"{n}") for n in range(300)])
        before = anonymous_memory(server.pid)
        began = time.monotonic()
        watch = Watch(app)
        whole = read_snapshot(watch)
        took = time.monotonic() - began
        grown = anonymous_memory(server.pid) - before
        watch.close()
    report(
        f"R9-apps: the state of a device with {count} apps after {took:.2f} s;"
        f" memory {grown // MIB} MiB more"
    )
    assert [shown.center.app_id for shown in whole.apps] == names
    told = [
        (group.info.center.app_id, shown.notification.identifier)
        for group in whole.groups
        for shown in group.notifications
    ]
    expected = [
        (talker.center.app_id, f"{number}") for talker in talkers for number in reversed(range(300))
    ]
    assert told == expected
    if torture.is_full:
        # Real time: a promise in figures, of a quiet machine.
        assert took <= count * SECONDS_PER_APP + 1


@pytest.mark.torture
def test_a_watch_that_is_read_is_told_of_all_firings_of_one_call(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    server = launch()
    count = torture.count("R9-news") // BATCH * BATCH
    told: Counter[str] = Counter()
    with Client(server.targets["unix"]) as client, Client(server.targets["unix"]) as watching:
        apps = [client.app() for _ in range(count // BATCH)]
        for app in apps:
            app.authorize()
            names = [f"{number}" for number in range(BATCH)]
            content = {"title": "t", "sound": {"kind": wire.SOUND_KIND_DEFAULT}}
            app.call("AddBatch", requests=[request(name, 60, **content) for name in names])
        watch = Watch(App(watching, wire.Center()))
        read_snapshot(watch)
        firing = threading.Thread(target=lambda: client.advance(60))
        began = time.monotonic()
        firing.start()
        while told["sound"] < count:
            told[watch.frame().WhichOneof("kind")] += 1
        took = time.monotonic() - began
        firing.join()
        watch.close()
    report(f"R9-news: {count} firings of one call were told to one who watches in {took:.1f} s")
    assert told["banner"] == told["list_changed"] == count


def test_what_is_told_of_a_replaced_delivery_is_all_or_nothing(own_app: App) -> None:
    watch = Watch(own_app)
    read_snapshot(watch)
    content = {"title": "t", "sound": {"kind": wire.SOUND_KIND_DEFAULT}}
    own_app.call("Add", request=request("again", 60, repeats=True, **content))
    own_app.client.advance(600)
    own_app.add("last")
    kinds: Counter[str] = Counter()
    while True:
        frame = watch.frame()
        if frame.banner.notification.notification.identifier == "last":
            break
        if frame.list_changed.notification.identifier != "last":
            kinds[frame.WhichOneof("kind")] += 1
    watch.close()
    # How many were replaced before they were told is a matter of time.
    assert kinds["list_changed"] == kinds["banner"] == kinds["sound"] >= 1
