"""The buttons of one notification.

REPLACE when the wire has actions within the content: `offer` then sets them there, and `aio/_app.py`
calls nothing before it adds. Until then a set of buttons is a category, whose name is a digest of
them, so that equal sets share one and the app's own categories stay.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from . import v1
from .models import Action, Reply


# A category that is made here; its notifications tell each dismissal as an answer.
PREFIX = "belfry."


def offer(content: v1.NotificationContent, actions: Iterable[Action]) -> v1.NotificationCategory:
    """Offers the buttons with a content, and gives the category that has to be there before it."""
    made = [_action(action) for action in actions]
    category = v1.NotificationCategory(actions=made, options=[_TELLS_DISMISSALS])
    digest = hashlib.sha256(category.SerializeToString(deterministic=True)).hexdigest()
    category.identifier = content.category_identifier = PREFIX + digest[:32]
    return category


_TELLS_DISMISSALS = v1.CATEGORY_OPTION_CUSTOM_DISMISS_ACTION


def _action(action: Action) -> v1.NotificationAction:
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
