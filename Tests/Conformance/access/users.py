"""Other users of the machine, which only root can play."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import pytest

from access.serving import environment
from harness.client import Client
from harness.launcher import Launcher
from harness.server import BOUND

# Some user, and some group, that the machine knows nothing of.
STRANGER, OTHER_STRANGER = 54_321, 54_322
GROUP = 54_400

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


def open_home(launch: Launcher) -> Path:
    """A home that every user may pass through."""
    home = launch.new_home()
    home.chmod(0o711)
    return home


class Stranger:
    """Another user, with connections to a unix socket."""

    def __init__(self, path: Path, uid: int = STRANGER, gid: int = STRANGER) -> None:
        program = str(Path(__file__).with_name("stranger.py"))
        self._process = subprocess.Popen(
            [sys.executable, program, str(uid), str(gid), str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.target = f"127.0.0.1:{self._line()}"

    def _line(self) -> int:
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def open(self, count: int) -> int:
        """Opens more connections, and tells how many there are that the server has not ended."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{count}\n")
        self._process.stdin.flush()
        return self._line()


@contextmanager
def calling_as(path: Path, uid: int = STRANGER, gid: int = STRANGER) -> Iterator[Client]:
    """A client whose connections to a socket are another user's."""
    with Stranger(path, uid, gid) as stranger, Client(stranger.target) as client:
        yield client


def public(launch: Launcher) -> Path:
    """A copy of the binary where every user can run it."""
    copy = open_home(launch) / "belfry"
    shutil.copyfile(launch.binary, copy)
    copy.chmod(0o755)
    return copy


def run_as(
    home: Path, *command: str | Path, uid: int = STRANGER, gid: int = STRANGER, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Runs a program as another user, who has no home."""
    return subprocess.run(
        command,
        env={**environment(home), "HOME": "/", "XDG_RUNTIME_DIR": "/nowhere", **variables},
        user=uid,
        group=gid,
        extra_groups=[],
        capture_output=True,
        text=True,
        timeout=BOUND,
        check=False,
        cwd="/",
    )
