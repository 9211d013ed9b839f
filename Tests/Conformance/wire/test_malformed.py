"""Broken messages and broken calls: refused, and the server serves on."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client, request
from harness.mutation import MOVES_THE_CLOCK, can_be_read, mutated, samples
from harness.refusals import refusal_in
from harness.server import BOUND
from harness.torture import Torture

BROKEN = {
    "cut tag": b"\x80",
    "endless number": b"\x08" + b"\xff" * 11,
    "length beyond the end": b"\x0a\x05ab",
    "greatest length": b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    "field number 0": b"\x00\x00",
    "wire type 6": b"\x0e",
    "wire type 7": b"\x0f",
    "end of a group that did not begin": b"\x0c",
    "group without end": b"\x0b",
    "cut fixed number": b"\x09\x00\x00",
    "deep groups": b"\x0b" * 5_000,
}

HEALTH_AND_REFLECTION = {
    "/grpc.health.v1.Health/Check": "unary",
    "/grpc.health.v1.Health/Watch": "stream",
}

PATHS = {
    wire.path(method): "stream" if method.server_streaming or method.client_streaming else "unary"
    for method in wire.METHODS.values()
} | HEALTH_AND_REFLECTION


def send_raw(client: Client, path: str, *messages: bytes) -> Any:
    """Sends any number of messages to a method, and gives all that it answers."""
    call = client.channel.stream_stream(path)
    responses: Iterator[bytes] = call(iter(messages), timeout=BOUND)
    return list(responses)


def code_of(call: Callable[[], object]) -> grpc.StatusCode:
    try:
        call()
    except grpc.RpcError as error:
        refusal_in(error)
        return error.code()
    return grpc.StatusCode.OK


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("message", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_message_is_refused(client: Client, path: str, message: bytes) -> None:
    code = code_of(lambda: send_raw(client, path, message))
    assert code in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.INTERNAL)
    client.call("GetServerInfo")


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
@pytest.mark.parametrize("message", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_question_to_reflection_is_refused(
    client: Client, version: str, message: bytes
) -> None:
    path = f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo"
    code = code_of(lambda: send_raw(client, path, message))
    assert code in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.INTERNAL)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("count", [0, 2, 3])
def test_a_call_has_exactly_one_message(client: Client, path: str, count: int) -> None:
    code = code_of(lambda: send_raw(client, path, *[b""] * count))
    if path == wire.path(wire.METHODS["Schedule"]) and count == 0:
        # A stream of any number of messages.
        assert code == grpc.StatusCode.OK
    else:
        assert code in (
            grpc.StatusCode.INVALID_ARGUMENT,
            grpc.StatusCode.INTERNAL,
            grpc.StatusCode.UNIMPLEMENTED,
        )
    client.call("GetServerInfo")


@pytest.mark.parametrize("count", [0, 2])
def test_an_add_without_or_with_two_messages_adds_nothing(app: App, count: int) -> None:
    message = wire.AddRequest(center=app.center, request=request("one")).SerializeToString()
    call = app.client.channel.stream_unary(wire.path(wire.METHODS["Add"]))
    assert code_of(lambda: call(iter([message] * count), timeout=BOUND)) != grpc.StatusCode.OK
    assert app.delivered() == []


@pytest.mark.torture
def test_mutated_messages_are_judged_as_protobuf_judges_them(app: App, torture: Torture) -> None:
    choices = random.Random(torture.seed)
    for method, message in zip(wire.METHODS.values(), samples(app.center), strict=True):
        data = message.SerializeToString()
        for _ in torture.rounds("mutations"):
            broken = mutated(data, choices)
            spared = (*MOVES_THE_CLOCK, "Backup", "Subscribe", "WatchDevice")
            if method.name in spared and can_be_read(message, broken):
                # It could move the clock of other tests, leave a file, or be an endless stream.
                continue
            code = code_of(lambda: send_raw(app.client, wire.path(method), broken))
            described = f"{method.name} {broken.hex()} with --seed {torture.seed}"
            assert code not in (
                grpc.StatusCode.UNKNOWN,
                grpc.StatusCode.UNAVAILABLE,
                grpc.StatusCode.DATA_LOSS,
            ), described
            if not can_be_read(message, broken):
                assert code == grpc.StatusCode.INVALID_ARGUMENT, described
    app.client.call("GetServerInfo")


@pytest.mark.parametrize("rpc", ["Add", "AddBatch", "RequestAuthorization", "Subscribe"])
def test_a_message_above_one_mebibyte_is_too_large(app: App, rpc: str) -> None:
    path = wire.path(wire.METHODS[rpc])
    code = code_of(lambda: send_raw(app.client, path, b"\x22" + b"\0" * (1024 * 1024)))
    assert code == grpc.StatusCode.RESOURCE_EXHAUSTED


def test_a_message_of_one_mebibyte_is_read(app: App) -> None:
    batch = wire.AddBatchRequest(center=app.center)
    while batch.ByteSize() < 1024 * 1024 - 65_000:
        batch.requests.append(request(f"{len(batch.requests)}", 60, body="b" * 60_000))
    rest = 1024 * 1024 - batch.ByteSize()
    batch.requests.append(request("rest", 60, body="b" * (rest - 100)))
    response = app.client.send("AddBatch", batch)
    assert all(result.HasField("added") for result in response.results)
