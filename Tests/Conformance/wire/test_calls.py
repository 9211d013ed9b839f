"""Calls as gRPC clients make them: many at once, compressed, cancelled, and late."""

from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from harness import wire
from harness.client import App, Client, request
from harness.server import BOUND, Server


def add_call(app: App) -> grpc.UnaryUnaryMultiCallable:
    return app.client.channel.unary_unary(
        wire.path(wire.METHODS["Add"]),
        request_serializer=wire.AddRequest.SerializeToString,
        response_deserializer=wire.AddResponse.FromString,
    )


def test_a_thousand_calls_at_once_are_all_answered(app: App) -> None:
    call = add_call(app)
    futures = [
        call.future(
            wire.AddRequest(center=app.center, request=request(f"{number:03}", 60)), timeout=BOUND
        )
        for number in range(1_000)
    ]
    identifiers = [future.result().identifier for future in futures]
    assert identifiers == [f"{number:03}" for number in range(1_000)]
    assert app.pending(page_size=1_000) == identifiers


def test_many_connections_write_to_one_center(app: App, transport: str, server: Server) -> None:
    def add_from_a_connection(number: int) -> list[str]:
        with Client(server.targets[transport]) as client:
            own = App(client, app.center)
            added = [own.add(f"{number}/{index:02}", 60).identifier for index in range(20)]
            # A client sees its own writes.
            assert set(added) <= set(own.pending(page_size=1_000))
            return added

    with ThreadPoolExecutor(8) as threads:
        added = sum(threads.map(add_from_a_connection, range(8)), [])
    assert sorted(app.pending(page_size=1_000)) == sorted(added)


@pytest.mark.parametrize("compression", [grpc.Compression.Gzip, grpc.Compression.Deflate])
def test_a_compressed_request_is_refused(app: App, compression: grpc.Compression) -> None:
    message = wire.AddRequest(center=app.center, request=request("one", body="b" * 10_000))
    with pytest.raises(grpc.RpcError) as caught:
        add_call(app)(message, timeout=BOUND, compression=compression)
    assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED
    assert app.delivered() == []


def test_a_call_whose_deadline_has_passed_is_refused(app: App) -> None:
    message = wire.AddRequest(center=app.center, request=request("late"))
    with pytest.raises(grpc.RpcError) as caught:
        add_call(app)(message, timeout=-1)
    assert caught.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED


def test_a_call_that_waits_beyond_its_deadline_is_ended(own_app: App) -> None:
    for batch in range(20):
        requests = [request(f"{batch}/{number}", 10) for number in range(1_000)]
        own_app.call("AddBatch", requests=requests)
    client = own_app.client
    move = wire.AdvanceClockRequest(by=wire.seconds(10))
    for timeout in (0.01, 0.02, 0.04, 0.08):
        with pytest.raises(grpc.RpcError) as caught:
            client.send("AdvanceClock", move, timeout=timeout)
        assert caught.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
        # If it was begun it is done: the call after it finds all of it. On a busy machine the first
        # ones may end before the server has them.
        client.advance(0)
        fired = client.call("GetStats").counters.fired
        if fired > 0:
            break
    assert fired == 20_000


def test_cancelled_calls_disturb_nobody(app: App) -> None:
    call = add_call(app)
    for number in range(200):
        message = wire.AddRequest(center=app.center, request=request(f"{number}", 60))
        call.future(message, timeout=BOUND).cancel()
    assert app.add("after", 60).state == wire.REQUEST_STATE_PENDING
