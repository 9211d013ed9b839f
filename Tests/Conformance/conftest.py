"""Fixtures: servers, connections and apps.

A test that reaches its server by `transport` runs over both, but for the tests of the rules.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.client import App, Client
from harness.disk import Disk, require_disks
from harness.launcher import Launcher
from harness.server import Server
from harness.torture import ROWS, Torture, machine

# The folders of the rules, which are above the transports: one is enough.
RULES = {"app", "clock", "person", "push"}

# The name of the property of a test that holds a line of the reports.
REPORT = "belfry-report"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("belfry")
    group.addoption("--server", type=Path, default=Path(".build/debug/belfry"), help="the binary")
    group.addoption(
        "--rule-dates",
        type=Path,
        default=Path(".build/debug/RuleDates"),
        help="the program that answers questions about rules",
    )
    group.addoption("--seed", type=int, default=1, help="where random choices begin")
    group.addoption("--torture", action="store_true", help="the long form of each row")
    rows = "; ".join(f"{name}: {row.what}" for name, row in ROWS.items())
    group.addoption(
        "--count",
        metavar="ROW=N",
        action="append",
        default=[],
        help=f"how often a row's trouble is made ({rows})",
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    # Tests may have run in other processes: what they report comes with their outcomes.
    outcomes = [outcome for kind in terminalreporter.stats.values() for outcome in kind]
    lines = [
        line
        for outcome in outcomes
        if isinstance(outcome, pytest.TestReport) and outcome.when == "call"
        for name, line in outcome.user_properties
        if name == REPORT
    ]
    if lines:
        terminalreporter.section("reports")
        for line in [machine(), *lines]:
            terminalreporter.write_line(line)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Function) -> Iterator[Any]:
    report = yield
    if report.failed:
        for name, value in item.funcargs.items():
            servers = value.servers if isinstance(value, Launcher) else [value]
            for server in servers:
                if isinstance(server, Server):
                    report.sections.append((f"log of {name}", server.log))
    return report


def _launcher(config: pytest.Config) -> Iterator[Launcher]:
    binary: Path = config.getoption("--server")
    if not binary.is_file():
        pytest.exit(f"there is no server at {binary}: build it, or name it with --server", 4)
    launcher = Launcher(binary)
    yield launcher
    launcher.close()


@pytest.fixture
def launch(pytestconfig: pytest.Config) -> Iterator[Launcher]:
    """Starts servers that end with the test."""
    yield from _launcher(pytestconfig)


@pytest.fixture(scope="session")
def _has_disks() -> None:
    require_disks()


def _disk(mebibytes: int) -> Iterator[Disk]:
    disk = Disk(mebibytes)
    yield disk
    disk.close()


@pytest.fixture
def disk(_has_disks: None) -> Iterator[Disk]:
    """A file system; name it before `launch`, whose servers have to end first."""
    yield from _disk(64)


@pytest.fixture
def small_disk(_has_disks: None) -> Iterator[Disk]:
    """One that is soon full; name it before `launch`, too."""
    yield from _disk(16)


@pytest.fixture(scope="session")
def _shared_launch(pytestconfig: pytest.Config) -> Iterator[Launcher]:
    yield from _launcher(pytestconfig)


@pytest.fixture(scope="session")
def server(_shared_launch: Launcher) -> Server:
    """A server that tests share: each has its own apps, and any may move the clock."""
    return _shared_launch()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marks = metafunc.definition.iter_markers("parametrize")
    is_chosen = any("transport" in mark.args[0] for mark in marks)
    if "transport" in metafunc.fixturenames and not is_chosen:
        is_rule = metafunc.definition.path.parent.name in RULES
        transports = ["unix"] if is_rule else ["unix", "tcp"]
        metafunc.parametrize("transport", transports, indirect=True)


@pytest.fixture
def transport(request: pytest.FixtureRequest) -> str:
    """How a test reaches its server."""
    return request.param


@pytest.fixture
def client(server: Server, transport: str) -> Iterator[Client]:
    """A connection to the shared server."""
    with Client(server.targets[transport]) as client:
        yield client


@pytest.fixture
def app(client: Client) -> App:
    """An app of the shared server that may do everything."""
    app = client.app()
    app.authorize()
    return app


@pytest.fixture
def own_device(client: Client) -> App:
    """An app on a device that no other test uses."""
    app = client.app()
    app.center.device_id = f"device.{app.center.app_id}"
    app.authorize()
    return app


@pytest.fixture
def own_client(launch: Launcher, transport: str) -> Iterator[Client]:
    """A connection to a server that only this test has."""
    with Client(launch().targets[transport]) as client:
        yield client


@pytest.fixture
def own_app(own_client: Client) -> App:
    """The only app of a server that only this test has."""
    app = own_client.app()
    app.authorize()
    return app


@pytest.fixture
def report(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Adds a line to the reports at the end of the run."""
    return lambda line: record_property(REPORT, line)


@pytest.fixture(scope="session")
def rule_dates(pytestconfig: pytest.Config) -> Path:
    """The program that answers questions about rules."""
    program: Path = pytestconfig.getoption("--rule-dates")
    assert program.is_file(), f"there is no {program}: build RuleDates, or name it"
    return program


@pytest.fixture(scope="session")
def torture(pytestconfig: pytest.Config) -> Torture:
    """How often each kind of trouble is made."""
    asked: dict[str, int] = {}
    for text in pytestconfig.getoption("--count"):
        name, _, count = text.partition("=")
        if name not in ROWS or not count.isdigit():
            pytest.exit(f"--count {text}: is not ROW=N with a row of {', '.join(ROWS)}", 4)
        asked[name] = int(count)
    return Torture(
        is_full=pytestconfig.getoption("--torture"),
        asked=asked,
        seed=pytestconfig.getoption("--seed"),
    )
