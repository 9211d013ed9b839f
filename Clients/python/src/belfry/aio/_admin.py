"""Runs a server: registers apps, tells how it is, and backs it up."""

from __future__ import annotations

from pathlib import Path

from .. import rpc, v1
from .._arguments import checked
from ..errors import BelfryError
from ._calls import Calls


@checked
class Admin:
    """The administration of a server, as `client.admin` gives it."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def register(self, app_id: str, name: str, *, device: str = "") -> v1.App:
        """Registers an app by its name on the screen, or changes it.

        >>> (await client.admin.register("org.example.todo", "To do")).manifest.names[0].name
        'To do'
        """
        manifest = v1.AppManifest(names=[v1.AppName(language="en", name=name)])
        request = v1.RegisterAppRequest(
            center=v1.Center(app_id=app_id, device_id=device), manifest=manifest
        )
        return (await self._calls.call(rpc.RegisterApp, request)).app

    async def unregister(self, app_id: str, *, device: str = "") -> None:
        """Removes an app and all that it has.

        >>> await client.admin.unregister("org.example.todo")
        """
        request = v1.UnregisterAppRequest(center=v1.Center(app_id=app_id, device_id=device))
        await self._calls.call(rpc.UnregisterApp, request)

    async def stats(self) -> v1.GetStatsResponse:
        """What the server has done since it started, and how it is.

        >>> (await client.admin.stats()).store.pending
        0
        """
        return await self._calls.call(rpc.GetStats, v1.GetStatsRequest())

    async def backup(self) -> Path:
        """Copies the store while the server serves: where the copy is on its machine.

        >>> (await client.admin.backup()).suffix
        '.mdb'
        """
        stream = self._calls.stream(rpc.Backup, v1.BackupRequest())
        try:
            async for message in stream:
                if message.HasField("backup"):
                    return Path(message.backup.path)
        finally:
            await stream.aclose()
        raise BelfryError("the stream ended without a backup", code="INTERNAL")
