"""Fixtures for tests of an app's notifications, on a server of their own whose clock they move.

    def test_a_reminder_comes(app, clock, assert_delivered):
        app.add("Milk", id="milk", in_="1 day")
        clock.advance("1 day")
        assert_delivered("milk")

One server runs for all tests of a process; each test has an app and a device that no other test has.
`--belfry-binary` names the program of the server, which is else found as by `belfry.start`.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from typing import Protocol

import pytest

import belfry
from belfry import App, Client, Clock, Delivered, Device

START = datetime(2026, 1, 1, tzinfo=timezone.utc)
"""Where the clock stands when the server starts."""

_numbers = itertools.count(1)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the fixtures."""
    group = parser.getgroup("belfry")
    group.addoption("--belfry-binary", metavar="PATH", help="the program of the server")


@pytest.fixture(scope="session")
def belfry_server(pytestconfig: pytest.Config) -> Iterator[Client]:
    """A client of the server of all tests, with a manual clock; persons answer its prompts.

    >>> def test_it_serves(belfry_server):
    ...     assert belfry_server.info().version
    """
    # In memory a sync costs nothing, and no test cuts the power.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="belfry-", dir=memory) as directory:
        with belfry.start(
            clock=START,
            data=os.path.join(directory, "data"),
            prompts="ask",
            binary=pytestconfig.getoption("--belfry-binary"),
            timeout=timedelta(seconds=60),
        ) as client:
            yield client


@pytest.fixture
def app(belfry_server: Client, person: Device) -> Iterator[App]:
    """An app of this test alone, which the person allows to notify.

    >>> def test_it_is_told_when(app):
    ...     assert app.add("Milk", in_="1h").next == START + timedelta(hours=1)
    """
    app = belfry_server.app(f"org.example.{person.name}", device=person.name)
    app.authorize(wait=timedelta())
    person.allow(app.id)
    yield app
    belfry_server.admin.unregister(app.id, device=app.device)


@pytest.fixture
def person(belfry_server: Client) -> Device:
    """The person of this test, at a device of their own.

    >>> def test_a_press(app, person):
    ...     app.add("Milk", id="milk", actions=[Action("done", "Done")])
    ...     person.press("milk", "done")
    """
    return belfry_server.device(f"test{next(_numbers)}")


@pytest.fixture
def clock(belfry_server: Client) -> Clock:
    """The clock, which stands still until a test moves it.

    >>> def test_a_day_passes(app, clock):
    ...     app.add("Milk", in_="1 day")
    ...     assert clock.advance("1 day") == 1
    """
    return belfry_server.clock


class AssertDelivered(Protocol):
    """What `assert_delivered` is."""

    def __call__(self, *names: str) -> list[Delivered]:
        """Fails unless the app has delivered these, by identifier or title; all that it has."""


@pytest.fixture
def assert_delivered(app: App) -> AssertDelivered:
    """Fails unless notifications are delivered, by their identifiers or titles; without, if any is.

    >>> def test_nothing_comes_early(app, assert_delivered):
    ...     app.add("Milk", in_="1 day")
    ...     assert_delivered()
    """

    def check(*names: str) -> list[Delivered]:
        __tracebackhide__ = True
        delivered = app.delivered()
        known = {name for each in delivered for name in (each.id, each.title)}
        missing = [name for name in names if name not in known]
        if missing or (delivered and not names):
            found = ", ".join(f"{each.id} ({each.title})" for each in delivered) or "nothing"
            waiting = ", ".join(f"{each.id} at {each.next}" for each in app.pending())
            expected = ", ".join(missing) or "nothing"
            pytest.fail(
                f"{expected} should be delivered; {found} is, and {waiting or 'nothing'} waits"
            )
        return delivered

    return check


class BadDay:
    """What can go wrong, each in one call."""

    def __init__(self, client: Client, person: Device) -> None:
        self._client = client
        self._person = person

    def kill_and_restart(self) -> None:
        """Ends the server as a crash does, and starts it with what it has stored.

        >>> def test_a_reminder_outlives_a_crash(app, bad_day):
        ...     app.add("Milk", id="milk", in_="1 day")
        ...     bad_day.kill_and_restart()
        ...     assert app.pending("milk")
        """
        self._restart()

    def change_zone(self, zone: str = "America/New_York") -> None:
        """Takes the person and the device to another zone.

        >>> def test_breakfast_moves_along(app, bad_day):
        ...     app.add("Breakfast", at=time(8), id="breakfast")
        ...     bad_day.change_zone("Asia/Tokyo")
        ...     assert app.pending("breakfast")[0].next.hour == 23
        """
        self._person.travel(zone)

    @contextmanager
    def fill_disk(self) -> Iterator[None]:
        """Leaves the store no room while the block runs.

        >>> def test_a_full_disk_is_told(app, bad_day):
        ...     with bad_day.fill_disk(), pytest.raises(belfry.StoreFull):
        ...         app.add("Milk")
        """
        self._restart("--max-store-size=16MiB")
        filler = self._client.app("org.belfry.filler", device="filler")
        filler.authorize(provisional=True)
        try:
            # A full store still tidies up for a while, which gives room back.
            for size, refusals in ((60_000, 1), (6_000, 1), (0, 50)):
                left = refusals
                while left:
                    try:
                        filler.add("Filler", "x" * size, in_="36500 days")
                        left = refusals
                    except belfry.StoreFull:
                        left -= 1
            yield
        finally:
            self._restart()
            self._client.admin.unregister(filler.id, device=filler.device)

    def _restart(self, *arguments: str) -> None:
        assert self._client.server is not None
        self._client.server.kill()
        self._client.server.start(*arguments)


@pytest.fixture
def bad_day(belfry_server: Client, person: Device) -> BadDay:
    """What can go wrong with a server, a disk and a zone.

    >>> def test_a_crash(app, bad_day):
    ...     bad_day.kill_and_restart()
    ...     app.add("Milk")
    """
    return BadDay(belfry_server, person)
