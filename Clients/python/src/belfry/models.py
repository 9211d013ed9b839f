"""What goes to a server and comes from it, as a program likes to have it.

Each of what comes has `raw`, the message of the wire, for what it leaves out.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Optional, Union

from . import v1
from ._arguments import checked
from ._times import to_datetime
from .errors import invalid

OPEN = "open"
"""The `action` of an `Answer` where the person tapped the notification itself."""

DISMISS = "dismiss"
"""The `action` of an `Answer` where the person dismissed the notification."""

_WORDS = {
    "com.apple.UNNotificationDefaultActionIdentifier": OPEN,
    "com.apple.UNNotificationDismissActionIdentifier": DISMISS,
}


@checked
@dataclass(frozen=True)
class Action:
    """A button of a notification.

    >>> added = app.add("Milk", actions=[Action("done", "Done")])
    """

    id: str
    """What `@app.on` and an `Answer` call it."""
    title: str
    """Its text."""
    destructive: bool = False
    """It is shown as one that destroys something."""
    foreground: bool = False
    """The app comes to the front."""
    unlock: bool = False
    """The device has to be unlocked first."""


@checked
@dataclass(frozen=True)
class Reply(Action):
    """A button that asks for a text, which is the `text` of the `Answer`.

    >>> added = app.add("Five?", actions=[Reply("say", "Reply", placeholder="Yes, please.")])
    """

    button: str = ""
    """The text of the button that sends it."""
    placeholder: str = ""
    """What stands in the field while it is empty."""


@dataclass(frozen=True)
class Added:
    """What became of a request that was added."""

    id: str
    """Its identifier, also where the server made it."""
    next: Optional[datetime]
    """When it fires next, in UTC; None where it does not wait, or waits for a place."""
    state: str
    """"pending", "arriving", "delivered" or "gone"."""
    raw: v1.AddResponse = field(repr=False)

    @classmethod
    def of(cls, raw: v1.AddResponse) -> Added:
        """Reads an answer of the wire."""
        date = to_datetime(raw.next_trigger_date) if raw.HasField("next_trigger_date") else None
        state = v1.RequestState.Name(raw.state)[len("REQUEST_STATE_") :].lower()
        return cls(raw.identifier, date, state, raw)

    @property
    def receipt(self) -> str:
        """What `app.wait` takes in another run of the program, which has kept it.

        >>> receipt = app.add("Deploy?", actions=[Action("yes", "Deploy")]).receipt
        """
        return f"{self.raw.request_number}.{self.raw.as_of_event}.{self.id}"


@dataclass(frozen=True)
class Receipt:
    """Which request somebody waits for, and since which event."""

    request_number: int
    as_of_event: int
    id: str

    @classmethod
    def read(cls, text: str) -> Receipt:
        """Reads the `receipt` of an `Added`."""
        match = re.fullmatch(r"([0-9]{1,19})\.([0-9]{1,19})\.(.+)", text, re.DOTALL)
        if match is None:
            raise invalid(
                "added", f"{text!r} is no receipt: write what `app.add` gave, or its `.receipt`"
            )
        return cls(int(match[1]), int(match[2]), match[3])


@dataclass(frozen=True)
class Content:
    """What a notification says, in each list and answer."""

    id: str
    """Its identifier."""
    title: str
    body: str
    thread: str
    """The thread that it is grouped by."""
    user_info: dict[str, Any]
    """The app's own data."""


@dataclass(frozen=True)
class Pending(Content):
    """A request that waits for its trigger."""

    next: Optional[datetime]
    """When it fires next, in UTC; None where it waits for a place."""
    added_at: datetime
    raw: v1.PendingRequest = field(repr=False)

    @classmethod
    def of(cls, raw: v1.PendingRequest) -> Pending:
        """Reads an entry of a list of the wire."""
        date = to_datetime(raw.next_trigger_date) if raw.HasField("next_trigger_date") else None
        return cls(*_content(raw.request), date, to_datetime(raw.added_at), raw)


