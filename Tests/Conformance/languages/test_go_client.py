"""The tests of the Go module, which are the module's own: each starts servers by belfrytest."""

import os
import subprocess
from pathlib import Path

import pytest

from harness.driver import build
from harness.server import BOUND


@pytest.mark.full
@pytest.mark.parametrize(
    ("chosen", "kills"),
    [("Test[^N]|TestNo[^t]", 0), ("TestNothing", 50)],
    ids=["what it does", "nothing is lost in 50 restarts, half of them kills"],
)
def test_the_module_holds_its_own_tests(
    pytestconfig: pytest.Config, chosen: str, kills: int
) -> None:
    binary: Path = pytestconfig.getoption("--server")
    done = subprocess.run(
        [build("go").with_name("tests"), f"-test.run={chosen}", "-test.v"],
        env=os.environ | {"BELFRY_PROGRAM": str(binary.absolute()), "BELFRY_KILLS": str(kills)},
        capture_output=True,
        text=True,
        timeout=20 * BOUND,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "--- PASS" in done.stdout, done.stdout
