"""What every part of a run shares."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from harness.figures import Figures
from harness.peers.peer import Place
from harness.process import Failed, Missing

Contestant = TypeVar("Contestant")


@dataclass
class Run:
    """A whole run: what is to be measured, for how long, and what was."""

    place: Place
    # Of all rounds together.
    duration: float
    pending: int
    rounds: int
    # Pending requests of the largest store; 0 leaves it out.
    largest: int
    rows: frozenset[str]
    figures: Figures = field(default_factory=Figures)
    failures: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """How long one round of a row measures."""
        return self.duration / self.rounds

    def wants(self, *rows: str) -> bool:
        return not self.rows.isdisjoint(rows)

    def say(self, text: str) -> None:
        """A line of progress."""
        passed = time.monotonic() - self.began
        print(f"{passed:7.0f} s  {text}", file=sys.stderr, flush=True)

    def attempt(self, subject: str, measure: str, action: Callable[[], object]) -> bool:
        """Does it; takes note where the subject is missing or the figure cannot be had."""
        try:
            action()
            return True
        except Missing as reason:
            self.figures.lack(subject, measure, str(reason))
            self.say(f"{subject}: {reason}")
            # Without a peer there is a row less, without Belfry there is nothing to tell.
            if subject.startswith("Belfry"):
                self.failures.append(f"{subject}, {measure}: {reason}")
        except (Failed, OSError, ValueError, AssertionError) as error:
            self.figures.lack(subject, measure, f"it could not be measured: {error}")
            self.failures.append(f"{subject}, {measure}: {error}")
            self.say(f"FAILED  {subject}, {measure}: {error}")
        return False


def rotated(contestants: Sequence[Contestant], rounds: int) -> Iterator[tuple[int, Contestant]]:
    """Each contestant once in each round, each time from another one on."""
    for round_ in range(rounds):
        start = round_ % len(contestants) if contestants else 0
        for contestant in (*contestants[start:], *contestants[:start]):
            yield round_, contestant
