"""Progress, and updates that alert no second time (ADD-13)."""

import pytest

from harness import wire
from harness.client import App
from harness.device import dismiss, listed, reference, update

LIST, BANNER, SOUND = (
    wire.PRESENTATION_OPTION_LIST,
    wire.PRESENTATION_OPTION_BANNER,
    wire.PRESENTATION_OPTION_SOUND,
)
LOUD, QUIET = {LIST, BANNER, SOUND}, {LIST}


def last(app: App) -> set[int]:
    """How the newest delivery showed itself."""
    [*_, presentation] = [
        event.delivered.presentation for event in app.events() if event.HasField("delivered")
    ]
    return set(presentation.options)


def add(app: App, progress: float, *, quietly: bool = True) -> None:
    app.add(
        "a",
        title="Copying",
        sound=wire.Sound(),
        progress=progress,
        updates_quietly=quietly,
    )


def test_an_update_alerts_no_second_time(own_device: App) -> None:
    app = own_device
    add(app, 0)
    assert last(app) == LOUD
    for progress in (0.5, 0.75):
        add(app, progress)
        assert last(app) == QUIET
        assert app.delivered() == ["a"]
    # One that does not say so alerts, as ever (ADD-4).
    add(app, 1, quietly=False)
    assert last(app) == LOUD
    dismiss(app, notification=reference(app, "a", 4))
    add(app, 0.5)
    assert last(app) == LOUD


def test_an_update_of_what_is_snoozed_is_quiet_and_the_snooze_is_not(own_app: App) -> None:
    app = own_app
    add(app, 0)
    app.client.call(
        "Snooze", notification=reference(app, "a", 1), duration=wire.seconds(60)
    )
    app.client.advance(60)
    assert last(app) == LOUD
    app.client.call(
        "Snooze", notification=reference(app, "a", 2), duration=wire.seconds(60)
    )
    add(app, 0.5)
    assert last(app) == QUIET


@pytest.mark.parametrize("locked", [False, True])
def test_progress_is_shown_and_hidden(own_device: App, locked: bool) -> None:
    app = own_device
    app.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(
            show_previews_setting=wire.SHOW_PREVIEWS_SETTING_WHEN_AUTHENTICATED
        ),
        update_mask={"paths": ["show_previews_setting"]},
    )
    add(app, 0.25)
    app.add("none", title="No bar")
    update(app.client, "locked", device=app.center.device_id, locked=locked)
    shown = {
        one.notification.identifier: one
        for group in listed(app).groups
        for one in group.notifications
    }
    assert shown["a"].HasField("progress") == (not locked)
    assert shown["a"].progress == (0 if locked else 0.25)
    assert not shown["none"].HasField("progress")
