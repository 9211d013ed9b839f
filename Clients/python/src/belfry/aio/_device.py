"""What a person does at a device: for tests that play one, and for screens."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Union

from google.protobuf.field_mask_pb2 import FieldMask

from .. import rpc, v1
from .._arguments import checked
from .._times import Length, length_of, to_datetime, to_duration, to_timestamp
from ..errors import NotFound, NotPossible, invalid
from ..models import Shown
from ._calls import Calls
from ._pages import all_pages


@checked
class Device:
    """One device and its person, as `client.device()` gives it.

    A notification is named by its identifier, or by what `screen` gave; where notifications of
    several apps have the identifier, `app` says whose.
    """

    def __init__(self, calls: Calls, name: str) -> None:
        self.name = name
        """The device; empty is the server's own."""
        self._calls = calls

    async def screen(self, *apps: str) -> list[Shown]:
        """What the device shows now, newest group first; of some apps, or of all.

        >>> [each.title for each in await person.screen()]
        ['Milk']
        """
        request = v1.ListNotificationCenterRequest(device_id=self.name, app_ids=apps)
        groups = await all_pages(self._calls, rpc.ListNotificationCenter, request, "groups")
        return [Shown.of(each) for group in groups for each in group.notifications]

    async def tap(self, notification: Union[str, Shown], *, app: str = "") -> None:
        """Taps a notification, which opens its app.

        >>> await person.tap("milk")
        """
        await self._respond(notification, app, default_action=v1.DefaultAction())

    async def press(self, notification: Union[str, Shown], action: str, *, app: str = "") -> None:
        """Presses a button of a notification.

        >>> await person.press("milk", "done")
        """
        await self._respond(notification, app, action=v1.CustomAction(action_identifier=action))

    async def reply(
        self, notification: Union[str, Shown], action: str, text: str, *, app: str = ""
    ) -> None:
        """Types a text, and sends it with a button that asks for one.

        >>> await person.reply("milk", "note", "They had none.")
        """
        act = v1.CustomAction(action_identifier=action, user_text=text)
        await self._respond(notification, app, action=act)

    async def dismiss(self, notification: Union[str, Shown], *, app: str = "") -> None:
        """Clears a notification.

        >>> await person.dismiss("milk")
        """
        request = v1.DismissRequest(
            device_id=self.name,
            notification=await self._reference(notification, app),
            kind=v1.DISMISS_KIND_CLEAR,
        )
        await self._calls.call(rpc.Dismiss, request)

    async def snooze(
        self, notification: Union[str, Shown], until: Union[datetime, Length], *, app: str = ""
    ) -> datetime:
        """Lets a notification come back at an instant, or after a time: when, in UTC.

        >>> await person.snooze("milk", "30m") - await client.clock.now()
        datetime.timedelta(seconds=1800)
        """
        request = v1.SnoozeRequest(
            device_id=self.name, notification=await self._reference(notification, app)
        )
        if isinstance(until, datetime):
            request.until.CopyFrom(to_timestamp("until", until))
        else:
            request.duration.CopyFrom(to_duration(length_of("until", until)))
        return to_datetime((await self._calls.call(rpc.Snooze, request)).until)

    async def allow(self, app: str, timeout: Length = "10s") -> None:
        """Lets an app notify that asks for permission, or is about to.

        >>> await person.allow("org.example.todo")
        """
        await self._answer(app, v1.PROMPT_ANSWER_ALLOW, timeout)

    async def deny(self, app: str, timeout: Length = "10s") -> None:
        """Does not let an app notify that asks for permission, or is about to.

        >>> await person.deny("org.example.todo")
        """
        await self._answer(app, v1.PROMPT_ANSWER_DENY, timeout)

    async def lock(self) -> None:
        """Locks the device.

        >>> await person.lock()
        """
        await self._update("locked", locked=True)

    async def unlock(self) -> None:
        """Unlocks the device, which sends the actions that wait for it.

        >>> await person.unlock()
        """
        await self._update("locked", locked=False)

    async def travel(self, zone: str) -> None:
        """Changes the zone of the device, which times of day without a zone follow.

        >>> await person.travel("America/New_York")
        """
        await self._update("time_zone", time_zone=zone)

    async def _update(self, field: str, **state: Any) -> None:
        request = v1.UpdateDeviceStateRequest(
            device_id=self.name, state=v1.DeviceState(**state), update_mask=FieldMask(paths=[field])
        )
        await self._calls.call(rpc.UpdateDeviceState, request)

    async def _respond(self, notification: Union[str, Shown], app: str, **act: Any) -> None:
        request = v1.RespondRequest(
            device_id=self.name, notification=await self._reference(notification, app), **act
        )
        await self._calls.call(rpc.Respond, request)

    async def _reference(self, notification: Union[str, Shown], app: str) -> v1.NotificationRef:
        """Which delivery a notification is."""
        if isinstance(notification, Shown):
            return notification.raw.notification
        shown = await self.screen(*([app] if app else []))
        found = [each for each in shown if each.id == notification]
        if not found:
            on_screen = ", ".join(repr(each.id) for each in shown[:10]) or "nothing"
            raise NotFound(
                f"the screen does not show {notification!r}, but {on_screen}",
                reason="NOTIFICATION_NOT_FOUND",
            )
        apps = sorted({each.app for each in found})
        if len(apps) > 1:
            raise invalid("app", f"{notification!r} is of {' and '.join(apps)}: name one")
        return found[0].raw.notification

    async def _answer(self, app: str, answer: v1.PromptAnswer, timeout: Length) -> None:
        """Answers the prompt of an app, which may come a little later."""
        request = v1.WatchDeviceRequest(device_id=self.name, app_ids=[app])
        seconds = length_of("timeout", timeout).total_seconds()
        watch = self._calls.stream(rpc.WatchDevice, request, timeout=seconds)
        prompt = ""
        try:
            async for message in watch:
                prompts = [
                    each
                    for frame in message.frames
                    for each in [*frame.snapshot.prompts, frame.prompt]
                    if each.prompt_id and each.kind != v1.AUTHORIZATION_PROMPT_KIND_QUIET
                ]
                if prompts:
                    prompt = prompts[0].prompt_id
                    break
        except TimeoutError:
            raise NotPossible(f"{app} does not ask for permission", reason="NO_PROMPT") from None
        finally:
            await watch.aclose()
        answered = v1.AnswerAuthorizationPromptRequest(
            device_id=self.name, prompt_id=prompt, answer=answer
        )
        await self._calls.call(rpc.AnswerAuthorizationPrompt, answered)
