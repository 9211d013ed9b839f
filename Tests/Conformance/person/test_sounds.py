"""What a device plays for a notification, and the sounds that an app has (§13, §16.1)."""

from dataclasses import dataclass

import grpc
import pytest

from harness import files, wire
from harness.client import App
from harness.device import Watch, update
from harness.keys import new_key
from harness.refusals import Expected, refusal_of

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
    Case("critical level not allowed", None, None, CRITICAL, False),
    Case("muted", sound(), None, is_muted=True),
    Case("muted, critical", critical(), critical(), is_muted=True),
]


@pytest.fixture
def alarm(own_device: App) -> App:
    """An app that may ask for critical alerts."""
    entitlements = wire.Entitlements(critical_alerts=True)
    own_device.call("RegisterApp", manifest=wire.AppManifest(entitlements=entitlements))
    own_device.authorize(wire.AUTHORIZATION_OPTION_CRITICAL_ALERT)
    for name in ("ding.caf", "ring.caf"):
        install(own_device, name, 1)
    return own_device


def allow_critical(app: App, *, is_allowed: bool) -> None:
    """The person decides about critical alerts."""
    setting = ENABLED if is_allowed else DISABLED
    app.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(critical_alert_setting=setting),
        update_mask={"paths": ["critical_alert_setting"]},
    )


def install(app: App, name: str, seconds: float, key: str = "") -> wire.InstalledSound:
    """Gives an app a sound that plays for so long."""
    stored = files.put(app, files.wave(seconds), "a.wav", purpose=files.SOUND)
    return set_sound(app, name, stored.attachment_id, key)


def set_sound(app: App, name: str, attachment: str, key: str = "") -> wire.InstalledSound:
    """Gives an app a sound, or takes it away."""
    response = app.client.call(
        "SetSound",
        app_id=app.center.app_id,
        name=name,
        attachment_id=attachment,
        idempotency_key=key,
    )
    assert response.HasField("sound") == bool(attachment)
    return response.sound


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_what_is_played(alarm: App, case: Case) -> None:
    allow_critical(alarm, is_allowed=case.is_critical_allowed)
    update(alarm.client, "muted", device=alarm.center.device_id, muted=case.is_muted)
    watch = Watch(alarm)
    watch.until("snapshot")
    # The badge comes last of a delivery's frames.
    alarm.add("a", title="A title", badge=1, sound=case.asked, interruption_level=case.level)
    frames = watch.until("badge")
    watch.close()
    played = [frame.sound.sound for frame in frames if frame.HasField("sound")]
    assert played == ([] if case.played is None else [case.played])
    has_files = [bool(frame.sound.attachment_id) for frame in frames if frame.HasField("sound")]
    assert has_files == [bool(sound.name) for sound in played]
    vibrates = any(frame.HasField("vibrate") for frame in frames)
    assert vibrates == (case.is_muted and case.played is None)


def frame_of(app: App, asked: wire.Sound) -> wire.SoundFrame:
    """What a device is told to play."""
    watch = Watch(app)
    watch.until("snapshot")
    app.add("a", title="A title", sound=asked)
    frame = watch.until("sound")[-1].sound
    watch.close()
    return frame


@pytest.mark.parametrize(
    "asked, default",
    [
        (sound("bell.wav"), sound()),
        (sound("bell.wav", kind=RINGTONE), sound(kind=RINGTONE)),
        (critical("bell.wav", volume=0.5), critical(volume=0.5)),
    ],
    ids=["named", "ringtone", "critical"],
)
def test_a_sound_that_is_missing_or_too_long_gives_way_to_the_systems(
    alarm: App, asked: wire.Sound, default: wire.Sound
) -> None:
    allow_critical(alarm, is_allowed=True)
    missing = frame_of(alarm, asked)
    assert (missing.sound, missing.attachment_id) == (default, "")
    short = install(alarm, "bell.wav", 29.999)
    assert not short.is_too_long
    played = frame_of(alarm, asked)
    assert (played.sound, played.attachment_id) == (asked, short.attachment_id)
    assert files.download(alarm, played.attachment_id) == files.wave(29.999)
    long = install(alarm, "bell.wav", 30)
    assert long.is_too_long
    assert long.duration == wire.seconds(30)
    gone = frame_of(alarm, asked)
    assert (gone.sound, gone.attachment_id) == (default, "")
    set_sound(alarm, "bell.wav", "")
    assert frame_of(alarm, asked).sound == default


