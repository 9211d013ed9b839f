"""What the person allows an app: authorization, prompts and each setting (§4)."""

from dataclasses import dataclass, field

from harness import wire
from harness.person_model.refused import Refused

DISABLED = wire.NOTIFICATION_SETTING_DISABLED
ENABLED = wire.NOTIFICATION_SETTING_ENABLED
NOT_SUPPORTED = wire.NOTIFICATION_SETTING_NOT_SUPPORTED

NOT_DETERMINED = wire.AUTHORIZATION_STATUS_NOT_DETERMINED
DENIED = wire.AUTHORIZATION_STATUS_DENIED
AUTHORIZED = wire.AUTHORIZATION_STATUS_AUTHORIZED
PROVISIONAL = wire.AUTHORIZATION_STATUS_PROVISIONAL
EPHEMERAL = wire.AUTHORIZATION_STATUS_EPHEMERAL
MAY_NOTIFY = frozenset([AUTHORIZED, PROVISIONAL, EPHEMERAL])

ALERT = wire.AUTHORIZATION_OPTION_ALERT
CRITICAL = wire.AUTHORIZATION_OPTION_CRITICAL_ALERT
TIME_SENSITIVE = wire.AUTHORIZATION_OPTION_TIME_SENSITIVE
PROVIDES = wire.AUTHORIZATION_OPTION_PROVIDES_APP_NOTIFICATION_SETTINGS
QUIETLY = wire.AUTHORIZATION_OPTION_PROVISIONAL

# The setting that an option asks for.
SETTING_OF = {
    wire.AUTHORIZATION_OPTION_BADGE: "badge_setting",
    wire.AUTHORIZATION_OPTION_SOUND: "sound_setting",
    ALERT: "alert_setting",
    wire.AUTHORIZATION_OPTION_CAR_PLAY: "car_play_setting",
    CRITICAL: "critical_alert_setting",
    wire.AUTHORIZATION_OPTION_ANNOUNCEMENT: "announcement_setting",
    TIME_SENSITIVE: "time_sensitive_setting",
}
BASIC = ("alert_setting", "sound_setting", "badge_setting")

INITIAL = wire.AUTHORIZATION_PROMPT_KIND_INITIAL
UPGRADE = wire.AUTHORIZATION_PROMPT_KIND_UPGRADE
QUIET = wire.AUTHORIZATION_PROMPT_KIND_QUIET


@dataclass
class Prompt:
    """A question to the person that waits for an answer. The server names it."""

    kind: int
    prompt_id: str = ""


