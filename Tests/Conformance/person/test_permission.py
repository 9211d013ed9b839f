"""What the person allowed stays theirs to change (§4, D-3, D-23)."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.device import Watch, update
from harness.launcher import Launcher
from harness.refusals import refusal_of
from harness.server import BOUND

ALERT = wire.AUTHORIZATION_OPTION_ALERT
BADGE = wire.AUTHORIZATION_OPTION_BADGE
SOUND = wire.AUTHORIZATION_OPTION_SOUND
CRITICAL = wire.AUTHORIZATION_OPTION_CRITICAL_ALERT
OWN_SETTINGS = wire.AUTHORIZATION_OPTION_PROVIDES_APP_NOTIFICATION_SETTINGS
PROVISIONAL = wire.AUTHORIZATION_OPTION_PROVISIONAL
TIME_SENSITIVE = wire.AUTHORIZATION_OPTION_TIME_SENSITIVE

NOT_DETERMINED = wire.AUTHORIZATION_STATUS_NOT_DETERMINED
AUTHORIZED = wire.AUTHORIZATION_STATUS_AUTHORIZED
DENIED = wire.AUTHORIZATION_STATUS_DENIED
QUIET = wire.AUTHORIZATION_STATUS_PROVISIONAL

ENABLED = wire.NOTIFICATION_SETTING_ENABLED
DISABLED = wire.NOTIFICATION_SETTING_DISABLED

ALLOW = wire.PROMPT_ANSWER_ALLOW
DENY = wire.PROMPT_ANSWER_DENY
KEEP = wire.PROMPT_ANSWER_KEEP
TURN_OFF = wire.PROMPT_ANSWER_TURN_OFF


@pytest.fixture
def client(launch: Launcher) -> Iterator[Client]:
    """A connection to a server that asks the person."""
    with Client(launch(prompts="ask").targets["unix"]) as client:
        yield client


def ask(app: App, *options: int, wait: float = 0) -> wire.RequestAuthorizationResponse:
    return app.call("RequestAuthorization", options=options, wait=wire.seconds(wait))


def answer(client: Client, prompt: str, said: int, *options: int) -> wire.NotificationSettings:
    return client.call(
        "AnswerAuthorizationPrompt", prompt_id=prompt, answer=said, options=options
    ).settings


def choose(app: App, **settings: Any) -> wire.NotificationSettings:
    """The person chooses in the settings."""
    return app.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(**settings),
        update_mask={"paths": list(settings)},
    ).settings


def settings_of(app: App) -> wire.NotificationSettings:
    return app.call("GetNotificationSettings").settings


def open_prompt(app: App) -> wire.AuthorizationPrompt:
    """The one question that the app's device shows."""
    watch = Watch(app, app_ids=[app.center.app_id])
    [prompt] = watch.frame().snapshot.prompts
    watch.close()
    return prompt


def quiet(client: Client, said: int, *options: int) -> App:
    """An app about whose quiet grant the person said something."""
    app = client.app()
    ask(app, *options, PROVISIONAL)
    answer(client, open_prompt(app).prompt_id, said)
    return app


@pytest.mark.parametrize("first", [ALERT, BADGE])
def test_after_keep_no_new_option_is_on_without_the_person(client: Client, first: int) -> None:
    app = quiet(client, KEEP, first)
    before = settings_of(app)
    assert before.authorization_status == AUTHORIZED
    assert ask(app, ALERT, SOUND, BADGE).granted
    assert settings_of(app) == before
    assert choose(app, sound_setting=ENABLED).sound_setting == ENABLED
    ask(app, ALERT, SOUND, BADGE)
    after = settings_of(app)
    assert (after.sound_setting, after.alert_setting) == (ENABLED, DISABLED)


@pytest.mark.parametrize("is_quiet", [True, False], ids=["turned off", "denied"])
def test_after_turn_off_a_new_option_is_as_after_any_denial(
    client: Client, *, is_quiet: bool
) -> None:
    if is_quiet:
        app = quiet(client, TURN_OFF, ALERT)
    else:
        app = client.app()
        answer(client, ask(app, ALERT).prompt_id, DENY)
    assert settings_of(app).authorization_status == DENIED
    choose(app, alert_setting=ENABLED)
    choose(app, authorization_status=AUTHORIZED)
    assert ask(app, SOUND).granted
    after = settings_of(app)
    assert (after.alert_setting, after.sound_setting) == (ENABLED, ENABLED)
    # A setting that the person switches off stays off.
    choose(app, sound_setting=DISABLED)
    ask(app, SOUND, BADGE)
    after = settings_of(app)
    assert (after.sound_setting, after.badge_setting) == (DISABLED, ENABLED)


