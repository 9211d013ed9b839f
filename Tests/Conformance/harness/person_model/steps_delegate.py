"""Steps of the app's subscriptions: attach, state, answers, cancel, cut and resume."""

import random
import time
from typing import Any

from harness import wire
from harness.client import Client
from harness.person_model import delegate, presentation
from harness.person_model.center import Center
from harness.person_model.differences import Difference
from harness.person_model.live import Live
from harness.person_model.records import Question, Stream
from harness.person_model.steps import any_center, kind
from harness.person_model.times import RESUME_TIME
from harness.person_model.walk import Walk
from harness.relay import Relay
from harness.refusals import refusal_in
from harness.server import BOUND

_AT_MOST = 4


def _pick_subscribe(walk: Walk, choices: random.Random) -> dict[str, Any] | None:
    center = any_center(walk, choices)
    if len(walk.centers[center].streams) >= _AT_MOST:
        return None
    is_primary = choices.random() < 0.7
    capabilities = choices.choice([[1, 2], [1, 2], [1], [2], [], [1, 2, 4]])
    standing = None
    if is_primary and choices.random() < 0.15:
        options = choices.sample([1, 2, 4, 8, 16], choices.randrange(4))
        standing = wire.PresentationOptions(options=options)
    return {
        "center": center,
        "is_primary": is_primary,
        "capabilities": capabilities if is_primary else [],
        "state": choices.choice([0, 1, 2, 3, 3, 3]),
        "standing": standing,
        "can_be_cut": choices.random() < 0.3,
    }


@kind(5, _pick_subscribe)
def subscribe(
    walk: Walk,
    center: int,
    is_primary: bool,
    capabilities: list[int],
    state: int,
    standing: wire.PresentationOptions | None,
    can_be_cut: bool,
) -> None:
    """The app follows its center."""
    app = walk.centers[center]
    if not is_primary and not app.is_registered:
        return
    app.is_registered = True
    app.calls()
    walk.names += 1
    stream = Stream(f"s{walk.names}", is_primary, frozenset(capabilities), state, standing)
    before = len(app.events)
    delegate.attach(app, stream)
    role = wire.SUBSCRIBER_ROLE_PRIMARY if is_primary else wire.SUBSCRIBER_ROLE_OBSERVER
    request = wire.SubscribeRequest(
        center=app.wire,
        role=role,
        capabilities=capabilities,
        app_state=state,
        standing_presentation=standing,
    )
    live = _open(walk, app, request, can_be_cut, before)
    live.model = stream


def _open(
    walk: Walk, app: Center, request: wire.SubscribeRequest, can_be_cut: bool, after: int
) -> Live:
    relay = Relay(walk.server.targets["tcp"]) if can_be_cut else None
    client = Client(relay.target) if relay else walk.client
    live = Live(client, request, app, after=after)
    live.relay = relay
    walk.live.append(live)
    if not live.wait(lambda: live.is_caught_up, BOUND):
        raise Difference(f"Subscribe of {app.app_id} does not catch up: {live.error!r}")
    assert live.started
    if live.started.last_event_number != after or live.started.role != request.role:
        if not request.resume_subscription_id:
            raise Difference(f"Subscribe of {app.app_id} began with {live.started}, not {after}")
    return live


def _lives(walk: Walk, *, cut: bool = False) -> list[int]:
    return [
        number
        for number, live in enumerate(walk.live)
        if live.model and live.model.is_open and (live.relay or not cut)
    ]


def _pick_live(walk: Walk, choices: random.Random) -> dict[str, Any] | None:
    names = [walk.live[number].model.name for number in _lives(walk)]
    return {"name": choices.choice(names)} if names else None


def _find(walk: Walk, name: str) -> Live | None:
    return next((live for live in walk.live if live.model and live.model.name == name), None)


def _wait_for_end(walk: Walk, before: int) -> None:
    """The server hears of a stream's end in its own time."""
    end = time.monotonic() + BOUND
    while walk.client.call("GetStats").subscriptions >= before:
        if time.monotonic() > end:
            raise Difference("a subscription that was ended is still counted")
        time.sleep(0.002)


@kind(3, _pick_live)
def cancel(walk: Walk, name: str) -> None:
    """A subscription is cancelled."""
    live = _find(walk, name)
    if live is None or not live.model.is_open:
        return
    before = walk.client.call("GetStats").subscriptions
    live.center.streams.remove(live.model)
    walk.live.remove(live)
    live.cancel()
    # A connection that goes at once would be a cut one.
    _wait_for_end(walk, before)
    live.close()


def _pick_cut(walk: Walk, choices: random.Random) -> dict[str, Any] | None:
    names = [walk.live[number].model.name for number in _lives(walk, cut=True)]
    return {"name": choices.choice(names)} if names else None


