"""Fixtures: a server that answers HTTP, which the tests of one file share."""

from collections.abc import Iterator

import pytest

from access.serving import Caller, own_token
from harness.browser import Browser
from harness.client import Client
from harness.launcher import Launcher
from harness.server import Server
from web.home import Home
from web.http_server import Web, serve, url


@pytest.fixture(scope="module")
def shared_launch(pytestconfig: pytest.Config) -> Iterator[Launcher]:
    """Starts servers that end with the tests of one file."""
    launcher = Launcher(pytestconfig.getoption("--server"))
    yield launcher
    launcher.close()


@pytest.fixture(scope="module")
def served(shared_launch: Launcher) -> Server:
    """A server that answers HTTP."""
    return serve(shared_launch)[0]


@pytest.fixture(scope="module")
def web(served: Server) -> Web:
    """The way to it over HTTP, as its own user."""
    return Web(url(served), own_token(served))


@pytest.fixture(scope="module")
def caller(served: Server) -> Iterator[Caller]:
    """The way to it over gRPC, as its own user."""
    with Client(served.targets["tcp"]) as client:
        yield Caller(client, own_token(served))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of one file."""
    with Browser() as found:
        yield found


@pytest.fixture
def home(launch: Launcher, browser: Browser) -> Home:
    """A server with nothing in it yet."""
    return Home(launch, browser)
