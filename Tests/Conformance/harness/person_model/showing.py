"""How one delivery shows itself: settings, level, Focus, summary and the app's choice together."""

from dataclasses import dataclass

from harness import wire
from harness.person_model import attention, presentation


@dataclass(frozen=True)
class Showing:
    """What takes place of a delivery."""

    effects: frozenset[int]
    # It waits for the scheduled summary.
    held: bool
    # Banner and sound are kept away.
    quiet: bool
    # Whether the device sounds or vibrates.
    alarm: str
    # The name of the Focus that keeps it quiet.
    silenced_by: str | None = None


def decide(
    device: wire.DeviceState,
    app_id: str,
    settings: wire.NotificationSettings,
    content: wire.NotificationContent,
    choice: frozenset[int] | None,
) -> Showing:
    """The decision of §8, steps 6 to 10; `choice` is the app's, if it has a say."""
    wanted = presentation.ALL if choice is None else choice
    level = attention.level_of(content, settings)
    circumstances = presentation.Circumstances(settings, device.locked, device.muted, level)
    permitted = circumstances.permitted(content) & wanted
    status = settings.authorization_status
    is_quiet = attention.is_quiet(device, app_id, content, level, status)
    waits = not is_quiet and attention.waits_for_summary(device.summary, app_id, content, level)
    quiet = waits or is_quiet
    kept_away = {presentation.BANNER, presentation.SOUND} if quiet else set()
    is_heard = presentation.SOUND in wanted and not quiet
    is_silenced = is_quiet and status != attention.PROVISIONAL
    return Showing(
        effects=permitted - kept_away,
        held=waits and presentation.LIST in permitted,
        quiet=quiet,
        alarm=circumstances.alarm(content) if is_heard else "",
        silenced_by=device.focus.name if is_silenced else None,
    )
