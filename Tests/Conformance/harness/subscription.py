"""A Subscribe stream, read frame by frame."""

from collections import deque
from typing import Any, Self

import grpc

from harness import wire


class Subscription:
    """An open stream. Its reads end with the call's deadline at the latest."""

    def __init__(self, call: Any) -> None:
        self._call = call
        self._frames: deque[wire.SubscriptionFrame] = deque()
        # Of the newest message that was read; absent is None.
        self.bookmark: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._call.cancel()

    def message(self) -> wire.SubscribeResponse:
        """The next message, past frames that were not read."""
        response = next(self._call)
        self.bookmark = response.bookmark if response.HasField("bookmark") else None
        return response

    def frame(self) -> wire.SubscriptionFrame:
        """The next frame."""
        while not self._frames:
            self._frames.extend(self.message().frames)
        return self._frames.popleft()

    def until(self, kind: str) -> list[wire.SubscriptionFrame]:
        """The next frames up to the first of a kind, which is the last of them."""
        frames = [self.frame()]
        while frames[-1].WhichOneof("kind") != kind:
            frames.append(self.frame())
        return frames

    def events_until_caught_up(self) -> list[wire.Event]:
        """The events that there were when the stream began."""
        return [frame.event for frame in self.until("caught_up") if frame.HasField("event")]

    def started(self) -> wire.SubscriptionStarted:
        """That it stands, which is its first frame."""
        return self.until("started")[-1].started

    def callback(self) -> wire.Callback:
        """The next question to the app."""
        return self.until("callback")[-1].callback

    def callback_ended(self) -> wire.CallbackEnded:
        """The next end of a question."""
        return self.until("callback_ended")[-1].callback_ended

    def event(self) -> wire.Event:
        """The next event."""
        return self.until("event")[-1].event

    def status(self) -> grpc.StatusCode:
        """Reads what is left and gives how the stream ended."""
        try:
            for response in self._call:
                self._frames.extend(response.frames)
        except grpc.RpcError as error:
            return error.code()
        return grpc.StatusCode.OK
