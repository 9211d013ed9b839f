"""One app on one device: requests, notifications, events and the questions to the app."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from harness import wire
from harness.person_model import delegate, presentation, showing
from harness.person_model.permission import (
    DISABLED,
    ENABLED,
    NOT_SUPPORTED,
    Permission,
)
from harness.person_model.records import Delivered, Pending, Question, Stream, Waiting
from harness.person_model.refused import Refused
from harness.person_model.times import BANNER_TIME, MAX_LATENESS, RETENTION, duration, timestamp

if TYPE_CHECKING:
    from harness.person_model.device import Device


class Center:
    """What the rules say a center holds and does."""

    def __init__(self, device: "Device", app_id: str, permission: Permission) -> None:
        self.device = device
        self.app_id = app_id
        self.permission = permission
        self.wire = wire.Center(app_id=app_id, device_id=device.device_id)
        self.is_registered = False
        self.categories: dict[str, wire.NotificationCategory] = {}
        self.pending: dict[str, Pending] = {}
        # Oldest first.
        self.delivered: list[Delivered] = []
        self.questions: list[Question] = []
        self.waiting: list[Waiting] = []
        # The notifications that banners show and no list has, by delivery, with their end.
        self.banners: dict[int, tuple[wire.Notification, int]] = {}
        self.badge = 0
        self.deliveries = 0
        # The newest delivery under each identifier.
        self.latest: dict[str, int] = {}
        # The deliveries that left the list.
        self.gone: set[int] = set()
        self.events: list[wire.Event] = []
        self.streams: list[Stream] = []
        self.is_unresponsive = False
        self.grouping = wire.NOTIFICATION_GROUPING_AUTOMATIC

    # What is known of it.

    @property
    def now(self) -> int:
        """The device's clock."""
        return self.device.world.now

    @property
    def settings(self) -> wire.NotificationSettings:
        """The settings with the device's say about the summary."""
        settings = wire.NotificationSettings()
        settings.CopyFrom(self.permission.settings)
        summary = self.device.state.summary
        value = NOT_SUPPORTED
        if summary.enabled and self.permission.status:
            value = ENABLED if self.app_id in summary.apps else DISABLED
        settings.scheduled_delivery_setting = value
        return settings

    def require_registered(self) -> None:
        """Refuses a call about an app that is not there."""
        if not self.is_registered:
            raise Refused("APP_NOT_REGISTERED")

    def calls(self) -> None:
        """The app calls, whatever becomes of it, and counts as responsive again (D-27)."""
        self.is_unresponsive = False

    def record(self, **kind: Any) -> None:
        """Records an event."""
        number = len(self.events) + 1
        self.events.append(
            wire.Event(number=number, recorded_at=timestamp(self.now), **kind)
        )

    @contextmanager
    def person_chooses(self) -> Iterator[None]:
        """Records what a change of the settings comes to, if anything."""
        before = self.settings
        yield
        if self.is_registered and self.settings != before:
            self.record(settings_changed={"settings": self.settings})

    def newest(self, identifier: str) -> Delivered | None:
        """The notification that is in the list under an identifier."""
        return next((d for d in self.delivered if d.identifier == identifier), None)

    def newest_delivery(self, identifier: str) -> int:
        """The number of what is in the list or on a banner under an identifier. 0 is none."""
        numbers = [entry.delivery for entry in self.delivered if entry.identifier == identifier]
        for number, (notification, until) in self.banners.items():
            if notification.request.identifier == identifier and until > self.now:
                numbers.append(number)
        return max(numbers, default=0)

    def reference(self, identifier: str, delivery: int) -> wire.NotificationRef:
        """How the person's side names a delivery."""
        return wire.NotificationRef(center=self.wire, identifier=identifier, delivery=delivery)

    # Arriving and delivering.

    def arrive(
        self,
        request: wire.NotificationRequest,
        due: int | None,
        collapsed: int = 0,
    ) -> int:
        """A request is due: it is asked about, delivered or not. Gives the request's state."""
        notification = wire.Notification(request=request, date=timestamp(self.now))
        arrival = Question(
            "will_present", 0, notification, due=due, collapsed=collapsed
        )
        if not self.permission.may_notify:
            self._suppress(arrival, None, wire.SUPPRESSION_REASON_NOT_AUTHORIZED)
            return wire.REQUEST_STATE_GONE
        choice = delegate.choice(self, request.content)
        if choice == delegate.ASK:
            self.withdraw(request.identifier)
            delegate.ask_how_to_present(self, arrival)
            return wire.REQUEST_STATE_ARRIVING
        return self.deliver(arrival, choice)

    def deliver(
        self, arrival: Question, choice: frozenset[int] | None, *, timed_out: bool = False
    ) -> int:
        """Puts a notification where the app and the person want it. Gives the request's state."""
        if not self.permission.may_notify:
            # It was withdrawn while the app was asked.
            self._suppress(arrival, None, wire.SUPPRESSION_REASON_NOT_AUTHORIZED)
            return wire.REQUEST_STATE_GONE
        self.withdraw(arrival.identifier)
        replaced = self.newest(arrival.identifier)
        if replaced:
            self.delivered.remove(replaced)
        for older, (notification, _) in list(self.banners.items()):
            if notification.request.identifier == arrival.identifier:
                del self.banners[older]
        number = replaced.delivery if replaced else None
        if choice is not None and not choice:
            self._suppress(arrival, number)
            return wire.REQUEST_STATE_GONE
        self.deliveries += 1
        notification = wire.Notification()
        notification.CopyFrom(arrival.notification)
        notification.delivery = self.deliveries
        notification.date.CopyFrom(timestamp(self.now))
        self._show(arrival, notification, choice, number, timed_out=timed_out)
        return wire.REQUEST_STATE_DELIVERED

    def withdraw(self, identifier: str) -> None:
        """What arrives under an identifier is taken back: it is removed, or a newer one came."""
        for question in [q for q in self.questions if q.kind == "will_present"]:
            if question.identifier == identifier:
                self._suppress(question, None)
                delegate.end(self, question, wire.CALLBACK_OUTCOME_WITHDRAWN)

    def _suppress(
        self,
        arrival: Question,
        replaced: int | None,
        reason: int = wire.SUPPRESSION_REASON_NOT_PRESENTED,
    ) -> None:
        event = wire.SuppressedEvent(identifier=arrival.identifier, reason=reason)
        if arrival.due is not None:
            event.due_at.CopyFrom(timestamp(arrival.due))
        if replaced is not None:
            event.replaced_delivery = replaced
        self.record(suppressed=event)

    def _show(
        self,
        arrival: Question,
        notification: wire.Notification,
        choice: frozenset[int] | None,
        replaced: int | None,
        *,
        timed_out: bool,
    ) -> None:
        content = notification.request.content
        shown = showing.decide(
            self.device.state, self.app_id, self.settings, content, choice
        )
        common: dict[str, Any] = {"notification": notification}
        common["collapsed_count"] = arrival.collapsed
        if arrival.due is not None:
            common["late_by"] = duration(self.now - arrival.due)
        if replaced is not None:
            common["replaced_delivery"] = replaced
        if shown.held:
            self.record(held=dict(common, until=timestamp(self.held_until())))
        else:
            effects = sorted(shown.effects)
            how = wire.Presentation(
                options=effects,
                quiet=shown.quiet,
                timed_out=timed_out,
                silenced_by_focus=shown.silenced_by,
            )
            self.record(delivered=dict(common, presentation=how))
        self._keep(notification, shown)
        if presentation.BADGE in shown.effects:
            self.apply_badge(content)
        self.keep_at_most(1_000)

    def _keep(self, notification: wire.Notification, shown: showing.Showing) -> None:
        """Puts it in the list, or remembers it while its banner shows."""
        until = self.held_until() if shown.held else None
        entry = Delivered(notification, self.now, until, shown.silenced_by)
        self.latest[entry.identifier] = entry.delivery
        has_banner = presentation.BANNER in shown.effects
        if presentation.LIST in shown.effects:
            self.delivered.append(entry)
        elif has_banner:
            self.banners[notification.delivery] = (notification, self.now + BANNER_TIME)
        self.device.show(self, entry, is_banner=has_banner, alarm=shown.alarm)

    def apply_badge(self, content: wire.NotificationContent) -> None:
        """The badge of a content takes effect."""
        adds = content.badge_mode == wire.BADGE_MODE_INCREMENT
        self.set_badge(self.badge + content.badge if adds else content.badge)

    def set_badge(self, badge: int) -> None:
        """The badge becomes a number."""
        badge = min(badge, 2**31 - 1)
        if badge != self.badge:
            self.badge = badge
            self.record(badge_changed={"badge": badge})
            frame = wire.BadgeFrame(center=self.wire, badge=badge)
            self.device.frames["badge"].append(frame)

    def held_until(self) -> int:
        """When what arrives now is shown with the rest: at once where the summary is late."""
        others = [entry.until for entry in self.delivered if entry.until is not None]
        return max(self.now, min(others)) if others else self.device.next_summary()

    # Leaving the list.

    def remove(self, entry: Delivered, cause: int) -> None:
        """A notification leaves the list."""
        self.delivered.remove(entry)
        self.gone.add(entry.delivery)
        self.record(
            removed={
                "identifier": entry.identifier,
                "state": wire.REQUEST_STATE_DELIVERED,
                "delivery": entry.delivery,
                "cause": cause,
            }
        )

    def keep_at_most(self, count: int) -> None:
        """Drops the oldest that are too many (NC-7)."""
        while len(self.delivered) > count:
            self.remove(self.delivered[0], wire.REMOVAL_CAUSE_RETENTION)

    def present_summary(self, entries: list[Delivered]) -> None:
        """What waited for the summary is shown, the most relevant first (SSM-3)."""
        if not entries:
            return
        order = sorted(entries, key=lambda e: (-e.content.relevance_score, -e.date, -e.delivery))
        references = [self.reference(entry.identifier, entry.delivery) for entry in order]
        for entry in entries:
            entry.until = None
        self.record(summary_presented={"notifications": references})
        self.device.feature(self, order[0])

    # Time.

    def overdue(self) -> list[tuple[int, Callable[[], None]]]:
        """All that is to happen, with its instant."""
        found: list[tuple[int, Callable[[], None]]] = []
        for pending in self.pending.values():
            found.append((pending.due, partial(self._fire, pending)))
        for question in self.questions:
            found.append((question.deadline, partial(self._time_out, question)))
        for entry in self.delivered:
            found.append((entry.date + RETENTION, partial(self._expire, entry)))
        held = [entry.until for entry in self.delivered if entry.until is not None]
        if held:
            found.append((min(held), self._show_summary))
        for stream in self.streams:
            if stream.kept_until is not None:
                found.append((stream.kept_until, partial(self._give_up, stream)))
        return found

    def run_due(self) -> None:
        """Does what is due, the oldest first; what one of them takes away is not done."""
        while due := [(instant, act) for instant, act in self.overdue() if instant <= self.now]:
            min(due, key=lambda entry: entry[0])[1]()

    def _time_out(self, question: Question) -> None:
        delegate.time_out(self, question)

    def _expire(self, entry: Delivered) -> None:
        self.remove(entry, wire.REMOVAL_CAUSE_RETENTION)

    def _show_summary(self) -> None:
        due = [e for e in self.delivered if e.until is not None and e.until <= self.now]
        self.present_summary(due)

    def _give_up(self, stream: Stream) -> None:
        self.streams.remove(stream)

    def _fire(self, pending: Pending) -> None:
        """A pending request is due; after down time a repeating one stands for all it missed."""
        due, collapsed = pending.due, 0
        if pending.request.trigger.repeats:
            collapsed = (self.now - due) // pending.interval
            due += collapsed * pending.interval
            pending.due = due + pending.interval
        else:
            del self.pending[pending.request.identifier]
        if self.now - due > MAX_LATENESS:
            self.record(
                missed={
                    "identifier": pending.request.identifier,
                    "due_at": timestamp(due),
                    "late_by": duration(self.now - due),
                }
            )
        else:
            self.arrive(pending.request, due, collapsed)
