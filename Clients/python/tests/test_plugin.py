"""The fixtures for tests of other programs: they do what their docstrings say, and how fast."""

import inspect
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

import belfry
from belfry import App, Client, Clock, pytest_plugin
from belfry.pytest_plugin import AssertDelivered, BadDay

IMPORTS = """
from datetime import time, timedelta
import pytest
import belfry
from belfry import Action
from belfry.pytest_plugin import START
"""


README = Path(__file__).parents[1] / "README.md"


def blocks() -> list[str]:
    """The programs of the README."""
    return re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)


def examples() -> list[str]:
    """The tests in the docstrings of the plugin, and in the README."""
    text = inspect.getsource(pytest_plugin)
    lines = re.findall(r"^ +(?:>>>|\.\.\.) (.*)$", text, re.MULTILINE)
    tests = re.split(r"\n(?=def )", "\n".join(lines))
    return [*tests, *(block for block in blocks() if block.startswith("def test_"))]


def test_the_examples_pass(tmp_path: Path, belfry_server: Client) -> None:
    assert belfry_server.server is not None
    assert len(examples()) == 10
    file = tmp_path / "test_examples.py"
    file.write_text("\n\n".join([IMPORTS, *examples()]))
    run = ["-q", "-p", "belfry.pytest_plugin", "-p", "no:cacheprovider", str(file)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *run, f"--rootdir={tmp_path}"],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "BELFRY_BINARY": belfry_server.server.binary,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert f"{len(examples())} passed" in done.stdout, done.stdout


def test_the_readmes_program(
    belfry_server: Client, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its person allows it, waits for four minutes, and wants tea."""
    app, person = belfry_server.app("org.example.tea"), belfry_server.device()

    def answer() -> None:
        person.allow(app.id, timeout=timedelta(minutes=1))
        while not app.pending():
            pass
        belfry_server.clock.advance("4m")
        person.press(person.screen(app.id)[0], "yes")

    monkeypatch.setenv("BELFRY_SERVER", belfry_server.address)
    thread = threading.Thread(target=answer)
    thread.start()
    exec(blocks()[0], {})  # The README's own lines.
    thread.join()
    assert capsys.readouterr().out == "yes\n"
    belfry_server.admin.unregister(app.id)


@pytest.fixture
def report(
    request: pytest.FixtureRequest, record_property: Callable[[str, object], None]
) -> Iterator[Callable[[str], None]]:
    """Prints a line with what was measured: it is compared with nothing."""
    lines: list[str] = []
    yield lines.append
    for line in lines:
        record_property("belfry-time", line)
        with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
            print(f"\n{line}")


def milliseconds(start: float) -> str:
    return f"{(time.perf_counter() - start) * 1_000:.0f} ms"


def test_a_server_starts(pytestconfig: pytest.Config, report: Callable[[str], None]) -> None:
    start = time.perf_counter()
    binary = pytestconfig.getoption("--belfry-binary")
    with belfry.start(clock=datetime(2026, 1, 1, tzinfo=timezone.utc), binary=binary) as client:
        report(f"a server starts in {milliseconds(start)}")
        assert client.info().version


def test_a_center_of_its_own(belfry_server: Client, report: Callable[[str], None]) -> None:
    """What each test waits for, before it and behind it."""
    start, count = time.perf_counter(), 20
    for number in range(count):
        person = belfry_server.device(f"own{number}")
        app = belfry_server.app(f"org.example.own{number}", device=person.name)
        app.authorize(wait=timedelta())
        person.allow(app.id)
        assert app.pending() == [] == app.delivered()
        belfry_server.admin.unregister(app.id, device=app.device)
    each = (time.perf_counter() - start) / count * 1_000
    report(f"a center of its own for a test takes {each:.1f} ms")


def test_a_year_of_daily_reminders(
    app: App, clock: Clock, report: Callable[[str], None]
) -> None:
    app.add("Pills", every="1 day", at=clock.now() + timedelta(hours=9), id="pills")
    start = time.perf_counter()
    assert clock.advance("365 days") == 365
    report(f"a year of daily reminders takes {milliseconds(start)}")


@pytest.mark.parametrize("count", [20, pytest.param(1_000, marks=pytest.mark.full)])
def test_a_year_of_many_apps(
    belfry_server: Client, clock: Clock, count: int, report: Callable[[str], None]
) -> None:
    apps = [belfry_server.app(f"org.example.year{number}") for number in range(count)]
    start = time.perf_counter()
    for app in apps:
        app.authorize(provisional=True)
        app.add("Pills", every="1 day", at=clock.now() + timedelta(hours=9))
    assert clock.advance("365 days") == 365 * count
    report(f"a year of daily reminders of {count} apps takes {milliseconds(start)}")
    for app in apps:
        belfry_server.admin.unregister(app.id)


def test_what_should_be_delivered_and_is_not(
    app: App, clock: Clock, assert_delivered: AssertDelivered
) -> None:
    app.add("Milk", id="milk", in_="1 day")
    with pytest.raises(pytest.fail.Exception, match="milk should be .* milk at 20.* waits"):
        assert_delivered("milk")
    assert_delivered()
    clock.advance("1 day")
    assert [each.id for each in assert_delivered("Milk")] == ["milk"]
    with pytest.raises(pytest.fail.Exception, match=r"nothing should be .*; milk \(Milk\) is"):
        assert_delivered()


def test_a_bad_day(app: App, bad_day: BadDay, clock: Clock) -> None:
    app.add("Breakfast", every="day", at=datetime(2026, 1, 1, 8).time(), id="breakfast")
    bad_day.change_zone("Asia/Tokyo")
    bad_day.kill_and_restart()
    first = app.pending("breakfast")[0].next
    assert first is not None and first.hour == 23
    with bad_day.fill_disk():
        with pytest.raises(belfry.StoreFull):
            app.add("Milk")
        assert app.remove("breakfast") == ["breakfast"]
    assert app.add("Milk").state == "delivered"
