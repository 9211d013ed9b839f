"""Subscribers that come and go, and one that stays and must be told everything."""

import random
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable

import grpc

from harness import wire
from harness.client import App
from harness.eventually import eventually
from harness.http2 import (
    FIRST_WINDOW,
    LARGEST_WINDOW,
    Connection,
    greeting,
    header_block,
    reset,
    whole,
)
from harness.subscription import Subscription

_BLOCK = header_block(wire.path(wire.METHODS["Subscribe"]))


class Comer:
    """Makes one short subscription after another; some of them never read and stay for a while."""

    # Subscriptions that do not read and are open at once.
    STALLED = 10

    def __init__(self, targets: list[str], center: wire.Center, choices: random.Random) -> None:
        self.stalled = 0
        self._targets = targets
        self._choices = choices
        self._still_open: deque[Connection] = deque()
        self._messages = [
            whole(wire.SubscribeRequest(center=center, **fields).SerializeToString())
            for fields in ({}, {"after": 0}, {"snapshot": True})
        ]

    def come_and_go(self, count: int) -> None:
        """Opens and ends so many."""
        for _ in range(count):
            if self._choices.random() < 0.1:
                self._stall()
            else:
                self._visit()

    def _visit(self) -> None:
        connection = Connection(self._choices.choice(self._targets))
        stream = connection.start(_BLOCK, self._choices.choice(self._messages))
        kind = self._choices.choice(["unread", "left", "cancelled", "cut"])
        while kind != "unread" and stream not in connection.answered:
            connection.read()
        if kind == "cancelled":
            connection.send(reset(stream))
        elif kind == "cut":
            linger = struct.pack("ii", 1, 0)
            connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        connection.close()

    def _stall(self) -> None:
        """Never reads: it takes nothing, a little, or as much as the sockets hold."""
        self.stalled += 1
        hello = greeting(self._choices.choice([0, FIRST_WINDOW, LARGEST_WINDOW]))
        connection = Connection(self._choices.choice(self._targets), hello)
        connection.start(_BLOCK, self._messages[1])
        self._still_open.append(connection)
        if len(self._still_open) > self.STALLED:
            self._still_open.popleft().close()

    def close(self) -> None:
        """Ends those that do not read."""
        while self._still_open:
            self._still_open.popleft().close()


class Faithful:
    """A subscriber that stays, from the first event on; its thread checks each number."""

    def __init__(self, app: App) -> None:
        self.newest = 0
        self.delivered: list[str] = []
        self._error: BaseException | None = None
        message = wire.SubscribeRequest(center=app.center, after=0)
        self._subscription = Subscription(app.client.send("Subscribe", message, timeout=None))
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        try:
            while True:
                event = self._subscription.event()
                assert event.number == self.newest + 1, f"{event.number} after {self.newest}"
                if event.HasField("delivered"):
                    self.delivered.append(event.delivered.notification.request.identifier)
                self.newest = event.number
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.CANCELLED:
                self._error = error
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is joined
            self._error = error

    def wait_for(self, number: int) -> None:
        """Waits until it was told so many events; it may be slow, but not silent."""
        while self.newest < number:
            eventually(self._has_gone_on(self.newest))
            if self._error:
                raise self._error

    def _has_gone_on(self, before: int) -> Callable[[], bool]:
        return lambda: self._error is not None or self.newest > before

    def close(self) -> None:
        """Ends the stream and its thread."""
        with self._subscription:
            pass
        self._thread.join()
