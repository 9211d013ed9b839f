"""Loads the package's fixtures where it is not installed; else they load themselves."""

import signal
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

import pytest

try:
    version("belfry")
except PackageNotFoundError:
    pytest_plugins = ["belfry.pytest_plugin"]

# In seconds. A test that waits for what never comes ends; no other takes nearly as long.
BOUND = 1_800


@pytest.fixture(autouse=True)
def _ends() -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise TimeoutError(f"the test goes on for {BOUND} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(BOUND)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
