"""When a call that failed is made again."""

from __future__ import annotations

import random
from typing import Optional

from .errors import BelfryError, DeadlineExceeded, Unavailable

# The pause after a connection that failed: twice as long each time, as Belfry's other clients do.
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0


class Backoff:
    """Pauses that get longer."""

    def __init__(self) -> None:
        self._next = FIRST_PAUSE

    def pause(self) -> float:
        """How long to wait now, in seconds: a part is chosen, so that many do not come together."""
        pause, self._next = self._next, min(self._next * 2, LONGEST_PAUSE)
        return pause * random.uniform(0.5, 1.0)


def pause_before_retry(
    error: BelfryError, *, was_reached: bool, backoff: Backoff
) -> Optional[float]:
    """How many seconds to wait before a call is made again; None where it is not.

    A server that says when it can be asked again is asked then. A server that was there and is gone
    may come back. One that was never there most likely does not run at all, which is told at once.
    """
    if error.retry_after is not None:
        return max(error.retry_after, 0.01) * random.uniform(1.0, 1.2)
    if isinstance(error, Unavailable) and (was_reached or error.reason):
        return backoff.pause()
    return None


def pause_before_reopening(
    error: BelfryError, *, was_reached: bool, backoff: Backoff
) -> Optional[float]:
    """How many seconds to wait before a stream is opened again; None where it is not.

    A stream also ends when its own time is over, and when it was not read for a while.
    """
    if isinstance(error, DeadlineExceeded):
        return 0.0
    if error.reason == "SUBSCRIBER_STALLED":
        return backoff.pause()
    return pause_before_retry(error, was_reached=was_reached, backoff=backoff)
