"""The package, its tests and the example have types that mypy accepts in its strict form."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
EXAMPLE = PACKAGE.parents[1] / "Examples/Todo"


def mypy(*arguments: str, cache: Path) -> str:
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", f"--cache-dir={cache}", *arguments],
        cwd=PACKAGE,
        # The package need not be installed.
        env={**os.environ, "MYPYPATH": str(PACKAGE / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What mypy knows of the package, which takes it long."""
    return tmp_path_factory.mktemp("mypy")


def test_types_are_strict(cache: Path) -> None:
    programs = ["src/belfry", "tests", f"{EXAMPLE / 'todo.py'}", f"{EXAMPLE / 'todo_async.py'}"]
    assert mypy(*programs, cache=cache).startswith("Success")


def test_a_wrong_program_is_found(tmp_path: Path, cache: Path) -> None:
    """What a person's editor underlines."""
    program = tmp_path / "wrong.py"
    program.write_text(
        "import belfry\n"
        "app = belfry.connect().app('org.example.tea')\n"
        "answer = app.add('Tea', wait=True)\n"
        "added = app.add('Tea')\n"
        "reveal_type(answer.action)\n"
        "reveal_type(added.next)\n"
        "app.add('Tea', in_=4)\n"
        "app.add(thread='tea', bdy='no')\n"
        "belfry.connect().call(belfry.rpc.Add, belfry.v1.GetStatsRequest())\n"
    )
    found = mypy(str(program), cache=cache)
    for line, what in [
        (5, 'Revealed type is "str"'),
        (6, 'Revealed type is "datetime.datetime | None"'),
        (7, "error: No overload variant"),
        (8, "error: No overload variant"),
        (9, 'error: Cannot infer value of type parameter "Request" of "call"'),
    ]:
        assert f"wrong.py:{line}: {what}" in found.replace(" note: ", " "), found
