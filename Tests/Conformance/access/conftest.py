"""Fixtures: a server that asks who calls, which the tests of one file share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from access.serving import start
from access.users import public
from harness.client import Client
from harness.launcher import Launcher
from harness.server import Server


@pytest.fixture(scope="module")
def shared_launch(pytestconfig: pytest.Config) -> Iterator[Launcher]:
    """Starts servers that end with the tests of one file."""
    launcher = Launcher(pytestconfig.getoption("--server"))
    yield launcher
    launcher.close()


@pytest.fixture(scope="module")
def binary(shared_launch: Launcher) -> Path:
    """The command, where every user can run it."""
    return public(shared_launch)


@pytest.fixture(scope="module")
def guarded(shared_launch: Launcher) -> Server:
    """A server whose TCP callers need tokens."""
    return start(shared_launch)


@pytest.fixture(scope="module")
def tcp(guarded: Server) -> Iterator[Client]:
    """A connection to it, over which callers with and without tokens call."""
    with Client(guarded.targets["tcp"]) as client:
        yield client
