"""Follows a center, also when the connection is cut and made again."""

from __future__ import annotations

from typing import Optional

from .. import rpc, v1
from .._retries import Backoff, pause_before_reopening
from ..errors import BelfryError, NotFound, Unavailable
from ._calls import Calls, Stop
from ._concurrency import Flow


# In seconds. Where a network swallows a connection nobody tells: each is made anew after this time.
RENEWAL = 900.0


async def subscribe(
    calls: Calls, request: v1.SubscribeRequest, stop: Stop
) -> Flow[v1.SubscriptionFrame]:
    """Gives the frames of a subscription, each event once and in order, until it is stopped or the client
    closes.

    Each connection begins with a `started` frame. A connection that is cut, or a server that stops,
    is waited for, and the frames go on behind the last event. The role is resumed where the server
    keeps it, and asked for anew where it does not.
    """
    position: Optional[int] = request.after if request.HasField("after") else None
    resumed = ""
    speaks = request.role == v1.SUBSCRIBER_ROLE_PRIMARY
    backoff = Backoff()
    while not (calls.closing.is_set or stop.is_set):
        stream = calls.stream(rpc.Subscribe, _again(request, position, resumed), stop, RENEWAL)
        try:
            async for message in stream:
                backoff = Backoff()
                for frame in message.frames:
                    if frame.HasField("started"):
                        resumed = frame.started.subscription_id if speaks else ""
                        if position is None:
                            position = frame.started.last_event_number
                    elif frame.HasField("event"):
                        # It counts as told before it is handled: what handles it has its number.
                        position = frame.event.number
                    yield frame
            # The server closed the stream with OK, as none does by itself.
            error: BelfryError = Unavailable("the server closed the stream")
        except BelfryError as failed:
            error = failed
        finally:
            await stream.aclose()
        if calls.closing.is_set or stop.is_set:
            return
        if resumed and isinstance(error, NotFound) and error.reason == "SUBSCRIPTION_UNKNOWN":
            resumed = ""
            continue
        pause = pause_before_reopening(error, was_reached=calls.was_reached, backoff=backoff)
        if pause is None:
            raise error
        await calls.closing.wait(pause)


def _again(
    request: v1.SubscribeRequest, position: Optional[int], resumed: str
) -> v1.SubscribeRequest:
    """The request of the next connection."""
    again = v1.SubscribeRequest()
    again.CopyFrom(request)
    if resumed:
        again = v1.SubscribeRequest(center=request.center, resume_subscription_id=resumed)
    if position is not None:
        again.after = position
    return again
