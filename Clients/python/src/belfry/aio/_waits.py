"""Waits for the answer to one notification, beside all others who wait or speak for the app."""

from __future__ import annotations

import time
from typing import Optional

from .. import rpc, v1
from .._retries import Backoff, pause_before_reopening
from .._status import error_of_item
from ..errors import BelfryError, DeadlineExceeded, NotAnswered, Unavailable
from ..models import DISMISS, Answer, Receipt, said
from ._calls import Calls
from ._subscription import RENEWAL

# It needs no completion any more: it is handled, or its time is over.
_OVER = ("CALLBACK_ENDED", "CALLBACK_UNKNOWN")


async def answer_to(
    calls: Calls, center: v1.Center, receipt: Receipt, deadline: Optional[float]
) -> Answer:
    """Gives the answer, which is complete then; a lost connection and a restart are waited for."""
    request = v1.AwaitAnswerRequest(
        center=center,
        identifier=receipt.id,
        request_number=receipt.request_number,
        after=receipt.as_of_event,
    )
    backoff = Backoff()
    while True:
        remaining = RENEWAL if deadline is None else deadline - time.monotonic()
        if remaining <= 0:
            raise TimeoutError(f"nobody has answered {receipt.id!r} in time")
        try:
            outcome = await _outcome(calls, request, min(remaining, RENEWAL))
            break
        except BelfryError as error:
            pause = pause_before_reopening(error, was_reached=calls.was_reached, backoff=backoff)
            if pause is None or calls.closing.is_set:
                raise
        await calls.closing.wait(min(pause, remaining))
    if outcome.HasField("no_answer"):
        return _without_answer(receipt.id, outcome.no_answer.reason)
    if outcome.answer.callback_id:
        try:
            await complete(calls, center, outcome.answer.callback_id)
        except (Unavailable, DeadlineExceeded):
            # The answer is there; the next who speaks for the app is told it again.
            pass
    return Answer(receipt.id, *said(outcome.answer))


async def complete(
    calls: Calls, center: v1.Center, callback: str, subscription: str = ""
) -> None:
    """Says that the app has handled what the person did."""
    request = v1.CompleteResponseRequest(
        center=center,
        subscription_id=subscription,
        answers=[v1.ResponseAnswer(callback_id=callback)],
    )
    for refused in (await calls.call(rpc.CompleteResponse, request)).refused:
        if refused.error.reason not in _OVER:
            raise error_of_item(refused.error)


async def _outcome(
    calls: Calls, request: v1.AwaitAnswerRequest, seconds: float
) -> v1.AwaitAnswerResponse:
    """Waits on one connection."""
    stream = calls.stream(rpc.AwaitAnswer, request, timeout=seconds)
    try:
        async for message in stream:
            if message.WhichOneof("outcome"):
                return message
    finally:
        await stream.aclose()
    raise Unavailable("the server closed the stream")


def _without_answer(id: str, reason: v1.NoAnswerReason) -> Answer:
    if reason == v1.NO_ANSWER_REASON_DISMISSED:
        return Answer(id, DISMISS, None)
    name = v1.NoAnswerReason.Name(reason) if reason in v1.NoAnswerReason.values() else "UNKNOWN"
    word = name.removeprefix("NO_ANSWER_REASON_")
    raise NotAnswered(f"{id} is gone without an answer: {word}", reason=word)
