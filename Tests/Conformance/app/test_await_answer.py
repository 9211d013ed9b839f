"""Waiting for the answer to one notification (RSP-10)."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from grpc import aio

from belfry.v1.delegate_service_pb2_grpc import DelegateServiceStub
from harness import wire
from harness.client import App, Client, request
from harness.device import dismiss, reference, respond, update
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of
from harness.server import BOUND

YES = wire.NotificationAction(identifier="yes", title="Yes")
SAY = wire.NotificationAction(identifier="say", title="Say", text_input=wire.TextInput())
DAY = 86_400


def ask(app: App, identifier: str = "a", after: float | None = None) -> wire.AddResponse:
    return app.add(identifier, after, title="Deploy?", actions=[YES, SAY])


class Wait:
    """One who waits for the answer to what was added."""

    def __init__(self, app: App, added: wire.AddResponse) -> None:
        self.app = app
        self.call = app.call(
            "AwaitAnswer",
            identifier=added.identifier,
            request_number=added.request_number,
            after=added.as_of_event,
        )
        self._told: list[Any] = []
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            for message in self.call:
                if message.WhichOneof("outcome"):
                    self._told.append(message)
        except grpc.RpcError as error:
            self._told.append(error)

    def outcome(self) -> Any:
        """What it is told; the call ends with it."""
        self._thread.join(BOUND)
        assert not self._thread.is_alive()
        [told] = self._told
        return told

    @property
    def is_open(self) -> bool:
        return self._thread.is_alive()


def press(app: App, identifier: str, delivery: int, action: str, text: str | None = None) -> None:
    fields = {"action_identifier": action} | ({} if text is None else {"user_text": text})
    respond(app, reference(app, identifier, delivery), action=wire.CustomAction(**fields))


def gone(wait: Wait) -> int:
    told = wait.outcome()
    assert told.WhichOneof("outcome") == "no_answer", told
    return told.no_answer.reason


def gone_by_age(app: App) -> int:
    """The reason that one is told who waits while the notification becomes too old.

    A call that the server gets after the clock has moved is refused, since the event of the
    delivery is gone as well. Nothing tells when it gets a call, so another one is tried then.
    """
    for number in range(20):
        wait = Wait(app, ask(app, f"old {number}"))
        app.client.advance(8 * DAY)
        outcome = wait.outcome()
        if not isinstance(outcome, grpc.RpcError):
            return outcome.no_answer.reason
        assert outcome.code() == grpc.StatusCode.OUT_OF_RANGE
    raise AssertionError("every call came too late")


def test_everyone_who_waits_is_told_and_nobody_else(own_device: App) -> None:
    app = own_device
    first, second = ask(app, "first"), ask(app, "second")
    waits = [Wait(app, first) for _ in range(3)]
    other = Wait(app, second)
    press(app, "first", 1, "say", "tomorrow")
    for wait in waits:
        answer = wait.outcome().answer
        assert (answer.action_identifier, answer.user_text) == ("say", "tomorrow")
        assert answer.delivery == 1
    assert other.is_open
    press(app, "second", 2, "yes")
    answer = other.outcome().answer
    assert (answer.action_identifier, answer.HasField("user_text")) == ("yes", False)


def test_the_primary_stays_what_it_is_and_is_asked_too(own_device: App) -> None:
    app = own_device
    primary = app.subscribe(
        role=wire.SUBSCRIBER_ROLE_PRIMARY, capabilities=[wire.DELEGATE_CAPABILITY_DID_RECEIVE]
    )
    with primary as subscription:
        wait = Wait(app, ask(app))
        press(app, "a", 1, "yes")
        callback = subscription.callback()
        answer = wait.outcome().answer
        assert answer.callback_id == callback.callback_id
        assert callback.did_receive.action_identifier == "yes"


def test_an_answer_is_told_again_until_it_is_completed(own_device: App) -> None:
    app = own_device
    added = ask(app)
    press(app, "a", 1, "say", "tomorrow")
    answers = [Wait(app, added).outcome().answer for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0].callback_id
    handled = wire.ResponseAnswer(callback_id=answers[0].callback_id)
    for _ in range(2):
        app.call("CompleteResponse", answers=[handled])
    # Nobody is asked about it any more, and who comes late still learns of it.
    answer = Wait(app, added).outcome().answer
    assert (answer.action_identifier, answer.user_text) == ("say", "tomorrow")
    assert answer.callback_id == ""
    [completed] = [e for e in app.events() if e.HasField("response_completed")]
    assert completed.response_completed.user_text == "tomorrow"
    with app.subscribe(
        role=wire.SUBSCRIBER_ROLE_PRIMARY, capabilities=[wire.DELEGATE_CAPABILITY_DID_RECEIVE]
    ) as subscription:
        kinds = [frame.WhichOneof("kind") for frame in subscription.until("caught_up")]
        assert "callback" not in kinds


def test_an_answer_behind_a_long_log_is_found(own_device: App) -> None:
    app = own_device
    added = ask(app)
    # As many events before the answer as several reads take.
    for number in range(700):
        app.add(f"other-{number}")
    press(app, "a", 1, "yes")
    answer = Wait(app, added).outcome().answer
    app.call("CompleteResponse", answers=[wire.ResponseAnswer(callback_id=answer.callback_id)])
    assert Wait(app, added).outcome().answer.action_identifier == "yes"


def test_without_a_subscription_only_responses_are_completed(own_device: App) -> None:
    app = own_device
    with app.in_front() as subscription:
        ask(app)
        callback = subscription.callback()
        answer = wire.WillPresentAnswer(
            callback_id=callback.callback_id, presentation=wire.PresentationOptions()
        )
        refusal = refusal_of(lambda: app.call("CompleteWillPresent", answers=[answer]))
        assert refusal.reason == "NOT_PRIMARY"


def removed(app: App) -> None:
    app.call("RemoveDelivered", identifiers=["a"])


def dismissed(app: App) -> None:
    dismiss(app, notification=reference(app, "a", 1))


def replaced(app: App) -> None:
    ask(app)


def unregistered(app: App) -> None:
    app.call("UnregisterApp")


ENDS: dict[int, Callable[[App], None]] = {
    wire.NO_ANSWER_REASON_REMOVED: removed,
    wire.NO_ANSWER_REASON_DISMISSED: dismissed,
    wire.NO_ANSWER_REASON_REPLACED: replaced,
}


@pytest.mark.parametrize("reason", ENDS, ids=[end.__name__ for end in ENDS.values()])
@pytest.mark.parametrize("waits", [True, False], ids=["while it waits", "meanwhile"])
def test_the_end_without_an_answer_is_told_as_such(
    own_device: App, reason: int, waits: bool
) -> None:
    app = own_device
    added = ask(app)
    early = Wait(app, added) if waits else None
    ENDS[reason](app)
    assert gone(early or Wait(app, added)) == reason


def test_of_what_waits_for_its_time(own_app: App) -> None:
    app = own_app
    waits = {name: Wait(app, ask(app, name, 60)) for name in ("removed", "replaced", "pressed")}
    app.call("RemovePending", identifiers=["removed"])
    assert gone(waits["removed"]) == wire.NO_ANSWER_REASON_REMOVED
    # Of this no event tells.
    later = ask(app, "replaced", 120)
    assert gone(waits["replaced"]) == wire.NO_ANSWER_REASON_REPLACED
    app.client.advance(60)
    press(app, "pressed", 1, "yes")
    assert waits["pressed"].outcome().answer.action_identifier == "yes"
    app.client.advance(60)
    press(app, "replaced", 2, "yes")
    assert Wait(app, later).outcome().answer.delivery == 2


def test_what_leaves_the_list_by_age_or_is_missed(own_app: App) -> None:
    app = own_app
    assert gone_by_age(app) == wire.NO_ANSWER_REASON_EXPIRED
    late = Wait(app, ask(app, "late", 60))
    app.client.call("Suspend", by=wire.seconds(3 * DAY))
    assert gone(late) == wire.NO_ANSWER_REASON_MISSED


def test_an_act_that_waits_for_the_unlock_is_no_end(own_device: App) -> None:
    app = own_device
    secret = wire.NotificationAction(
        identifier="yes", options=[wire.ACTION_OPTION_AUTHENTICATION_REQUIRED]
    )
    wait = Wait(app, app.add("a", title="A", actions=[secret]))
    update(app.client, "locked", device=app.center.device_id, locked=True)
    press(app, "a", 1, "yes")
    assert wait.is_open
    update(app.client, "locked", device=app.center.device_id, locked=False)
    assert wait.outcome().answer.action_identifier == "yes"


def test_a_snooze_is_no_end(own_app: App) -> None:
    app = own_app
    wait = Wait(app, ask(app))
    app.client.call("Snooze", notification=reference(app, "a", 1), duration=wire.seconds(60))
    app.client.advance(60)
    assert wait.is_open
    press(app, "a", 2, "yes")
    assert wait.outcome().answer.delivery == 2


INVALID = grpc.StatusCode.INVALID_ARGUMENT
WRONG: dict[str, tuple[dict[str, Any], Expected]] = {
    "no identifier": (
        {"identifier": ""},
        Expected(INVALID, "IDENTIFIER_INVALID", ("identifier",)),
    ),
    "a long identifier": (
        {"identifier": "x" * 257},
        Expected(INVALID, "IDENTIFIER_INVALID", ("identifier",)),
    ),
    "no number": (
        {"request_number": 0},
        Expected(INVALID, "INVALID_FIELD", ("request_number",)),
    ),
    "an event to come": (
        {"after": 1_000_000},
        Expected(grpc.StatusCode.OUT_OF_RANGE, "EVENT_NUMBER_UNKNOWN", ("after",)),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said(own_device: App, name: str) -> None:
    app = own_device
    added = ask(app)
    fields, expected = WRONG[name]
    named = {
        "identifier": added.identifier,
        "request_number": added.request_number,
        "after": added.as_of_event,
    }
    call = app.call("AwaitAnswer", **(named | fields))
    expected.check(refusal_of(lambda: next(call)))


def test_events_that_are_gone_are_said_to_be(own_app: App) -> None:
    app = own_app
    added = ask(app)
    app.call("RemoveDelivered", identifiers=["a"])
    app.client.advance(8 * DAY)
    app.add("new")
    refusal = refusal_of(
        lambda: next(
            app.call(
                "AwaitAnswer",
                identifier="a",
                request_number=added.request_number,
                after=added.as_of_event,
            )
        )
    )
    assert refusal.reason == "EVENTS_TRIMMED"


def test_an_app_that_goes_ends_the_wait(own_device: App) -> None:
    app = own_device
    wait = Wait(app, ask(app))
    app.call("UnregisterApp")
    refusal = wait.outcome()
    assert isinstance(refusal, grpc.RpcError)
    assert refusal.code() == grpc.StatusCode.NOT_FOUND


# Many at once.

COUNT = 1_000
CHANNELS = 8


class Crowd:
    """1,000 callers, each of whom waits for the answer to its own notification."""

    def __init__(self, app: wire.Center) -> None:
        self.app = app
        self.answers: dict[str, list[str]] = {}
        self.restarts = 0

    async def wait(self, target: Callable[[], str], added: wire.AddResponse, gate: Any) -> None:
        """Waits through any number of cuts."""
        asked = wire.AwaitAnswerRequest(
            center=self.app,
            identifier=added.identifier,
            request_number=added.request_number,
            after=added.as_of_event,
        )
        number = int(added.identifier) % CHANNELS
        while True:
            stub = gate(target(), number)
            try:
                async for message in stub.AwaitAnswer(asked):
                    if message.WhichOneof("outcome"):
                        told = f"{message.answer.action_identifier}:{message.answer.user_text}"
                        self.answers.setdefault(added.identifier, []).append(told)
                        return
            except aio.AioRpcError as error:
                assert error.code() == grpc.StatusCode.UNAVAILABLE, error
                self.restarts += 1
                await asyncio.sleep(0.1)


def test_1000_wait_at_once_and_a_restart_loses_none(
    launch: Launcher, report: Callable[[str], None]
) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        batch = [
            wire.NotificationRequest(
                identifier=str(n),
                content=wire.NotificationContent(title="Deploy?", actions=[SAY]),
            )
            for n in range(COUNT)
        ]
        results = app.call("AddBatch", requests=batch).results
        added = [result.added for result in results]
    target = {"now": server.targets["unix"]}
    crowd = Crowd(app.center)

    def answer(first: int, last: int) -> None:
        with Client(target["now"]) as person:
            center = App(person, app.center)
            for n in range(first, last):
                press(center, str(n), added[n].delivery, "say", f"text {n}")

    async def run() -> None:
        channels: dict[tuple[str, int], Any] = {}

        def gate(name: str, number: int) -> Any:
            if (name, number) not in channels:
                channels[name, number] = DelegateServiceStub(
                    aio.insecure_channel(name, [("grpc.use_local_subchannel_pool", 1)])
                )
            return channels[name, number]

        waits = [
            asyncio.create_task(crowd.wait(lambda: target["now"], one, gate)) for one in added
        ]
        await asyncio.sleep(1)
        await asyncio.to_thread(answer, 0, 300)
        server.terminate()
        await asyncio.to_thread(server.wait)
        again = await asyncio.to_thread(launch, server.home)
        target["now"] = again.targets["unix"]
        # Some are answered before those who wait for them are back.
        await asyncio.to_thread(answer, 300, COUNT)
        await asyncio.wait_for(asyncio.gather(*waits), 10 * BOUND)

    asyncio.run(run())
    assert crowd.answers == {str(n): [f"say:text {n}"] for n in range(COUNT)}
    assert crowd.restarts > 0
    report(f"{COUNT} waited, and came back {crowd.restarts} times")
