"""The server's clock, which moves by itself or, for tests, by calls alone."""

from __future__ import annotations

from datetime import datetime
from typing import Union

from .. import rpc, v1
from .._arguments import checked
from .._times import Length, length_of, to_datetime, to_duration, to_timestamp
from ._calls import Calls


@checked
class Clock:
    """The clock of a server, as `client.clock` gives it.

    All but `now` is for a manual clock, as `belfry.start(clock=...)` starts one.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def now(self) -> datetime:
        """What the clock shows, in UTC.

        >>> (await client.clock.now()).tzinfo
        datetime.timezone.utc
        """
        return to_datetime((await self._calls.call(rpc.GetClock, v1.GetClockRequest())).clock.now)

    async def advance(self, by: Union[datetime, Length]) -> int:
        """Lets time pass, or lets it be an instant: how many requests fired meanwhile.

        >>> await client.clock.advance("1 day")
        1
        """
        request = v1.AdvanceClockRequest(expire_callbacks=True)
        if isinstance(by, datetime):
            request.to.CopyFrom(to_timestamp("by", by))
        else:
            request.by.CopyFrom(to_duration(length_of("by", by)))
        return (await self._calls.call(rpc.AdvanceClock, request, _LONG)).fired

    async def set(self, to: datetime) -> None:
        """Sets the clock, also back, as a person does.

        >>> await client.clock.set(datetime(2026, 6, 1, 12, 0, tzinfo=timezone.utc))
        """
        request = v1.SetClockRequest(to=to_timestamp("to", to))
        await self._calls.call(rpc.SetClock, request, _LONG)

    async def sleep(self, by: Length) -> int:
        """Lets time pass as it does while the server is down: how many requests fired late.

        >>> await client.clock.sleep("3 hours")
        1
        """
        request = v1.SuspendRequest(by=to_duration(length_of("by", by)))
        return (await self._calls.call(rpc.Suspend, request, _LONG)).fired


# Years of a thousand apps pass in one call.
_LONG = 600.0
