"""How much attention a notification may take: levels, Focus, and who waits for the summary (16)."""

from harness import wire
from harness.person_model.permission import ENABLED, PROVISIONAL

PASSIVE = wire.INTERRUPTION_LEVEL_PASSIVE
ACTIVE = wire.INTERRUPTION_LEVEL_ACTIVE
TIME_SENSITIVE = wire.INTERRUPTION_LEVEL_TIME_SENSITIVE
CRITICAL = wire.INTERRUPTION_LEVEL_CRITICAL


def level_of(content: wire.NotificationContent, settings: wire.NotificationSettings) -> int:
    """The level after permissions had their say (INT-2, D-25)."""
    level = content.interruption_level if content.HasField("interruption_level") else ACTIVE
    if level == CRITICAL and settings.critical_alert_setting != ENABLED:
        level = TIME_SENSITIVE
    if level == TIME_SENSITIVE and settings.time_sensitive_setting != ENABLED:
        level = ACTIVE
    return level


def passes_focus(
    focus: wire.Focus | None, app_id: str, content: wire.NotificationContent, level: int
) -> bool:
    """Whether it gets through the Focus that is on (FOC-4)."""
    if focus is None or level == CRITICAL:
        return True
    if level == TIME_SENSITIVE and focus.allow_time_sensitive:
        return True
    if content.HasField("communication"):
        if content.communication.sender in focus.allowed_people:
            return True
    return app_id in focus.allowed_apps and _passes_filter(focus, app_id, content)


def _passes_filter(focus: wire.Focus, app_id: str, content: wire.NotificationContent) -> bool:
    for chosen in focus.filters:
        if chosen.app_id == app_id and content.filter_criteria:
            is_named = content.filter_criteria in chosen.values
            return is_named == (chosen.mode == wire.FOCUS_FILTER_MODE_ONLY)
    return True


def waits_for_summary(
    summary: wire.ScheduledSummary, app_id: str, content: wire.NotificationContent, level: int
) -> bool:
    """Whether the app's notification is held for the digest (SSM-1, 16.1, INT-4)."""
    is_in_it = summary.enabled and app_id in summary.apps
    return is_in_it and level < TIME_SENSITIVE and not content.HasField("communication")


def is_quiet(
    device: wire.DeviceState,
    app_id: str,
    content: wire.NotificationContent,
    level: int,
    status: int,
) -> bool:
    """Whether a Focus or a quiet grant keeps banner and sound away."""
    focus = device.focus if device.HasField("focus") else None
    return status == PROVISIONAL or not passes_focus(focus, app_id, content, level)
