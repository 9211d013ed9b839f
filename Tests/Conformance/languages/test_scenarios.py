"""The same scenarios by clients in several languages, each with its own gRPC and protobuf.

A scenario is a file in `scenarios` and a client a directory in `clients`: a new one is found.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import wire
from harness.driver import LANGUAGES, Driver, build
from harness.launcher import Launcher
from harness.ports import free_port
from harness.scenario import Run, Scenario
from harness.server import Server
from web.http_server import LISTEN, url

SCENARIOS = Scenario.all()

# The rpcs that no scenario calls, each with the reason.
UNCALLED = {
    "CreateWebPushSubscription": "a scenario's server tells no browsers; test_web_push.py has it",
    "ListWebPushSubscriptions": "as above",
    "DeleteWebPushSubscription": "as above",
    "AwaitAnswer": "a thousand callers make it in test_await_answer.py, and each client's tests",
    "Schedule": "as UploadAttachment",
    "UploadAttachment": "it takes a stream of requests, and a driver's command has one request",
}

# The clients that call over HTTP; the others have each transport of gRPC in turns.
OVER_HTTP = {"chromium", "javascript"}


def runs() -> Iterator[object]:
    """Each language with each scenario; both meet each transport, in turns.

    `make test` has the clients that need no compiler, `make full` all of them.
    """
    for row, language in enumerate(LANGUAGES):
        for column, scenario in enumerate(SCENARIOS):
            transport = (
                "http" if language in OVER_HTTP else ("unix", "tcp")[(row + column) % 2]
            )
            name = f"{language}-{transport}-{scenario.name}"
            quick = language == "javascript" or language.startswith("python")
            marks = [] if quick else [pytest.mark.full]
            yield pytest.param(language, transport, scenario, id=name, marks=marks)


@pytest.fixture(scope="session")
def program(request: pytest.FixtureRequest) -> Path:
    """The driver of a language, built when it is first asked for."""
    return build(request.param)


@pytest.mark.parametrize("program, transport, scenario", runs(), indirect=["program", "transport"])
def test_a_client_sees(program: Path, launch: Launcher, transport: str, scenario: Scenario) -> None:
    port = free_port()
    target = _target(launch, transport, scenario, f"--http-allow-origin=http://127.0.0.1:{port}")
    with Driver(program, target, PAGE_PORT=str(port)) as driver:
        run = Run(driver, f"org.example.{program.parent.name}", transport=transport)
        run.all(scenario)


def _target(launch: Launcher, transport: str, scenario: Scenario, *arguments: str) -> str:
    """Where a new server answers; the arguments are for one that answers HTTP."""
    if transport != "http":
        return launch(**scenario.server).targets[transport]
    server: Server = launch(**scenario.server, arguments=[LISTEN, *arguments])
    return url(server)


def test_every_rpc_is_called_by_a_scenario() -> None:
    called = set().union(*(scenario.rpcs for scenario in SCENARIOS))
    assert sorted(wire.METHODS.keys() - called) == sorted(UNCALLED)
