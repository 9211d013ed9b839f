"""Speaks for an app: takes what the person did with its notifications, for all loops over it.

A server tells one subscriber of an app what the person does, so an `App` has one such subscription,
however many loops there are.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Optional

from .. import v1
from ..errors import BelfryError, NotFound, NotPossible, Superseded
from ..models import Response
from ._calls import Calls, Stop
from ._concurrency import Flow, Job, Lock, Mailbox
from ._subscription import subscribe
from ._waits import complete

# Wakes a loop or who waits for the subscription: with an error where there is none any more.
_Bell = Mailbox[Optional[BelfryError]]


@dataclass
class Offer:
    """What the person did, until the app has handled it."""

    callback: str
    response: Response
    # It is not complete, and is told again when somebody speaks for the app anew.
    has_failed: bool = False


class Answers:
    """The subscription that speaks for one app on one device, while somebody waits."""

    def __init__(self, calls: Calls, center: v1.Center) -> None:
        self._calls = calls
        self._center = center
        self._lock = Lock()
        self._users = 0
        self._stop: Optional[Stop] = None
        self._job: Optional[Job] = None
        self._subscription = ""
        self._is_primary = False
        self._ready: list[_Bell] = []
        self._loops: list[_Bell] = []
        # What nobody has taken yet, and what is being handled, by callback.
        self._open: dict[str, Offer] = {}
        self._taken: set[str] = set()

    async def each(self, count: Optional[int]) -> Flow[Offer]:
        """Gives each offer; it is complete when the next one is asked for, unless it has failed."""
        bell: _Bell = Mailbox()
        offer: Optional[Offer] = None
        try:
            await self._attach(bell)
        except BelfryError:
            if self._calls.closing.is_set:
                return
            raise
        try:
            while count is None or count > 0:
                offer = self._next()
                if offer is None:
                    error = await bell.get()
                    if error is not None and not self._calls.closing.is_set:
                        raise error
                    if error is not None:
                        return
                    continue
                yield offer
                if not offer.has_failed:
                    await self._complete(offer)
                offer = None
                count = count if count is None else count - 1
        finally:
            with self._lock:
                self._loops.remove(bell)
                self._give_back(offer)
            self._detach()

    async def _attach(self, loop: _Bell) -> None:
        """Waits until the subscription stands; what ends it from then on is told to the loop."""
        ready: _Bell = Mailbox()
        with self._lock:
            self._users += 1
            self._loops.append(loop)
            if self._stop is None:
                stop = self._stop = Stop()
                self._subscription = ""
                self._job = Job(lambda: self._follow(stop))
            if self._subscription:
                return
            self._ready.append(ready)
        try:
            error = await ready.get()
            if error is not None:
                raise error
        except BaseException:
            with self._lock:
                self._loops.remove(loop)
            self._detach()
            raise

    def _detach(self) -> None:
        """Ends the subscription behind the last who waits, and with it the role."""
        with self._lock:
            self._users -= 1
            if self._users > 0 or self._stop is None or self._job is None:
                return
            stop, self._stop = self._stop, None
            self._open.clear()
            self._taken.clear()
        stop.set()
        self._job.cancel()

    async def _follow(self, stop: Stop) -> None:
        """Reads the subscription, and tells those who wait."""
        try:
            await self._read(stop)
            error = BelfryError("the subscription ended", code="CANCELLED")
        except BelfryError as failed:
            error = failed
        except Exception as failed:
            # Nobody else sees what ends a job: those who wait are told.
            error = BelfryError(f"the answers cannot be read: {failed!r}")
        self._end(error, stop)

    async def _read(self, stop: Stop) -> None:
        """Speaks for the app."""
        request = v1.SubscribeRequest(
            center=self._center,
            role=v1.SUBSCRIBER_ROLE_PRIMARY,
            capabilities=[v1.DELEGATE_CAPABILITY_DID_RECEIVE],
        )
        frames = subscribe(self._calls, request, stop)
        try:
            async for frame in frames:
                kind = frame.WhichOneof("kind")
                if stop.is_set:
                    break
                if kind == "started":
                    self._begin(frame.started)
                elif kind == "callback" and frame.callback.HasField("did_receive"):
                    self._offer(frame.callback)
                elif kind == "callback_ended":
                    with self._lock:
                        self._open.pop(frame.callback_ended.callback_id, None)
                elif kind == "demoted":
                    self._demote()
        finally:
            await frames.aclose()

    def _begin(self, started: v1.SubscriptionStarted) -> None:
        with self._lock:
            self._subscription = started.subscription_id
            self._is_primary = started.role == v1.SUBSCRIBER_ROLE_PRIMARY
            # What is open is offered again on each connection.
            self._open.clear()
            ready, self._ready = self._ready, []
        for bell in ready:
            bell.put(None)
        if not self._is_primary:
            self._demote()

    def _offer(self, callback: v1.Callback) -> None:
        """Keeps what the person did for the loop that takes it."""
        offer = Offer(callback.callback_id, Response.of(callback.did_receive))
        with self._lock:
            if offer.callback in self._taken:
                # A connection was cut while it is being handled.
                return
            self._open[offer.callback] = offer
            self._ring()

    def _give_back(self, offer: Optional[Offer]) -> None:
        """Takes back what was not handled: the next loop is told, or the next start of the app."""
        if offer is not None and offer.callback in self._taken:
            self._taken.discard(offer.callback)
            self._open[offer.callback] = offer
            self._ring()

    def _ring(self) -> None:
        for bell in self._loops:
            bell.put(None)

    def _next(self) -> Optional[Offer]:
        """Takes the oldest that nobody has taken."""
        with self._lock:
            for callback, offer in self._open.items():
                del self._open[callback]
                self._taken.add(callback)
                return offer
        return None

    def _demote(self) -> None:
        """Tells the loops that another program speaks for the app."""
        with self._lock:
            self._is_primary = False
            loops = list(self._loops)
        for bell in loops:
            bell.put(Superseded("another program speaks for the app now", reason="SUPERSEDED"))

    def _end(self, error: BelfryError, stop: Stop) -> None:
        """Tells all that there is no subscription any more."""
        with self._lock:
            if self._stop is not stop:
                return
            self._stop = None
            self._subscription = ""
            ready, self._ready = self._ready, []
            bells = [*ready, *self._loops]
        for bell in bells:
            bell.put(error)

    async def _complete(self, offer: Offer) -> None:
        """Says that the app has handled it, whatever becomes of the connection meanwhile."""
        deadline = time.monotonic() + self._calls.timeout
        while True:
            try:
                await complete(self._calls, self._center, offer.callback, self._subscription)
                break
            except (NotFound, NotPossible) as error:
                if error.reason == "NOT_PRIMARY" and not self._is_primary:
                    break
                # The connection was cut, and the next one has another name.
                is_cut = error.reason in ("SUBSCRIPTION_UNKNOWN", "NOT_PRIMARY")
                if not is_cut or time.monotonic() > deadline or self._calls.closing.is_set:
                    raise
            await self._calls.closing.wait(0.05)
        with self._lock:
            self._taken.discard(offer.callback)
