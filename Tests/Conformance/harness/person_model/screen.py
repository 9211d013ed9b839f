"""What a device shows, made of the model: groups, rendered notifications and apps."""

from harness import wire
from harness.person_model import attention, rendering
from harness.person_model.center import Center
from harness.person_model.device import Device
from harness.person_model.permission import PROVISIONAL
from harness.person_model.records import Delivered
from harness.person_model.times import timestamp


def groups_of(device: Device) -> list[wire.NotificationGroup]:
    """All groups, newest first."""
    found = [group for center in device.registered() for group in _groups(center)]
    return sorted(found, key=lambda group: group.info.date.ToNanoseconds(), reverse=True)


def key(center: Center, entry: Delivered) -> tuple[str, int]:
    """What the members of a group have in common (GRP-1..3)."""
    if center.grouping == wire.NOTIFICATION_GROUPING_OFF:
        return "", entry.delivery
    if center.grouping == wire.NOTIFICATION_GROUPING_BY_APP:
        return "", 0
    return rendering.thread_of(entry.content), 0


def _groups(center: Center) -> list[wire.NotificationGroup]:
    members: dict[tuple[str, int], list[Delivered]] = {}
    for entry in reversed(center.delivered):
        members.setdefault(key(center, entry), []).append(entry)
    return [_group(center, entries) for entries in members.values()]


def _group(center: Center, entries: list[Delivered]) -> wire.NotificationGroup:
    hidden = rendering.is_hidden(center.settings, is_locked=center.device.state.locked)
    contents = [entry.content for entry in entries]
    is_by_thread = center.grouping == wire.NOTIFICATION_GROUPING_AUTOMATIC
    info = wire.NotificationGroupInfo(
        center=center.wire,
        thread_identifier=rendering.thread_of(contents[0]) if is_by_thread else "",
        count=len(entries),
        summary=rendering.summary(contents, center.categories, hidden=hidden),
        date=timestamp(entries[0].date),
        as_of_event=len(center.events),
    )
    rendered = [render(center, entry) for entry in entries]
    return wire.NotificationGroup(info=info, notifications=rendered)


def render(center: Center, entry: Delivered) -> wire.RenderedNotification:
    """One notification as the screen shows it now."""
    content = entry.content
    category = center.categories.get(content.category_identifier)
    # A banner counts itself, also where the list does not have it.
    shown = [*center.delivered, *([] if entry in center.delivered else [entry])]
    threads = [rendering.thread_of(other.content) for other in shown]
    rendered = wire.RenderedNotification(
        notification=center.reference(entry.identifier, entry.delivery),
        app_name=center.app_id,
        date=timestamp(entry.date),
        held=entry.held,
        silenced_by_focus=entry.silenced_by,
        interruption_level=attention.level_of(content, center.settings),
    )
    rendering.fill_texts(
        rendered,
        content,
        category,
        hidden=rendering.is_hidden(center.settings, is_locked=center.device.state.locked),
        in_thread=threads.count(rendering.thread_of(content)),
    )
    if category:
        rendered.actions.extend(category.actions[: rendering.ACTIONS_SHOWN])
    if center.permission.status == PROVISIONAL and center.permission.prompt:
        rendered.prompt_id = center.permission.prompt.prompt_id
    return rendered


def apps_of(device: Device) -> list[wire.DeviceApp]:
    """All apps, by their identifiers."""
    apps = [
        wire.DeviceApp(
            center=center.wire,
            name=center.app_id,
            settings=center.settings,
            badge=center.badge,
            as_of_event=len(center.events),
            grouping=center.grouping,
        )
        for center in device.registered()
    ]
    return sorted(apps, key=lambda app: app.center.app_id)


def prompts_of(device: Device) -> list[wire.AuthorizationPrompt]:
    """All open questions to the person, by the apps' identifiers."""
    found = []
    for center in sorted(device.registered(), key=lambda center: center.app_id):
        if prompt := center.permission.prompt:
            question = wire.AuthorizationPrompt(
                prompt_id=prompt.prompt_id,
                center=center.wire,
                kind=prompt.kind,
                options=sorted(center.permission.asked),
                app_name=center.app_id,
            )
            found.append(question)
    return found
