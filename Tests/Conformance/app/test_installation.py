"""RegisterApp, UnregisterApp, ListApps and UpdateSettings (W-2; A-4, A-8)."""

from collections.abc import Iterator

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.keys import new_key
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of
from harness.server import START_SECONDS

ALERT = wire.AUTHORIZATION_OPTION_ALERT
BADGE = wire.AUTHORIZATION_OPTION_BADGE
CRITICAL = wire.AUTHORIZATION_OPTION_CRITICAL_ALERT

ENABLED = wire.NOTIFICATION_SETTING_ENABLED
DISABLED = wire.NOTIFICATION_SETTING_DISABLED
NOT_SUPPORTED = wire.NOTIFICATION_SETTING_NOT_SUPPORTED

INVALID = grpc.StatusCode.INVALID_ARGUMENT
FAILED = grpc.StatusCode.FAILED_PRECONDITION


def settings_of(app: App) -> wire.NotificationSettings:
    return app.call("GetNotificationSettings").settings


def change(app: App, *paths: str, **settings: int) -> wire.UpdateSettingsResponse:
    return app.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(**settings),
        update_mask={"paths": paths or list(settings)},
    )


def listed(client: Client, **fields: object) -> Iterator[wire.DeviceApp]:
    token = ""
    while True:
        page = client.call("ListApps", page_token=token, **fields)
        yield from page.apps
        token = page.next_page_token
        if not token:
            return


def test_an_app_is_registered_with_what_it_says_of_itself(own_client: Client) -> None:
    app = own_client.app()
    manifest = wire.AppManifest(
        names=[
            wire.AppName(language="en", name="Reminders"),
            wire.AppName(language="pt-BR", name="Lembretes"),
        ],
        language="pt-BR",
        entitlements=wire.Entitlements(critical_alerts=True, time_sensitive=True, filtering=True),
        background_modes=[wire.BACKGROUND_MODE_REMOTE_NOTIFICATION],
        extensions=[
            wire.AppExtension(
                extension_id=f"{app.center.app_id}.service", kind=wire.EXTENSION_KIND_SERVICE
            )
        ],
    )
    registered = app.call("RegisterApp", manifest=manifest).app
    assert registered.manifest == manifest
    assert registered.center == wire.Center(app_id=app.center.app_id, device_id="local")
    assert registered.registered_at.seconds == START_SECONDS
    own_client.advance(60)
    again = app.call("RegisterApp").app
    assert again.registered_at == registered.registered_at
    assert again.manifest == wire.AppManifest(language="en")


def test_entitlements_decide_what_can_be_granted(client: Client) -> None:
    """A-8."""
    app = client.app()
    entitled = wire.AppManifest(
        entitlements=wire.Entitlements(critical_alerts=True, time_sensitive=True)
    )
    app.call("RegisterApp", manifest=entitled)
    app.authorize(ALERT, CRITICAL)
    settings = settings_of(app)
    assert settings.critical_alert_setting == DISABLED
    assert settings.time_sensitive_setting == ENABLED
    assert change(app, critical_alert_setting=ENABLED).settings.critical_alert_setting == ENABLED
    app.call("RegisterApp")
    settings = settings_of(app)
    assert settings.critical_alert_setting == settings.time_sensitive_setting == NOT_SUPPORTED
    assert app.events()[-1].settings_changed.settings == settings
    refused = refusal_of(lambda: change(app, critical_alert_setting=ENABLED))
    Expected(FAILED, "SETTING_NOT_SUPPORTED", ("settings.critical_alert_setting",)).check(refused)


def test_an_app_for_a_limited_time_needs_no_prompt(launch: Launcher, transport: str) -> None:
    with Client(launch(prompts="ask").targets[transport]) as client:
        app = client.app()
        app.call("RegisterApp", manifest=wire.AppManifest(ephemeral=True))
        assert app.authorize().status == wire.AUTHORIZATION_STATUS_EPHEMERAL


def test_where_apps_cannot_register_themselves(launch: Launcher, transport: str) -> None:
    server = launch(arguments=["--no-auto-register"])
    with Client(server.targets[transport]) as client:
        app = client.app()
        refused = [
            refusal_of(app.authorize),
            refusal_of(lambda: app.call("SetNotificationCategories")),
            refusal_of(
                app.subscribe(role=wire.SUBSCRIBER_ROLE_PRIMARY).events_until_caught_up
            ),
        ]
        assert {each.reason for each in refused} == {"APP_NOT_REGISTERED"}
        app.call("RegisterApp")
        assert app.authorize().granted


def test_an_app_is_removed_with_all_that_it_has(client: Client) -> None:
    app = client.app()
    app.authorize()
    app.call("SetNotificationCategories", categories=[wire.NotificationCategory(identifier="c")])
    app.add("now")
    app.add("later", after=60)
    app.call("SetBadgeCount", count=5)
    with app.subscribe(after=0) as subscription:
        subscription.events_until_caught_up()
        assert list(app.call("UnregisterApp").revoked_tokens) == []
        ended = refusal_of(subscription.events_until_caught_up)
        assert (ended.code, ended.reason) == (grpc.StatusCode.NOT_FOUND, "APP_NOT_REGISTERED")
    for rpc in ("GetNotificationSettings", "ListPending", "UnregisterApp"):
        assert refusal_of(lambda rpc=rpc: app.call(rpc)).reason == "APP_NOT_REGISTERED"
    assert app.center.app_id not in [each.center.app_id for each in listed(client)]
    app.authorize()
    assert app.pending() == app.delivered() == []
    assert list(app.call("GetNotificationCategories").categories) == []
    # Its events go on behind those of the earlier app (W-12).
    assert [event.number > 4 for event in app.events()] == [True]
    assert next(each for each in listed(client) if each.center.app_id == app.center.app_id).badge == 0
    client.advance(60)
    assert app.delivered() == []


