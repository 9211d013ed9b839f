"""What differs between tasks and threads: this is the form for tasks of asyncio."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, Generic, Optional, TypeVar

import grpc

from .._target import Target

Item = TypeVar("Item")

Channel = grpc.aio.Channel

Flow = AsyncGenerator[Item, None]


def open_channel(target: Target) -> Channel:
    """A channel to a server, which connects at its first call."""
    if target.credentials is None:
        return grpc.aio.insecure_channel(target.address, options=target.options)
    return grpc.aio.secure_channel(target.address, target.credentials, options=target.options)


class Lock:
    """Keeps others out of a few lines: tasks change only where they wait, so nothing is to do."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


class Mailbox(Generic[Item]):
    """Items from one to another, in order."""

    def __init__(self) -> None:
        self._items: asyncio.Queue[Item] = asyncio.Queue()

    def put(self, item: Item) -> None:
        """Adds an item."""
        self._items.put_nowait(item)

    async def get(self, timeout: Optional[float] = None) -> Item:
        """Waits for the next item; TimeoutError where none comes in time."""
        try:
            return await asyncio.wait_for(self._items.get(), timeout)
        except asyncio.TimeoutError:
            raise TimeoutError("nothing came in time") from None


class Job:
    """A function that runs beside the others."""

    def __init__(self, body: Callable[[], Awaitable[None]]) -> None:
        self._task = asyncio.ensure_future(body())

    def cancel(self) -> None:
        """Ends it where it waits."""
        self._task.cancel()


class Closing:
    """Whether a client is closed, for those who wait meanwhile."""

    def __init__(self) -> None:
        self.is_set = False
        self._event: Optional[asyncio.Event] = None

    def set(self) -> None:
        """Wakes those who wait."""
        self.is_set = True
        if self._event is not None:
            self._event.set()

    async def wait(self, seconds: float) -> None:
        """Waits so long, or until the client is closed."""
        # Made here, so that a client can be made before there is a loop.
        self._event = self._event or asyncio.Event()
        if self.is_set:
            return
        try:
            await asyncio.wait_for(self._event.wait(), seconds)
        except asyncio.TimeoutError:
            pass


class Cancelled(Exception):
    """A server that stops has cancelled a call; a task that is cancelled is told otherwise."""


async def answer_of(method: Any, request: Any, **options: Any) -> Any:
    """Makes a call with one answer."""
    return await _settled(method(request, **options))


async def messages_of(call: Any) -> Flow[Any]:
    """Reads a stream."""
    while True:
        message = await _settled(call.read())
        if message is grpc.aio.EOF:
            return
        yield message


async def _settled(waiting: Awaitable[Any]) -> Any:
    """What is waited for. gRPC has one exception for a task and for a server that cancels."""
    task = asyncio.ensure_future(_awaited(waiting))
    try:
        await asyncio.wait([task])
    except asyncio.CancelledError:
        task.cancel()
        raise
    if task.cancelled():
        raise Cancelled
    return task.result()


async def _awaited(waiting: Awaitable[Any]) -> Any:
    return await waiting


async def call_handler(handler: Callable[[Any], Any], argument: Any) -> None:
    """Calls a handler, which may be a function or a coroutine function."""
    result = handler(argument)
    if inspect.isawaitable(result):
        await result
