"""Notifications for any program on Linux, as Apple's UNUserNotificationCenter has them.

>>> import belfry
>>> app = belfry.connect().app("org.example.tea")
>>> if app.authorize():
...     print("it", "fires" if app.add("Tea", in_="4m").next else "waits")
it fires

`belfry.aio` has the same names for asyncio, `belfry.v1` the messages of the wire and `belfry.rpc` its
calls, for what the clients leave out.
"""

from . import aio, errors, reasons, rpc, v1
from ._sync._admin import Admin
from ._sync._app import App
from ._sync._client import Client
from ._sync._clock import Clock
from ._sync._connect import connect, start
from ._sync._device import Device
from ._sync._provider import Provider
from .errors import (
    BelfryError,
    DeadlineExceeded,
    InvalidRequest,
    LimitReached,
    NotAllowed,
    NotAnswered,
    NotFound,
    NotPossible,
    OutOfRange,
    Superseded,
    Unavailable,
)
from .models import (
    DISMISS,
    OPEN,
    Action,
    Added,
    Answer,
    Delivered,
    Event,
    Pending,
    Reply,
    Response,
    Shown,
)
from .reasons import EventsTrimmed, StoreFull

__all__ = [
    "connect",
    "start",
    "Action",
    "Added",
    "Admin",
    "Answer",
    "App",
    "BelfryError",
    "Client",
    "Clock",
    "DISMISS",
    "DeadlineExceeded",
    "Delivered",
    "Device",
    "Event",
    "EventsTrimmed",
    "InvalidRequest",
    "LimitReached",
    "NotAllowed",
    "NotAnswered",
    "NotFound",
    "NotPossible",
    "OPEN",
    "OutOfRange",
    "Pending",
    "Provider",
    "Reply",
    "Response",
    "Shown",
    "StoreFull",
    "Superseded",
    "Unavailable",
    "aio",
    "errors",
    "reasons",
    "rpc",
    "v1",
]

__version__ = "0.1.0"
