"""The steps of a walk by name: how each is chosen at random, and how it is made."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.person_model.walk import Step, Walk

# Chooses what a step is made with; None where it has no use now.
Pick = Callable[[Walk, random.Random], dict[str, Any] | None]


@dataclass(frozen=True)
class Kind:
    """One kind of step."""

    weight: float
    pick: Pick
    run: Callable[..., None]


KINDS: dict[str, Kind] = {}


def kind(weight: float, pick: Pick) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes a function a kind of step by its name."""

    def take(run: Callable[..., None]) -> Callable[..., None]:
        KINDS[run.__name__] = Kind(weight, pick, run)
        return run

    return take


def choose(walk: Walk, choices: random.Random) -> Step:
    """A random step that has a use now."""
    names = list(KINDS)
    weights = [KINDS[name].weight for name in names]
    while True:
        name = choices.choices(names, weights)[0]
        fields = KINDS[name].pick(walk, choices)
        if fields is not None:
            return Step(name, fields)


def make(walk: Walk, step: Step) -> None:
    """Makes a step and compares."""
    walk.world.step += 1
    KINDS[step.kind].run(walk, **step.fields)
    walk.compare()


def any_center(walk: Walk, choices: random.Random) -> int:
    """One of the apps, mostly of the first two so that more happens to them."""
    return choices.choice([0, 0, 0, 1, 1, 1, 2, 3])
