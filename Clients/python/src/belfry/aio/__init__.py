"""Belfry for asyncio: the names of `belfry`, with `await`.

>>> client = belfry.aio.connect()
>>> app = client.app("org.example.tea")
>>> added = await app.add("Tea", in_="4m")
"""

from ._admin import Admin as Admin
from ._app import App as App
from ._client import Client as Client
from ._clock import Clock as Clock
from ._connect import connect as connect, start as start
from ._device import Device as Device
from ._provider import Provider as Provider

__all__ = ["Admin", "App", "Client", "Clock", "Device", "Provider", "connect", "start"]
