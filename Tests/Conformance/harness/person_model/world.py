"""All devices of the model, and time."""

from harness import wire
from harness.person_model import delegate
from harness.person_model.center import Center
from harness.person_model.device import Device
from harness.person_model.permission import Permission
from harness.person_model.records import Question
from harness.person_model.times import START


class World:
    """What the rules say a whole server holds."""

    def __init__(self) -> None:
        self.now = START
        self.devices: dict[str, Device] = {}
        self.centers: list[Center] = []
        # Questions that were put to a live subscription since the clock began to move.
        self.offered: list[Question] = []
        # Counts the steps of a walk.
        self.step = 0

    def add(self, app_id: str, device_id: str, permission: Permission) -> Center:
        """An app on a device, not yet registered."""
        device = self.devices.setdefault(device_id, Device(self, device_id))
        center = Center(device, app_id, permission)
        device.centers.append(center)
        self.centers.append(center)
        return center

    def next_due(self) -> int | None:
        """When something happens next."""
        dues = (due for center in self.centers for due, _ in center.overdue())
        return min(dues, default=None)

    def advance(self, by: int, *, expire: bool) -> int:
        """Moves the clock on, to a question at the most. Gives why it stopped."""
        target = self.now + by
        self.offered = []
        while True:
            # Not past the deadline of a question that somebody could answer.
            deadline = None if expire else self._first_deadline()
            last = target if deadline is None else min(target, deadline - 1)
            due = self.next_due()
            if due is None or due > last:
                self.now = max(self.now, last)
                return wire.CLOCK_STOP_TARGET if last == target else wire.CLOCK_STOP_CALLBACK
            self.now = max(self.now, due)
            for center in self.centers:
                center.run_due()
            if self.offered and not expire:
                return wire.CLOCK_STOP_CALLBACK

    def _first_deadline(self) -> int | None:
        """The first deadline of a question that is put to a live subscription."""
        deadlines = [
            question.deadline
            for center in self.centers
            for question in center.questions
            if (listener := delegate.primary(center))
            and listener.is_open
            and listener.takes(question.kind)
        ]
        return min(deadlines, default=None)

    def suspend(self, by: int) -> None:
        """Lets time pass as it does while a server is down: what became due fires at the end."""
        self.now += by
        self.offered = []
        for center in self.centers:
            # All of it fires now, when who was cut has its role no longer.
            center.streams = [s for s in center.streams if s.is_open or s.kept_until > self.now]
            center.run_due()

    def crash(self) -> None:
        """The server is killed: what was only in memory is gone, and all streams."""
        for center in self.centers:
            center.streams.clear()
            center.is_unresponsive = False
