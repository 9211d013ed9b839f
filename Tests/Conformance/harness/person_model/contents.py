"""Random contents, categories and requests, few names of each so that they meet."""

import random

from harness import wire

IDENTIFIERS = ["a", "b", "c", "d"]
THREADS = ["", "work", "home"]
CATEGORIES = ["message", "alarm", "Message"]
PEOPLE = ["Alice", "Bob"]
CRITERIA = ["", "office", "garden"]
ACTIONS = ["reply", "open", "mute", "delete"]


def content(choices: random.Random) -> wire.NotificationContent:
    """What a notification says."""
    made = wire.NotificationContent()
    number = choices.randrange(100)
    if choices.random() < 0.75:
        made.title = f"Title {number}"
    if choices.random() < 0.2:
        made.subtitle = f"Subtitle {number}"
    if choices.random() < 0.5:
        made.body = f"Body {number}"
    if choices.random() < 0.25:
        made.badge = choices.choice([0, 1, 2, 7])
        made.badge_mode = choices.choice(
            [wire.BADGE_MODE_SET, wire.BADGE_MODE_SET, wire.BADGE_MODE_INCREMENT]
        )
    if choices.random() < 0.4:
        made.sound.critical = choices.random() < 0.2
        if made.sound.critical and choices.random() < 0.5:
            made.sound.volume = 0.5
    made.category_identifier = choices.choice(["", *CATEGORIES, "unknown"])
    made.thread_identifier = choices.choice(THREADS)
    made.interruption_level = choices.choice([1, 1, 0, 2, 3])
    if choices.random() < 0.3:
        made.ClearField("interruption_level")
    _rank(made, choices)
    if choices.random() < 0.1:
        options = choices.sample([1, 2, 4, 8, 16], choices.randrange(4))
        made.foreground_presentation.options.extend(sorted(options))
    if choices.random() < 0.12:
        made.communication.kind = wire.COMMUNICATION_KIND_MESSAGE
        made.communication.sender = choices.choice(PEOPLE)
        made.communication.conversation_id = choices.choice(["", "talk"])
    return _broken(made, choices)


def _rank(made: wire.NotificationContent, choices: random.Random) -> None:
    made.relevance_score = choices.choice([0, 0, 0.25, 0.5, 1])
    made.summary_argument = choices.choice(["", "", *PEOPLE, "Carol"])
    if choices.random() < 0.3:
        made.summary_argument_count = choices.choice([1, 2, 3])
    made.filter_criteria = choices.choice(CRITERIA)


def _broken(made: wire.NotificationContent, choices: random.Random) -> wire.NotificationContent:
    """Now and then one that is refused."""
    if choices.random() < 0.97:
        return made
    fault = choices.randrange(5)
    if fault == 0:
        return wire.NotificationContent(thread_identifier="work")
    made.title = "Broken"
    if fault == 1:
        made.badge = -1
    elif fault == 2:
        made.summary_argument_count = 0
    elif fault == 3:
        made.relevance_score = 1.5
    else:
        made.sound.critical = False
        made.sound.volume = 0.5
    return made


def action(choices: random.Random, identifier: str) -> wire.NotificationAction:
    """A button."""
    made = wire.NotificationAction(identifier=identifier, title=identifier.title())
    made.options.extend(sorted(choices.sample([1, 2, 4], choices.choice([0, 0, 1, 1, 2]))))
    if choices.random() < 0.3:
        made.text_input.button_title = "Send"
    return made


def category(choices: random.Random, identifier: str) -> wire.NotificationCategory:
    made = wire.NotificationCategory(identifier=identifier)
    for name in choices.sample(ACTIONS, choices.randrange(4)):
        made.actions.append(action(choices, name))
    placeholders = ["", "%u messages", "A message", "There are %u of %u"]
    made.hidden_previews_body_placeholder = choices.choice(placeholders)
    formats = ["", "%u more from %@", "%u more", "%2$@: %1$u", "%@", "100% of %u, %u"]
    made.category_summary_format = choices.choice(formats)
    options = choices.sample([1, 2, 4, 8, 16], choices.randrange(4))
    made.options.extend(sorted(options))
    return made
