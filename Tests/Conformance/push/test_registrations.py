"""Where an app is pushed to: tokens, their ends, and tags (REG-1..REG-5; AZ-2, AZ-4, D-13)."""

import re

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.keys import new_key
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of

DEVELOPMENT = wire.PUSH_ENVIRONMENT_DEVELOPMENT
PRODUCTION = wire.PUSH_ENVIRONMENT_PRODUCTION

INVALID = grpc.StatusCode.INVALID_ARGUMENT
FAILED = grpc.StatusCode.FAILED_PRECONDITION
NOT_FOUND = grpc.StatusCode.NOT_FOUND


def register(app: App, **fields: int) -> wire.RegisterForRemoteNotificationsResponse:
    return app.call("RegisterForRemoteNotifications", **fields)


def entitle(app: App, environment: int) -> None:
    app.call("RegisterApp", manifest={"entitlements": {"aps_environment": environment}})


def set_tags(app: App, token: str, *tags: str) -> list[str]:
    response = app.client.call("SetTags", app_id=app.center.app_id, token=token, tags=tags)
    return list(response.tags)


def revoke(app: App, token: str, revocation: int) -> int:
    response = app.client.call("RevokeDeviceToken", token=token, revocation=revocation)
    return wire.nanoseconds(response.revoked_at)


def listed(app: App, **fields: object) -> wire.ListRegistrationsResponse:
    return app.client.call("ListRegistrations", app_id=app.center.app_id, **fields)


def test_a_new_app_has_one_token_until_it_gives_it_up(client: Client) -> None:
    app = client.app()
    # Nobody has allowed anything, and no entitlement is asked for (REG-5).
    first = register(app)
    assert re.fullmatch("[0-9a-f]{64}", first.token)
    assert first.environment == PRODUCTION
    assert register(app) == first
    assert register(client.app()).token != first.token
    ended = app.call("UnregisterForRemoteNotifications")
    assert ended.was_registered
    assert not app.call("UnregisterForRemoteNotifications").was_registered
    assert register(app).token != first.token


@pytest.mark.parametrize(
    "entitled, asked, token",
    [
        (0, DEVELOPMENT, DEVELOPMENT),
        (DEVELOPMENT, 0, DEVELOPMENT),
        (PRODUCTION, PRODUCTION, PRODUCTION),
        (PRODUCTION, DEVELOPMENT, None),
    ],
)
def test_the_environment_is_the_entitlements(
    app: App, entitled: int, asked: int, token: int | None
) -> None:
    entitle(app, entitled)
    if token is None:
        refusal = refusal_of(lambda: register(app, environment=asked))
        Expected(FAILED, "PUSH_NOT_ENTITLED", ("environment",)).check(refusal)
    else:
        assert register(app, environment=asked).environment == token


def test_the_profile_ios_asks_for_the_entitlement(launch: Launcher) -> None:
    with Client(launch(arguments=["--profile=ios"]).targets["unix"]) as client:
        app = client.app()
        app.authorize()
        refusal = refusal_of(lambda: register(app))
        Expected(FAILED, "PUSH_NOT_ENTITLED", ("environment",)).check(refusal)
        entitle(app, DEVELOPMENT)
        assert register(app).environment == DEVELOPMENT


def test_a_retry_gets_the_same_token(app: App) -> None:
    key = new_key()
    first = app.call("RegisterForRemoteNotifications", idempotency_key=key)
    app.call("UnregisterForRemoteNotifications")
    assert app.call("RegisterForRemoteNotifications", idempotency_key=key) == first


