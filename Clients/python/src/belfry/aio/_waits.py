"""Who waits for the answer to one notification, on a wire that tells an app of all of them.

REPLACE when the wire has a wait for one notification: see `_answers.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from .. import v1
from ..errors import BelfryError, NotAnswered
from ..models import Answer
from ._concurrency import Mailbox

# How a notification ends that nobody could answer.
_NOT_SHOWN = ("suppressed", "missed", "expired", "evicted")


@dataclass
class Offer:
    """What the person did, until the app has handled it."""

    callback: str
    answer: Answer
    # It is not complete, and is told again when somebody speaks for the app anew.
    has_failed: bool = False


class Wait:
    """One who waits."""

    def __init__(self, id: str, *, is_new: bool, tells_dismissals: bool) -> None:
        self.id = id
        # Whatever the person does is an answer, so that none is missing where it leaves the list.
        self.tells_dismissals = tells_dismissals
        self.bell: Mailbox[Optional[BelfryError]] = Mailbox()
        self.offer: Optional[Offer] = None
        # Earlier notifications of the identifier are not what is waited for. None where it was
        # there before the wait.
        self.deliveries: Optional[set[int]] = set() if is_new else None


class Waits:
    """All who wait for answers of one app."""

    def __init__(self) -> None:
        self.all: list[Wait] = []
        # Those whose notification left the list: an answer may be told behind that.
        self._left: dict[Wait, NotAnswered] = {}

    def of(self, answer: Answer) -> list[Wait]:
        """Those who wait for this answer."""
        waits = [wait for wait in self.all if wait.id == answer.id and wait.offer is None]
        for wait in waits:
            self._left.pop(wait, None)
        return waits

    def note(self, event: v1.Event, is_primary: bool) -> bool:
        """Takes note of what becomes of the notifications.

        True where the person answered or dismissed one, and another program was told which.
        """
        kind = event.WhichOneof("kind") or ""
        delivery: Optional[int] = None
        if kind in ("delivered", "held"):
            notification = getattr(event, kind).notification
            for wait in self.all:
                if wait.id == notification.request.identifier and wait.deliveries is not None:
                    wait.deliveries.add(notification.delivery)
            return False
        if kind == "response_completed":
            reference = event.response_completed.notification
            id, delivery, why = reference.identifier, reference.delivery, "TAKEN"
        elif kind == "removed":
            id, why = event.removed.identifier, _cause(event.removed)
            delivery = event.removed.delivery if event.removed.HasField("delivery") else None
        elif kind in _NOT_SHOWN:
            id, why = getattr(event, kind).identifier, kind.upper()
        else:
            return False
        ended = [
            wait
            for wait in self.all
            if wait.id == id
            and wait.offer is None
            and (delivery is None or wait.deliveries is None or delivery in wait.deliveries)
        ]
        if ended and why == "DISMISSED" and not is_primary:
            return True
        for wait in ended:
            if why == "DISMISSED" and wait.tells_dismissals:
                continue
            self._left[wait] = NotAnswered(f"{id} is gone without an answer: {why}", reason=why)
        return False

    def end_left(self) -> None:
        """Ends the waits for what is gone, when all that the server had to tell is told."""
        left, self._left = self._left, {}
        for wait, error in left.items():
            wait.bell.put(error)


def _cause(removed: v1.RemovedEvent) -> str:
    if removed.cause == v1.REMOVAL_CAUSE_PERSON:
        return "DISMISSED"
    return v1.RemovalCause.Name(removed.cause)[len("REMOVAL_CAUSE_") :]
