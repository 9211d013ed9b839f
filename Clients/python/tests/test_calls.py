"""How calls are made: keys, retries, deadlines, and what is told where they fail."""

import asyncio
import threading
import uuid
from collections.abc import Iterator
from concurrent import futures
from datetime import timedelta
from typing import Any, Optional

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

import belfry
from belfry import Client, rpc, v1
from belfry._details.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from belfry._details.status_pb2 import Status
from belfry._keys import give_key, new_key
from belfry._retries import LONGEST_PAUSE, Backoff, pause_before_retry
from belfry._sync._answers import Answers

CENTER = v1.Center(app_id="org.example.calls")


def details(code: int, reason: str, retry_after: Optional[float] = None) -> bytes:
    """The details of a status, as a server sends them."""
    packed: list[Message] = [
        ErrorInfo(reason=reason, domain="belfry", metadata={"limit": "1"}),
        BadRequest(field_violations=[{"field": "request.content", "description": "is missing"}]),
    ]
    if retry_after is not None:
        delay = Duration()
        delay.FromTimedelta(timedelta(seconds=retry_after))
        packed.append(RetryInfo(retry_delay=delay))
    status = Status(code=code, message="no")
    for message in packed:
        url = f"type.googleapis.com/google.rpc.{message.DESCRIPTOR.name}"
        status.details.add(type_url=url, value=message.SerializeToString())
    return status.SerializeToString()


class Failing:
    """A server that answers as it is told, and then with OK."""

    def __init__(self) -> None:
        self.answers: list[tuple[grpc.StatusCode, bytes]] = []
        self.requests: list[v1.AddRequest] = []
        self.tokens: list[str] = []
        self.remaining: list[float] = []
        self.streams: list[tuple[grpc.StatusCode, bytes]] = []
        self.is_slow = threading.Event()
        self.is_slow.set()

    def add(self, request: v1.AddRequest, context: grpc.ServicerContext) -> v1.AddResponse:
        self.requests.append(request)
        self.remaining.append(context.time_remaining() or 0)
        self.tokens.append(str(dict(context.invocation_metadata()).get("authorization", "")))
        self.is_slow.wait()
        if self.answers:
            code, data = self.answers.pop(0)
            context.set_trailing_metadata((("grpc-status-details-bin", data),))
            context.abort(code, "no")
        return v1.AddResponse(identifier="it", state=v1.REQUEST_STATE_DELIVERED)


    def subscribe(
        self, request: v1.SubscribeRequest, context: grpc.ServicerContext
    ) -> Iterator[v1.SubscribeResponse]:
        frames = [
            v1.SubscriptionFrame(started=v1.SubscriptionStarted()),
            v1.SubscriptionFrame(event=v1.Event(number=1)),
            v1.SubscriptionFrame(caught_up=v1.CaughtUp()),
        ]
        yield v1.SubscribeResponse(frames=frames[:1])
        if self.streams:
            context.abort(self.streams.pop(0)[0], "stopped")
        yield v1.SubscribeResponse(frames=frames[1:])


@pytest.fixture
def failing() -> Iterator[tuple[Failing, Client]]:
    failing = Failing()
    server = grpc.server(futures.ThreadPoolExecutor(4))
    handler = grpc.unary_unary_rpc_method_handler(
        failing.add, v1.AddRequest.FromString, v1.AddResponse.SerializeToString
    )
    follower = grpc.unary_stream_rpc_method_handler(
        failing.subscribe, v1.SubscribeRequest.FromString, v1.SubscribeResponse.SerializeToString
    )
    handlers = [
        grpc.method_handlers_generic_handler(path.split("/")[1], {path.split("/")[2]: each})
        for path, each in ((rpc.Add.path, handler), (rpc.Subscribe.path, follower))
    ]
    server.add_generic_rpc_handlers(handlers)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with belfry.connect(
        f"tcp:127.0.0.1:{port}", "secret", timeout=timedelta(minutes=5)
    ) as client:
        yield failing, client
    server.stop(None)


