"""Notifications for any program on Linux, as Apple's UNUserNotificationCenter has them.

>>> import belfry
>>> app = belfry.connect().app("org.example.tea")
>>> if app.authorize():
...     print("it", "fires" if app.add("Tea", in_="4m").next else "waits")
it fires

`belfry.aio` has the same names for asyncio, `belfry.v1` the messages of the wire and `belfry.rpc` its
calls, for what the clients leave out.
"""

from . import aio as aio, errors as errors, reasons as reasons, rpc as rpc, v1 as v1
from ._sync._admin import Admin as Admin
from ._sync._app import App as App
from ._sync._client import Client as Client
from ._sync._clock import Clock as Clock
from ._sync._connect import connect as connect, start as start
from ._sync._device import Device as Device
from ._sync._provider import Provider as Provider
from .errors import (
    BelfryError as BelfryError,
    DeadlineExceeded as DeadlineExceeded,
    InvalidRequest as InvalidRequest,
    LimitReached as LimitReached,
    NotAllowed as NotAllowed,
    NotAnswered as NotAnswered,
    NotFound as NotFound,
    NotPossible as NotPossible,
    OutOfRange as OutOfRange,
    Superseded as Superseded,
    Unavailable as Unavailable,
)
from .models import (
    DISMISS as DISMISS,
    OPEN as OPEN,
    Action as Action,
    Added as Added,
    Answer as Answer,
    Delivered as Delivered,
    Event as Event,
    Pending as Pending,
    Reply as Reply,
    Response as Response,
    Shown as Shown,
)
from .reasons import EventsTrimmed as EventsTrimmed, StoreFull as StoreFull

__version__ = "0.1.0"
