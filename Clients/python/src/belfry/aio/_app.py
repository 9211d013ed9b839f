"""What an app does: asks for permission, schedules, lists, removes, and learns of answers."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any, Literal, Optional, TypeVar, Union, overload

from .. import rpc, v1
from .._arguments import checked
from .._content import content
from .._files import Paths, paths_of, upload_of
from .._schedule import At, trigger
from .._times import Length, length_of, to_duration
from ..models import Action, Added, Answer, Delivered, Event, Pending, Receipt, Response
from ._answers import Answers
from ._calls import Calls, Stop
from ._concurrency import Flow, call_handler
from ._pages import all_pages
from ._subscription import subscribe
from ._waits import answer_to

Handler = TypeVar("Handler", bound=Callable[..., Any])

_log = logging.getLogger("belfry")

_OPTIONS = {
    "alert": v1.AUTHORIZATION_OPTION_ALERT,
    "sound": v1.AUTHORIZATION_OPTION_SOUND,
    "badge": v1.AUTHORIZATION_OPTION_BADGE,
    "time_sensitive": v1.AUTHORIZATION_OPTION_TIME_SENSITIVE,
    "critical": v1.AUTHORIZATION_OPTION_CRITICAL_ALERT,
    "provisional": v1.AUTHORIZATION_OPTION_PROVISIONAL,
}


@checked
class App:
    """One app on one device, as `client.app("org.example.todo")` gives it."""

    def __init__(self, calls: Calls, app_id: str, device: str) -> None:
        self.id = app_id
        """The app's bundle identifier."""
        self.device = device
        """The device; empty is the server's own."""
        self.center = v1.Center(app_id=app_id, device_id=device)
        """The app on the device, for calls of the wire."""
        self._calls = calls
        self._answers = Answers(calls, self.center)
        self._handlers: dict[Optional[str], Callable[[Any], Any]] = {}

    def __repr__(self) -> str:
        return f"<belfry app {self.id}{' on ' + self.device if self.device else ''}>"

    async def authorize(
        self,
        *,
        alert: bool = True,
        sound: bool = True,
        badge: bool = True,
        time_sensitive: bool = False,
        critical: bool = False,
        provisional: bool = False,
        wait: Length = "60s",
    ) -> bool:
        """Asks the person for permission, once, and waits for the answer: whether any is granted.

        Where nobody answers in time it is False, the question stays open, and a later call joins it.

        >>> await app.authorize(alert=True)
        True
        """
        asked = {
            "alert": alert, "sound": sound, "badge": badge, "time_sensitive": time_sensitive,
            "critical": critical, "provisional": provisional,
        }  # fmt: skip
        length = length_of("wait", wait)
        request = v1.RequestAuthorizationRequest(
            center=self.center,
            options=[_OPTIONS[name] for name, is_asked in asked.items() if is_asked],
            wait=to_duration(length),
        )
        timeout = length.total_seconds() + self._calls.timeout
        return (await self._calls.call(rpc.RequestAuthorization, request, timeout)).granted

    @overload
    async def add(
        self, title: str = ..., body: str = ..., *, at: Optional[At] = ...,
        in_: Optional[Length] = ..., every: Optional[Length] = ...,
        until: Optional[datetime] = ..., times: Optional[int] = ..., skip: Iterable[date] = ...,
        id: str = ..., thread: str = ..., subtitle: str = ..., actions: Iterable[Action] = ...,
        category: str = ..., attach: Paths = ..., sound: Union[bool, str] = ...,
        badge: Optional[int] = ..., level: Optional[str] = ..., progress: Optional[float] = ...,
        quiet: bool = ..., user_info: Optional[Mapping[str, Any]] = ...,
        expires_after: Optional[Length] = ...,
        wait: Literal[False] = ...,
    ) -> Added: ...  # fmt: skip
    @overload
    async def add(
        self, title: str = ..., body: str = ..., *, at: Optional[At] = ...,
        in_: Optional[Length] = ..., every: Optional[Length] = ...,
        until: Optional[datetime] = ..., times: Optional[int] = ..., skip: Iterable[date] = ...,
        id: str = ..., thread: str = ..., subtitle: str = ..., actions: Iterable[Action] = ...,
        category: str = ..., attach: Paths = ..., sound: Union[bool, str] = ...,
        badge: Optional[int] = ..., level: Optional[str] = ..., progress: Optional[float] = ...,
        quiet: bool = ..., user_info: Optional[Mapping[str, Any]] = ...,
        expires_after: Optional[Length] = ...,
        wait: Union[Literal[True], Length],
    ) -> Answer: ...  # fmt: skip
    async def add(
        self,
        title: str = "",
        body: str = "",
        *,
        at: Optional[At] = None,
        in_: Optional[Length] = None,
        every: Optional[Length] = None,
        until: Optional[datetime] = None,
        times: Optional[int] = None,
        skip: Iterable[date] = (),
        id: str = "",
        thread: str = "",
        subtitle: str = "",
        actions: Iterable[Action] = (),
        category: str = "",
        attach: Paths = (),
        sound: Union[bool, str] = False,
        badge: Optional[int] = None,
        level: Optional[str] = None,
        progress: Optional[float] = None,
        quiet: bool = False,
        user_info: Optional[Mapping[str, Any]] = None,
        expires_after: Optional[Length] = None,
        wait: Union[bool, Length] = False,
    ) -> Union[Added, Answer]:
        """Schedules a notification, or delivers it now, and tells when it fires next.

        When: `at` is an instant (a datetime with a zone), or a time of day or a date, each once and
        in the zone of the device unless the time has one; `in_` is a time from now, as "4m" or a
        timedelta. `every` repeats: "day", "weekday" or "monday, thursday" at a time of day; "2 weeks",
        "month" or a timedelta from an instant on; "90 minutes" or a timedelta without `at` from now on;
        a line of a crontab; a rule of RFC 5545 from a date on; within `until`, `times` and `skip`.

        What: `actions` are buttons of its own, each an `Action`, or a `Reply` that asks for a text, in
        place of those of `category`, which names what the
        app has set with the wire; `attach` files; `sound` the system's or one of the app by its name;
        `level` "passive", "active", "time_sensitive" or "critical"; `progress` a bar, from 0 to 1;
        `user_info` the app's own data. A request with the `id` of another takes its place, and is not
        heard and not shown as a banner again where it is `quiet`. One that is late by more than
        `expires_after`, since nothing ran, is not delivered.

        With `wait` it waits until the person answers this one, as "1h", or for ever, and gives the
        answer, which may be `DISMISS`. NotAnswered says that it is gone without one, TimeoutError that
        none came in time. Any number may wait at once; `answers` and `run` are told it as well.

        >>> added = await app.add("Stand-up", every="weekday", at=time(9, 30))
        >>> answer = await app.add("Deploy?", actions=[Action("yes", "Deploy")], wait=True)
        >>> answer.action
        'yes'
        """
        deadline = None if isinstance(wait, bool) else _deadline("wait", wait)
        # What is wrong is refused before a file is stored.
        made = v1.NotificationRequest(
            identifier=id,
            content=content(
                title, body, subtitle=subtitle, thread=thread, sound=sound, badge=badge,
                level=level, user_info=user_info, actions=actions, category=category,
                progress=progress, quiet=quiet,
            ),
            trigger=trigger(at=at, in_=in_, every=every, until=until, times=times, skip=skip),
            expires_after=None if expires_after is None
            else to_duration(length_of("expires_after", expires_after)),
        )  # fmt: skip
        for path in paths_of(attach):
            upload = list(upload_of(self.id, path))
            stored = (await self._calls.upload(rpc.UploadAttachment, upload)).attachment
            made.content.attachments.add(attachment_id=stored.attachment_id)
        request = v1.AddRequest(center=self.center, request=made)
        added = Added.of(await self._calls.call(rpc.Add, request))
        return added if wait is False else await self._answer_to(added.receipt, deadline)

    async def wait(
        self, added: Union[Added, str], timeout: Optional[Length] = None
    ) -> Answer:
        """Waits for the answer to what was added, also by an earlier run that kept its `receipt`.

        An answer of meanwhile is told, as long as the app's events are kept. It ends as `add` with
        `wait` does.

        >>> added = await app.add("Deploy?", actions=[Action("yes", "Deploy")])
        >>> (await app.wait(added.receipt, timeout="1h")).action
        'yes'
        """
        deadline = None if timeout is None else _deadline("timeout", timeout)
        return await self._answer_to(added if isinstance(added, str) else added.receipt, deadline)

    async def _answer_to(self, receipt: str, deadline: Optional[float]) -> Answer:
        return await answer_to(self._calls, self.center, Receipt.read(receipt), deadline)

    async def pending(self, *ids: str, thread: Optional[str] = None) -> list[Pending]:
        """What waits for its trigger, in the order of identifiers.

        >>> [each.id for each in await app.pending()]
        ['milk']
        """
        filter = v1.NotificationFilter(identifiers=ids, thread_identifier=thread)
        request = v1.ListPendingRequest(center=self.center, filter=filter)
        found = await all_pages(self._calls, rpc.ListPending, request, "requests")
        return [Pending.of(each) for each in found]

    async def delivered(self, *ids: str, thread: Optional[str] = None) -> list[Delivered]:
        """What was delivered and is still there, in the order of identifiers.

        >>> [each.title for each in await app.delivered(thread="errands")]
        ['Milk']
        """
        filter = v1.NotificationFilter(identifiers=ids, thread_identifier=thread)
        request = v1.ListDeliveredRequest(center=self.center, filter=filter)
        found = await all_pages(self._calls, rpc.ListDelivered, request, "notifications")
        return [Delivered.of(each) for each in found]

    async def remove(self, *ids: str, pending: bool = True, delivered: bool = True) -> list[str]:
        """Removes notifications, whether they wait or are delivered: those that were there.

        >>> await app.remove("milk", "bread")
        ['milk']
        """
        removed: dict[str, None] = {}
        if pending:
            asked = v1.RemovePendingRequest(center=self.center, identifiers=ids)
            found = await self._calls.call(rpc.RemovePending, asked)
            removed.update(dict.fromkeys(found.removed_identifiers))
        if delivered:
            request = v1.RemoveDeliveredRequest(center=self.center, identifiers=ids)
            response = await self._calls.call(rpc.RemoveDelivered, request)
            removed.update(dict.fromkeys(response.removed_identifiers))
        return [id for id in dict.fromkeys(ids) if id in removed]

    async def remove_all(self, *, pending: bool = True, delivered: bool = True) -> int:
        """Removes all that waits, and all that is delivered: how many there were.

        >>> await app.remove_all()
        1
        """
        count = 0
        if pending:
            asked = v1.RemoveAllPendingRequest(center=self.center)
            count += (await self._calls.call(rpc.RemoveAllPending, asked)).removed_count
        if delivered:
            request = v1.RemoveAllDeliveredRequest(center=self.center)
            count += (await self._calls.call(rpc.RemoveAllDelivered, request)).removed_count
        return count

    async def badge(self, count: int) -> int:
        """Sets the number at the app's picture; 0 shows none.

        >>> await app.badge(3)
        3
        """
        request = v1.SetBadgeCountRequest(center=self.center, count=count)
        return (await self._calls.call(rpc.SetBadgeCount, request)).badge

    def on(self, action: Optional[str] = None) -> Callable[[Handler], Handler]:
        """Says what `run` calls for an action; without one, for all that have no handler.

        >>> @app.on("done")
        ... async def done(answer):
        ...     print(answer.id, "is done")
        >>> await app.run(count=1)
        milk is done
        """

        def register(handler: Handler) -> Handler:
            self._handlers[action] = handler
            return handler

        return register

    async def run(self, count: Optional[int] = None) -> None:
        """Calls the handlers with what the person does, until the client is closed.

        An answer is complete when its handler returns. One whose handler fails is logged, and told
        again at the next run. With `count` it ends after so many answers.

        >>> await app.run(count=1)
        milk is done
        """
        offers = self._answers.each(count)
        try:
            async for offer in offers:
                answer = offer.response
                handler = self._handlers.get(answer.action) or self._handlers.get(None)
                try:
                    if handler is not None:
                        await call_handler(handler, answer)
                except Exception:
                    _log.exception("the handler of %r failed for %r", answer.action, answer.id)
                    offer.has_failed = True
        finally:
            await offers.aclose()

    async def answers(self, count: Optional[int] = None) -> Flow[Response]:
        """Gives what the person does with the app's notifications, until the client is closed.

        An answer is complete when the loop asks for the next one. Where the body fails, or the
        program ends, it is told again to whoever asks next, for seven days. With `count` it ends
        behind so many, all of which are complete.

        >>> async for answer in app.answers(count=1):
        ...     print(answer.action, answer.id)
        done milk
        """
        offers = self._answers.each(count)
        try:
            async for offer in offers:
                yield offer.response
        finally:
            await offers.aclose()

    async def events(self, after: Optional[int] = None, *, follow: bool = True) -> Flow[Event]:
        """Gives what happened to the app's notifications, in order, each once.

        It begins behind the event with a number: 0 is the oldest that is kept, None is now. A
        connection that is lost, or a server that starts again, is waited for, and nothing is lost
        and nothing told twice; a program that keeps the number of the last event that it has handled
        goes on behind it. Without `follow` it ends when all that there is was told.

        >>> async for event in app.events(after=1, follow=False):
        ...     print(event.number, event.kind, event.id)
        2 delivered milk
        """
        request = v1.SubscribeRequest(center=self.center, after=after)
        frames = subscribe(self._calls, request, Stop())
        try:
            async for frame in frames:
                if frame.HasField("event"):
                    yield Event.of(frame.event)
                elif frame.HasField("caught_up") and not follow:
                    return
        finally:
            await frames.aclose()


def _deadline(field: str, length: Length) -> float:
    return time.monotonic() + length_of(field, length).total_seconds()