def test_a_retry_has_the_key_of_the_first(failing: tuple[Failing, Client]) -> None:
    server, client = failing
    busy = grpc.StatusCode.RESOURCE_EXHAUSTED, details(8, "OVERLOADED", retry_after=0.001)
    stopping = grpc.StatusCode.UNAVAILABLE, details(14, "STOPPING", retry_after=0.001)
    lost = grpc.StatusCode.UNAVAILABLE, b""
    server.answers = [busy, stopping, lost]
    assert client.app("org.example.calls").add("Milk").id == "it"
    assert len(server.requests) == 4
    keys = {request.idempotency_key for request in server.requests}
    assert len(keys) == 1 and uuid.UUID(keys.pop()).version == 7
    assert set(server.tokens) == {"Bearer secret"}


CANCELLED = grpc.StatusCode.CANCELLED, b""


def test_a_call_that_a_stopping_server_cancelled_is_made_again(
    failing: tuple[Failing, Client]
) -> None:
    server, client = failing
    app = client.app("org.example.calls")
    for _ in range(2):
        assert app.add("Milk").id == "it"
        server.answers = [CANCELLED]
        server.streams = [CANCELLED]
        assert [event.number for event in app.events(after=0, follow=False)] == [1]

    async def play() -> None:
        async with belfry.aio.connect(client.address, "x", timeout=timedelta(minutes=5)) as other:
            mine = other.app("org.example.calls")
            for _ in range(2):
                assert (await mine.add("Milk")).id == "it"
                server.answers = [CANCELLED]
                server.streams = [CANCELLED]
                events = [event.number async for event in mine.events(after=0, follow=False)]
                assert events == [1]

    asyncio.run(play())


def test_a_task_that_is_cancelled_ends(failing: tuple[Failing, Client]) -> None:
    server, client = failing
    server.is_slow.clear()

    async def play() -> None:
        async with belfry.aio.connect(client.address, "x", timeout=timedelta(minutes=5)) as other:
            adding = asyncio.create_task(other.app("org.example.calls").add("Milk"))
            while not server.requests:
                await asyncio.sleep(0.01)
            adding.cancel()
            with pytest.raises(asyncio.CancelledError):
                await adding

    asyncio.run(play())
    server.is_slow.set()
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "STORE_FULL"),
        (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"),
        (grpc.StatusCode.NOT_FOUND, "APP_NOT_REGISTERED"),
        (grpc.StatusCode.DATA_LOSS, "ROW_DAMAGED"),
    ],
)
def test_what_a_retry_does_not_help_is_told_at_once(
    failing: tuple[Failing, Client], code: grpc.StatusCode, reason: str
) -> None:
    server, client = failing
    server.answers = [(code, details(code.value[0], reason))]
    with pytest.raises(belfry.BelfryError) as refused:
        client.app("org.example.calls").add("Milk")
    assert len(server.requests) == 1
    error = refused.value
    assert (error.code, error.reason, error.domain) == (code.name, reason, "belfry")
    assert error.metadata == {"limit": "1"}
    assert [(field.path, field.problem) for field in error.fields] == [
        ("request.content", "is missing")
    ]
    assert str(error) == f"no; request.content: is missing ({code.name}, {reason})"


def test_a_deadline_is_that_of_all_attempts(failing: tuple[Failing, Client]) -> None:
    server, client = failing
    server.answers = [(grpc.StatusCode.UNAVAILABLE, details(14, "STOPPING", 1.2))]
    client.call(rpc.Add, v1.AddRequest(center=CENTER), timeout=timedelta(seconds=30))
    first, second = server.remaining
    # gRPC sends it in whole seconds.
    assert second < first - 0.5 and first < 30.5


def test_what_cannot_help_before_the_deadline_is_not_tried(failing: tuple[Failing, Client]) -> None:
    server, client = failing
    server.answers = [(grpc.StatusCode.UNAVAILABLE, details(14, "STOPPING", 3_600))]
    request = v1.AddRequest(center=CENTER)
    with pytest.raises(belfry.Unavailable):
        client.call(rpc.Add, request, timeout=timedelta(seconds=60))
    assert len(server.requests) == 1


