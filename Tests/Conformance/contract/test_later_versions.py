"""What belongs to later versions is refused as such, never taken and forgotten."""

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.refusals import refusal_of
from harness.server import BOUND

# Rpcs that no version has answered yet, and what no contract has.
UNKNOWN_PATHS = [
    *map(wire.path, wire.LATER_METHODS.values()),
    "/belfry.v2.NotificationCenterService/Add",
    "/belfry.v1.NotificationCenterService/add",
    "/belfry.v1.NotificationCenterService/",
    "/",
]


@pytest.mark.parametrize("path", UNKNOWN_PATHS)
def test_an_unknown_method_is_unimplemented_and_named(client: Client, path: str) -> None:
    refusal = refusal_of(lambda: client.channel.unary_unary(path)(b"", timeout=BOUND))
    assert refusal.code == grpc.StatusCode.UNIMPLEMENTED
    assert path in refusal.message


def test_fields_that_the_server_does_not_know_are_passed_over(app: App) -> None:
    message = wire.AddRequest(center=app.center)
    message.request.identifier = "newer"
    message.request.content.title = "A title"
    newer = message.SerializeToString() + b"\xfa\x3f\x05newer"
    call = app.client.channel.unary_unary(
        wire.path(wire.METHODS["Add"]), response_deserializer=wire.AddResponse.FromString
    )
    assert call(newer, timeout=BOUND).state == wire.REQUEST_STATE_DELIVERED
