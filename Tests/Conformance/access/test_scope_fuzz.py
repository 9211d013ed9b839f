"""Thousands of requests of random parts to callers with a right for one app or device: nothing of
another one changes, and nothing of it is read (W-11)."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import grpc
import pytest
from google.protobuf.message import DecodeError

from access.encoding import field, group, number_field
from access.serving import Answer, Caller, make_token, own_token
from access.world import DEVICES, ENDING, OTHER, OWN, PHONE, PRECIOUS, TABLET, World
from harness import wire
from harness.client import Client, request
from harness.launcher import Launcher
from harness.mutation import mutated
from harness.server import Server

# For each call; the whole run takes some seconds.
ROUNDS = 400

APPS = [OWN, OWN, OWN, OTHER, ENDING, "", "org.example", "org.example.tea.", "\u0435"]
PLACES = [PHONE, PHONE, PHONE, TABLET, "", "local", "phones"]

PAYLOAD = '{"aps":{"alert":"A push"}}'


class Parts:
    """Makes fields at random: each may come often, in any order, and as no library writes it."""

    def __init__(self, world: World, seed: int) -> None:
        self.choices = random.Random(seed)
        self._tokens = [*world.tokens.values(), "0" * 64]
        self._numbers = 0

    def field(self, number: int, value: bytes | str) -> bytes:
        """A field, with a tag or a length that is longer than it needs to be now and then."""
        sizes = self.choices.choices([0, 2, 5, 10], [90, 3, 3, 1], k=2)
        return field(number, value, tag_size=sizes[0], length_size=sizes[1])

    def number(self, number: int, value: int) -> bytes:
        return number_field(number, value, size=self.choices.choice([0, 0, 0, 10]))

    def some(
        self, make: Callable[[], bytes], weights: Sequence[int] = (2, 12, 4, 1)
    ) -> list[bytes]:
        """None, one or more of a field."""
        (count,) = self.choices.choices(range(len(weights)), weights)
        return [make() for _ in range(count)]

    def together(self, *parts: list[bytes]) -> bytes:
        """The fields, mostly in their order."""
        fields = [part for some in parts for part in some]
        if self.choices.random() < 0.5:
            self.choices.shuffle(fields)
        if self.choices.random() < 0.1:
            first = fields[0] if fields else b""
            strange = [group(1, first), field(1_000, OTHER), group(77, b"")]
            fields.insert(self.choices.randint(0, len(fields)), self.choices.choice(strange))
        return b"".join(fields)

    def app(self, number: int = 1) -> bytes:
        return self.field(number, self.choices.choice(APPS))

    def device(self, number: int = 1) -> bytes:
        return self.field(number, self.choices.choice(PLACES))

    def center(self, number: int = 1) -> bytes:
        inner = self.together(self.some(self.app), self.some(lambda: self.device(2), (4, 6, 1)))
        return self.field(number, inner)

    def name(self) -> str:
        self._numbers += 1
        return f"fuzz-{self._numbers % 40}"

    def add(self) -> bytes:
        asked = request(self.name(), 90_000, title="t").SerializeToString()
        return self.together(self.some(self.center), [self.field(3, asked)])

    def list(self) -> bytes:
        return self.together(self.some(self.center), self.some(lambda: self.number(4, 50)))

    def subscribe(self) -> bytes:
        role = self.choices.choice([[], [], [self.number(2, 1)], [self.number(7, 1)]])
        return self.together(self.some(self.center), [self.number(5, 0)], role)

    def headers(self) -> bytes:
        topics = [OWN, OWN, OTHER, "", f"{OWN}.voip", ENDING, f"{OWN}.voip.voip"]
        inner = self.together(
            self.some(lambda: self.field(3, self.choices.choice(topics))),
            self.some(lambda: self.number(2, self.choice_of_type()), (2, 2, 1)),
            [self.field(6, "fuzz")],
        )
        return self.field(4, inner)

    def choice_of_type(self) -> int:
        return self.choices.choice([0, 1, 4, 4, 5, 6, 12, 4 + (1 << 32), (1 << 64) - 1])

    def token(self) -> bytes:
        return self.field(3, self.choices.choice(self._tokens))

    def push(self) -> bytes:
        return self.together(
            self.some(self.center, (2, 1, 1)),
            self.some(self.token, (2, 4, 1)),
            self.some(self.headers),
            [self.field(5, PAYLOAD)],
        )

    def update(self) -> bytes:
        state = wire.DeviceState(locked=True, muted=True, device_id=self.choices.choice(PLACES))
        return self.together(
            self.some(self.device),
            [self.field(3, state.SerializeToString())],
            [self.field(4, field(1, "muted"))],
        )

    def respond(self) -> bytes:
        def notification() -> bytes:
            names = [f"{PRECIOUS}-delivered", "mine-delivered"]
            name = field(2, self.choices.choice(names))
            inner = self.together(self.some(self.center), [name], [self.number(3, 1)])
            return self.field(3, inner)

        return self.together(self.some(self.device), self.some(notification), [field(5, b"")])


def apps_of(rpc: str, data: bytes) -> str | None:
    """The app that a request is for, as another reader of protobuf has it."""
    try:
        message = getattr(wire, f"{rpc}Request").FromString(data)
    except DecodeError:
        return None
    if rpc in ("UpdateDeviceState", "Respond") or not message.HasField("center"):
        return None
    app: str = message.center.app_id
    return app


def device_of(rpc: str, data: bytes) -> str | None:
    """The device that a request is for, in the same way."""
    try:
        message = getattr(wire, f"{rpc}Request").FromString(data)
    except DecodeError:
        return None
    return message.device_id or "local"


@pytest.fixture(scope="module")
def world(guarded: Server, tcp: Client) -> World:
    """What is not to be touched, and what may be."""
    return World(Caller(tcp, own_token(guarded)))


RIGHTS = {
    "Add": f"app:{OWN}",
    "ListPending": f"app:{OWN}",
    "Subscribe": f"app:{OWN}",
    "Push": f"provider:{OWN}",
    "UpdateDeviceState": f"device:{PHONE}",
    "Respond": f"device:{PHONE}",
}


def enough(messages: Sequence[bytes]) -> bool:
    """Whether a stream has told what there was; other calls have one answer."""
    if len(messages) > 100:
        return True
    frames = wire.SubscribeResponse.FromString(messages[-1]).frames
    return any(frame.HasField("caught_up") for frame in frames)


def judge(rpc: str, data: bytes, answer: Answer) -> None:
    """Fails where a request for another app or device was answered."""
    what = f"{rpc} {data.hex()}: {answer}"
    if answer.refusal is not None:
        assert answer.refusal.code in (
            grpc.StatusCode.PERMISSION_DENIED,
            grpc.StatusCode.INVALID_ARGUMENT,
            grpc.StatusCode.NOT_FOUND,
            grpc.StatusCode.FAILED_PRECONDITION,
            grpc.StatusCode.OUT_OF_RANGE,
        ), what
    told = b"".join(answer.messages)
    if RIGHTS[rpc].startswith("device"):
        if device_of(rpc, data) not in (PHONE, None):
            assert not told, what
    else:
        assert PRECIOUS.encode() not in told, what
        if apps_of(rpc, data) not in (OWN, None):
            assert not answer.messages, what


@pytest.mark.parametrize("rpc", RIGHTS)
def test_random_requests_touch_nothing_of_others(
    shared_launch: Launcher,
    guarded: Server,
    tcp: Client,
    world: World,
    pytestconfig: pytest.Config,
    rpc: str,
) -> None:
    parts = Parts(world, pytestconfig.getoption("--seed"))
    caller = Caller(tcp, make_token(shared_launch, guarded.home, f"fuzz {rpc}", RIGHTS[rpc]))
    make: dict[str, Callable[[], bytes]] = {
        "Add": parts.add,
        "ListPending": parts.list,
        "Subscribe": parts.subscribe,
        "Push": parts.push,
        "UpdateDeviceState": parts.update,
        "Respond": parts.respond,
    }
    before: Any = (world.of_others(), [world.apps(device) for device in DEVICES])
    devices = world.of_other_devices()
    ends: Counter[str] = Counter()
    until: dict[str, Any] = {"until": enough} if rpc == "Subscribe" else {}
    for _ in range(ROUNDS):
        data = make[rpc]()
        if parts.choices.random() < 0.25:
            data = mutated(data, parts.choices)
        answer = caller.send(rpc, data, **until)
        judge(rpc, data, answer)
        ends["" if answer.refusal is None else answer.refusal.reason] += 1
    if RIGHTS[rpc].startswith("device"):
        assert world.of_other_devices() == devices
        refused = "DEVICE_REFUSED"
    else:
        assert (world.of_others(), [world.apps(device) for device in DEVICES]) == before
        refused = "APP_REFUSED"
    # It tried both, again and again, and what is no message too.
    assert ends[refused] > ROUNDS / 20, ends
    assert sum(ends.values()) - ends[refused] - ends["MALFORMED_MESSAGE"] > ROUNDS / 20, ends
    assert ends["MALFORMED_MESSAGE"] > 0, ends
