"""The example of a daily reminder that is snoozed."""

from harness.examples import run_example
from harness.launcher import Launcher


def test_a_snooze_does_not_move_the_days(launch: Launcher) -> None:
    assert run_example("Reminder/reminder.py", launch()) == [
        "first at 2026-01-01T09:00:00Z",
        "shown: Pills, of 2026-01-01T09:00:00Z",
        "shown: nothing",
        "snoozed: Pills, until 2026-01-01T10:30:00Z",
        "shown: Pills, of 2026-01-01T10:30:00Z",
        "shown: nothing",
        "shown: Pills, of 2026-01-02T09:00:00Z",
    ]
