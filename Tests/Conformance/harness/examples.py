"""Runs the programs of `Examples` as a person would."""

import subprocess
import sys
from pathlib import Path

from belfry.v1 import center_pb2
from harness.server import BOUND, Server

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "Examples"

# Where the programs find the stubs and what connects them.
PATHS = f"{Path(center_pb2.__file__).parents[2]}:{ROOT / 'Clients/python'}"


def run_example(program: str, server: Server) -> list[str]:
    """Runs a program against a server, and gives the lines that it prints."""
    done = subprocess.run(
        [sys.executable, EXAMPLES / program, server.targets["unix"]],
        env={"PYTHONPATH": PATHS, "PATH": ""},
        capture_output=True,
        text=True,
        timeout=BOUND,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