def test_a_removal_is_retried_as_one(client: Client) -> None:
    app, key = client.app(), new_key()
    app.authorize()
    app.call("UnregisterApp", idempotency_key=key)
    app.authorize()
    app.call("UnregisterApp", idempotency_key=key)
    assert app.add("stays").identifier == "stays"


def test_a_removal_goes_on_after_a_crash(launch: Launcher, transport: str) -> None:
    server = launch()
    with Client(server.targets[transport]) as client:
        app = client.app()
        app.authorize()
        for part in range(5):
            requests = [
                wire.NotificationRequest(
                    identifier=f"{part} {number}",
                    content=wire.NotificationContent(title="A title"),
                    trigger=wire.Trigger(
                        time_interval=wire.TimeIntervalTrigger(interval=wire.seconds(60))
                    ),
                )
                for number in range(1_000)
            ]
            app.call("AddBatch", requests=requests)
        call = client._stubs["belfry.v1.InstallationService"].UnregisterApp.future(
            wire.UnregisterAppRequest(center=app.center)
        )
        # Once the name is gone the rest follows, whatever becomes of the server.
        while not call.done():
            if app.center.app_id not in [each.center.app_id for each in listed(client)]:
                break
        server.kill()
    server = launch(server.home)
    with Client(server.targets[transport]) as client:
        app = App(client, app.center)
        if app.center.app_id not in [each.center.app_id for each in listed(client)]:
            assert refusal_of(app.pending).reason == "APP_NOT_REGISTERED"
        client.advance(61)
        stats = client.call("GetStats")
        assert stats.store.pending == 0
        assert stats.counters.delivered == 0
    server.terminate()
    assert server.wait() == 0


def test_the_apps_of_a_device_come_by_name_in_pages(own_client: Client) -> None:
    apps = [App(own_client, wire.Center(app_id=name)) for name in ("b", "a.b", "a", "a-b")]
    for app in apps:
        app.authorize(ALERT, BADGE)
    App(own_client, wire.Center(app_id="c", device_id="tablet")).authorize()
    apps[0].call("SetBadgeCount", count=3)
    named = wire.AppManifest(names=[wire.AppName(language="en", name="B")])
    apps[0].call("RegisterApp", manifest=named)
    for size in (0, 1, 3):
        found = list(listed(own_client, page_size=size))
        assert [each.center.app_id for each in found] == ["a", "a-b", "a.b", "b"]
    last = found[-1]
    assert (last.name, last.badge) == ("B", 3)
    assert found[0].name == "a"
    assert last.settings == settings_of(apps[0])
    assert last.as_of_event == apps[0].events()[-1].number
    assert [each.center.app_id for each in listed(own_client, device_id="tablet")] == ["c"]
    assert list(listed(own_client, device_id="none")) == []
    token = own_client.call("ListApps", page_size=1).next_page_token
    refused = refusal_of(
        lambda: own_client.call("ListApps", device_id="tablet", page_token=token)
    )
    Expected(INVALID, "PAGE_TOKEN_INVALID", ("page_token",)).check(refused)


def test_a_person_changes_the_settings(app: App) -> None:
    """A-4."""
    response = change(
        app,
        alert_setting=DISABLED,
        alert_style=wire.ALERT_STYLE_ALERT,
        show_previews_setting=wire.SHOW_PREVIEWS_SETTING_NEVER,
    )
    assert response.settings == settings_of(app)
    assert response.settings.alert_setting == DISABLED
    assert response.settings.sound_setting == ENABLED
    assert response.settings.alert_style == wire.ALERT_STYLE_ALERT
    assert response.as_of_event == app.events()[-1].number
    again = change(app, alert_setting=DISABLED)
    assert again == response


def test_a_change_is_made_whole_or_not_at_all(app: App) -> None:
    before = settings_of(app)
    refused = refusal_of(
        lambda: change(app, alert_setting=DISABLED, car_play_setting=ENABLED)
    )
    Expected(FAILED, "SETTING_NOT_SUPPORTED", ("settings.car_play_setting",)).check(refused)
    refused = refusal_of(lambda: change(app, "alert_setting", "nothing", alert_setting=DISABLED))
    Expected(INVALID, "UPDATE_MASK_INVALID", ("update_mask.paths[1]",)).check(refused)
    refused = refusal_of(lambda: app.call("UpdateSettings"))
    Expected(INVALID, "UPDATE_MASK_EMPTY", ("update_mask",)).check(refused)
    assert settings_of(app) == before


def test_an_app_that_never_asked_has_no_settings_to_change(client: Client) -> None:
    app = client.app()
    app.call("RegisterApp")
    refused = refusal_of(
        lambda: change(app, authorization_status=wire.AUTHORIZATION_STATUS_AUTHORIZED)
    )
    assert (refused.code, refused.reason) == (FAILED, "AUTHORIZATION_NOT_DETERMINED")


@pytest.mark.parametrize("grouping", [1, 2, 0])
def test_a_person_groups_an_apps_notifications(app: App, grouping: int) -> None:
    assert app.call("UpdateSettings", grouping=grouping).grouping == grouping
    found = next(
        each for each in listed(app.client) if each.center.app_id == app.center.app_id
    )
    assert found.grouping == grouping
