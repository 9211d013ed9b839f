"""The example of a chat app with threads, groups and a reply."""

from harness.examples import run_example
from harness.launcher import Launcher


def test_messages_are_grouped_and_answered(launch: Launcher) -> None:
    assert run_example("GroupedMessages/messages.py", launch()) == [
        "[garden] Ann: Tuesday is open.",
        "    2 more messages from Bob and Ann",
        "[film] Cleo: Tickets for eight?",
        "-> garden: I take Tuesday.",
        "[film] Cleo: Tickets for eight?",
        "[garden] Bob: I can on Monday.",
        "    1 more messages from Ann",
    ]