def test_asking_for_time_sensitive_keeps_the_persons_choice(client: Client) -> None:
    app = client.app()
    entitlements = wire.Entitlements(time_sensitive=True)
    app.call("RegisterApp", manifest=wire.AppManifest(entitlements=entitlements))
    answer(client, ask(app, ALERT).prompt_id, ALLOW)
    assert settings_of(app).time_sensitive_setting == ENABLED
    choose(app, time_sensitive_setting=DISABLED)
    ask(app, TIME_SENSITIVE)
    assert settings_of(app).time_sensitive_setting == DISABLED


def test_provisional_asked_again_keeps_the_persons_choices(client: Client) -> None:
    app = client.app()
    ask(app, ALERT, PROVISIONAL)
    choose(app, sound_setting=ENABLED, badge_setting=ENABLED)
    assert ask(app, SOUND, BADGE, PROVISIONAL).status == QUIET
    after = settings_of(app)
    assert (after.sound_setting, after.badge_setting) == (ENABLED, ENABLED)


@pytest.mark.parametrize("before", ["an alert", "the summary"])
def test_a_denied_app_that_is_authorized_has_the_list_and_the_lock_screen(
    client: Client, before: str
) -> None:
    app = client.app()
    answer(client, ask(app, ALERT).prompt_id, DENY)
    if before == "an alert":
        choose(app, alert_setting=ENABLED)
    else:
        summary = wire.ScheduledSummary(enabled=True, times=[480])
        summary.apps.append(app.center.app_id)
        update(client, "summary", summary=summary)
    after = choose(app, authorization_status=AUTHORIZED)
    assert after.alert_setting == ENABLED
    assert after.notification_center_setting == after.lock_screen_setting == ENABLED


def test_a_quiet_app_that_is_authorized_in_the_settings_is(client: Client) -> None:
    app = client.app()
    ask(app, ALERT, SOUND, PROVISIONAL)
    prompt = open_prompt(app)
    after = choose(app, authorization_status=AUTHORIZED)
    assert after.authorization_status == settings_of(app).authorization_status == AUTHORIZED
    # As quiet as it was, until the person turns something on.
    assert (after.alert_setting, after.sound_setting) == (DISABLED, DISABLED)
    assert after.notification_center_setting == ENABLED
    refused = refusal_of(lambda: answer(client, prompt.prompt_id, KEEP))
    assert refused.reason == "PROMPT_ENDED"


def test_what_an_app_may_not_have_is_not_offered_and_not_allowed(client: Client) -> None:
    app = client.app()
    # Nobody is asked for what the app may not have.
    assert ask(app, CRITICAL).status == NOT_DETERMINED
    prompt = ask(app, ALERT).prompt_id
    assert list(open_prompt(app).options) == [ALERT]
    refused = refusal_of(lambda: answer(client, prompt, ALLOW, ALERT, CRITICAL))
    assert (refused.code, refused.reason) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        "ANSWER_INVALID",
    )
    assert answer(client, prompt, ALLOW, ALERT).alert_setting == ENABLED


def test_what_an_app_may_not_have_keeps_nothing_else_from_it(client: Client) -> None:
    app = client.app()
    # As if it asked for the screen of its own settings alone.
    prompt = ask(app, CRITICAL, OWN_SETTINGS).prompt_id
    assert list(open_prompt(app).options) == [OWN_SETTINGS]
    assert answer(client, prompt, ALLOW).authorization_status == AUTHORIZED
    clip = client.app()
    clip.call("RegisterApp", manifest=wire.AppManifest(ephemeral=True))
    asked = ask(clip, CRITICAL, OWN_SETTINGS)
    assert (asked.granted, asked.status) == (True, wire.AUTHORIZATION_STATUS_EPHEMERAL)


def entitled(client: Client) -> App:
    """An app that may ask for critical alerts."""
    app = client.app()
    entitlements = wire.Entitlements(critical_alerts=True)
    app.call("RegisterApp", manifest=wire.AppManifest(entitlements=entitlements))
    return app


def test_critical_alerts_that_are_asked_for_alone_are_what_a_yes_is_about(client: Client) -> None:
    app = entitled(client)
    settings = answer(client, ask(app, CRITICAL).prompt_id, ALLOW)
    assert settings.critical_alert_setting == ENABLED
    # They were the whole question, which the person answers otherwise in the settings.
    other = entitled(client)
    answer(client, ask(other, CRITICAL).prompt_id, DENY)
    assert choose(other, authorization_status=AUTHORIZED).critical_alert_setting == ENABLED


