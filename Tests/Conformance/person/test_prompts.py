"""RequestAuthorization where the person is asked, and AnswerAuthorizationPrompt (§4)."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.keys import new_key
from harness.launcher import Launcher
from harness.refusals import refusal_of
from harness.server import BOUND, Server

ALERT = wire.AUTHORIZATION_OPTION_ALERT
BADGE = wire.AUTHORIZATION_OPTION_BADGE
SOUND = wire.AUTHORIZATION_OPTION_SOUND
CRITICAL = wire.AUTHORIZATION_OPTION_CRITICAL_ALERT
PROVISIONAL = wire.AUTHORIZATION_OPTION_PROVISIONAL

NOT_DETERMINED = wire.AUTHORIZATION_STATUS_NOT_DETERMINED
AUTHORIZED = wire.AUTHORIZATION_STATUS_AUTHORIZED
DENIED = wire.AUTHORIZATION_STATUS_DENIED

ENABLED = wire.NOTIFICATION_SETTING_ENABLED
DISABLED = wire.NOTIFICATION_SETTING_DISABLED


@pytest.fixture
def asking(launch: Launcher) -> Server:
    """A server that asks the person."""
    return launch(prompts="ask")


@pytest.fixture
def client(asking: Server, transport: str) -> Iterator[Client]:
    with Client(asking.targets[transport]) as client:
        yield client


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor() as pool:
        yield pool


def ask(app: App, *options: int, wait: float = 0, **fields: Any) -> Any:
    return app.call(
        "RequestAuthorization", options=options or (ALERT,), wait=wire.seconds(wait), **fields
    )


def answer(client: Client, prompt: str, said: int, **fields: Any) -> wire.NotificationSettings:
    return client.call(
        "AnswerAuthorizationPrompt", prompt_id=prompt, answer=said, **fields
    ).settings


def allow(client: Client, prompt: str, **fields: Any) -> wire.NotificationSettings:
    return answer(client, prompt, wire.PROMPT_ANSWER_ALLOW, **fields)


def is_waiting(call: Future[Any]) -> None:
    """It is not answered, although the server had the time to."""
    with pytest.raises(TimeoutError):
        call.result(0.3)


def test_the_person_answers_while_the_app_waits(client: Client, pool: ThreadPoolExecutor) -> None:
    app = client.app()
    prompt = ask(app, ALERT, SOUND).prompt_id
    waiting = pool.submit(ask, app, wait=60)
    is_waiting(waiting)
    settings = allow(client, prompt)
    assert (settings.alert_setting, settings.sound_setting) == (ENABLED, ENABLED)
    response = waiting.result(BOUND)
    assert response.granted
    assert response.status == AUTHORIZED
    assert response.prompt_id == ""
    assert app.call("GetNotificationSettings").settings == settings
    assert [event.settings_changed.settings for event in app.events()] == [settings]


def test_the_wait_is_real_time_on_a_manual_clock_too(
    client: Client, pool: ThreadPoolExecutor
) -> None:
    """A test of one thread has nobody who would move the clock while it waits."""
    app = client.app()
    response = ask(app, wait=0.3)
    assert not response.granted
    assert response.status == NOT_DETERMINED
    waiting = pool.submit(app.call, "RequestAuthorization", options=[ALERT])
    is_waiting(waiting)
    client.advance(600)
    is_waiting(waiting)
    allow(client, response.prompt_id)
    assert waiting.result(BOUND).granted


def test_the_prompt_stays_open_and_later_calls_join_it(
    client: Client, pool: ThreadPoolExecutor
) -> None:
    app = client.app()
    first = ask(app, ALERT)
    assert ask(app, BADGE).prompt_id == first.prompt_id
    calls = [pool.submit(ask, app, option, wait=60) for option in (ALERT, SOUND)]
    for call in calls:
        is_waiting(call)
    settings = allow(client, first.prompt_id)
    assert settings.alert_setting == settings.badge_setting == settings.sound_setting == ENABLED
    assert all(call.result(BOUND).granted for call in calls)


def test_a_person_may_allow_a_part_and_name_critical_alerts(client: Client) -> None:
    app = client.app()
    entitlements = wire.Entitlements(critical_alerts=True)
    app.call("RegisterApp", manifest=wire.AppManifest(entitlements=entitlements))
    prompt = ask(app, ALERT, SOUND, CRITICAL).prompt_id
    settings = allow(client, prompt, options=[ALERT, CRITICAL])
    assert settings.alert_setting == settings.critical_alert_setting == ENABLED
    assert settings.sound_setting == DISABLED
    other = client.app()
    other.call("RegisterApp", manifest=wire.AppManifest(entitlements=entitlements))
    plain = allow(client, ask(other, ALERT, CRITICAL).prompt_id)
    assert (plain.alert_setting, plain.critical_alert_setting) == (ENABLED, DISABLED)


def test_a_denial_ends_the_wait(client: Client, pool: ThreadPoolExecutor) -> None:
    app = client.app()
    prompt = ask(app).prompt_id
    waiting = pool.submit(ask, app, wait=60)
    is_waiting(waiting)
    assert answer(client, prompt, wire.PROMPT_ANSWER_DENY).authorization_status == DENIED
    response = waiting.result(BOUND)
    assert (response.granted, response.status) == (False, DENIED)
    assert refusal_of(app.add).reason == "NOTIFICATIONS_NOT_ALLOWED"


def test_an_answer_comes_once_and_to_a_prompt_that_is_there(client: Client) -> None:
    app = client.app()
    prompt = ask(app).prompt_id
    for wrong in ("", "0", "x", "-1", "00" + prompt, str(int(prompt) + 1), "9" * 30):
        refused = refusal_of(lambda wrong=wrong: allow(client, wrong))
        assert (refused.code, refused.reason) == (
            grpc.StatusCode.NOT_FOUND,
            "PROMPT_NOT_FOUND",
        )
    refused = refusal_of(lambda: allow(client, prompt, device_id="tablet"))
    assert refused.reason == "PROMPT_NOT_FOUND"
    refused = refusal_of(lambda: allow(client, prompt, options=[SOUND]))
    assert refused.reason == "ANSWER_INVALID"
    refused = refusal_of(lambda: answer(client, prompt, wire.PROMPT_ANSWER_KEEP))
    assert refused.reason == "ANSWER_INVALID"
    allow(client, prompt)
    refused = refusal_of(lambda: answer(client, prompt, wire.PROMPT_ANSWER_DENY))
    assert (refused.code, refused.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "PROMPT_ENDED",
    )


def test_a_quiet_app_is_upgraded_by_its_person(client: Client, pool: ThreadPoolExecutor) -> None:
    app = client.app()
    quiet = ask(app, ALERT, PROVISIONAL, wait=60)
    assert (quiet.granted, quiet.prompt_id) == (True, "")
    waiting = pool.submit(ask, app, ALERT, wait=60)
    is_waiting(waiting)
    # A decision in the settings answers the question.
    app.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(authorization_status=DENIED),
        update_mask={"paths": ["authorization_status"]},
    )
    assert waiting.result(BOUND).status == DENIED


@pytest.mark.parametrize("end", ["terminate", "kill"])
def test_a_prompt_outlives_the_server(
    launch: Launcher, asking: Server, transport: str, pool: ThreadPoolExecutor, end: str
) -> None:
    key = new_key()
    with Client(asking.targets[transport]) as client:
        app = client.app()
        prompt = ask(app).prompt_id
        waiting = pool.submit(ask, app, wait=60, idempotency_key=key)
        is_waiting(waiting)
        getattr(asking, end)()
        asking.wait()
        refused = refusal_of(lambda: waiting.result(BOUND))
        assert refused.code == grpc.StatusCode.UNAVAILABLE
    server = launch(asking.home, prompts="ask")
    with Client(server.targets[transport]) as client:
        app = App(client, app.center)
        retry = pool.submit(ask, app, wait=60, idempotency_key=key)
        is_waiting(retry)
        allow(client, prompt)
        assert retry.result(BOUND).granted
        assert ask(app, wait=60, idempotency_key=key).granted


def test_a_stop_does_not_wait_for_people(
    asking: Server, transport: str, pool: ThreadPoolExecutor
) -> None:
    with Client(asking.targets[transport]) as client:
        waiting = pool.submit(ask, client.app(), wait=600)
        is_waiting(waiting)
        asking.terminate()
        # Far below the time that a stop leaves to calls.
        assert asking.wait(5) == 0
        assert refusal_of(lambda: waiting.result(BOUND)).reason == "STOPPING"


def test_retries_wait_for_the_first_call_and_are_told_the_same(
    client: Client, pool: ThreadPoolExecutor
) -> None:
    app, key = client.app(), new_key()
    calls = [pool.submit(ask, app, wait=1.5, idempotency_key=key) for _ in range(3)]
    for call in calls:
        is_waiting(call)
    told = [call.result(BOUND) for call in calls]
    assert all(response == told[0] for response in told)
    assert told[0].status == NOT_DETERMINED
    allow(client, told[0].prompt_id)
    assert ask(app, wait=1.5, idempotency_key=key) == told[0]
    assert ask(app).granted


def test_a_call_that_gave_up_leaves_the_prompt(client: Client) -> None:
    app = client.app()
    message = wire.RequestAuthorizationRequest(center=app.center, options=[ALERT])
    with pytest.raises(grpc.RpcError) as caught:
        client.send("RequestAuthorization", message, timeout=0.5)
    assert caught.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
    response = ask(app)
    assert response.prompt_id != ""
    assert allow(client, response.prompt_id).authorization_status == AUTHORIZED


def test_withdrawn_with_requests_pending_they_are_suppressed(client: Client) -> None:
    """D-4: pending requests are kept, each firing is suppressed and told, delivered ones stay."""
    app = client.app()
    allow(client, ask(app).prompt_id)
    app.add("now")
    app.add("later", after=10)
    app.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(authorization_status=DENIED),
        update_mask={"paths": ["authorization_status"]},
    )
    assert refusal_of(app.add).reason == "NOTIFICATIONS_NOT_ALLOWED"
    assert app.pending() == ["later"]
    client.advance(10)
    assert app.pending() == []
    assert app.delivered() == ["now"]
    assert app.events()[-1].WhichOneof("kind") == "suppressed"
    # Given back, it is as it was before.
    app.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(authorization_status=AUTHORIZED),
        update_mask={"paths": ["authorization_status"]},
    )
    app.add("again")
    assert "again" in app.delivered()


def test_no_thread_runs_while_a_person_is_waited_for(
    asking: Server, client: Client, pool: ThreadPoolExecutor
) -> None:
    app = client.app()
    waiting = pool.submit(ask, app, wait=60)
    is_waiting(waiting)
    before = client.call("GetStats").counters.batches
    is_waiting(waiting)
    assert client.call("GetStats").counters.batches == before
    allow(client, ask(app).prompt_id)
    waiting.result(BOUND)