@dataclass
class Permission:
    """The choices of one person about one app, without the summary, which is the device's."""

    has_critical: bool = False
    has_time_sensitive: bool = False
    is_ephemeral: bool = False
    settings: wire.NotificationSettings = field(default_factory=wire.NotificationSettings)
    # The options that the app asked for and may have, in all its requests.
    asked: set[int] = field(default_factory=set)
    # The open question, if any: one at a time, whose kind may change.
    prompt: Prompt | None = None
    was_kept: bool = False

    @property
    def status(self) -> int:
        """The authorization."""
        return self.settings.authorization_status

    @property
    def may_notify(self) -> bool:
        """Whether notifications are delivered at all."""
        return self.status in MAY_NOTIFY

    def _set(self, name: str, value: int) -> None:
        setattr(self.settings, name, value)

    def may_have(self, options: set[int]) -> set[int]:
        """What of the options this app may be given."""
        refused = set() if self.has_critical else {CRITICAL}
        return options - refused - {QUIETLY}

    def yes(self) -> set[int]:
        """What a plain yes allows: critical alerts only where no other permission is asked."""
        others = self.asked - {CRITICAL}
        return others if others - {PROVIDES} else self.asked

    def request(self, options: set[int]) -> None:
        """The app asks. What is open afterwards is in `prompt`."""
        new = self.may_have(options) - self.asked
        self.asked |= new
        if self.status == NOT_DETERMINED:
            self._first_request(options)
        elif self.status == PROVISIONAL and QUIETLY not in options:
            # Nothing changes until the person has answered.
            if self.prompt and self.may_have(options):
                self.prompt.kind = UPGRADE
            return
        elif self.status == PROVISIONAL:
            self._offer_all(self.may_have(options))
        elif self.status in (AUTHORIZED, EPHEMERAL):
            self._merge(new)
        if self.status == PROVISIONAL:
            # The other options of an open prompt wait for its answer.
            self.settings.provides_app_notification_settings |= PROVIDES in options
        else:
            self._tell_of_app_settings()

    def _first_request(self, options: set[int]) -> None:
        if self.is_ephemeral:
            if self.asked or QUIETLY in options:
                self._allow(self.yes(), EPHEMERAL)
        elif QUIETLY in options:
            self._begin_quietly(self.may_have(options))
        elif self.prompt is None and self.asked:
            self.prompt = Prompt(INITIAL)

    def _offer_all(self, options: set[int]) -> None:
        for option in options:
            self._offer(option, DISABLED)

    def _offer(self, option: int, value: int) -> None:
        """A setting that there was not gets a value; one that there was keeps it."""
        if name := SETTING_OF.get(option):
            if getattr(self.settings, name) == NOT_SUPPORTED:
                self._set(name, value)

    def _merge(self, new: set[int]) -> None:
        """New options of an app that may notify already (D-3)."""
        for option in new:
            is_basic = SETTING_OF.get(option) in BASIC
            is_off = option == CRITICAL or (self.was_kept and is_basic)
            was = self.settings.alert_setting
            self._offer(option, DISABLED if is_off else ENABLED)
            if option == ALERT and was == NOT_SUPPORTED and not is_off:
                self._show_alerts()

    def _is_offered(self, option: int) -> bool:
        name = SETTING_OF.get(option)
        if option == PROVIDES:
            return self.settings.provides_app_notification_settings
        return name is None or getattr(self.settings, name) != NOT_SUPPORTED

    def _offer_lists(self) -> None:
        """What shows alerts is on unless the person turned it off."""
        for name in ("notification_center_setting", "lock_screen_setting"):
            if getattr(self.settings, name) == NOT_SUPPORTED:
                self._set(name, ENABLED)

    def _show_alerts(self) -> None:
        self._set("notification_center_setting", ENABLED)
        self._set("lock_screen_setting", ENABLED)
        self._set("alert_style", wire.ALERT_STYLE_BANNER)

    def _tell_of_app_settings(self) -> None:
        if self.status != NOT_DETERMINED:
            self.settings.provides_app_notification_settings = PROVIDES in self.asked

    def _begin_quietly(self, options: set[int]) -> None:
        """A quiet grant (A-5, A-6); what an open prompt asks is left to that (D-23)."""
        self._set("authorization_status", PROVISIONAL)
        for name in (*BASIC, "lock_screen_setting"):
            self._set(name, DISABLED)
        self._offer_all(options)
        self._set("notification_center_setting", ENABLED)
        self._set("alert_style", wire.ALERT_STYLE_NONE)
        if self.has_time_sensitive:
            self._set("time_sensitive_setting", DISABLED)
        if self.prompt:
            self.prompt.kind = UPGRADE
        else:
            self.prompt = Prompt(QUIET)

    def _allow(self, allowed: set[int], status: int) -> None:
        """The person allows some of what was asked; the rest is off."""
        self._set("authorization_status", status)
        for option in self.asked:
            if name := SETTING_OF.get(option):
                self._set(name, ENABLED if option in allowed else DISABLED)
        for name in BASIC:
            if not any(SETTING_OF.get(option) == name for option in self.asked):
                self._set(name, NOT_SUPPORTED)
        self._show_lists(allowed)
        if self.has_time_sensitive and TIME_SENSITIVE not in self.asked:
            self._set("time_sensitive_setting", ENABLED)
        self._tell_of_app_settings()

    def _show_lists(self, allowed: set[int]) -> None:
        value = NOT_SUPPORTED
        if ALERT in self.asked:
            value = ENABLED if ALERT in allowed else DISABLED
        self._set("notification_center_setting", value)
        self._set("lock_screen_setting", value)
        is_shown = value == ENABLED
        style = wire.ALERT_STYLE_BANNER if is_shown else wire.ALERT_STYLE_NONE
        self._set("alert_style", style)

    def _keep(self, options: set[int]) -> None:
        """Quiet delivery goes on, and nothing else is on before the person wants it (A-7)."""
        self._set("authorization_status", AUTHORIZED)
        self._offer_all(options)
        self._set("notification_center_setting", ENABLED)
        self.was_kept = True

    def _deny(self) -> None:
        self._set("authorization_status", DENIED)
        for option, name in SETTING_OF.items():
            if option in self.asked or getattr(self.settings, name) == ENABLED:
                self._set(name, DISABLED)
            else:
                # Nobody chose the options that a quiet grant put off unasked (D-30).
                self._set(name, NOT_SUPPORTED)
        if self.has_time_sensitive:
            self._set("time_sensitive_setting", DISABLED)
        if self.settings.notification_center_setting != NOT_SUPPORTED:
            self._set("notification_center_setting", DISABLED)
            self._set("lock_screen_setting", DISABLED)
        self._set("alert_style", wire.ALERT_STYLE_NONE)

    def answer(self, kind: int, answer: int, options: set[int]) -> None:
        """The person answers the open question of a kind."""
        quiet_answers = (wire.PROMPT_ANSWER_KEEP, wire.PROMPT_ANSWER_TURN_OFF)
        if answer != wire.PROMPT_ANSWER_ALLOW and options:
            raise Refused("ANSWER_INVALID")
        if kind == INITIAL and answer in quiet_answers and self.status != PROVISIONAL:
            raise Refused("ANSWER_INVALID")
        if kind == QUIET and answer not in quiet_answers:
            raise Refused("ANSWER_INVALID")
        # That an app has settings of its own is nothing to allow.
        allows_nothing = options == {PROVIDES} and self.asked != {PROVIDES}
        if not options <= self.asked or allows_nothing:
            raise Refused("ANSWER_INVALID")
        if answer == wire.PROMPT_ANSWER_ALLOW:
            self._allow(options or self.yes(), AUTHORIZED)
            self.was_kept = False
        elif answer == wire.PROMPT_ANSWER_KEEP:
            self._keep(self.asked)
        else:
            self._deny()
        self._tell_of_app_settings()
        self.prompt = None

    def choose(self, name: str, value: int) -> None:
        """The person changes one thing in the system's settings."""
        if name == "authorization_status":
            self._choose_status(value)
        elif name == "show_previews_setting":
            self._set(name, value)
        elif name == "alert_style":
            if self.settings.alert_setting == NOT_SUPPORTED:
                raise Refused("SETTING_NOT_SUPPORTED")
            self._set(name, value)
        elif getattr(self.settings, name) == NOT_SUPPORTED:
            raise Refused("SETTING_NOT_SUPPORTED")
        else:
            self._set(name, value)
            style = self.settings.alert_style
            if name == "alert_setting" and value == ENABLED and style == wire.ALERT_STYLE_NONE:
                self._set("alert_style", wire.ALERT_STYLE_BANNER)

    def _choose_status(self, value: int) -> None:
        if value == DENIED:
            self._set("authorization_status", DENIED)
            self.prompt = None
        elif self.status == DENIED:
            # That it may be time-sensitive lets nothing be seen or heard.
            names = {*SETTING_OF.values(), "notification_center_setting", "lock_screen_setting"}
            names.remove("time_sensitive_setting")
            if any(getattr(self.settings, name) == ENABLED for name in names):
                self._set("authorization_status", EPHEMERAL if self.is_ephemeral else AUTHORIZED)
                # The options that it asked for while it was denied count now.
                self._merge(self.asked)
                if ALERT in self.asked:
                    self._offer_lists()
            else:
                self._allow(self.yes(), EPHEMERAL if self.is_ephemeral else AUTHORIZED)
        elif self.status == PROVISIONAL:
            # The options of the open prompt were never offered, and count as new when asked again.
            offered = {o for o in self.asked if self._is_offered(o)}
            shown = self.settings.notification_center_setting
            self._keep(set())
            # No question is answered: what the person switched off before stays off.
            self._set("notification_center_setting", shown)
            self.asked = offered
            self.prompt = None
