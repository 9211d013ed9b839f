"""What the provider of an app does: it pushes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Optional

from .. import rpc, v1
from .._arguments import checked
from ..errors import BelfryError
from ._calls import Calls
from ._pages import all_pages


@checked
class Provider:
    """The provider of one app, as `client.provider("org.example.todo")` gives it."""

    def __init__(self, calls: Calls, app_id: str) -> None:
        self.app_id = app_id
        """The app's bundle identifier."""
        self._calls = calls

    async def push(
        self,
        title: str = "",
        body: str = "",
        *,
        token: str = "",
        device: str = "",
        id: str = "",
        aps: Optional[Mapping[str, Any]] = None,
        data: Optional[Mapping[str, Any]] = None,
    ) -> v1.PushResponse:
        """Pushes to the device with a token, or with a name; without both to the server's own.

        `id` replaces the notification that has it; `aps` and `data` are what the payload has beside
        the alert, as APNs takes it.

        >>> (await provider.push("Alice", "Tea at five?", token=token, id="tea")).identifier
        'tea'
        """
        request = v1.PushRequest(
            headers=v1.PushHeaders(collapse_id=id, topic=self.app_id),
            payload_json=payload(title, body, aps, data),
        )
        if token:
            request.token = token
        else:
            request.center.CopyFrom(v1.Center(app_id=self.app_id, device_id=device))
        return await self._calls.call(rpc.Push, request)

    async def push_to_tags(
        self,
        tags: str,
        title: str = "",
        body: str = "",
        *,
        id: str = "",
        aps: Optional[Mapping[str, Any]] = None,
        data: Optional[Mapping[str, Any]] = None,
    ) -> v1.PushTotals:
        """Pushes to all devices whose tags fit, each once, and tells how many had which outcome.

        >>> (await provider.push_to_tags("news && !muted", "Storm")).devices
        1
        """
        request = v1.PushToTagsRequest(
            app_id=self.app_id,
            tag_expression=tags,
            headers=v1.PushHeaders(collapse_id=id),
            payload_json=payload(title, body, aps, data),
        )
        totals = v1.PushTotals()
        stream = self._calls.stream(rpc.PushToTags, request)
        try:
            async for message in stream:
                if message.HasField("totals"):
                    totals = message.totals
        finally:
            await stream.aclose()
        if not totals.complete:
            raise BelfryError("the push goes on, and its stream ended", code="CANCELLED")
        return totals

    async def withdraw(self, *ids: str, token: str = "", tags: str = "") -> int:
        """Takes notifications back, from the device with a token or from all whose tags fit.

        >>> await provider.withdraw("tea")
        1
        """
        request = v1.WithdrawNotificationsRequest(app_id=self.app_id, identifiers=ids)
        if token:
            request.token = token
        else:
            request.tag_expression = tags
        return (await self._calls.call(rpc.WithdrawNotifications, request)).withdrawn_count

    async def registrations(self, tags: str = "") -> list[v1.Registration]:
        """The devices that are registered for pushes, with their tokens and tags.

        >>> [each.tags for each in await provider.registrations("news")]
        [['news']]
        """
        request = v1.ListRegistrationsRequest(app_id=self.app_id, tag_expression=tags)
        return await all_pages(self._calls, rpc.ListRegistrations, request, "registrations")

    async def set_tags(self, token: str, tags: Iterable[str]) -> None:
        """Sets all tags of a device.

        >>> await provider.set_tags(token, ["news"])
        """
        request = v1.SetTagsRequest(app_id=self.app_id, token=token, tags=tags)
        await self._calls.call(rpc.SetTags, request)


def payload(
    title: str, body: str, aps: Optional[Mapping[str, Any]], data: Optional[Mapping[str, Any]]
) -> str:
    """The payload of a push, as APNs takes it."""
    alert = {name: text for name, text in (("title", title), ("body", body)) if text}
    shown: dict[str, Any] = {"alert": alert} if alert else {}
    return json.dumps({**(data or {}), "aps": {**shown, **(aps or {})}}, ensure_ascii=False)
