"""The same scenarios by clients in several languages, each with its own gRPC and protobuf.

A scenario is a file in `scenarios` and a client a directory in `clients`: a new one is found.
"""

from pathlib import Path

import pytest

from harness.driver import LANGUAGES, Driver, build
from harness.launcher import Launcher
from harness.scenario import Run, Scenario

SCENARIOS = Scenario.all()


@pytest.fixture(scope="session", params=LANGUAGES)
def program(request: pytest.FixtureRequest) -> Path:
    """The driver of a language, built when it is first asked for."""
    return build(request.param)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario.name for scenario in SCENARIOS])
def test_a_client_sees(program: Path, launch: Launcher, transport: str, scenario: Scenario) -> None:
    server = launch(**scenario.server)
    with Driver(program, server.targets[transport]) as driver:
        Run(driver, f"org.example.{program.parent.name}").all(scenario)
