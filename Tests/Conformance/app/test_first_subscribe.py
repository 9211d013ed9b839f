"""Subscribe as the app's first call, which is how an app starts: it registers and hears all."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from harness.client import App, Client
from harness.launcher import Launcher

APPS = 150


@pytest.fixture(params=["manual", "system"])
def clocked(request: pytest.FixtureRequest, launch: Launcher, transport: str) -> Client:
    """A connection to a server on either clock."""
    server = launch() if request.param == "manual" else launch(clock="system")
    client = Client(server.targets[transport])
    request.addfinalizer(client.channel.close)
    return client


@contextmanager
def primary(app: App) -> Iterator[Callable[[], None]]:
    """Subscribes as the one who answers; gives what shows that an event and a question come."""
    with app.in_front() as subscription:
        name = subscription.started().subscription_id
        subscription.until("caught_up")

        def hear() -> None:
            app.authorize()
            assert subscription.event().HasField("settings_changed")
            app.add("asked")
            callback = subscription.callback()
            assert callback.will_present.notification.request.identifier == "asked"
            app.present(name, callback)

        yield hear


def test_an_app_that_begins_with_subscribe_hears_its_events(clocked: Client) -> None:
    for _ in range(APPS):
        with primary(clocked.app()) as hear:
            hear()


def test_an_app_that_registers_again_hears_its_events(clocked: Client) -> None:
    for _ in range(APPS // 3):
        app = clocked.app()
        with primary(app) as hear:
            hear()
            app.call("UnregisterApp")
            with primary(app) as hear_again:
                hear_again()