def test_a_key_that_is_given_is_kept() -> None:
    request = v1.AddRequest(idempotency_key="mine")
    give_key(request)
    assert request.idempotency_key == "mine"
    asked = v1.ListPendingRequest()
    give_key(asked)
    assert asked == v1.ListPendingRequest()


def test_keys_ascend_and_are_of_version_7() -> None:
    made: list[str] = []
    lock = threading.Lock()

    def make() -> None:
        for _ in range(5_000):
            with lock:
                made.append(new_key())

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == sorted(made) and len(set(made)) == 20_000
    assert {uuid.UUID(key).version for key in made} == {7}
    assert {uuid.UUID(key).variant for key in made} == {uuid.RFC_4122}


def test_pauses_get_longer() -> None:
    backoff = Backoff()
    pauses = [backoff.pause() for _ in range(20)]
    assert 0.05 <= pauses[0] <= 0.1
    assert all(pause <= LONGEST_PAUSE for pause in pauses)
    assert pauses[-1] >= LONGEST_PAUSE / 2


@pytest.mark.parametrize(
    ("error", "was_reached", "is_made_again"),
    [
        (belfry.LimitReached("no", retry_after=0.1), False, True),
        (belfry.LimitReached("no", reason="STORE_FULL"), True, False),
        (belfry.Unavailable("no"), False, False),
        (belfry.Unavailable("no"), True, True),
        (belfry.Unavailable("no", reason="STORE_UNREADABLE"), False, True),
        (belfry.DeadlineExceeded("no"), True, False),
        (belfry.InvalidRequest("no"), True, False),
    ],
)
def test_what_is_made_again(
    error: belfry.BelfryError, was_reached: bool, is_made_again: bool
) -> None:
    pause = pause_before_retry(error, was_reached=was_reached, backoff=Backoff())
    assert (pause is not None) == is_made_again


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    with belfry.connect("unix:/nowhere/belfry.sock", timeout=timedelta(days=1)) as client:
        with pytest.raises(belfry.Unavailable, match="no server answers at unix:/nowhere/"):
            client.info()
        with pytest.raises(belfry.Unavailable, match="belfry.start()"):
            next(client.app("org.example.calls").events())


def test_a_client_that_is_closed(belfry_server: Client) -> None:
    client = belfry.connect(belfry_server.address)
    app = client.app("org.example.closed")
    app.authorize(provisional=True)
    events: list[str] = []
    thread = threading.Thread(target=lambda: events.extend(e.kind for e in app.events(after=0)))
    thread.start()
    waiting = threading.Thread(target=lambda: list(app.answers()))
    waiting.start()
    while not events:
        pass
    client.close()
    thread.join(60)
    waiting.join(60)
    assert not thread.is_alive() and not waiting.is_alive()
    with pytest.raises(belfry.Unavailable, match="the client is closed"):
        app.add("Milk")
    belfry_server.admin.unregister(app.id)


def test_a_loop_learns_of_an_end_before_its_first_turn(
    belfry_server: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = belfry.connect(belfry_server.address)
    app = client.app("org.example.closed")
    app.authorize(provisional=True)
    attach, end, ended = Answers._attach, Answers._end, threading.Event()

    def attach_and_close(answers: Answers, *loop: Any) -> None:
        attach(answers, *loop)
        client.close()
        assert ended.wait(60)

    def end_and_tell(answers: Answers, *told: Any) -> None:
        end(answers, *told)
        ended.set()

    monkeypatch.setattr(Answers, "_attach", attach_and_close)
    monkeypatch.setattr(Answers, "_end", end_and_tell)
    waiting = threading.Thread(target=lambda: list(app.answers()), daemon=True)
    waiting.start()
    waiting.join(60)
    assert not waiting.is_alive()
    belfry_server.admin.unregister(app.id)
