"""Which effects a delivery has: the table of §8."""

from dataclasses import dataclass

from harness import wire
from harness.person_model.attention import ACTIVE, CRITICAL
from harness.person_model.permission import ENABLED

BADGE = wire.PRESENTATION_OPTION_BADGE
SOUND = wire.PRESENTATION_OPTION_SOUND
LIST = wire.PRESENTATION_OPTION_LIST
BANNER = wire.PRESENTATION_OPTION_BANNER
ALL = frozenset([BADGE, SOUND, LIST, BANNER])


def chosen(options: wire.PresentationOptions) -> frozenset[int]:
    """What an app chose; ALERT is LIST and BANNER (FG-5)."""
    named = set(options.options)
    if wire.PRESENTATION_OPTION_ALERT in named:
        named |= {LIST, BANNER}
    return frozenset(named & ALL)


def has_text(content: wire.NotificationContent) -> bool:
    """Whether there is something to read."""
    return bool(content.title or content.subtitle or content.body)


@dataclass(frozen=True)
class Circumstances:
    """What the person's side is like as a notification comes."""

    settings: wire.NotificationSettings
    is_locked: bool
    is_muted: bool
    level: int

    def alarm(self, content: wire.NotificationContent) -> str:
        """Whether it makes the device sound or vibrate; mute leaves critical ones alone."""
        if not content.HasField("sound") and self.level != CRITICAL:
            return ""
        if self.settings.sound_setting != ENABLED or self.level < ACTIVE:
            return ""
        return "vibrate" if self.is_muted and not self.is_critical(content) else "sound"

    def is_critical(self, content: wire.NotificationContent) -> bool:
        """Whether its sound is a critical one (INT-3, SND-3)."""
        may = self.settings.critical_alert_setting == ENABLED
        return may and (self.level == CRITICAL or content.sound.critical)

    def permitted(self, content: wire.NotificationContent) -> frozenset[int]:
        """The effects that the settings permit where nothing is to be quiet."""
        settings = self.settings
        is_loud = self.level >= ACTIVE
        is_on_screen = (
            settings.lock_screen_setting == ENABLED
            if self.is_locked
            else settings.alert_style != wire.ALERT_STYLE_NONE
        )
        effects = {
            BADGE: content.HasField("badge") and settings.badge_setting == ENABLED,
            SOUND: self.alarm(content) == "sound",
            LIST: has_text(content) and settings.notification_center_setting == ENABLED,
            BANNER: has_text(content)
            and settings.alert_setting == ENABLED
            and is_on_screen
            and is_loud,
        }
        return frozenset(option for option, happens in effects.items() if happens)
