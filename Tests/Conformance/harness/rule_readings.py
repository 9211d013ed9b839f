"""Where dateutil and croniter read a rule in another way than the core, and what the RFC says."""

from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from harness.random_rules import Question
from harness.rule_scan import CronLine, Quirk, Rule, scan


class Reading(NamedTuple):
    """Another reading of a rule than the core's, by a library."""

    quirk: Quirk
    # What the RFC or crond's manual page says.
    sentence: str
    applies: Callable[[Rule | CronLine], bool]


def _rule(applies: Callable[[Rule], bool]) -> Callable[[Rule | CronLine], bool]:
    return lambda rule: isinstance(rule, Rule) and applies(rule)


READINGS_OF_DATEUTIL = [
    Reading(
        "week without a weekday is each day of it",
        "Information, not contained in the rule, necessary to determine the various recurrence "
        "instance start time and dates are derived from the Start Time (DTSTART) entry attribute. "
        "(RFC 5545, 3.3.10)",
        _rule(
            lambda rule: rule.has("BYWEEKNO")
            and not rule.weekdays
            and not rule.has("BYMONTHDAY", "BYYEARDAY")
        ),
    ),
    Reading(
        "counted and plain weekdays have to match both",
        "The BYDAY rule part specifies a COMMA-separated list of days of the week [...] Each BYDAY "
        "value can also be preceded by a positive (+n) or negative (-n) integer. "
        "(RFC 5545, 3.3.10)",
        _rule(lambda rule: len({ordinal == 0 for ordinal, _ in rule.weekdays}) == 2),
    ),
    Reading(
        "first week begins with the start",
        "Each BYSETPOS value corresponds to the nth occurrence within the set of recurrence "
        "instances specified by the rule. [...] BYSETPOS operates on a set of recurrence instances "
        "in one interval of the recurrence rule. (RFC 5545, 3.3.10)",
        _rule(lambda rule: rule.frequency == "WEEKLY" and rule.has("BYSETPOS")),
    ),
    Reading(
        "weeks from the end of the next year are not seen",
        "Valid values are 1 to 53 or -53 to -1. This corresponds to weeks according to week "
        "numbering as defined in [ISO.8601.2004]. (RFC 5545, 3.3.10)",
        _rule(lambda rule: bool({-52, -53} & set(rule.parts.get("BYWEEKNO", [])))),
    ),
    Reading(
        "last week of the year before is taken from this one",
        "Week number one of the calendar year is the first week that contains at least four (4) "
        "days in that calendar year. (RFC 5545, 3.3.10)",
        _rule(lambda rule: bool({52, 53} & set(rule.parts.get("BYWEEKNO", [])))),
    ),
]

READINGS_OF_CRONITER = [
    Reading(
        "a star with a step is none, and all numbers are one beside it",
        "If both fields are restricted (i.e., don't start with *), the command will be run when "
        "either field matches the current time. (crontab(5))",
        lambda rule: isinstance(rule, CronLine) and "*/" in rule.text,
    ),
    Reading(
        "a range from a number to itself is all",
        "Ranges are two numbers separated with a hyphen. The specified range is inclusive. "
        "(crontab(5))",
        lambda rule: isinstance(rule, CronLine) and rule.widened() != rule,
    ),
    Reading(
        "a weekday near a day that the month lacks is near its last",
        # crond has no W: it stands for a day of the month.
        "What follows is that of a rule: a month without the day has no firing. (REC-2)",
        lambda rule: isinstance(rule, CronLine) and bool({29, 30, 31} & rule.workdays),
    ),
]


def expected(question: Question, quirks: list[Quirk]) -> list[int]:
    """The dates by the scan."""
    found = scan(
        question.rule, question.zone, question.after, question.until, question.dates, quirks
    )
    return list(islice(found, question.count))


def reading(
    question: Question, dates: list[int], library: list[int], readings: list[Reading]
) -> str | None:
    """Which other readings of the rule explain a library's dates beside the core's."""
    if expected(question, []) != dates:
        return None
    possible = [one.quirk for one in readings if one.applies(question.rule)]
    for quirks in [*([one] for one in possible), possible]:
        if quirks and expected(question, quirks) == library:
            return " and ".join(quirks)
    return None
