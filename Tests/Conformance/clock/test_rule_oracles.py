"""The dates of random rules and crontabs beside a scan of days, dateutil and croniter, in zones that
change their clocks, of the years 1970 to 2100 (REC-1, REC-2, REC-4 to REC-6).

Where a library reads a rule in another way, the scan with that way has to give the library's dates,
and the scan without it the core's: so a difference is explained or is an error. `make test` has the
scan alone.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from harness.random_rules import Question, RandomRules
from harness.rule_dates import Answer, ask, line
from harness.rule_libraries import TookTooLong, croniter_times, dateutil_times, time_limit
from harness.rule_readings import READINGS_OF_CRONITER, READINGS_OF_DATEUTIL, Reading, expected
from harness.rule_readings import reading as reading_of
from harness.rule_scan import DAY, CronLine, Rule, instants, zone
from harness.torture import Torture

BATCH = 100

# What a library may take of the processor for one rule, in seconds, until the scan takes its place:
# dateutil goes through each second of a day to find an hour.
LIMIT = 0.5


def _told(question: Question, answer: Answer, other: list[int]) -> str:
    return f"{line(question)}: {answer.refusal or answer.dates}, not {other}"


def compare(
    name: str,
    torture: Torture,
    program: Path,
    make: Callable[[RandomRules], Question],
    judge: Callable[[Question, Answer], str],
) -> str:
    """Asks the questions of a row, and gives a line with what was found how often."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for number in torture.rounds(name, torture.count(name) // BATCH):
        seed = torture.seed * 1_000_000 + number
        rules = RandomRules(seed)
        questions = [make(rules) for _ in range(BATCH)]
        answers = ask(program, [line(one) for one in questions])
        for question, answer in zip(questions, answers, strict=True):
            counts["dates"] += len(answer.dates)
            found = judge(question, answer)
            if found.startswith("wrong"):
                wrong.append(f"seed {seed}: {found}")
                found = "wrong"
            counts[found] += 1
    assert not wrong, "\n".join([f"{counts['wrong']} are wrong", *wrong[:20]])
    dates = counts.pop("dates")
    told = ", ".join(f"{count} {found}" for found, count in counts.most_common())
    return f"{name}, seed {torture.seed}: {counts.total()} rules with {dates} dates: {told}"


def beside_library(
    times: Callable[[Question], Iterator[int]], readings: list[Reading]
) -> Callable[[Question, Answer], str]:
    """Judges an answer by the local times that a library gives."""

    def judge(question: Question, answer: Answer) -> str:
        rule, where = question.rule, zone(question.zone)
        until = rule.until if isinstance(rule, Rule) and rule.until_is_instant else None
        try:
            with time_limit(LIMIT):
                found = instants(
                    (local for local in times(question) if local > question.after - 2 * DAY),
                    where,
                    follows_clock=rule.follows_clock,
                    until=until,
                    dates=question.dates,
                )
                library = list(islice((at for at in found if at > question.after), question.count))
        except TookTooLong:
            scanned = expected(question, [])
            return "too long for it" if scanned == answer.dates else "wrong by the scan"
        library = [at for at in library if at <= question.until]
        if library == answer.dates:
            return "equal"
        reading = reading_of(question, answer.dates, library, readings)
        return reading or "wrong: " + _told(question, answer, library)

    return judge


@pytest.mark.torture
def test_rules_beside_a_scan_of_each_day(
    torture: Torture, rule_dates: Path, report: Callable[[str], None]
) -> None:
    def make(rules: RandomRules) -> Question:
        return rules.cron() if rules.random.randrange(5) == 0 else rules.rule()

    def judge(question: Question, answer: Answer) -> str:
        scanned = expected(question, [])
        return "equal" if scanned == answer.dates else "wrong: " + _told(question, answer, scanned)

    report(compare("rule-scan", torture, rule_dates, make, judge))


@pytest.mark.full
@pytest.mark.torture
def test_rules_beside_dateutil(
    torture: Torture, rule_dates: Path, report: Callable[[str], None]
) -> None:
    def times(question: Question) -> Iterator[int]:
        assert isinstance(question.rule, Rule)
        return dateutil_times(question.rule, question.until + 2 * DAY)

    judge = beside_library(times, READINGS_OF_DATEUTIL)
    report(
        compare(
            "rule-dateutil", torture, rule_dates, lambda rules: rules.rule(skips=False), judge
        )
    )


@pytest.mark.full
@pytest.mark.torture
def test_crontabs_beside_croniter(
    torture: Torture, rule_dates: Path, report: Callable[[str], None]
) -> None:
    def times(question: Question) -> Iterator[int]:
        assert isinstance(question.rule, CronLine)
        return croniter_times(
            question.rule, question.after - 2 * DAY, question.until + 2 * DAY
        )

    judge = beside_library(times, READINGS_OF_CRONITER)
    report(
        compare(
            "rule-croniter", torture, rule_dates, lambda rules: rules.cron(for_croniter=True), judge
        )
    )
