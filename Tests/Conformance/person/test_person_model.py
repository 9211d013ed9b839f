"""A second model of the person's side agrees with the server in random walks with kills."""

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.launcher import Launcher
from harness.person_model import hunt
from harness.torture import Torture

# A walk's steps; a step is one call or crash and all that is compared after it.
STEPS = 200


@pytest.mark.torture
def test_random_walks_agree_with_the_model(
    torture: Torture, pytestconfig: pytest.Config, report: Callable[[str], None]
) -> None:
    """Permission, presentation, categories, summary, lock and responses, as the rules say.

    Each walk has a seed, from `--seed` on: `--seed 123 --count person=1` makes one again.
    """
    binary: Path = pytestconfig.getoption("--server")
    count = torture.count("person")
    tally = hunt.Tally()
    for number in torture.rounds("person"):
        launch = Launcher(binary)
        seed = torture.seed + number
        if found := hunt.walk(launch, seed, STEPS, tally):
            pytest.fail(str(hunt.shrunk(launch, found)), pytrace=False)
    report(f"person: {count} walks of {STEPS} steps agree, {tally.crashes} kills")
