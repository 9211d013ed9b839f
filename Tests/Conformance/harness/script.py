"""Calls in a fixed order whose replies and effects are known from a run in which nothing fails.

On a manual clock and with fixed keys every run is the same to the last byte, so that a run which
was interrupted anywhere is held against the undisturbed one by equality.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import grpc

from harness import wire
from harness.client import App, Client, request
from harness.keys import new_key
from harness.launcher import Launcher
from harness.ledger import State
from harness.server import START_SECONDS

CENTER = wire.Center(app_id="org.example.script")

HOUR = 3_600.0

Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Whole:
    """All that a server tells of the script's center, and its clock."""

    state: State
    now: int

    @classmethod
    def read(cls, client: Client) -> "Whole":
        return cls(State.read(App(client, CENTER)), client.now())


@dataclass
class Script:
    """The calls, and what the undisturbed run gave: before each call, and at the end."""

    calls: list[tuple[str, Any]]
    has_slices: bool = False
    replies: list[Any] = field(default_factory=list)
    wholes: list[Whole] = field(default_factory=list)

    def prepare(self, client: Client) -> None:
        """Registers the app, which comes before the calls."""
        App(client, CENTER).authorize()

    def record(self, launch: Launcher) -> None:
        """Makes the undisturbed run."""
        with Client(launch().targets["unix"]) as client:
            self.prepare(client)
            self.wholes.append(Whole.read(client))
            for rpc, message in self.calls:
                self.replies.append(client.send(rpc, message))
                self.wholes.append(Whole.read(client))

    def run(self, client: Client, begin: int = 0) -> tuple[int, grpc.RpcError | None]:
        """Makes the calls from one on, until one fails; gives that one's number and error."""
        for number, (rpc, message) in enumerate(self.calls[begin:], begin):
            try:
                reply = client.send(rpc, message)
            except grpc.RpcError as error:
                return number, error
            # The reply of a retry does not count the part that had happened already.
            is_in_part = self.has_slices and number == begin > 0
            assert reply == self.replies[number] or is_in_part, f"{rpc} {number}: another reply"
        return len(self.calls), None

    def check(self, client: Client, answered: int) -> None:
        """Holds a server against what it answered: the next call happened wholly or not at all.

        A call in slices may have happened in part, and only its retry shows what it did.
        """
        if self.has_slices:
            return
        expected = self.wholes[answered : answered + 2]
        assert Whole.read(client) in expected, f"{answered} calls were answered"

    def finish(self, client: Client, answered: int) -> None:
        """Repeats the unanswered call, makes the rest, and holds all of it against the record."""
        number, error = self.run(client, answered)
        assert error is None, f"call {number} after the restart: {error}"
        assert Whole.read(client) == self.wholes[-1], "the end differs from the undisturbed run's"


def session(laps: int) -> Script:
    """Calls of every kind that changes something; a lap has twelve."""
    return _script("session", [call for lap in range(laps) for call in _lap(lap)])


def sliced(rpc: str, **fields: Any) -> Script:
    """A call that takes three batches: trouble falls between two of them, too."""
    requests = [request(f"{number}", 60) for number in range(600)]
    calls = [("AddBatch", {"requests": requests}), (rpc, fields)]
    return _script("sliced", calls, has_slices=True)


def _lap(lap: int) -> Iterator[Call]:
    options = [wire.AUTHORIZATION_OPTION_ALERT, wire.AUTHORIZATION_OPTION_CAR_PLAY][: lap + 1]
    yield "RequestAuthorization", {"options": options}
    yield "Add", {"request": request(f"now {lap}", body="shown " * (lap + 1))}
    yield "Add", {"request": request(f"soon {lap}", 10 + lap)}
    yield "Add", {"request": request(f"long {lap}", HOUR + lap, body="x" * 500 * (lap + 1))}
    yield "Add", {"request": request("replaced", HOUR, body=f"{lap}")}
    yield "Add", {"request": request(f"again {lap}", 60 + lap, repeats=True)}
    yield "AddBatch", {"requests": [request(f"{lap}/{n}", 5 + n) for n in range(12)]}
    yield "RemovePending", {"identifiers": [f"{lap}/{n}" for n in (3, 5)] + ["unknown"]}
    yield "SetBadgeCount", {"count": lap + 1}
    yield "AdvanceClock", {"by": wire.seconds(25)}
    yield "RemoveDelivered", {"identifiers": [f"now {lap}", f"{lap}/1"]}
    kind = ["RemoveAllDelivered", "RemoveAllPending"][lap % 2] if lap % 3 == 2 else ""
    yield (kind, {}) if kind else ("SetBadgeCount", {"count": 0})


def _script(seed: str, calls: list[Call], *, has_slices: bool = False) -> Script:
    choices = random.Random(seed)
    messages = []
    for rpc, fields in calls:
        if rpc != "AdvanceClock":
            fields = fields | {"center": CENTER}
        fields["idempotency_key"] = new_key(START_SECONDS + 1, choices)
        messages.append((rpc, getattr(wire, f"{rpc}Request")(**fields)))
    return Script(messages, has_slices)
