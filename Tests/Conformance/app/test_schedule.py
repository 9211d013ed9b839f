"""A stream of adds and removals: in order, each with its answer, key and limits."""

import threading
import time
from collections.abc import Iterable, Iterator
from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client, request
from harness.keys import new_key
from harness.launcher import Launcher
from harness.refusals import refusal_of
from harness.server import BOUND

DAY = 86_400
PATH = "/belfry.v1.NotificationCenterService/Schedule"


def add(app: App, name: str, key: str = "", **content: Any) -> wire.ScheduleRequest:
    """A message that adds a request for tomorrow."""
    fields = {"center": app.center, "idempotency_key": key}
    return wire.ScheduleRequest(add=fields | {"request": request(name, DAY, **content)})


def remove(app: App, *names: str, key: str = "") -> wire.ScheduleRequest:
    """A message that removes requests."""
    fields = {"center": app.center, "idempotency_key": key, "identifiers": names}
    return wire.ScheduleRequest(remove=fields)


def schedule(
    app: App, messages: Iterable[wire.ScheduleRequest]
) -> Iterator[wire.ScheduleResult]:
    """The answers to messages."""
    for response in app.client.send("Schedule", iter(messages)):
        yield from response.results


def pending(app: App) -> list[str]:
    """All that is pending, by identifier."""
    names: list[str] = []
    token = ""
    while not names or token:
        page = app.call("ListPending", page_size=1_000, page_token=token)
        names += [entry.request.identifier for entry in page.requests]
        token = page.next_page_token
        if not names:
            break
    return names


def test_each_is_carried_out_in_order_and_answered(app: App) -> None:
    messages = [
        add(app, "a"), add(app, "b"), remove(app, "a", "none"), add(app, "a", title="again"),
        remove(app, "b"), add(app, "c"),
    ]  # fmt: skip
    answers = list(schedule(app, messages))
    kinds = [answer.WhichOneof("outcome") for answer in answers]
    assert kinds == ["added", "added", "removed", "added", "removed", "added"]
    assert [answer.added.identifier for answer in answers] == ["a", "b", "", "a", "", "c"]
    assert list(answers[2].removed.removed_identifiers) == ["a"]
    assert answers[0].added.state == wire.REQUEST_STATE_PENDING
    assert pending(app) == ["a", "c"]


def test_a_refused_one_ends_nothing_and_keeps_its_place(app: App) -> None:
    wrong = add(app, "x" * 300)
    stranger = wire.ScheduleRequest(remove={"center": {"app_id": "org.example.nobody"}})
    answers = list(schedule(app, [add(app, "a"), wrong, stranger, add(app, "b")]))
    kinds = [answer.WhichOneof("outcome") for answer in answers]
    assert kinds == ["added", "error", "error", "added"]
    assert answers[1].error.reason == "IDENTIFIER_INVALID"
    assert answers[1].error.field_violations[0].field == "request.identifier"
    assert answers[2].error.reason == "APP_NOT_REGISTERED"


def test_large_ones_keep_their_place(app: App) -> None:
    # A large message is read by another thread than small ones.
    messages = []
    for number in range(20):
        messages += [add(app, "a", body="x" * 30_000), remove(app, "a"), add(app, f"b{number}")]
    answers = list(schedule(app, messages))
    assert len(answers) == 60
    assert all(list(answer.removed.removed_identifiers) == ["a"] for answer in answers[1::3])
    assert len(pending(app)) == 20


def test_more_than_the_window_are_answered_each_once(app: App) -> None:
    names = [f"n{number:04}" for number in range(2_000)]
    answers = list(schedule(app, (add(app, name) for name in names)))
    assert [answer.added.identifier for answer in answers] == names
    assert pending(app) == names


def test_a_retry_acts_once_whichever_way_it_comes(app: App) -> None:
    keys = [new_key(), new_key()]
    messages = [add(app, "", keys[0]), remove(app, "a", key=keys[1])]
    app.add("a", DAY)
    first = list(schedule(app, messages))
    assert list(first[1].removed.removed_identifiers) == ["a"]
    app.add("a", DAY)
    assert list(schedule(app, messages)) == first
    assert app.client.send("Add", messages[0].add) == first[0].added
    assert len(pending(app)) == 2


def test_a_message_that_is_none_ends_the_stream(app: App) -> None:
    both = add(app, "a").SerializeToString() + remove(app, "b").SerializeToString()
    method = app.client.channel.stream_stream(PATH)
    wrong = [
        (b"", "INVALID_FIELD"), (both, "INVALID_FIELD"), (b"\x0a\xff", "MALFORMED_MESSAGE"),
        (b"\x0a\x01\xff", "MALFORMED_MESSAGE"),
    ]  # fmt: skip
    for message, reason in wrong:
        refusal = refusal_of(lambda: list(method(iter([message]), timeout=BOUND)))  # noqa: B023
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.INVALID_ARGUMENT, reason)
    assert pending(app) == []


def test_who_reads_no_answers_is_read_no_further(app: App) -> None:
    ended = threading.Event()
    sent = 0
    # It is refused at once, with an answer as long as itself.
    wrong = add(app, "x" * 300)

    def messages() -> Iterator[wire.ScheduleRequest]:
        nonlocal sent
        while not ended.is_set() and sent < 200_000:
            sent += 1
            yield wrong

    answers = app.client.stub("Schedule")(messages(), timeout=BOUND)
    before = -1
    while before != sent:
        before = sent
        time.sleep(2)
    # The stream is open still: on a slow machine its deadline would end the messages, too.
    is_open = answers.is_active()
    ended.set()
    answers.cancel()
    # The buffers of both systems take some thousands.
    assert is_open
    assert sent < 100_000


def test_a_stop_answers_or_refuses_and_a_retry_adds_the_rest(launch: Launcher) -> None:
    server = launch()
    app = Client(server.targets["tcp"]).app()
    app.authorize()
    keys = [new_key() for _ in range(3_000)]
    names = [f"n{number:04}" for number in range(len(keys))]
    answered: list[str] = []
    with pytest.raises(grpc.RpcError) as failure:
        messages = (add(app, name, key) for name, key in zip(names, keys, strict=True))
        for answer in schedule(app, messages):
            answered.append(answer.added.identifier)
            if len(answered) == 500:
                threading.Thread(target=server.terminate).start()
    assert failure.value.code() == grpc.StatusCode.UNAVAILABLE
    assert server.wait() == 0
    again = launch(home=server.home)
    app = App(Client(again.targets["tcp"]), app.center)
    assert set(answered) <= set(pending(app))
    rest = (add(app, name, key) for name, key in zip(names, keys, strict=True))
    assert [answer.added.identifier for answer in schedule(app, rest)] == names
    assert pending(app) == names
