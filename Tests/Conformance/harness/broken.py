"""Calls whose messages or frames are broken, and what a server may answer to each."""

import random
from dataclasses import dataclass
from enum import Enum

from google.protobuf.message import Message
from grpc import StatusCode
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from harness import wire
from harness.http2 import header_block, whole
from harness.mutation import MOVES_THE_CLOCK, can_be_read, mutated, samples


class Judgement(Enum):
    """What a body is."""

    READABLE = "a message that protobuf can read"
    BROKEN_MESSAGE = "a whole frame around bytes that are no message"
    BROKEN_FRAME = "not one whole frame"
    # gRPC 1.51 hands a frame of an unknown kind on as if it were whole, and often empty.
    UNKNOWN_KIND = "a frame of a kind that gRPC does not know"
    # Of a method that takes any number of messages, or reads more than protobuf does.
    UNJUDGED = "whatever it is"


_NEVER = {StatusCode.UNKNOWN, StatusCode.UNAVAILABLE, StatusCode.DATA_LOSS}

_ALLOWED = {
    Judgement.READABLE: set(StatusCode) - _NEVER - {StatusCode.INTERNAL},
    Judgement.BROKEN_MESSAGE: {StatusCode.INVALID_ARGUMENT},
    # Too large where the length says so, and not implemented where it says compressed.
    Judgement.BROKEN_FRAME: {
        StatusCode.INVALID_ARGUMENT,
        StatusCode.INTERNAL,
        StatusCode.RESOURCE_EXHAUSTED,
        StatusCode.UNIMPLEMENTED,
    },
    Judgement.UNKNOWN_KIND: set(StatusCode) - _NEVER,
    Judgement.UNJUDGED: set(StatusCode) - _NEVER,
}

ALLOWED = {judgement: {code.value[0] for code in codes} for judgement, codes in _ALLOWED.items()}


@dataclass(frozen=True)
class Method:
    """A method, as the bare client calls it."""

    path: str
    block: bytes
    message: Message
    data: bytes
    is_stream: bool = False
    is_judged: bool = True
    # What protobuf can read would change what the test relies on.
    is_only_broken: bool = False

    def judge(self, body: bytes) -> Judgement:
        """Says what a body is, as gRPC 1.51 should see it."""
        if not self.is_judged:
            return Judgement.UNJUDGED
        if len(body) < 5:
            return Judgement.BROKEN_FRAME
        end = 5 + int.from_bytes(body[1:5], "big")
        if body[0] > 1 or end < len(body) and body[end] > 1:
            return Judgement.UNKNOWN_KIND
        if end > len(body) or _has_whole_frame(body[end:]):
            return Judgement.BROKEN_FRAME
        # A whole message with a cut one after it is taken for the first alone.
        return (
            Judgement.READABLE
            if can_be_read(self.message, body[5:end])
            else Judgement.BROKEN_MESSAGE
        )


def _has_whole_frame(body: bytes) -> bool:
    return len(body) >= 5 and 5 + int.from_bytes(body[1:5], "big") <= len(body)


def methods(center: wire.Center) -> list[Method]:
    """Every method that a server has, with a whole message about a center."""
    found = [
        _method(
            wire.path(method),
            message,
            is_stream=method.server_streaming or method.client_streaming,
            is_judged=not method.client_streaming,
            is_only_broken=method.name in MOVES_THE_CLOCK,
        )
        for method, message in zip(wire.METHODS.values(), samples(center), strict=True)
    ]
    check = health_pb2.HealthCheckRequest(service="belfry.v1.ServerService")
    question = reflection_pb2.ServerReflectionRequest(file_containing_symbol="belfry.v1.Center")
    found.append(_method("/grpc.health.v1.Health/Check", check, is_judged=False))
    for path, message in [
        ("/grpc.health.v1.Health/Watch", check),
        ("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", question),
        ("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", question),
    ]:
        found.append(_method(path, message, is_stream=True, is_judged=False))
    return found


def _method(path: str, message: Message, **facts: bool) -> Method:
    return Method(path, header_block(path), message, message.SerializeToString(), **facts)


@dataclass(frozen=True)
class BrokenCall:
    """A call and what it is."""

    method: Method
    bodies: list[bytes]
    judgement: Judgement

    def __str__(self) -> str:
        bodies = " ".join(body.hex() for body in self.bodies)
        return f"{self.method.path} with {self.judgement.value}: {bodies}"


class Breaker:
    """Makes one broken call after another."""

    def __init__(self, center: wire.Center, choices: random.Random) -> None:
        self._methods = methods(center)
        self._choices = choices
        self._shapes = [self._mutation] * 6 + [self._splice, self._strange_field, self._noise] * 2
        self._shapes += [self._length, self._cut, self._kind, self._two_frames]

    def call(self) -> BrokenCall:
        """The next call; nearly always it is broken somewhere."""
        while True:
            method = self._choices.choice(self._methods)
            body = self._choices.choice(self._shapes)(method.data)
            judgement = method.judge(body)
            if not method.is_only_broken or judgement == Judgement.BROKEN_MESSAGE:
                return BrokenCall(method, self._in_frames(body), judgement)

    def _in_frames(self, body: bytes) -> list[bytes]:
        if self._choices.random() < 0.9:
            return [body]
        places = sorted(self._choices.randint(0, len(body)) for _ in range(2))
        return [body[: places[0]], body[places[0] : places[1]], body[places[1] :]]

    def _mutation(self, data: bytes) -> bytes:
        return whole(mutated(data, self._choices))

    def _splice(self, data: bytes) -> bytes:
        other = self._choices.choice(self._methods).data
        start, end = self._choices.randint(0, len(data)), self._choices.randint(0, len(other))
        return whole(data[:start] + other[end:])

    def _strange_field(self, data: bytes) -> bytes:
        """A field of any number and wire type, before, after or within the others."""
        tag = self._choices.getrandbits(self._choices.choice([7, 14, 21, 32, 35]))
        field = bytearray()
        while tag >= 128:
            field.append(tag & 127 | 128)
            tag >>= 7
        field.append(tag)
        field += self._choices.randbytes(self._choices.randint(0, 9))
        place = self._choices.choice([0, len(data), self._choices.randint(0, len(data))])
        return whole(data[:place] + field + data[place:])

    def _noise(self, data: bytes) -> bytes:
        return whole(self._choices.randbytes(self._choices.randint(0, len(data) + 16)))

    def _length(self, data: bytes) -> bytes:
        near = len(data) + self._choices.randint(-5, 5)
        anywhere = self._choices.getrandbits(self._choices.choice([8, 16, 21, 32]))
        length = max(0, self._choices.choice([near, anywhere]))
        return b"\0" + length.to_bytes(4, "big") + data

    def _cut(self, data: bytes) -> bytes:
        return whole(data)[: self._choices.randint(0, len(data) + 4)]

    def _kind(self, data: bytes) -> bytes:
        kind = self._choices.choice([1, 1, 2, 0x80, 0xFF, self._choices.randrange(256)])
        return bytes([kind]) + whole(data)[1:]

    def _two_frames(self, data: bytes) -> bytes:
        more = whole(self._choices.choice([b"", data, self._choices.choice(self._methods).data]))
        return whole(data) + more[: self._choices.choice([len(more), len(more) // 2])]
