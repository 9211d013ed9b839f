"""Idempotency keys: a retry acts once and is told what the first call was told (W-9)."""

import itertools
import shutil
import subprocess
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from harness import device, wire
from harness.client import App, Client, request
from harness.keys import new_key
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of
from harness.retries import as_told_again
from harness.server import START_SECONDS

INVALID = grpc.StatusCode.INVALID_ARGUMENT
REUSED = Expected(INVALID, "IDEMPOTENCY_KEY_REUSED", ("idempotency_key",))
MALFORMED = Expected(INVALID, "INVALID_FIELD", ("idempotency_key",))
EXPIRED = Expected(
    grpc.StatusCode.FAILED_PRECONDITION, "IDEMPOTENCY_KEY_EXPIRED", ("idempotency_key",)
)

DAY = 86_400

MUTATIONS: dict[str, dict[str, Any]] = {
    "RequestAuthorization": {"options": [wire.AUTHORIZATION_OPTION_CAR_PLAY]},
    "Add": {"request": request()},
    "AddBatch": {"requests": [request(), request("", 60), request("bad", 0)]},
    "RemovePending": {"identifiers": ["waits"]},
    "RemoveAllPending": {},
    "RemoveDelivered": {"identifiers": ["shown"]},
    "RemoveAllDelivered": {},
    "SetBadgeCount": {"count": 5},
}


@pytest.fixture
def full_app(app: App) -> App:
    """An app with something that every mutation can change."""
    app.add("waits", 10 * DAY)
    app.add("shown")
    return app


@pytest.mark.parametrize("rpc, fields", MUTATIONS.items(), ids=MUTATIONS.keys())
def test_a_retry_acts_once(full_app: App, rpc: str, fields: dict[str, Any]) -> None:
    key = new_key()
    first = full_app.call(rpc, idempotency_key=key, **fields)
    assert first.ListFields()
    # What the first call did is undone or done again, so that a second act would show.
    full_app.call("RemoveAllDelivered")
    full_app.add("waits", 10 * DAY)
    full_app.add("shown")
    full_app.call("SetBadgeCount", count=1)
    before = full_app.events()
    for _ in range(2):
        again = full_app.call(rpc, idempotency_key=key, **fields)
        assert as_told_again(again) == as_told_again(first)
    assert full_app.events() == before


def test_moving_the_clock_twice_with_one_key_moves_it_once(own_client: Client) -> None:
    key = new_key()
    first, second = (
        own_client.call("AdvanceClock", by=wire.seconds(60), idempotency_key=key) for _ in range(2)
    )
    assert first == second
    assert own_client.call("GetClock").clock == first.clock


def test_other_keys_act_again(app: App) -> None:
    for _ in range(2):
        app.call("Add", request=request(), idempotency_key=new_key())
    assert len(app.delivered()) == 2


def test_a_used_key_takes_no_other_content(app: App) -> None:
    key = new_key()
    app.call("Add", request=request("one"), idempotency_key=key)
    other_app = app.client.app()
    other_app.authorize()
    others: list[Callable[[], object]] = [
        lambda: app.call("Add", request=request("two"), idempotency_key=key),
        lambda: app.call("AddBatch", requests=[request("one")], idempotency_key=key),
        lambda: app.call("RemoveAllPending", idempotency_key=key),
        lambda: other_app.call("Add", request=request("one"), idempotency_key=key),
        lambda: app.client.call(
            "UpdateDeviceState",
            state=wire.DeviceState(locked=True),
            update_mask={"paths": ["locked"]},
            idempotency_key=key,
        ),
        lambda: app.client.call(
            "Respond",
            notification=device.reference(app, "one", 1),
            action=wire.CustomAction(action_identifier="a"),
            idempotency_key=key,
        ),
    ]
    for call in others:
        REUSED.check(refusal_of(call))
    assert app.delivered() == ["one"]
    assert other_app.delivered() == []


MALFORMED_KEYS = {
    "text": "key",
    "version 4": "01890a5d-ac96-474b-bcce-b302099a8057",
    "another variant": "01890a5d-ac96-774b-ccce-b302099a8057",
    "no dashes": "01890a5dac96774bbcceb302099a8057",
    "braces": "{01890a5d-ac96-774b-bcce-b302099a8057}",
    "too long": "01890a5d-ac96-774b-bcce-b302099a80570",
    "no digits": "01890a5d-ac96-774b-bcce-b302099a805g",
    "wide digits": "01890a5d-ac96-774b-bcce-b302099a805\uff17",
}