@pytest.mark.parametrize(
    "revocation, reason",
    [
        (wire.TOKEN_REVOCATION_EXPIRED, "EXPIRED_TOKEN"),
        (wire.TOKEN_REVOCATION_UNREGISTERED, "UNREGISTERED"),
    ],
)
def test_a_token_that_was_revoked_is_told_with_the_time(
    own_app: App, revocation: int, reason: str
) -> None:
    token = register(own_app).token
    newest = own_app.events()[-1].number
    at = own_app.client.now()
    assert revoke(own_app, token, revocation) == at
    own_app.client.advance(10)
    assert revoke(own_app, token, revocation) == at
    refusal = refusal_of(lambda: set_tags(own_app, token, "news"))
    Expected(NOT_FOUND, reason, ("token",)).check(refusal)
    assert refusal.metadata["timestamp"] == str(at // 1_000_000)
    assert [event.WhichOneof("kind") for event in own_app.events(newest)] == ["token_changed"]
    assert register(own_app).token != token
    assert not listed(own_app).registrations[0].tags


def test_the_tokens_of_an_app_end_with_it(app: App) -> None:
    token = register(app).token
    assert app.call("UnregisterApp").revoked_tokens == [token]
    refusal = refusal_of(lambda: set_tags(app, token))
    Expected(NOT_FOUND, "UNREGISTERED", ("token",)).check(refusal)
    assert not listed(app).registrations


@pytest.mark.parametrize(
    "token, expected",
    [
        ("", Expected(INVALID, "MISSING_DEVICE_TOKEN", ("token",))),
        ("no", Expected(INVALID, "BAD_DEVICE_TOKEN", ("token",))),
        ("0" * 64, Expected(INVALID, "BAD_DEVICE_TOKEN", ("token",))),
        ("0" * 100_000, Expected(INVALID, "BAD_DEVICE_TOKEN", ("token",))),
    ],
    ids=["none", "short", "never issued", "long"],
)
def test_what_is_no_token_is_refused(app: App, token: str, expected: Expected) -> None:
    expected.check(refusal_of(lambda: set_tags(app, token)))


def test_the_token_of_another_app_is_refused(app: App, client: Client) -> None:
    other = register(client.app()).token
    refusal = refusal_of(lambda: set_tags(app, other))
    Expected(INVALID, "DEVICE_TOKEN_NOT_FOR_TOPIC", ("token",)).check(refusal)


def test_a_token_that_was_never_issued_cannot_be_revoked(app: App) -> None:
    refusal = refusal_of(lambda: revoke(app, "0" * 64, wire.TOKEN_REVOCATION_EXPIRED))
    Expected(NOT_FOUND, "BAD_DEVICE_TOKEN", ("token",)).check(refusal)
    refusal = refusal_of(lambda: revoke(app, register(app).token, 0))
    Expected(INVALID, "INVALID_FIELD", ("revocation",)).check(refusal)


def test_tags_are_replaced_and_case_matters(app: App) -> None:
    token = register(app).token
    assert set_tags(app, token, "news", "News", "news", "a:b") == ["News", "a:b", "news"]
    assert listed(app).registrations[0].tags == ["News", "a:b", "news"]
    assert set_tags(app, token.upper(), "sport") == ["sport"]
    assert set_tags(app, token) == []


@pytest.mark.parametrize(
    "tags, reason, field",
    [
        (["a", "a b"], "TAG_INVALID", "tags[1]"),
        ([""], "TAG_INVALID", "tags[0]"),
        (["a" * 121], "TAG_INVALID", "tags[0]"),
        ([f"tag{number}" for number in range(61)], "TAG_LIMIT", "tags"),
    ],
)
def test_tags_are_limited(app: App, tags: list[str], reason: str, field: str) -> None:
    token = register(app).token
    refusal = refusal_of(lambda: set_tags(app, token, *tags))
    Expected(INVALID, reason, (field,)).check(refusal)
    assert len(set_tags(app, token, *(f"tag{number}" for number in range(60)))) == 60


def test_registrations_are_listed_by_device(client: Client) -> None:
    app = client.app()
    tokens = {}
    for device in ["b", "c", "a"]:
        app.center.device_id = device
        tokens[device] = register(app).token
    page = listed(app, page_size=2)
    assert [(entry.center.device_id, entry.token) for entry in page.registrations] == [
        ("a", tokens["a"]),
        ("b", tokens["b"]),
    ]
    last = listed(app, page_size=2, page_token=page.next_page_token)
    assert [entry.center.device_id for entry in last.registrations] == ["c"]
    assert not last.next_page_token
    refusal = refusal_of(
        lambda: client.call(
            "ListRegistrations", app_id="org.example.other", page_token=page.next_page_token
        )
    )
    Expected(INVALID, "PAGE_TOKEN_INVALID", ("page_token",)).check(refusal)
