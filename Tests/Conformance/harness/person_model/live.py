"""A subscription of the server that a thread reads, beside the one of the model."""

import threading
from typing import Any

import grpc

from harness import wire
from harness.client import Client
from harness.person_model.center import Center
from harness.person_model.records import Stream
from harness.relay import Relay

# Heard of by nobody: they say nothing about the center.
_PASSED_OVER = frozenset(["started", "caught_up", "heartbeat", "snapshot"])


class Live:
    """An open stream: what it was told so far."""

    def __init__(
        self, client: Client, request: wire.SubscribeRequest, center: Center, *, after: int
    ) -> None:
        self.center = center
        self.after = after
        self.client = client
        self.relay: Relay | None = None
        self.model: Stream | None = None
        self.started: wire.SubscriptionStarted | None = None
        self.is_caught_up = False
        self.events: list[wire.Event] = []
        self.frames: list[wire.SubscriptionFrame] = []
        self.error: grpc.RpcError | None = None
        self.changed = threading.Condition()
        self._call = client.send("Subscribe", request, timeout=None)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            for response in self._call:
                with self.changed:
                    for frame in response.frames:
                        self._take(frame)
                    self.changed.notify_all()
        except grpc.RpcError as error:
            self.error = error
        with self.changed:
            self.changed.notify_all()

    def _take(self, frame: wire.SubscriptionFrame) -> None:
        kind = frame.WhichOneof("kind")
        if kind == "event":
            self.events.append(frame.event)
        elif kind == "started":
            self.started = frame.started
        elif kind == "caught_up":
            self.is_caught_up = True
        elif kind not in _PASSED_OVER:
            self.frames.append(frame)

    def wait(self, condition: Any, bound: float) -> bool:
        """Waits until a condition of what it was told holds, or it ended."""
        with self.changed:
            return bool(
                self.changed.wait_for(lambda: condition() or self.error is not None, bound)
                and self.error is None
            )

    def cancel(self) -> None:
        """Cancels the call, and leaves the connection as it is."""
        self._call.cancel()

    def close(self) -> None:
        """Cancels the call, or forgets a connection that is gone."""
        self._call.cancel()
        if self.relay:
            self.client.channel.close()
            self.relay.__exit__()

    def cut(self) -> None:
        """Loses the connection without a word."""
        assert self.relay
        self.relay.__exit__()