@pytest.mark.parametrize("key", MALFORMED_KEYS.values(), ids=MALFORMED_KEYS.keys())
@pytest.mark.parametrize("rpc, fields", MUTATIONS.items(), ids=MUTATIONS.keys())
def test_other_keys_are_refused(app: App, rpc: str, fields: dict[str, Any], key: str) -> None:
    MALFORMED.check(refusal_of(lambda: app.call(rpc, idempotency_key=key, **fields)))
    assert (app.pending(), app.delivered()) == ([], [])


def recipes(app: App) -> dict[str, str]:
    """How the refusal of a key says that a program makes one."""
    refusal = refusal_of(lambda: app.call("Add", request=request(), idempotency_key="key"))
    _, _, advice = refusal.message.partition(" again. ")
    return dict(part.split(": ", 1) for part in advice.split("; "))


@pytest.mark.parametrize("language", ["Python", "JavaScript"])
def test_the_refusal_says_how_to_make_a_key(app: App, language: str) -> None:
    recipe = recipes(app)[language]
    if language == "Python":
        keys = [eval(recipe, {"uuid": uuid, "time": time}) for _ in range(2)]
    else:
        node = shutil.which("node")
        if node is None:
            pytest.skip("no Node here")
        script = f"for (let i = 0; i < 2; i++) console.log({recipe})"
        done = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True)
        keys = done.stdout.split()
    assert len(set(keys)) == 2
    for key in keys:
        added = app.call("Add", request=request(), idempotency_key=key)
        assert app.call("Add", request=request(), idempotency_key=key) == added
    assert len(app.delivered()) == 2


def test_a_key_may_have_capital_letters(app: App) -> None:
    key = new_key()
    first = app.call("Add", request=request(), idempotency_key=key.upper())
    assert app.delivered() == [first.identifier]


def test_a_refused_call_may_be_tried_again_with_its_key(client: Client) -> None:
    app = client.app()
    key = new_key()

    def add() -> wire.AddResponse:
        return app.call("Add", request=request("one"), idempotency_key=key)

    assert refusal_of(add).reason == "APP_NOT_REGISTERED"
    app.authorize()
    assert add().state == wire.REQUEST_STATE_DELIVERED
    assert app.delivered() == ["one"]


def test_calls_at_once_with_one_key_act_once(app: App) -> None:
    key = new_key()

    def add(_: int) -> wire.AddResponse:
        return app.call("Add", request=request(), idempotency_key=key)

    with ThreadPoolExecutor(16) as threads:
        responses = list(threads.map(add, range(64)))
    assert all(response == responses[0] for response in responses)
    assert app.delivered() == [responses[0].identifier]


def test_a_long_call_is_joined_by_its_retry(app: App) -> None:
    for batch in range(5):
        requests = [request(f"{batch}/{number:03}", DAY) for number in range(1_000)]
        app.call("AddBatch", requests=requests)
    key = new_key()

    def remove_all(_: int) -> int:
        return app.call("RemoveAllPending", idempotency_key=key).removed_count

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(remove_all, range(4))) == [5_000] * 4


def test_a_key_is_kept_through_a_crash(launch: Launcher, transport: str) -> None:
    first = launch()
    key = new_key()
    fields = {"request": request(), "idempotency_key": key}
    with Client(first.targets[transport]) as client:
        app = client.app()
        app.authorize()
        response = app.call("Add", **fields)
    first.kill()
    with Client(launch(first.home).targets[transport]) as client:
        app.client = client
        assert app.call("Add", **fields) == response
        assert app.delivered() == [response.identifier]


def test_a_key_that_is_no_longer_kept_is_refused(own_app: App) -> None:
    client = own_app.client
    start = START_SECONDS
    keys = (new_key(start + count / 1_000) for count in itertools.count())
    fields = {"request": request("one"), "idempotency_key": next(keys)}
    own_app.call("Add", **fields)
    client.advance(DAY)
    own_app.call("SetBadgeCount", count=1, idempotency_key=next(keys))
    assert own_app.call("Add", **fields).delivery == 1
    client.advance(1)
    own_app.call("SetBadgeCount", count=2, idempotency_key=next(keys))
    EXPIRED.check(refusal_of(lambda: own_app.call("Add", **fields)))
    assert own_app.delivered() == ["one"]
    floor = wire.nanoseconds(client.call("GetStats").floors.idempotency_keys)
    assert start * 1e9 - 1e6 <= floor <= (start + 1) * 1e9
