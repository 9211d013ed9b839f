"""Waiting for what another process does in its own time."""

import time
from collections.abc import Callable

from harness.server import BOUND


def eventually(condition: Callable[[], bool]) -> None:
    """Asks again and again until the condition holds; fails where it does not in time."""
    end = time.monotonic() + BOUND
    while not condition():
        # Real time: ends the wait for what never happens.
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)