@dataclass(frozen=True)
class Delivered(Content):
    """A notification that was delivered."""

    date: datetime
    """When it was delivered, in UTC."""
    delivery: int
    """The number of the delivery, of which later ones have higher numbers."""
    raw: v1.Notification = field(repr=False)

    @classmethod
    def of(cls, raw: v1.Notification) -> Delivered:
        """Reads a notification of the wire."""
        return cls(*_content(raw.request), to_datetime(raw.date), raw.delivery, raw)


@dataclass(frozen=True)
class Answer:
    """What the person did with a notification."""

    id: str
    """The identifier of the notification."""
    action: str
    """The identifier of the button; or `OPEN`, or `DISMISS`."""
    text: Optional[str]
    """What the person typed; None for an action without a text."""


@dataclass(frozen=True)
class Response(Answer):
    """What the person did, as the app is told that speaks for it."""

    notification: Delivered
    """What it was done with."""
    raw: v1.NotificationResponse = field(repr=False)

    @classmethod
    def of(cls, raw: v1.NotificationResponse) -> Response:
        """Reads a response of the wire."""
        notification = Delivered.of(raw.notification)
        return cls(notification.id, *said(raw), notification, raw)


def said(raw: Union[v1.NotificationResponse, v1.Answer]) -> tuple[str, Optional[str]]:
    """What the person did and typed, in the words of the package."""
    action = _WORDS.get(raw.action_identifier, raw.action_identifier)
    return action, raw.user_text if raw.HasField("user_text") else None


@dataclass(frozen=True)
class Event:
    """A fact about an app on a device: something was delivered, removed, answered and so on."""

    number: int
    """Its place in the order of all events of the app: 1, 2, 3 and so on, without gaps."""
    kind: str
    """What happened, by the name of the wire: "delivered", "removed", "response_completed"."""
    at: datetime
    """When it was recorded, in UTC."""
    id: str
    """The identifier of the notification that it is about; empty where it is about none."""
    raw: v1.Event = field(repr=False)

    @classmethod
    def of(cls, raw: v1.Event) -> Event:
        """Reads an event of the wire."""
        kind = raw.WhichOneof("kind") or "unknown"
        return cls(raw.number, kind, to_datetime(raw.recorded_at), _subject(raw), raw)

    @property
    def notification(self) -> Optional[Delivered]:
        """What was delivered; None where the event is of another kind."""
        if self.kind not in ("delivered", "held"):
            return None
        return Delivered.of(getattr(self.raw, self.kind).notification)


@dataclass(frozen=True)
class Shown:
    """A notification on the screen of a device, as its lock and its settings allow."""

    app: str
    id: str
    title: str
    body: str
    actions: tuple[str, ...]
    """The identifiers of its buttons."""
    progress: Optional[float]
    """How much of something is done, 0 to 1; None where it shows no bar."""
    date: datetime
    raw: v1.RenderedNotification = field(repr=False)

    @classmethod
    def of(cls, raw: v1.RenderedNotification) -> Shown:
        """Reads a notification of a screen."""
        reference = raw.notification
        return cls(
            reference.center.app_id,
            reference.identifier,
            raw.title,
            raw.body,
            tuple(action.identifier for action in raw.actions),
            raw.progress if raw.HasField("progress") else None,
            to_datetime(raw.date),
            raw,
        )


def _content(request: v1.NotificationRequest) -> tuple[str, str, str, str, dict[str, Any]]:
    content = request.content
    info = json.loads(content.user_info_json) if content.user_info_json else {}
    return (request.identifier, content.title, content.body, content.thread_identifier, info)


def _subject(event: v1.Event) -> str:
    kind = event.WhichOneof("kind")
    if kind is None:
        return ""
    value = getattr(event, kind)
    names = value.DESCRIPTOR.fields_by_name
    if "identifier" in names:
        return str(value.identifier)
    if "notification" not in names:
        return ""
    if hasattr(value.notification, "request"):
        return str(value.notification.request.identifier)
    return str(value.notification.identifier)
