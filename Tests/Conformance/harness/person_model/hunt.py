"""Runs walks by seed, and makes one that ends with a difference as short as it can."""

import random
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from harness.launcher import Launcher
from harness.person_model import (
    steps,
    steps_delegate,  # noqa: F401 - they name their steps
    steps_device,  # noqa: F401
    steps_permission,  # noqa: F401
    steps_requests,  # noqa: F401
)
from harness.person_model import observe
from harness.person_model.differences import Difference
from harness.person_model.walk import Step, Walk, copied

# Most walks ask the person; some servers answer for the person.
_PROMPTS = ["ask", "ask", "ask", "ask", "ask", "ask", "grant", "grant", "deny", "ask"]

# How many seconds it may take to make a walk shorter.
SHRINKING_TIME = 8.0

# How many of the last steps are told.
STEPS_TOLD = 12


@dataclass
class Found:
    """A difference, and the steps that end with it."""

    seed: int
    steps: list[Step]
    told: str

    def __str__(self) -> str:
        lines = [f"seed {self.seed}:"]
        lines += [f"{number:4} {step}" for number, step in enumerate(self.steps)][-STEPS_TOLD:]
        return "\n".join([*lines, self.told])


@dataclass
class Tally:
    """What a number of walks did."""

    steps: Counter[str] = field(default_factory=Counter)

    @property
    def crashes(self) -> int:
        """How often a server was killed."""
        return self.steps["crash"]


def prompts_of(seed: int) -> str:
    """How the server of a seed answers prompts."""
    return _PROMPTS[seed % len(_PROMPTS)]


def walk(launch: Launcher, seed: int, count: int, tally: Tally) -> Found | None:
    """Makes the random steps of a seed."""
    choices = random.Random(seed)
    run = Walk(launch, prompts_of(seed))
    made: list[Step] = []
    try:
        for _ in range(count):
            step = steps.choose(run, choices)
            made.append(Step(step.kind, copied(step.fields)))
            tally.steps[step.kind] += 1
            steps.make(run, step)
        for center in run.centers:
            observe.app_side(run, center)
        run.compare()
    except Difference as difference:
        return Found(seed, made, str(difference))
    finally:
        run.close()
        launch.close()
        launch.servers.clear()
    return None


def replay(launch: Launcher, seed: int, made: Iterable[Step]) -> Found | None:
    """Makes given steps."""
    run = Walk(launch, prompts_of(seed))
    done: list[Step] = []
    try:
        for step in made:
            done.append(step)
            steps.make(run, Step(step.kind, copied(step.fields)))
    except Difference as difference:
        return Found(seed, done, str(difference))
    finally:
        run.close()
        launch.close()
        launch.servers.clear()
    return None


def shrunk(launch: Launcher, found: Found) -> Found:
    """Leaves out steps for as long as there is a difference of the same kind."""
    size = max(1, len(found.steps) // 2)
    end = time.monotonic() + SHRINKING_TIME
    while size:
        start = 0
        while start < len(found.steps) and time.monotonic() < end:
            fewer = found.steps[:start] + found.steps[start + size :]
            again = replay(launch, found.seed, fewer)
            if again and _title(again) == _title(found):
                found = again
            else:
                start += size
        size //= 2
    return found


def _title(found: Found) -> str:
    return found.told.splitlines()[0].split("(")[0]
