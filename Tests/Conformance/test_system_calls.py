"""What was acknowledged is there after a crash, or a failure of the disk, at any system call.

A script of calls is made once without trouble; then again and again, with trouble at one system
call after the other, each time held against the undisturbed run (harness/script.py).
"""

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest

from harness.client import Client
from harness.launcher import Launcher
from harness.refusals import Refusal, refusal_in
from harness.script import Script, session, sliced
from harness.server import BOUND, Server, ServerFailed
from harness.torture import Torture
from harness.tracing import (
    OPENING_CALLS,
    WRITING_CALLS,
    Point,
    Tracer,
    data_files,
    points_in,
    under_strace,
)

# Twelve calls each.
LAPS = 7

KILL = "signal=SIGKILL"
KILLED = -9

STORE_FAILED = 74

WRITES = ("pwrite64", "writev")
SYNC = "fdatasync"


@dataclass(frozen=True)
class Fault:
    """What a system call answers instead of doing its work, and which calls do so."""

    name: str
    inject: str
    calls: tuple[str, ...]


FATAL = [
    Fault("EIO", "error=EIO", ("lseek", *WRITES, SYNC)),
    # Less was written than was given.
    Fault("short write", "retval=1", WRITES),
]
NO_SPACE = Fault("ENOSPC", "error=ENOSPC", (*WRITES, SYNC))


def chosen(points: list[Point], torture: Torture, row: str) -> list[Point]:
    """All points, or as many of them as the row asks for."""
    count = torture.count(row)
    if count == 0 or count >= len(points):
        return points
    return random.Random(torture.seed).sample(points, count)


class Stage:
    """Runs a script with trouble at one system call of the writing thread."""

    def __init__(self, launch: Launcher, script: Script) -> None:
        self.launch = launch
        self.script = script
        self._output = launch.new_home() / "trace"
        script.record(launch)
        self.points = self._list_points()

    def _list_points(self) -> list[Point]:
        home = self.launch.new_home()
        server = self.launch(home)
        options = [f"--trace={WRITING_CALLS}", "--decode-fds=path", *data_files(home)]
        with Client(server.targets["unix"]) as client:
            self.script.prepare(client)
            with Tracer(server, self._output, *options) as tracer:
                answered, error = self.script.run(client)
                server.kill()
                tracer.wait()
        assert (answered, error) == (len(self.script.calls), None)
        shutil.rmtree(home)
        return points_in(self._output)

    def trouble(self, point: Point, inject: str) -> tuple[Server, int, grpc.RpcError | None]:
        """Makes the script's calls on a new server with trouble at a point."""
        home = self.launch.new_home()
        server = self.launch(home)
        with Client(server.targets["unix"]) as client:
            self.script.prepare(client)
            options = [*point.inject(inject), *data_files(home)]
            with Tracer(server, self._output, *options):
                answered, error = self.script.run(client)
        return server, answered, error

    def check_restart(self, home: Path, answered: int, *, is_sliced: bool = False) -> None:
        """Holds the next server in the same home against the undisturbed run."""
        server = self.launch(home)
        with Client(server.targets["unix"]) as client:
            if not is_sliced:
                self.script.check(client, answered)
            self.script.finish(client, answered)
        server.kill()
        shutil.rmtree(home)


@pytest.mark.torture
def test_a_crash_at_each_system_call_leaves_what_was_acknowledged(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    stage = Stage(launch, session(LAPS))
    points = chosen(stage.points, torture, "R3")
    for number in torture.rounds("R3", len(points)):
        point = points[number]
        server, answered, error = stage.trouble(point, KILL)
        assert error is not None, f"{point} was not reached"
        assert error.code() == grpc.StatusCode.UNAVAILABLE, error
        assert server.wait() == KILLED
        stage.check_restart(server.home, answered)
    report(
        f"R3 crash at a system call: {len(points)} of {len(stage.points)} points of"
        f" {len(stage.script.calls)} calls, 0 lost, 0 twice (seed {torture.seed})"
    )
