"""What a center of the model holds."""

from dataclasses import dataclass, field

from harness import wire


@dataclass
class Pending:
    """A request that waits for its trigger."""

    request: wire.NotificationRequest
    added_at: int
    due: int
    interval: int


@dataclass
class Question:
    """A question to the app; the server names it when it is first told."""

    kind: str
    deadline: int
    # What it is about: of will_present without a delivery number, as it has none yet.
    notification: wire.Notification
    # Of will_present: when it was due, and for how many earlier occurrences it stands.
    due: int | None = None
    collapsed: int = 0
    # Of did_receive.
    action: str = ""
    text: str | None = None
    callback_id: str = ""
    # The step in which it was put; one that ends in the same step may never be told.
    put_in: int = 0
    may_be_untold: bool = False

    @property
    def identifier(self) -> str:
        """The notification's identifier."""
        return self.notification.request.identifier


@dataclass
class Delivered:
    """A notification in the list."""

    notification: wire.Notification
    date: int
    # When the summary that it waits for is shown. Absent if it waits for none.
    until: int | None = None
    # The name of the Focus that kept it quiet.
    silenced_by: str | None = None

    @property
    def held(self) -> bool:
        """Whether it waits for the scheduled summary."""
        return self.until is not None

    @property
    def identifier(self) -> str:
        """The notification's identifier."""
        return self.notification.request.identifier

    @property
    def delivery(self) -> int:
        """The number of its delivery."""
        return self.notification.delivery

    @property
    def content(self) -> wire.NotificationContent:
        """What it says."""
        return self.notification.request.content


@dataclass
class Waiting:
    """An act that waits until the device is unlocked."""

    delivery: int
    identifier: str
    action: str
    text: str | None
    deadline: int


@dataclass
class Stream:
    """A subscription of the app, as the model sees it."""

    name: str
    is_primary: bool
    capabilities: frozenset[int]
    state: int
    standing: wire.PresentationOptions | None
    # When a lost connection is given up. Absent while it stands.
    kept_until: int | None = None
    # The frames that it should have been sent beside events, in order.
    expected: list[tuple[str, Question | None, int]] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Whether somebody reads it."""
        return self.kept_until is None

    def takes(self, kind: str) -> bool:
        """Whether a question of a kind is put to it."""
        capability = {
            "will_present": wire.DELEGATE_CAPABILITY_WILL_PRESENT,
            "did_receive": wire.DELEGATE_CAPABILITY_DID_RECEIVE,
        }[kind]
        return self.is_primary and capability in self.capabilities
