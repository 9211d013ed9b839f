"""What differs between tasks and threads: this is the form for threads."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator
from typing import Any, Generic, Optional, TypeVar

import grpc

from .._target import Target

Item = TypeVar("Item")

Channel = grpc.Channel

Flow = Generator[Item, None, None]

Lock = threading.Lock


def open_channel(target: Target) -> Channel:
    """A channel to a server, which connects at its first call."""
    if target.credentials is None:
        return grpc.insecure_channel(target.address, options=target.options)
    return grpc.secure_channel(target.address, target.credentials, options=target.options)


class Mailbox(Generic[Item]):
    """Items from one to another, in order."""

    def __init__(self) -> None:
        self._items: queue.Queue[Item] = queue.Queue()

    def put(self, item: Item) -> None:
        """Adds an item."""
        self._items.put(item)

    def get(self, timeout: Optional[float] = None) -> Item:
        """Waits for the next item; TimeoutError where none comes in time."""
        try:
            return self._items.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError("nothing came in time") from None


class Job:
    """A function that runs beside the others."""

    def __init__(self, body: Callable[[], None]) -> None:
        threading.Thread(target=body, name="belfry", daemon=True).start()

    def cancel(self) -> None:
        """Nothing ends a thread from outside: what it waits for has to end."""


class Closing:
    """Whether a client is closed, for those who wait meanwhile."""

    def __init__(self) -> None:
        self._event = threading.Event()

    @property
    def is_set(self) -> bool:
        """Whether it is closed."""
        return self._event.is_set()

    def set(self) -> None:
        """Wakes those who wait."""
        self._event.set()

    def wait(self, seconds: float) -> None:
        """Waits so long, or until the client is closed."""
        self._event.wait(seconds)


class Cancelled(Exception):
    """Nothing raises it: gRPC tells threads that a call was cancelled as it tells all else."""


def answer_of(method: Any, request: Any, **options: Any) -> Any:
    """Makes a call with one answer."""
    return method(request, **options)


def messages_of(call: Any) -> Flow[Any]:
    """Reads a stream."""
    yield from call


def call_handler(handler: Callable[[Any], Any], argument: Any) -> None:
    """Calls a handler."""
    handler(argument)