@kind(3, _pick_cut)
def cut(walk: Walk, name: str) -> None:
    """A subscription's connection is lost."""
    live = _find(walk, name)
    if live is None or not live.model.is_open or live.relay is None:
        return
    before = walk.client.call("GetStats").subscriptions
    model = live.model
    if model.is_primary or model.state != wire.APP_STATE_NOT_RUNNING:
        model.kept_until = walk.world.now + RESUME_TIME
    else:
        live.center.streams.remove(model)
        walk.live.remove(live)
    live.cut()
    _wait_for_end(walk, before)


def _pick_answer(walk: Walk, choices: random.Random) -> dict[str, Any] | None:
    asked = [
        (number, center, question)
        for number, center in enumerate(walk.centers)
        for question in center.questions
        if question.callback_id
    ]
    if not asked:
        return None
    number, center, question = choices.choice(asked)
    options = choices.sample([1, 2, 4, 8, 16], choices.choice([0, 1, 2, 3, 5]))
    position = center.questions.index(question)
    return {"center": number, "position": position, "options": options}


@kind(9, _pick_answer)
def complete(walk: Walk, center: int, position: int, options: list[int]) -> None:
    """The app answers a question."""
    app = walk.centers[center]
    if position >= len(app.questions) or not app.questions[position].callback_id:
        return
    question = app.questions[position]
    speaker = delegate.primary(app)
    live = next((live for live in walk.live if live.model and live.model is speaker), None)
    if live is None or live.started is None:
        return
    app.calls()
    if question.kind == "will_present":
        _present(walk, app, live, question, options)
    else:
        _handle(walk, app, live, question)


def _present(
    walk: Walk, app: Center, live: Live, question: Question, options: list[int]
) -> None:
    answer = wire.WillPresentAnswer(
        callback_id=question.callback_id, presentation={"options": options}
    )

    def act() -> wire.CompleteWillPresentResponse:
        delegate.end(app, question, wire.CALLBACK_OUTCOME_COMPLETED)
        app.deliver(question, presentation.chosen(answer.presentation))
        return wire.CompleteWillPresentResponse(app_state=delegate.app_state(app))

    walk.make(
        "CompleteWillPresent",
        act,
        center=app.wire,
        subscription_id=live.started.subscription_id,
        answers=[answer],
    )


def _handle(walk: Walk, app: Center, live: Live, question: Question) -> None:
    def act() -> wire.CompleteResponseResponse:
        delegate.end(app, question, wire.CALLBACK_OUTCOME_COMPLETED)
        reference = app.reference(question.identifier, question.notification.delivery)
        app.record(
            response_completed={"notification": reference, "action_identifier": question.action}
        )
        return wire.CompleteResponseResponse(app_state=delegate.app_state(app))

    walk.make(
        "CompleteResponse",
        act,
        center=app.wire,
        subscription_id=live.started.subscription_id,
        answers=[wire.ResponseAnswer(callback_id=question.callback_id)],
    )


def _pick_state(walk: Walk, choices: random.Random) -> dict[str, Any] | None:
    fields = _pick_live(walk, choices)
    return fields and fields | {"state": choices.randrange(4)}


@kind(2, _pick_state)
def update_state(walk: Walk, name: str, state: int) -> None:
    """The app changes its state."""
    live = _find(walk, name)
    if live is None or not live.model.is_open:
        return
    app = live.center

    def act() -> wire.UpdateAppStateResponse:
        app.calls()
        live.model.state = state
        return wire.UpdateAppStateResponse(app_state=delegate.app_state(app))

    walk.make(
        "UpdateAppState",
        act,
        center=app.wire,
        subscription_id=live.started.subscription_id,
        app_state=state,
    )


def _pick_resume(walk: Walk, choices: random.Random) -> dict[str, Any] | None:
    names = [live.model.name for live in walk.live if live.model and not live.model.is_open]
    return {"name": choices.choice(names)} if names else None


@kind(3, _pick_resume)
def resume(walk: Walk, name: str) -> None:
    """A subscription whose connection was lost is taken up again, if it is not too late."""
    live = _find(walk, name)
    if live is None or live.model.is_open or live.started is None:
        return
    app, model, before = live.center, live.model, len(live.center.events)
    app.calls()
    walk.live.remove(live)
    request = wire.SubscribeRequest(
        center=app.wire, resume_subscription_id=live.started.subscription_id
    )
    if model not in app.streams:
        ended = Live(walk.client, request, app, after=before)
        ended.wait(lambda: ended.started is not None, BOUND)
        if ended.error is None or refusal_in(ended.error).reason != "SUBSCRIPTION_UNKNOWN":
            raise Difference(f"resume after 5 seconds: {ended.started} {ended.error!r}")
        return
    model.kept_until = None
    model.expected = []
    if model.is_primary:
        for question in app.questions:
            if model.takes(question.kind):
                model.expected.append(("callback", question, 0))
    again = _open(walk, app, request, True, before)
    again.model = model
