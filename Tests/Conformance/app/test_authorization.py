"""RequestAuthorization and GetNotificationSettings (§4)."""

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of

ALERT = wire.AUTHORIZATION_OPTION_ALERT
BADGE = wire.AUTHORIZATION_OPTION_BADGE
SOUND = wire.AUTHORIZATION_OPTION_SOUND
CAR_PLAY = wire.AUTHORIZATION_OPTION_CAR_PLAY
CRITICAL = wire.AUTHORIZATION_OPTION_CRITICAL_ALERT
OWN_SETTINGS = wire.AUTHORIZATION_OPTION_PROVIDES_APP_NOTIFICATION_SETTINGS
PROVISIONAL = wire.AUTHORIZATION_OPTION_PROVISIONAL

ENABLED = wire.NOTIFICATION_SETTING_ENABLED
DISABLED = wire.NOTIFICATION_SETTING_DISABLED
NOT_SUPPORTED = wire.NOTIFICATION_SETTING_NOT_SUPPORTED


def settings_of(app: App) -> wire.NotificationSettings:
    return app.call("GetNotificationSettings").settings


def test_a_grant_enables_what_was_asked_for(client: Client) -> None:
    app = client.app()
    response = app.authorize(ALERT, SOUND, BADGE)
    assert response.granted
    assert response.status == wire.AUTHORIZATION_STATUS_AUTHORIZED
    assert response.prompt_id == ""
    assert settings_of(app) == wire.NotificationSettings(
        authorization_status=wire.AUTHORIZATION_STATUS_AUTHORIZED,
        sound_setting=ENABLED,
        badge_setting=ENABLED,
        alert_setting=ENABLED,
        notification_center_setting=ENABLED,
        lock_screen_setting=ENABLED,
        alert_style=wire.ALERT_STYLE_BANNER,
    )


def test_what_was_not_asked_for_is_not_supported(client: Client) -> None:
    app = client.app()
    app.authorize(BADGE, CAR_PLAY, OWN_SETTINGS)
    assert settings_of(app) == wire.NotificationSettings(
        authorization_status=wire.AUTHORIZATION_STATUS_AUTHORIZED,
        badge_setting=ENABLED,
        car_play_setting=ENABLED,
        provides_app_notification_settings=True,
    )


def test_critical_alerts_are_not_granted_with_the_rest(client: Client) -> None:
    app = client.app()
    app.authorize(ALERT, CRITICAL)
    assert settings_of(app).critical_alert_setting == NOT_SUPPORTED


def test_later_options_are_added_and_no_event_tells_of_none(client: Client) -> None:
    app = client.app()
    app.authorize(ALERT)
    app.authorize(ALERT)
    app.authorize(BADGE)
    settings = settings_of(app)
    assert (settings.alert_setting, settings.badge_setting) == (ENABLED, ENABLED)
    changes = [event.settings_changed.settings for event in app.events()]
    assert [change.badge_setting for change in changes] == [NOT_SUPPORTED, ENABLED]
    assert changes[-1] == settings


def test_provisional_is_granted_quietly(client: Client) -> None:
    app = client.app()
    response = app.authorize(ALERT, SOUND, BADGE, PROVISIONAL)
    assert response.granted
    assert response.status == wire.AUTHORIZATION_STATUS_PROVISIONAL
    assert settings_of(app) == wire.NotificationSettings(
        authorization_status=wire.AUTHORIZATION_STATUS_PROVISIONAL,
        sound_setting=DISABLED,
        badge_setting=DISABLED,
        alert_setting=DISABLED,
        notification_center_setting=ENABLED,
        lock_screen_setting=DISABLED,
        alert_style=wire.ALERT_STYLE_NONE,
    )


def test_asking_without_provisional_upgrades_it(client: Client) -> None:
    app = client.app()
    app.authorize(ALERT, PROVISIONAL)
    response = app.authorize(ALERT)
    assert response.status == wire.AUTHORIZATION_STATUS_AUTHORIZED
    assert settings_of(app).alert_setting == ENABLED


def test_a_denial_disables_what_was_asked_for(launch: Launcher, transport: str) -> None:
    with Client(launch(prompts="deny").targets[transport]) as client:
        app = client.app()
        response = app.authorize(ALERT, BADGE)
        assert not response.granted
        assert response.status == wire.AUTHORIZATION_STATUS_DENIED
        settings = settings_of(app)
        assert settings.alert_setting == settings.badge_setting == DISABLED
        assert settings.sound_setting == NOT_SUPPORTED
        assert app.authorize(SOUND).status == wire.AUTHORIZATION_STATUS_DENIED


def test_a_denied_app_may_be_provisional_only_before_the_answer(
    launch: Launcher, transport: str
) -> None:
    with Client(launch(prompts="deny").targets[transport]) as client:
        app = client.app()
        assert app.authorize(ALERT, PROVISIONAL).granted
        assert not app.authorize(ALERT).granted
        assert not app.authorize(ALERT, PROVISIONAL).granted


def test_settings_hold_after_the_event_that_they_name(app: App) -> None:
    assert app.call("GetNotificationSettings").as_of_event == app.events()[-1].number


@pytest.mark.parametrize(
    "options, fields",
    [
        ([], ("options",)),
        ([0], ("options[0]",)),
        ([ALERT, 3], ("options[1]",)),
        ([ALERT, 512], ("options[1]",)),
        ([-1], ("options[0]",)),
    ],
    ids=["none", "unspecified", "two bits", "unknown", "negative"],
)
def test_other_options_are_refused(
    client: Client, options: list[int], fields: tuple[str, ...]
) -> None:
    app = client.app()
    expected = Expected(grpc.StatusCode.INVALID_ARGUMENT, "OPTIONS_INVALID", fields)
    expected.check(refusal_of(lambda: app.call("RequestAuthorization", options=options)))
    unregistered = refusal_of(lambda: app.call("GetNotificationSettings"))
    assert unregistered.reason == "APP_NOT_REGISTERED"


def test_centers_of_one_app_on_two_devices_are_two(client: Client) -> None:
    app = client.app()
    app.authorize()
    other = App(client, wire.Center(app_id=app.center.app_id, device_id="tablet:1"))
    assert refusal_of(lambda: other.add()).reason == "APP_NOT_REGISTERED"
    other.authorize(BADGE)
    assert settings_of(app).alert_setting == ENABLED
    assert settings_of(other).alert_setting == NOT_SUPPORTED


def test_an_empty_device_is_the_local_one(client: Client) -> None:
    app = client.app()
    app.authorize()
    local = App(client, wire.Center(app_id=app.center.app_id, device_id="local"))
    assert settings_of(local) == settings_of(app)
