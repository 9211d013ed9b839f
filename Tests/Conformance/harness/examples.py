"""Runs the programs of `Examples` as a person would."""

import subprocess
import sys
from pathlib import Path

from harness.server import BOUND, Server

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "Examples"

# Where the programs find Belfry's package, which nobody has to install for the tests.
PACKAGE = ROOT / "Clients/python/src"


def run_example(program: str, server: Server) -> list[str]:
    """Runs a program against a server, and gives the lines that it prints."""
    done = subprocess.run(
        [sys.executable, EXAMPLES / program, server.targets["unix"]],
        env={"PYTHONPATH": str(PACKAGE), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=BOUND,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
