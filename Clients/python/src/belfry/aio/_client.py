"""A client of one server."""

from __future__ import annotations

import os
from collections.abc import Iterable
from types import TracebackType
from typing import Optional

from .. import rpc as rpcs, v1
from .._arguments import checked
from .._rpc import Exchange, Request, Response, Stream, Unary, Upload
from .._sidecar import Sidecar
from .._target import Target
from .._times import Length, length_of
from ..errors import invalid
from ._admin import Admin
from ._app import App
from ._calls import Calls
from ._clock import Clock
from ._concurrency import Flow
from ._device import Device
from ._provider import Provider


@checked
class Client:
    """The connection to a server, as `connect` and `start` give it.

    A call that changes something is made once, however often it is sent again. A call has `timeout`
    to be answered, with all its attempts.
    """

    def __init__(
        self, target: Target, timeout: Length, server: Optional[Sidecar] = None
    ) -> None:
        self.server = server
        """The server's process, where the client has started it."""
        self._calls = Calls(target, length_of("timeout", timeout).total_seconds())
        self.clock = Clock(self._calls)
        """The server's clock."""
        self.admin = Admin(self._calls)
        """The server's administration."""

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<belfry client of {self.address}>"

    @property
    def address(self) -> str:
        """Where the server is, for `connect` in another process.

        >>> other = belfry.aio.connect(client.address)
        """
        return self._calls.target.address

    async def close(self) -> None:
        """Ends the calls that are open and the connection, and the server that `start` started.

        >>> await client.close()
        """
        await self._calls.close()
        if self.server is not None:
            self.server.stop()

    def app(self, id: str = "", *, device: str = "") -> App:
        """An app on a device; $BELFRY_APP and $BELFRY_DEVICE are those that are not named.

        >>> todo = client.app("org.example.todo")
        """
        app_id = id or os.environ.get("BELFRY_APP", "")
        if not app_id:
            raise invalid("id", "is missing: write client.app('org.example.todo')")
        return App(self._calls, app_id, device or os.environ.get("BELFRY_DEVICE", ""))

    def device(self, name: str = "") -> Device:
        """A device and its person; $BELFRY_DEVICE, else the server's own, is the one not named.

        >>> person = client.device()
        """
        return Device(self._calls, name or os.environ.get("BELFRY_DEVICE", ""))

    def provider(self, app_id: str) -> Provider:
        """The provider of an app, who pushes to it.

        >>> provider = client.provider("org.example.todo")
        """
        return Provider(self._calls, app_id)

    async def info(self) -> v1.GetServerInfoResponse:
        """What the server is: its version, its limits and its clock.

        >>> (await client.info()).version
        '0.1.0'
        """
        return await self._calls.call(rpcs.GetServerInfo, v1.GetServerInfoRequest())

    async def call(
        self,
        rpc: Unary[Request, Response],
        request: Request,
        *,
        timeout: Optional[Length] = None,
    ) -> Response:
        """Makes any call of the contract that has one answer, as this client makes its own.

        >>> skip = v1.SkipNextRequest(center=app.center, identifier="milk")
        >>> skipped = (await client.call(rpc.SkipNext, skip)).skipped_date
        """
        seconds = None if timeout is None else length_of("timeout", timeout).total_seconds()
        return await self._calls.call(rpc, request, seconds)

    async def stream(
        self,
        rpc: Stream[Request, Response],
        request: Request,
        *,
        timeout: Optional[Length] = None,
    ) -> Flow[Response]:
        """Makes any call of the contract that answers with a stream, once, for ever or so long.

        >>> async for message in client.stream(rpc.WatchDevice, v1.WatchDeviceRequest()):
        ...     print(message.frames[0].WhichOneof("kind"))
        ...     break
        snapshot
        """
        seconds = None if timeout is None else length_of("timeout", timeout).total_seconds()
        stream = self._calls.stream(rpc, request, timeout=seconds)
        try:
            async for message in stream:
                yield message
        finally:
            await stream.aclose()

    async def upload(
        self, rpc: Upload[Request, Response], requests: Iterable[Request]
    ) -> Response:
        """Makes any call of the contract that takes a stream.

        >>> first = {"file_name": "tea.png"}
        >>> parts = [
        ...     v1.UploadAttachmentRequest(app_id=app.id, metadata=first),
        ...     v1.UploadAttachmentRequest(chunk=picture),
        ... ]
        >>> (await client.upload(rpc.UploadAttachment, parts)).attachment.type
        'public.png'
        """
        return await self._calls.upload(rpc, requests)

    async def exchange(
        self,
        rpc: Exchange[Request, Response],
        requests: Iterable[Request],
        *,
        timeout: Optional[Length] = None,
    ) -> Flow[Response]:
        """Makes any call of the contract that takes a stream and answers with one, once.

        >>> eggs = v1.NotificationRequest(identifier="eggs", content={"title": "Eggs"})
        >>> acts = [
        ...     v1.ScheduleRequest(add={"center": app.center, "request": eggs}),
        ...     v1.ScheduleRequest(remove={"center": app.center, "identifiers": ["milk"]}),
        ... ]
        >>> answers = client.exchange(rpc.Schedule, acts)
        >>> [each.WhichOneof("outcome") async for one in answers for each in one.results]
        ['added', 'removed']
        """
        seconds = None if timeout is None else length_of("timeout", timeout).total_seconds()
        answers = self._calls.exchange(rpc, requests, timeout=seconds)
        try:
            async for message in answers:
                yield message
        finally:
            await answers.aclose()