def test_critical_alerts_asked_for_while_denied_can_be_turned_on(client: Client) -> None:
    app = entitled(client)
    answer(client, ask(app, ALERT).prompt_id, ALLOW)
    choose(app, authorization_status=DENIED)
    assert ask(app, CRITICAL).status == DENIED
    assert choose(app, authorization_status=AUTHORIZED).critical_alert_setting == DISABLED
    assert choose(app, critical_alert_setting=ENABLED).critical_alert_setting == ENABLED


def test_a_denial_turns_off_what_was_never_asked_for_too(client: Client) -> None:
    app = client.app()
    entitlements = wire.Entitlements(time_sensitive=True)
    app.call("RegisterApp", manifest=wire.AppManifest(entitlements=entitlements))
    ask(app, ALERT, PROVISIONAL)
    choose(app, time_sensitive_setting=ENABLED)
    choose(app, sound_setting=ENABLED)
    denied = answer(client, open_prompt(app).prompt_id, wire.PROMPT_ANSWER_TURN_OFF)
    assert (denied.sound_setting, denied.time_sensitive_setting) == (DISABLED, DISABLED)
    # It is as if granted, then, whatever of it the person makes time-sensitive before.
    choose(app, time_sensitive_setting=ENABLED)
    assert choose(app, authorization_status=AUTHORIZED).alert_setting == ENABLED


def test_critical_first_does_not_make_the_next_prompt_unanswerable(client: Client) -> None:
    app = client.app()
    ask(app, CRITICAL)
    prompt = ask(app, OWN_SETTINGS).prompt_id
    assert answer(client, prompt, ALLOW).authorization_status == AUTHORIZED
    other = client.app()
    ask(other, CRITICAL)
    prompt = ask(other, OWN_SETTINGS).prompt_id
    named = answer(client, prompt, ALLOW, OWN_SETTINGS)
    assert named.provides_app_notification_settings


def test_settings_changed_tells_of_changes_alone(client: Client) -> None:
    app = client.app()
    summary = wire.ScheduledSummary(enabled=True, times=[480])
    update(client, "summary", summary=summary)
    # An option that nobody may see is remembered without a word, before and after the answer.
    ask(app, CRITICAL)
    answer(client, ask(app, ALERT).prompt_id, DENY)
    ask(app, SOUND)
    choose(app, alert_setting=DISABLED)
    choose(app, authorization_status=DENIED)
    told = [event.settings_changed.settings for event in app.events()]
    assert [settings.authorization_status for settings in told] == [DENIED]
    assert told[-1] == settings_of(app)


def test_provisional_is_granted_while_a_prompt_is_open(client: Client) -> None:
    app = client.app()
    with ThreadPoolExecutor() as pool:
        first = ask(app, ALERT)
        waiting = pool.submit(ask, app, BADGE, wait=60)
        quiet = ask(app, SOUND, PROVISIONAL, wait=60)
        assert (quiet.granted, quiet.status, quiet.prompt_id) == (True, QUIET, "")
        assert app.add("a").state == wire.REQUEST_STATE_DELIVERED
        # The question stays, for the rest, and may be kept as well.
        prompt = open_prompt(app)
        assert prompt.prompt_id == first.prompt_id
        assert prompt.kind == wire.AUTHORIZATION_PROMPT_KIND_UPGRADE
        assert set(prompt.options) >= {ALERT, SOUND}
        assert not waiting.done()
        settings = answer(client, prompt.prompt_id, ALLOW)
        assert settings.alert_setting == settings.sound_setting == ENABLED
        assert waiting.result(BOUND).status == AUTHORIZED


def test_the_error_names_what_is_missing(client: Client) -> None:
    app = client.app()
    app.call("RegisterApp", manifest=wire.AppManifest())
    refused = refusal_of(app.add)
    assert (refused.metadata["code"], refused.metadata["missing"]) == ("1", "NOT_ASKED")
    assert "RequestAuthorization" in refused.message
    asked = ask(app, ALERT)
    refused = refusal_of(app.add)
    assert (refused.metadata["code"], refused.metadata["missing"]) == ("1", "NOT_ANSWERED")
    assert "is being asked" in refused.message
    answer(client, asked.prompt_id, DENY)
    assert refusal_of(app.add).metadata["missing"] == "DENIED"
    choose(app, authorization_status=AUTHORIZED)
    refused = refusal_of(lambda: app.call("SetBadgeCount", count=1))
    assert (refused.metadata["code"], refused.metadata["missing"]) == ("1", "badge_setting")
    assert "never asked" in refused.message
    ask(app, BADGE)
    choose(app, badge_setting=DISABLED)
    refused = refusal_of(lambda: app.call("SetBadgeCount", count=1))
    assert "turned" in refused.message
