"""What a client was told about its requests, to be held against what a server has of them."""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from harness import wire
from harness.client import App

PAGE = 1_000


@dataclass
class Entry:
    """One request, whose identifier is used once."""

    # The server said that it was added.
    is_added: bool = False
    # A call that would remove it was sent.
    is_asked_to_go: bool = False
    # The server said that it was taken out of the pending requests, or of the delivered ones.
    is_removed_from_pending: bool = False
    is_removed_from_delivered: bool = False


@dataclass
class State:
    """All that a server tells of a center."""

    events: list[wire.Event]
    pending: dict[str, wire.NotificationRequest]
    delivered: set[str]
    badge: int

    @classmethod
    def read(cls, app: App) -> "State":
        """Reads a center on which nothing but its firings goes on."""
        with app.subscribe(snapshot=True) as subscription:
            frames = subscription.until("caught_up")
        parts = [frame.snapshot for frame in frames if frame.HasField("snapshot")]
        pending = {item.request.identifier: item.request for item in listed(app, "ListPending")}
        # Read the events last: they have the requests that fire between the reads.
        events = app.events()
        fired = {
            event.delivered.notification.request.identifier
            for event in events
            if event.HasField("delivered")
        }
        delivered = {
            notification.request.identifier for part in parts for notification in part.delivered
        }
        for event in events[parts[-1].as_of_event :]:
            if event.HasField("delivered"):
                delivered.add(event.delivered.notification.request.identifier)
            elif event.HasField("removed"):
                delivered.discard(event.removed.identifier)
        pending = {name: request for name, request in pending.items() if name not in fired}
        return cls(events, pending, delivered, parts[-1].badge)


def listed(app: App, rpc: str) -> list[Any]:
    """The requests of all pages of a list."""
    items: list[Any] = []
    token = ""
    while True:
        page = app.call(rpc, page_size=PAGE, page_token=token)
        items += page.requests
        token = page.next_page_token
        if not token:
            return items


@dataclass
class Ledger:
    """What one client sent to one center, and what it was told."""

    entries: dict[str, Entry] = field(default_factory=dict)
    # Events as a subscriber was told them, by number.
    told: dict[int, wire.Event] = field(default_factory=dict)
    # The newest versions of the request that is replaced again and again.
    version_sent: int = 0
    version_added: int = 0
    badge_sent: int = 0
    badge_set: int = 0

    REPLACED = "replaced"

    def copy(self) -> "Ledger":
        """What it says now, while its client goes on: what is in it was so before this returned."""
        entries = {name: replace(entry) for name, entry in dict(self.entries).items()}
        return replace(self, entries=entries, told=dict(self.told))

    def until(self, later: "Ledger") -> "Ledger":
        """What holds of a server's state at some instant between this copy and a later one.

        It has what was acknowledged by this one, and nothing that was not sent by the later one.
        """
        entries = {
            name: replace(self.entries.get(name, Entry()), is_asked_to_go=entry.is_asked_to_go)
            for name, entry in later.entries.items()
        }
        return replace(
            self, entries=entries, version_sent=later.version_sent, badge_sent=later.badge_sent
        )

    def check(self, state: State) -> None:
        """Fails where the server lost, repeated or invented something."""
        numbers = [event.number for event in state.events]
        assert numbers == list(range(1, len(numbers) + 1)), "event numbers have gaps or repeat"
        for number, event in self.told.items():
            assert number <= len(state.events), f"event {number} was told and is gone"
            assert state.events[number - 1] == event, f"event {number} is another than was told"
        self._check_requests(state)
        self._check_replacement(state)
        assert self.badge_set <= state.badge <= self.badge_sent, "an old badge came back"

    def _check_requests(self, state: State) -> None:
        delivered: Counter[str] = Counter()
        removed: dict[int, Counter[str]] = {
            wire.REQUEST_STATE_PENDING: Counter(),
            wire.REQUEST_STATE_DELIVERED: Counter(),
        }
        deliveries: list[int] = []
        for event in state.events:
            match event.WhichOneof("kind"):
                case "delivered":
                    notification = event.delivered.notification
                    delivered[notification.request.identifier] += 1
                    deliveries.append(notification.delivery)
                case "removed":
                    removed[event.removed.state][event.removed.identifier] += 1
                case kind:
                    assert kind in ("settings_changed", "badge_changed"), kind
        assert deliveries == list(range(1, len(deliveries) + 1)), "delivery numbers repeat"
        known = {self.REPLACED, *self.entries}
        for names in (*removed.values(), delivered, state.pending, state.delivered):
            assert set(names) <= known, f"never sent: {set(names) - known}"
        for name, entry in self.entries.items():
            from_pending = removed[wire.REQUEST_STATE_PENDING][name]
            from_delivered = removed[wire.REQUEST_STATE_DELIVERED][name]
            places = (name in state.pending) + delivered[name] + from_pending
            found = f"{name}: {entry}, found in {places} places"
            assert places <= 1, f"{found}: it is there or fired twice, or came back"
            assert places == 1 or not entry.is_added, f"{found}: it was acknowledged and is lost"
            assert from_pending == 1 or not entry.is_removed_from_pending, f"{found}: came back"
            assert from_delivered == 1 or not entry.is_removed_from_delivered, f"{found}: came back"
            assert from_delivered <= delivered[name], found
            assert (name in state.delivered) == (delivered[name] > from_delivered), found
            assert entry.is_asked_to_go or not from_pending, f"{found}: nobody removed it"

    def _check_replacement(self, state: State) -> None:
        if self.version_added == 0:
            return
        assert self.REPLACED in state.pending, "the replaced request is lost"
        version = int(state.pending[self.REPLACED].content.body)
        assert self.version_added <= version <= self.version_sent, "an old version came back"
