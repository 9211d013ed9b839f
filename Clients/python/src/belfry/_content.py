"""What a notification says: from the arguments of `app.add` to the content of the wire."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Optional, Union

from . import v1
from ._actions import action_of
from .errors import invalid
from .models import Action

_LEVELS = {
    "passive": v1.INTERRUPTION_LEVEL_PASSIVE,
    "active": v1.INTERRUPTION_LEVEL_ACTIVE,
    "time_sensitive": v1.INTERRUPTION_LEVEL_TIME_SENSITIVE,
    "critical": v1.INTERRUPTION_LEVEL_CRITICAL,
}


def content(
    title: str,
    body: str,
    *,
    subtitle: str = "",
    thread: str = "",
    sound: Union[bool, str] = False,
    badge: Optional[int] = None,
    level: Optional[str] = None,
    user_info: Optional[Mapping[str, Any]] = None,
    actions: Iterable[Action] = (),
    category: str = "",
    progress: Optional[float] = None,
    quiet: bool = False,
) -> v1.NotificationContent:
    """The content, without its files."""
    made = v1.NotificationContent(
        title=title, subtitle=subtitle, body=body, thread_identifier=thread, badge=badge,
        actions=[action_of(each) for each in actions], category_identifier=category,
        progress=progress, updates_quietly=quiet,
    )  # fmt: skip
    if sound:
        made.sound.CopyFrom(v1.Sound(name=sound if isinstance(sound, str) else ""))
    if level is not None:
        if level not in _LEVELS:
            raise invalid("level", f"{level!r} is none: write one of {', '.join(_LEVELS)}")
        made.interruption_level = _LEVELS[level]
    if user_info is not None:
        try:
            made.user_info_json = json.dumps(dict(user_info), ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise invalid("user_info", f"is no JSON: {error}") from None
    return made
