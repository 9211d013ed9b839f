"""The buttons of one notification."""

from __future__ import annotations

from . import v1
from .models import Action, Reply


def action_of(action: Action) -> v1.NotificationAction:
    """A button of the wire."""
    flags = [
        (action.unlock, v1.ACTION_OPTION_AUTHENTICATION_REQUIRED),
        (action.destructive, v1.ACTION_OPTION_DESTRUCTIVE),
        (action.foreground, v1.ACTION_OPTION_FOREGROUND),
    ]
    made = v1.NotificationAction(
        identifier=action.id, title=action.title, options=[bit for flag, bit in flags if flag]
    )
    if isinstance(action, Reply):
        made.text_input.button_title = action.button
        made.text_input.placeholder = action.placeholder
        made.text_input.SetInParent()
    return made
