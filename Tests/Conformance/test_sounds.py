"""What a device plays for a notification (semantics.md 13, 16.1)."""

from dataclasses import dataclass

import pytest

from harness import wire
from harness.client import App
from harness.device import Watch, update

ENABLED = wire.NOTIFICATION_SETTING_ENABLED
DISABLED = wire.NOTIFICATION_SETTING_DISABLED
ACTIVE = wire.INTERRUPTION_LEVEL_ACTIVE
PASSIVE = wire.INTERRUPTION_LEVEL_PASSIVE
CRITICAL = wire.INTERRUPTION_LEVEL_CRITICAL
RINGTONE = wire.SOUND_KIND_RINGTONE


def sound(name: str = "", *, kind: int = 0, volume: float | None = None) -> wire.Sound:
    return wire.Sound(name=name, kind=kind, volume=volume)


def critical(name: str = "", *, volume: float | None = None) -> wire.Sound:
    return wire.Sound(name=name, critical=True, volume=volume)


@dataclass(frozen=True)
class Case:
    """What a content asks for, and what is played; None is silence."""

    name: str
    asked: wire.Sound | None
    played: wire.Sound | None
    level: int = ACTIVE
    is_critical_allowed: bool = True
    is_muted: bool = False


CASES = [
    Case("default", sound(), sound()),
    Case("named", sound("ding.caf"), sound("ding.caf")),
    Case("default critical", critical(), critical()),
    Case("default critical with volume", critical(volume=0.5), critical(volume=0.5)),
    Case("named critical", critical("ding.caf"), critical("ding.caf")),
    Case(
        "named critical with volume",
        critical("ding.caf", volume=0.0),
        critical("ding.caf", volume=0.0),
    ),
    Case("ringtone", sound(kind=RINGTONE), sound(kind=RINGTONE)),
    Case("named ringtone", sound("ring.caf", kind=RINGTONE), sound("ring.caf", kind=RINGTONE)),
    Case("none", None, None),
    Case("passive", sound(), None, PASSIVE),
    Case("critical level", None, critical(), CRITICAL),
    Case("critical level, named", sound("ding.caf"), critical("ding.caf"), CRITICAL),
    Case("critical not allowed", critical("ding.caf"), sound("ding.caf"), ACTIVE, False),
    Case("critical level not allowed", None, sound(), CRITICAL, False),
    Case("muted", sound(), None, is_muted=True),
    Case("muted, critical", critical(), critical(), is_muted=True),
]


@pytest.fixture
def alarm(own_device: App) -> App:
    """An app that may ask for critical alerts."""
    entitlements = wire.Entitlements(critical_alerts=True)
    own_device.call("RegisterApp", manifest=wire.AppManifest(entitlements=entitlements))
    own_device.authorize(wire.AUTHORIZATION_OPTION_CRITICAL_ALERT)
    return own_device


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_what_is_played(alarm: App, case: Case) -> None:
    setting = ENABLED if case.is_critical_allowed else DISABLED
    alarm.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(critical_alert_setting=setting),
        update_mask={"paths": ["critical_alert_setting"]},
    )
    update(alarm.client, "muted", device=alarm.center.device_id, muted=case.is_muted)
    watch = Watch(alarm)
    watch.until("snapshot")
    # The badge comes last of a delivery's frames.
    alarm.add("a", title="A title", badge=1, sound=case.asked, interruption_level=case.level)
    frames = watch.until("badge")
    watch.close()
    played = [frame.sound.sound for frame in frames if frame.HasField("sound")]
    assert played == ([] if case.played is None else [case.played])
    vibrates = any(frame.HasField("vibrate") for frame in frames)
    assert vibrates == (case.is_muted and case.played is None)
