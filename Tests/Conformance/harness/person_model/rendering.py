"""What a screen shows: hidden previews, groups and their summaries (§10, §11, §15)."""

import re
from collections.abc import Mapping, Sequence

from harness import wire

Categories = Mapping[str, wire.NotificationCategory]

HIDDEN_BODY = "Notification"
ACTIONS_SHOWN = 10


def thread_of(content: wire.NotificationContent) -> str:
    """The thread: that of the content, or the conversation of a communication (COM)."""
    if content.thread_identifier or not content.HasField("communication"):
        return content.thread_identifier
    return content.communication.conversation_id


def is_hidden(settings: wire.NotificationSettings, *, is_locked: bool) -> bool:
    """Whether previews are hidden now: the nine cells of §10."""
    previews = settings.show_previews_setting
    if previews == wire.SHOW_PREVIEWS_SETTING_NEVER:
        return True
    return previews == wire.SHOW_PREVIEWS_SETTING_WHEN_AUTHENTICATED and is_locked


def fill_texts(
    rendered: wire.RenderedNotification,
    content: wire.NotificationContent,
    category: wire.NotificationCategory | None,
    *,
    hidden: bool,
    in_thread: int,
) -> None:
    """The texts, or what stands for them."""
    if not hidden:
        rendered.title, rendered.subtitle = content.title, content.subtitle
        rendered.body = content.body
        if content.HasField("communication"):
            rendered.communication.CopyFrom(content.communication)
        return
    options = set(category.options) if category else set()
    if wire.CATEGORY_OPTION_HIDDEN_PREVIEWS_SHOW_TITLE in options:
        rendered.title = content.title
    if wire.CATEGORY_OPTION_HIDDEN_PREVIEWS_SHOW_SUBTITLE in options:
        rendered.subtitle = content.subtitle
    placeholder = category.hidden_previews_body_placeholder if category else ""
    rendered.body = placeholder.replace("%u", str(in_thread), 1) or HIDDEN_BODY
    rendered.redacted = True


def count_of(content: wire.NotificationContent) -> int:
    """How many items it stands for (SUM-4)."""
    has_count = content.HasField("summary_argument_count")
    return content.summary_argument_count if has_count else 1


def default_summary(count: int) -> str:
    """The system's own line."""
    return f"{count} more notification" + ("" if count == 1 else "s")


def joined(arguments: Sequence[str]) -> str:
    """A list as English writes it (SUM-8)."""
    if len(arguments) < 2:
        return "".join(arguments)
    return f"{', '.join(arguments[:-1])} and {arguments[-1]}"


def expanded(text: str, count: int, arguments: str) -> str:
    """Fills in the first %u and the first %@, by number or not (SUM-13)."""
    done: set[str] = set()

    def fill(match: re.Match[str]) -> str:
        kind = match[0][-1]
        if kind in done:
            return match[0]
        done.add(kind)
        return str(count) if kind == "u" else arguments

    return re.sub(r"%1\$u|%2\$@|%u|%@", fill, text)


def summary(
    contents: Sequence[wire.NotificationContent], categories: Categories, *, hidden: bool
) -> str:
    """The line below the newest of a group, which is the first (§15.2)."""
    lead, others = contents[0], contents[1:]
    if not others:
        return ""
    count = sum(count_of(content) for content in others)
    category = categories.get(lead.category_identifier) if lead.category_identifier else None
    text = category.category_summary_format if category else ""
    is_mixed = any(content.category_identifier != lead.category_identifier for content in others)
    arguments = list(dict.fromkeys(c.summary_argument for c in others if c.summary_argument))
    needs_arguments = "%@" in text or "%2$@" in text
    if not text or is_mixed or hidden or (needs_arguments and not arguments):
        return default_summary(count)
    return expanded(text, count, joined(arguments))
