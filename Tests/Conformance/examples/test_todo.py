"""The to-do list, with threads and with asyncio, and the tests that come with it."""

import os
import subprocess
import sys

import pytest

from harness.examples import EXAMPLES, PACKAGE
from harness.launcher import Launcher

# How many lines a program and its tests may have, none of which every program writes again.
PROGRAM, TESTS = 45, 35


@pytest.mark.parametrize("name", ["todo", "todo_async"])
def test_it_and_its_tests_are_short_and_pass(launch: Launcher, name: str) -> None:
    directory = EXAMPLES / "Todo"
    assert len((directory / f"{name}.py").read_text().splitlines()) <= PROGRAM
    assert len((directory / f"test_{name}.py").read_text().splitlines()) <= TESTS
    arguments = ["-p", "belfry.pytest_plugin", "-p", "no:cacheprovider", "--rootdir", directory]
    run = [*arguments, directory / f"test_{name}.py", "--belfry-binary", launch.binary.resolve()]
    # Where the package is installed too, its plugin would load itself a second time.
    environment = {"PYTHONPATH": str(PACKAGE), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *run],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