def test_an_app_has_its_sounds_on_all_devices_and_no_other_app_has(own_device: App) -> None:
    app = own_device
    stored = install(app, "bell.wav", 1)
    twin = App(app.client, wire.Center(app_id=app.center.app_id, device_id=f"{app.center.app_id}.2"))
    other = app.client.app(device=f"{app.center.app_id}.3")
    twin.authorize()
    other.authorize()
    assert frame_of(twin, sound("bell.wav")).attachment_id == stored.attachment_id
    assert frame_of(other, sound("bell.wav")).sound == sound()
    # It is kept for as long as the app has it.
    assert not files.get(app, stored.attachment_id).HasField("unreferenced_until")
    set_sound(app, "bell.wav", "")
    expected = Expected(
        grpc.StatusCode.NOT_FOUND, "ATTACHMENT_NOT_IN_DATA_STORE", ("attachment_id",), 103
    )
    expected.check(refusal_of(lambda: files.get(app, stored.attachment_id)))


@pytest.mark.parametrize("name", ["", "a" * 257])
def test_a_sound_has_a_name(app: App, name: str) -> None:
    expected = Expected(grpc.StatusCode.INVALID_ARGUMENT, "SOUND_NAME_INVALID", ("name",))
    expected.check(refusal_of(lambda: install(app, name, 1)))


def test_only_what_was_stored_as_a_sound_is_one(app: App) -> None:
    picture = files.put(app, files.png()).attachment_id
    path = ("attachment_id",)
    for name, expected in {
        picture: Expected(
            grpc.StatusCode.INVALID_ARGUMENT, "ATTACHMENT_UNRECOGNIZED_TYPE", path, 101
        ),
        "x": Expected(grpc.StatusCode.NOT_FOUND, "ATTACHMENT_NOT_IN_DATA_STORE", path, 103),
    }.items():
        expected.check(refusal_of(lambda: set_sound(app, "bell.wav", name)))
    other = app.client.app()
    other.center.app_id = "a b"
    expected = Expected(grpc.StatusCode.INVALID_ARGUMENT, "APP_ID_INVALID", ("app_id",))
    expected.check(refusal_of(lambda: set_sound(other, "bell.wav", "")))


def test_a_retry_is_told_the_first_sound(app: App) -> None:
    key = new_key()
    stored = files.put(app, files.wave(1), "a.wav", purpose=files.SOUND).attachment_id
    first = set_sound(app, "bell.wav", stored, key)
    set_sound(app, "bell.wav", "")
    assert set_sound(app, "bell.wav", stored, key) == first


@pytest.mark.parametrize("hidden", ["\x85", "\u202e", "\u2066"], ids=["C1", "override", "isolate"])
def test_a_name_shows_what_it_is(own_device: App, hidden: str) -> None:
    stored = files.put(own_device, files.wave(1), "a.wav", purpose=files.SOUND)
    refusal = refusal_of(lambda: set_sound(own_device, f"a{hidden}.caf", stored.attachment_id))
    assert (refusal.code, refusal.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ("name",))
    # The character is told by its number.
    assert f"U+{ord(hidden):04X}" in str(refusal)
    refusal = refusal_of(lambda: files.put(own_device, files.png(), f"a{hidden}.png"))
    assert refusal.fields == ("metadata.file_name",)
    asked = wire.Sound(name=f"a{hidden}.caf")
    refusal = refusal_of(lambda: own_device.add("a", title="A title", sound=asked))
    assert refusal.fields == ("request.content.sound.name",)
