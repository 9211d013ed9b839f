"""What the core answers to questions about rules, through the program `RuleDates`."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.random_rules import Question
from harness.rule_scan import CronLine, written


@dataclass(frozen=True)
class Answer:
    """The first dates of a rule, or why it was refused."""

    dates: list[int]
    has_more: bool = False
    refusal: str = ""


def line(question: Question) -> str:
    """A question as the program reads it."""
    rule, dates = question.rule, question.dates
    is_cron = isinstance(rule, CronLine)
    fields = [
        "cron" if is_cron else "rule",
        rule.text,
        "" if isinstance(rule, CronLine) else written(rule.start),
        ",".join([*map(written, dates.added), *(written(at) + "Z" for at in dates.added_instants)]),
        ",".join(
            [*map(written, dates.excluded), *(written(at) + "Z" for at in dates.excluded_instants)]
        ),
        question.zone,
        question.after,
        question.until,
        question.count,
    ]
    return "\t".join(map(str, fields))


def ask(program: Path, lines: Sequence[str]) -> list[Answer]:
    """The answers to lines, in their order."""
    done = subprocess.run(
        [program], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    answers = [_read(one) for one in done.stdout.splitlines()]
    assert len(answers) == len(lines)
    return answers


def _read(text: str) -> Answer:
    if text.startswith("!"):
        return Answer([], refusal=text[1:])
    dates, _, more = text.partition("\t")
    return Answer([int(one) for one in dates.split()], has_more=more == "+")
