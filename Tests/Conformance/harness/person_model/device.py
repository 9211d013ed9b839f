"""A person's device: lock, Focus, summary, and what the person does with notifications."""

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from harness import wire
from harness.person_model import delegate, presentation, showing
from harness.person_model.center import Center
from harness.person_model.records import Delivered, Waiting
from harness.person_model.refused import Refused
from harness.person_model.times import DAY, MINUTE, UNLOCK_TIME, timestamp

if TYPE_CHECKING:
    from harness.person_model.world import World

TAPPED = "com.apple.UNNotificationDefaultActionIdentifier"
DISMISSED = "com.apple.UNNotificationDismissActionIdentifier"


class Device:
    """What the rules say a device holds and does. Its zone is UTC."""

    def __init__(self, world: "World", device_id: str) -> None:
        self.world = world
        self.device_id = device_id
        self.state = wire.DeviceState(device_id=device_id)
        self.centers: list[Center] = []
        # The frames that a watcher is told since the last look, by kind.
        self.frames: dict[str, list[Any]] = defaultdict(list)

    # The scheduled summary.

    def _summary_after(self, instant: int) -> int:
        day = instant // DAY * DAY
        times = sorted(time * MINUTE for time in self.state.summary.times)
        days = [day, day + DAY]
        return next(start + time for start in days for time in times if start + time > instant)

    def next_summary(self) -> int:
        """When the summary is shown next."""
        return self._summary_after(self.world.now)

    def put_into_summary(self, center: Center, is_in_it: bool) -> None:
        """The person wants an app's notifications in the summary, or at once (A-7)."""
        if is_in_it == (center.app_id in self.state.summary.apps):
            return
        apps = set(self.state.summary.apps) - {center.app_id}
        if is_in_it:
            apps.add(center.app_id)
        del self.state.summary.apps[:]
        self.state.summary.apps.extend(sorted(apps))

    def present_what_left_the_summary(self) -> None:
        """Shows what waits for no summary any more; the rest waits for the next."""
        for center in self.centers:
            summary = self.state.summary
            held = [entry for entry in center.delivered if entry.held]
            if not summary.enabled or center.app_id not in summary.apps:
                center.present_summary(held)
                continue
            for entry in held:
                entry.until = self.next_summary()

    # What a watcher is told.

    def show(self, center: Center, entry: Delivered, *, is_banner: bool, alarm: str) -> None:
        """A notification shows and sounds."""
        if is_banner:
            self.frames["banner"].append((center, entry))
        if alarm:
            self.frames[alarm].append((center, entry))

    def feature(self, center: Center, entry: Delivered) -> None:
        """The most relevant of a summary shows itself for all of it (SSM-2)."""
        shown = showing.decide(
            self.state_without_summary(), center.app_id, center.settings, entry.content, None
        )
        is_banner = presentation.BANNER in shown.effects and center.permission.may_notify
        self.show(center, entry, is_banner=is_banner, alarm="")

    def state_without_summary(self) -> wire.DeviceState:
        """The state as it is to what waits for no summary."""
        state = wire.DeviceState()
        state.CopyFrom(self.state)
        state.ClearField("summary")
        return state

    def launch(
        self, center: Center, notification: wire.Notification, *, is_foreground: bool
    ) -> None:
        """The app is to run, so that it learns what the person did."""
        mode = wire.LAUNCH_MODE_FOREGROUND if is_foreground else wire.LAUNCH_MODE_BACKGROUND
        reference = center.reference(notification.request.identifier, notification.delivery)
        frame = wire.LaunchAppFrame(center=center.wire, mode=mode, notification=reference)
        self.frames["launch_app"].append(frame)

    # Acts.

    def _find(self, center: Center, reference: wire.NotificationRef) -> wire.Notification:
        """The notification that a reference names: one in the list, or one that a banner shows."""
        center.require_registered()
        entry = center.newest(reference.identifier)
        if entry and entry.delivery == reference.delivery:
            return entry.notification
        shown, until = center.banners.get(reference.delivery, (None, 0))
        if shown and until > self.world.now and shown.request.identifier == reference.identifier:
            return shown
        replaced = center.newest_delivery(reference.identifier) > reference.delivery
        raise Refused("NOTIFICATION_REPLACED" if replaced else "NOTIFICATION_NOT_FOUND")

    def respond(
        self, center: Center, reference: wire.NotificationRef, action: str, text: str | None
    ) -> int:
        """The person taps or presses a button. Gives what became of it."""
        notification = self._find(center, reference)
        category = center.categories.get(notification.request.content.category_identifier)
        waits = self.state.locked
        if action != TAPPED:
            actions = category.actions if category else []
            known = next((known for known in actions if known.identifier == action), None)
            if known is None:
                raise Refused("ACTION_UNKNOWN")
            if text is not None and not known.HasField("text_input"):
                raise Refused("TEXT_NOT_EXPECTED")
            if known.HasField("text_input"):
                text = text or ""
            waits = waits and bool(
                {wire.ACTION_OPTION_AUTHENTICATION_REQUIRED, wire.ACTION_OPTION_FOREGROUND}
                & set(known.options)
            )
        if waits:
            self._drop_what_is_too_late()
            if any(act.delivery == reference.delivery for act in center.waiting):
                raise Refused("ACT_WAITING")
            act = Waiting(
                reference.delivery,
                reference.identifier,
                action,
                text,
                self.world.now + UNLOCK_TIME,
            )
            center.waiting.append(act)
            asked = wire.UnlockRequestedFrame(
                notification=reference,
                action_identifier=action,
                deadline=timestamp(act.deadline),
            )
            self.frames["unlock_requested"].append(asked)
            return wire.RESPOND_OUTCOME_WAITING_FOR_UNLOCK
        self._send(center, notification, action, text)
        return wire.RESPOND_OUTCOME_SENT

    def _send(
        self, center: Center, notification: wire.Notification, action: str, text: str | None
    ) -> None:
        self._leave(center, notification)
        is_foreground = action == TAPPED
        category = center.categories.get(notification.request.content.category_identifier)
        for known in category.actions if category else []:
            if known.identifier == action:
                is_foreground = wire.ACTION_OPTION_FOREGROUND in known.options
        self.launch(center, notification, is_foreground=is_foreground)
        delegate.tell_of_act(center, notification, action, text)

    def _leave(self, center: Center, notification: wire.Notification) -> None:
        center.banners.pop(notification.delivery, None)
        for entry in [e for e in center.delivered if e.delivery == notification.delivery]:
            center.remove(entry, wire.REMOVAL_CAUSE_PERSON)

    def unlock(self) -> None:
        """Sends the acts that wait, and says what became of each."""
        for center in self.centers:
            acts, center.waiting = center.waiting, []
            for act in acts:
                self._tell_end(center, act, self._send_waiting(center, act))

    def _send_waiting(self, center: Center, act: Waiting) -> str:
        """Sends an act, or gives the reason why it is not."""
        if act.deadline <= self.world.now:
            return "UNLOCK_TIMED_OUT"
        reference = center.reference(act.identifier, act.delivery)
        try:
            self.respond(center, reference, act.action, act.text)
        except Refused as refused:
            return refused.reason
        return ""

    def _drop_what_is_too_late(self) -> None:
        """Acts whose time is over are told when another one comes."""
        for center in self.centers:
            for act in [act for act in center.waiting if act.deadline <= self.world.now]:
                center.waiting.remove(act)
                self._tell_end(center, act, "UNLOCK_TIMED_OUT")

    def _tell_end(self, center: Center, act: Waiting, reason: str) -> None:
        frame = wire.UnlockEndedFrame(
            notification=center.reference(act.identifier, act.delivery),
            action_identifier=act.action,
            reason=reason,
        )
        self.frames["unlock_ended"].append(frame)

    def clear(self, center: Center, notification: wire.Notification) -> None:
        """The person clears a notification (NC-5)."""
        self._leave(center, notification)
        category = center.categories.get(notification.request.content.category_identifier)
        if category and wire.CATEGORY_OPTION_CUSTOM_DISMISS_ACTION in category.options:
            self.launch(center, notification, is_foreground=False)
            delegate.tell_of_act(center, notification, DISMISSED, None)

    def dismiss(self, center: Center, reference: wire.NotificationRef, kind: int) -> None:
        """The person dismisses one notification."""
        notification = self._find(center, reference)
        if kind != wire.DISMISS_KIND_SWIPE_AWAY:
            self.clear(center, notification)
        # A banner that is swiped away shows no longer; what is in the list stays there.
        center.banners.pop(notification.delivery, None)

    def registered(self) -> Iterator[Center]:
        return (center for center in self.centers if center.is_registered)
