"""A walk: steps made on a server and on the model, both compared after each."""

import copy
from dataclasses import dataclass
from typing import Any

import grpc

from harness import wire
from harness.client import Client
from harness.keys import new_key
from harness.launcher import Launcher
from harness.person_model import observe, watching
from harness.person_model.center import Center
from harness.person_model.differences import Difference, check
from harness.person_model.live import Live
from harness.person_model.permission import Permission
from harness.person_model.refused import Refused
from harness.person_model.times import DAY, SECOND
from harness.person_model.watching import Watched
from harness.person_model.world import World
from harness.refusals import refusal_in

# The apps of each walk: its identifier, its device, and what it may have.
APPS = [
    ("org.example.plain", "local", None),
    ("org.example.urgent", "local", {"critical_alerts": True, "time_sensitive": True}),
    ("org.example.clip", "tablet", {}),
    ("org.example.plain", "tablet", {"time_sensitive": True}),
]

# Events that are older may be gone.
KEPT = 6 * DAY


# Calls about what a server forgets with its end.
FORGOTTEN = frozenset(["UpdateAppState"])

# One step in so many has a key, and is made twice.
KEYED = 5


@dataclass(frozen=True)
class Keyed:
    """A call that may be repeated."""

    rpc: str
    request: Any
    reply: Any
    made_at: int


@dataclass(frozen=True)
class Step:
    """One step: its kind and what it is made with, which holds nothing that a server named."""

    kind: str
    fields: dict[str, Any]

    def __str__(self) -> str:
        told = {name: str(value).replace("\n", " ") for name, value in self.fields.items()}
        return f"{self.kind}({', '.join(f'{name}={value}' for name, value in told.items())})"


class Walk:
    """A server and a model that should agree."""

    def __init__(self, launch: Launcher, prompts: str) -> None:
        self.launch = launch
        self.prompts = prompts
        self.world = World()
        self.server = launch(prompts=prompts)
        self.home = self.server.home
        self.client = Client(self.server.targets["unix"])
        self.live: list[Live] = []
        self.watched: list[Watched] = []
        # How many subscriptions were made, for their names.
        self.names = 0
        self.keyed: Keyed | None = None
        for app_id, device_id, entitlements in APPS:
            self._install(app_id, device_id, entitlements)
        self._watch_devices()

    def _watch_devices(self) -> None:
        self.watched = [Watched(self.client, device) for device in self.world.devices.values()]

    def _install(self, app_id: str, device_id: str, entitlements: dict[str, bool] | None) -> None:
        held = entitlements or {}
        permission = Permission(
            has_critical=held.get("critical_alerts", False),
            has_time_sensitive=held.get("time_sensitive", False),
            is_ephemeral=app_id.endswith("clip"),
        )
        center = self.world.add(app_id, device_id, permission)
        if entitlements is not None:
            manifest = {"entitlements": entitlements, "ephemeral": permission.is_ephemeral}
            self.client.call("RegisterApp", center=center.wire, manifest=manifest)
            center.is_registered = True
            self.watch(center)

    @property
    def centers(self) -> list[Center]:
        """The apps on their devices."""
        return self.world.centers

    def watch(self, center: Center) -> None:
        """Follows a center's events, as an observer that says no state."""
        old = self.world.now - KEPT
        after = sum(event.recorded_at.ToNanoseconds() < old for event in center.events)
        request = wire.SubscribeRequest(center=center.wire, after=after)
        live = Live(self.client, request, center, after=after)
        self.live.append(live)
        center.calls()

    def is_watched(self, center: Center) -> bool:
        """Whether somebody follows its events."""
        return any(live.center is center and live.model is None for live in self.live)

    def expect(self, rpc: str, expected: Any, **fields: Any) -> Any:
        """Makes a call, and compares what comes of it with a reply or a refusal.

        A field of the reply that the model cannot know is put into the expected one by `adopt`.
        """
        adopt = fields.pop("adopt", None)
        request = getattr(wire, f"{rpc}Request")(**fields)
        if self.world.step % KEYED == 0 and "idempotency_key" in request.DESCRIPTOR.fields_by_name:
            request.idempotency_key = new_key(self.world.now / SECOND)
        try:
            actual = self.client.send(rpc, request)
        except grpc.RpcError as error:
            refusal = refusal_in(error)
            said = Refused(refusal.reason or f"{refusal.code} {refusal.message}")
            if isinstance(expected, Refused) and expected.reason == said.reason:
                return None
            asked = str(fields).replace("\n", " ")
            raise Difference(
                f"{rpc}({asked}): the model says {expected!r}, the server {said!r}: "
                f"{refusal.message}"
            ) from None
        if getattr(request, "idempotency_key", ""):
            self.keyed = Keyed(rpc, request, copy.deepcopy(actual), self.world.now)
            self.retry()
        if isinstance(actual, wire.AddResponse) and isinstance(expected, wire.AddResponse):
            # Numbers that the server gives out, which only name the request for a wait.
            expected.request_number = actual.request_number
            expected.as_of_event = actual.as_of_event
        if adopt and not isinstance(expected, Refused):
            adopt(expected, actual)
        check(f"{rpc}({str(fields).replace(chr(10), ' ')})", expected, actual)
        return actual

    def make(self, rpc: str, act: Any, **fields: Any) -> Any:
        """Acts on the model, makes the call, and compares."""
        try:
            expected = act()
        except Refused as refused:
            expected = refused
        return self.expect(rpc, expected, **fields)

    def retry(self) -> None:
        """Repeats the last call that had a key, which must act once and be answered as before."""
        if self.keyed and self.world.now - self.keyed.made_at < DAY // 2:
            try:
                again = self.client.send(self.keyed.rpc, self.keyed.request)
            except grpc.RpcError as error:
                refusal = refusal_in(error)
                raise Difference(f"{self.keyed.rpc} again is refused: {refusal}") from None
            check(f"{self.keyed.rpc} again", self.keyed.reply, again)

    def crash(self) -> None:
        """Kills the server and starts another on its directory."""
        for live in [*self.live, *self.watched]:
            live.close()
        self.live = []
        self.server.kill()
        self.client.channel.close()
        self.world.crash()
        self.server = self.launch(self.home, prompts=self.prompts)
        self.client = Client(self.server.targets["unix"])
        self.client.wait_until_ready()
        now = self.client.now()
        self._watch_devices()
        check("the clock after a restart", self.world.now, now)
        if self.keyed and self.keyed.rpc not in FORGOTTEN:
            self.retry()
        for watched in self.watched:
            watching.check_snapshot(watched)

    def compare(self) -> None:
        """Compares all that can be observed without a call of the app."""
        for center in self.centers:
            if center.is_registered and not self.is_watched(center):
                self.watch(center)
        observe.streams(self)
        observe.devices(self)
        watching.look(self)

    def close(self) -> None:
        """Ends the server and all streams."""
        for live in [*self.live, *self.watched]:
            live.close()
        self.client.channel.close()
        self.server.close()


def copied(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a step, so that nobody changes them."""
    return copy.deepcopy(fields)
