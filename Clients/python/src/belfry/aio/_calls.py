"""Makes the calls: with the token, a deadline, a key for what changes something, and again where
that helps."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, Optional, Union

import grpc
from google.protobuf.message import Message

from .._keys import give_key
from .._retries import Backoff, pause_before_retry
from .._rpc import Exchange, Request, Response, Stream, Unary, Upload
from .._status import error_of
from .._target import Target
from ..errors import BelfryError, Unavailable
from ._concurrency import (
    Cancelled, Channel, Closing, Flow, Lock, answer_of, messages_of, open_channel
)  # fmt: skip

AnyRpc = Union[Unary[Any, Any], Stream[Any, Any], Upload[Any, Any], Exchange[Any, Any]]


class Stop:
    """Ends a stream from outside of who reads it."""

    def __init__(self) -> None:
        self.is_set = False
        self.call: Any = None

    def set(self) -> None:
        """Ends it."""
        self.is_set = True
        if self.call is not None:
            self.call.cancel()


class Calls:
    """The connection to one server."""

    def __init__(self, target: Target, timeout: float) -> None:
        self.target = target
        self.timeout = timeout
        self.closing = Closing()
        # Whether the server has answered before: one that is gone since may come back.
        self.was_reached = False
        self._lock = Lock()
        self._channel: Optional[Channel] = None
        self._methods: dict[str, Any] = {}

    async def close(self) -> None:
        """Ends the calls that are open, and the connection."""
        self.closing.set()
        if self._channel is not None:
            await self._channel.close()

    async def call(
        self, rpc: Unary[Request, Response], request: Request, timeout: Optional[float] = None
    ) -> Response:
        """Makes a call with one answer, until its deadline.

        What changes something has one key for all attempts, so that it is changed once.
        """
        give_key(request)
        return await self._until_answered(rpc, lambda: request, timeout)  # type: ignore[no-any-return]

    async def upload(
        self, rpc: Upload[Request, Response], requests: Iterable[Request],
        timeout: Optional[float] = None,
    ) -> Response:  # fmt: skip
        """Makes a call that takes a stream of requests, which are kept for a retry."""
        kept = list(requests)
        if kept:
            give_key(kept[0])
        return await self._until_answered(rpc, lambda: iter(kept), timeout)  # type: ignore[no-any-return]

    def stream(
        self,
        rpc: Stream[Request, Response],
        request: Request,
        stop: Optional[Stop] = None,
        timeout: Optional[float] = None,
    ) -> Flow[Response]:
        """Makes a call that answers with a stream, once. Whoever stops reading ends it."""
        give_key(request)
        return self._messages(rpc, request, stop, timeout)

    def exchange(
        self,
        rpc: Exchange[Request, Response],
        requests: Iterable[Request],
        timeout: Optional[float] = None,
    ) -> Flow[Response]:
        """Makes a call that takes a stream and answers with one, once."""
        return self._messages(rpc, iter(requests), None, timeout)

    async def _messages(
        self, rpc: AnyRpc, request: Any, stop: Optional[Stop], timeout: Optional[float]
    ) -> Flow[Any]:
        call = self._method(rpc)(request, timeout=timeout, metadata=self.target.metadata)
        if stop is not None:
            stop.call = call
            if stop.is_set:
                call.cancel()
        try:
            async for response in messages_of(call):
                self.was_reached = True
                yield response
        except grpc.RpcError as error:
            raise self._error(error) from None
        except Cancelled:
            raise self._stopped() from None
        finally:
            call.cancel()

    async def _until_answered(self, rpc: AnyRpc, request: Any, timeout: Optional[float]) -> Any:
        """Makes a call again and again, as long as that may help."""
        deadline = time.monotonic() + (self.timeout if timeout is None else timeout)
        backoff = Backoff()
        while True:
            remaining = max(deadline - time.monotonic(), 0.001)
            method, metadata = self._method(rpc), self.target.metadata
            try:
                response = await answer_of(
                    method, request(), timeout=remaining, metadata=metadata
                )
                self.was_reached = True
                return response
            except grpc.RpcError as error:
                failed = self._error(error)
            except Cancelled:
                failed = self._stopped()
            pause = pause_before_retry(failed, was_reached=self.was_reached, backoff=backoff)
            if pause is None or time.monotonic() + pause >= deadline or self.closing.is_set:
                raise failed
            await self.closing.wait(pause)

    def _error(self, error: grpc.RpcError) -> BelfryError:
        """The exception for a call that failed."""
        if self.closing.is_set:
            return Unavailable("the client is closed", code="CANCELLED")
        made = error_of(error)
        if made.code == "CANCELLED":
            return self._stopped()
        if made.reason:
            self.was_reached = True
        elif isinstance(made, Unavailable) and not self.was_reached:
            made = Unavailable(
                f"no server answers at {self.target.address}: start one with 'belfry serve', or have"
                f" one of your own with belfry.start(); gRPC says: {made.message}",
                code=made.code,
            )
        return made

    def _stopped(self) -> BelfryError:
        """What a server that stops may say of a call that nobody here cancelled."""
        if self.closing.is_set:
            return Unavailable("the client is closed", code="CANCELLED")
        self.was_reached = True
        return Unavailable("the server stopped meanwhile", code="CANCELLED")

    def _method(self, rpc: AnyRpc) -> Any:
        """What makes a call, on the one channel."""
        if self.closing.is_set:
            raise Unavailable("the client is closed", code="CANCELLED")
        with self._lock:
            if self._channel is None:
                self._channel = open_channel(self.target)
            if rpc.path not in self._methods:
                kinds = {
                    Unary: self._channel.unary_unary,
                    Stream: self._channel.unary_stream,
                    Upload: self._channel.stream_unary,
                    Exchange: self._channel.stream_stream,
                }
                self._methods[rpc.path] = kinds[type(rpc)](
                    rpc.path,
                    request_serializer=_serialize,
                    response_deserializer=rpc.response.FromString,
                )
            return self._methods[rpc.path]


def _serialize(message: Message) -> bytes:
    return message.SerializeToString()
