"""What becomes due together, where the first takes the second away (§8, §9, §16.2)."""

import subprocess
import time
from collections.abc import Callable
from typing import Any

import pytest

from harness import wire
from harness.client import App, Client, request
from harness.device import update
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import BOUND, Server

HOUR = 3_600


def settled(app: App) -> list[str]:
    """What became of each occurrence, in the order of the events."""
    kinds = [event.WhichOneof("kind") or "" for event in app.events()]
    return [kind for kind in kinds if kind in ("delivered", "held", "suppressed", "missed")]


def is_clean(launch: Launcher, server: Server) -> None:
    """Holds the data directory of a server that has ended against the rules."""
    checked = subprocess.run(
        [launch.binary, "check", "--data", server.home / "data"],
        capture_output=True,
        text=True,
        timeout=BOUND,
        check=False,
    )
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout + checked.stderr


def test_a_question_that_its_successor_takes_back(launch: Launcher) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        with app.in_front() as front:
            front.started()
            assert app.add("e").state == wire.REQUEST_STATE_ARRIVING
            app.add("e", 2)
            client.call("Suspend", by=wire.seconds(60))
        assert settled(app)[0] == "suppressed"
        client.advance(60)
        assert settled(app) == ["suppressed", "delivered"]
        assert (app.pending(), app.delivered()) == ([], ["e"])
    server.terminate()
    assert server.wait() == 0
    is_clean(launch, server)


def in_summary(app: App, *apps: str) -> None:
    update(
        app.client,
        "summary",
        device=app.center.device_id,
        summary={"enabled": True, "times": [8 * 60], "apps": apps},
    )


def leaves_summary(app: App) -> None:
    in_summary(app, "org.example.other")


def focus(app: App) -> None:
    update(app.client, "focus", device=app.center.device_id, focus={"allowed_apps": ["org.x"]})


def list_off(app: App) -> None:
    disabled = wire.NOTIFICATION_SETTING_DISABLED
    app.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(notification_center_setting=disabled),
        update_mask={"paths": ["notification_center_setting"]},
    )


def nothing(app: App) -> None:
    pass


URGENT = {"title": "A title", "interruption_level": wire.INTERRUPTION_LEVEL_TIME_SENSITIVE}


@pytest.mark.parametrize(
    "change, content",
    [(leaves_summary, {}), (focus, {}), (list_off, {}), (nothing, URGENT)],
    ids=["its app left the summary", "a Focus", "the list is off", "time sensitive"],
)
@pytest.mark.parametrize("repeats", [False, True], ids=["once", "repeating"])
def test_a_summary_whose_only_notification_is_replaced(
    launch: Launcher, change: Callable[[App], None], content: dict[str, Any], repeats: bool
) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = client.app()
        manifest = wire.AppManifest(entitlements=wire.Entitlements(time_sensitive=True))
        app.call("RegisterApp", manifest=manifest)
        app.authorize()
        in_summary(app, app.center.app_id)
        app.add("held")
        waits = app.events()[-1].delivered.presentation
        assert wire.PRESENTATION_OPTION_BANNER not in waits.options
        app.call("Add", request=request("held", HOUR, repeats=repeats, **content))
        change(app)
        client.call("Suspend", by=wire.seconds(9 * HOUR))
        assert len(settled(app)) == 2
        assert app.pending() == (["held"] if repeats else [])
        client.advance(24 * HOUR)
    server.terminate()
    assert server.wait() == 0
    is_clean(launch, server)


def test_a_server_that_was_away_starts_with_what_its_successor_takes_back(
    launch: Launcher,
) -> None:
    server = launch(clock="system")
    home = server.home
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        with app.in_front() as front:
            front.started()
            assert app.add("e").state == wire.REQUEST_STATE_ARRIVING
            app.add("e", 2)
            server.kill()
    time.sleep(7)
    server = launch(home, clock="system")
    with Client(server.targets["unix"]) as client:
        client.wait_until_ready()
        app = App(client, app.center)
        # The server serves while it works off what became due meanwhile.
        eventually(lambda: len(settled(app)) == 2)
        assert settled(app) == ["suppressed", "delivered"]
        assert app.add("after").state == wire.REQUEST_STATE_DELIVERED
    server.terminate()
    assert server.wait() == 0
    is_clean(launch, server)
