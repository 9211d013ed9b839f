"""The person asks for an app's own notification settings (openSettingsFor)."""

import grpc

from harness import wire
from harness.client import App
from harness.device import reference
from harness.keys import new_key
from harness.refusals import Expected, refusal_of

HAS_SETTINGS = wire.AUTHORIZATION_OPTION_PROVIDES_APP_NOTIFICATION_SETTINGS


def test_the_app_is_told_with_the_notification(own_device: App) -> None:
    app = own_device
    app.authorize(HAS_SETTINGS)
    app.add("a")
    notification = reference(app, "a", 1)
    key = new_key()
    for _ in range(2):
        app.call("OpenSettings", notification=notification, idempotency_key=key)
    app.call("OpenSettings")
    told = [event.open_settings for event in app.events() if event.HasField("open_settings")]
    assert told == [
        wire.OpenSettingsEvent(notification=notification),
        wire.OpenSettingsEvent(),
    ]


def test_what_is_refused(own_device: App) -> None:
    app = own_device
    expected = Expected(grpc.StatusCode.FAILED_PRECONDITION, "NO_APP_SETTINGS")
    expected.check(refusal_of(lambda: app.call("OpenSettings")))
    app.authorize(HAS_SETTINGS)
    gone = Expected(grpc.StatusCode.NOT_FOUND, "NOTIFICATION_NOT_FOUND")
    gone.check(refusal_of(lambda: app.call("OpenSettings", notification=reference(app, "a", 1))))
    other = wire.NotificationRef(
        center=wire.Center(app_id="org.example.other", device_id=app.center.device_id),
        identifier="a",
        delivery=1,
    )
    wrong = Expected(
        grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", ("notification.center",)
    )
    wrong.check(refusal_of(lambda: app.call("OpenSettings", notification=other)))
