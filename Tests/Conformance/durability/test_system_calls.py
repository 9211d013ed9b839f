"""What was acknowledged is there after a crash, or a failure of the disk, at any system call.

A script of calls is made once without trouble; then again and again, with trouble at one system
call after the other, each time held against the undisturbed run (harness/script.py).
"""

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import grpc
import pytest

from harness import wire
from harness.client import Client
from harness.launcher import Launcher
from harness.processor import thread_names
from harness.refusals import refusal_in
from harness.script import Script, Whole, session, sliced
from harness.server import BOUND, START_SECONDS, Server, ServerFailed
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
FAILS = "error=EIO"
KILLED = -9

CANNOT_START = 73
STORE_FAILED = 74

UNKNOWN = (grpc.StatusCode.UNAVAILABLE, "OUTCOME_UNKNOWN")
FULL = (grpc.StatusCode.RESOURCE_EXHAUSTED, "STORE_FULL")

T = TypeVar("T")

WRITES = ("pwrite64", "writev")
SYNC = "fdatasync"


# The process id is written for the message of a second server: without it the first one serves.
OF_THE_HOLDER = (Point("ftruncate", 1), Point("pwrite64", 1))

LONG_CALLS = [
    pytest.param("RemoveAllPending", {}, id="remove"),
    pytest.param("AdvanceClock", {"to": wire.Timestamp(seconds=START_SECONDS + 90)}, id="to"),
    pytest.param(
        "AdvanceClock",
        {"by": wire.seconds(90)},
        id="by",
    ),
]


@dataclass(frozen=True)
class Fault:
    """What a system call answers instead of doing its work, and which calls do so."""

    name: str
    inject: str
    calls: tuple[str, ...]


FATAL = [
    Fault("EIO", "error=EIO", (*WRITES, SYNC)),
    # The disk took the frame, and finds no space for it then: what of it is there is not known.
    Fault("ENOSPC", "error=ENOSPC", (SYNC,)),
]
NO_SPACE = Fault("ENOSPC", "error=ENOSPC", WRITES)


def chosen(points: list[T], torture: Torture, row: str, share: int = 1) -> list[T]:
    """All points, or a test's share of as many as the row asks for."""
    count = -(-torture.count(row) // share)
    if count == 0 or count >= len(points):
        return points
    return random.Random(torture.seed).sample(points, count)


class Stage:
    """Runs a script with trouble at one system call of a writing thread."""

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
                threads = thread_names(server.pid)
                server.kill()
                tracer.wait()
        assert (answered, error) == (len(self.script.calls), None)
        shutil.rmtree(home)
        return points_in(self._output, threads)

    def trouble(self, point: Point, inject: str) -> tuple[Server, int, grpc.RpcError | None]:
        """Makes the script's calls on a new server with trouble at a point."""
        home = self.launch.new_home()
        server = self.launch(home)
        with Client(server.targets["unix"]) as client:
            self.script.prepare(client)
            options = [*point.inject(inject), *data_files(home)]
            with Tracer(server, self._output, *options, thread=point.thread):
                answered, error = self.script.run(client)
        return server, answered, error

    def was_reached(self) -> bool:
        """Whether the last trouble came to pass."""
        return "INJECTED" in self._output.read_text()

    def check_restart(self, home: Path, answered: int) -> None:
        """Holds the next server in the same home against the undisturbed run."""
        server = self.launch(home)
        with Client(server.targets["unix"]) as client:
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


def opening_points(launch: Launcher) -> list[Point]:
    """The system calls on the data directory of a server's first start."""
    home = launch.new_home()
    output = launch.new_home() / "trace"
    options = [f"--trace={OPENING_CALLS}", *data_files(home)]
    server = launch(home, under=under_strace(output, *options))
    assert server.targets
    server.kill()
    return points_in(output)


def expect_use(launch: Launcher, home: Path) -> None:
    """A server opens what is in the home, and works."""
    server = launch(home)
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        app.add("one")
        assert app.delivered() == ["one"]
    server.kill()


def start_with_trouble(launch: Launcher, home: Path, point: Point, inject: str) -> int:
    """Starts a server with trouble at a point; gives its end, 0 where it serves all the same."""
    output = launch.new_home() / "trace"
    options = [*point.inject(inject), *data_files(home)]
    server = launch(home, under=under_strace(output, *options))
    try:
        assert server.targets
    except ServerFailed:
        return server.wait()
    server.kill()
    return 0


@pytest.mark.torture
@pytest.mark.parametrize("inject", [KILL, "error=EIO", "error=ENOSPC"])
def test_trouble_at_each_system_call_of_the_first_start_leaves_what_opens(
    launch: Launcher, torture: Torture, report: Callable[[str], None], inject: str
) -> None:
    row = "R3" if inject == KILL else "R4"
    all_points = opening_points(launch)
    # A first start syncs its directory once more, at last, when the new file has its name.
    synced_again = [point for point in all_points if point.call == "openat"][-1]
    points = chosen(all_points, torture, row, share=4)
    if synced_again not in points:
        points.append(synced_again)
    for number in torture.rounds(row, len(points)):
        point = points[number]
        home = launch.new_home()
        status = start_with_trouble(launch, home, point, inject)
        survived = point in (*OF_THE_HOLDER, synced_again)
        expected = KILLED if inject == KILL else 0 if survived else CANNOT_START
        assert status == expected, point
        expect_use(launch, home)
        shutil.rmtree(home)
    report(
        f"{row} {inject} at a system call of the first start: {len(points)} of {len(all_points)}"
        f" points, 0 refused the next start (seed {torture.seed})"
    )


@pytest.mark.torture
def test_a_failed_system_call_ends_the_server_and_leaves_what_was_acknowledged(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    """Whether the failed call's change will be found is unknown: nothing more is acknowledged."""
    stage = Stage(launch, session(LAPS))
    faults = [
        (point, fault) for fault in FATAL for point in stage.points if point.call in fault.calls
    ]
    chosen_faults = chosen(faults, torture, "R4", share=2)
    for number in torture.rounds("R4", len(chosen_faults)):
        point, fault = chosen_faults[number]
        server, answered, error = stage.trouble(point, fault.inject)
        assert error is not None, f"{fault.name} at {point}: the call was acknowledged"
        refusal = refusal_in(error)
        assert (refusal.code, refusal.reason) == UNKNOWN, f"{fault.name} at {point}: {refusal}"
        assert server.wait(BOUND) == STORE_FAILED
        stage.check_restart(server.home, answered)
    report(
        f"R4 failed system call: {len(chosen_faults)} of {len(faults)} faults of"
        f" {len(stage.script.calls)} calls, all told and ended, 0 lost, 0 twice"
        f" (seed {torture.seed})"
    )


def serve_on_without_space(stage: Stage, point: Point) -> None:
    """No space at a point: the call is refused and did nothing; all others act."""
    server, answered, error = stage.trouble(point, NO_SPACE.inject)
    assert error is not None, f"{point}: the call was acknowledged"
    refusal = refusal_in(error)
    assert (refusal.code, refusal.reason) == FULL, f"{point}: {refusal}"
    with Client(server.targets["unix"]) as client:
        assert Whole.read(client) == stage.script.wholes[answered], f"{point}: something happened"
        stage.script.finish(client, answered)
    server.kill()
    stage.check_restart(server.home, len(stage.script.calls))


@pytest.mark.torture
def test_a_system_call_without_space_refuses_its_batch_and_the_server_serves_on(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    stage = Stage(launch, session(LAPS))
    faults = [
        point for point in stage.points if point.call in NO_SPACE.calls and not point.gives_blocks
    ]
    points = chosen(faults, torture, "R4", share=2)
    for number in torture.rounds("R4", len(points)):
        serve_on_without_space(stage, points[number])
    report(
        f"R4 ENOSPC at a system call: {len(points)} of {len(faults)} points of"
        f" {len(stage.script.calls)} calls, all refused, 0 lost, 0 twice (seed {torture.seed})"
    )


def test_a_failed_sync_ends_the_server(launch: Launcher) -> None:
    """The next sync may succeed without what this one did not write, so that none is tried."""
    stage = Stage(launch, session(1))
    point = next(point for point in stage.points if point.call == SYNC)
    server, answered, error = stage.trouble(point, "error=EIO")
    assert error is not None, "the call was acknowledged"
    refusal = refusal_in(error)
    assert (refusal.code, refusal.reason) == UNKNOWN
    assert server.wait(BOUND) == STORE_FAILED
    stage.check_restart(server.home, answered)


@pytest.mark.parametrize("rpc, fields", LONG_CALLS)
@pytest.mark.parametrize(
    "fault", [KILL, NO_SPACE.inject, FAILS], ids=["crash", "no space", "failed sync"]
)
def test_trouble_within_a_long_call_is_healed_by_its_retry(
    launch: Launcher, rpc: str, fields: dict[str, Any], fault: str
) -> None:
    """A call of several batches may have happened in part; its retry does the rest, once."""
    script = sliced(rpc, **fields)
    stage = Stage(launch, script)
    calls = WRITES if fault == NO_SPACE.inject else (SYNC,)
    for point in stage.points:
        if point.call not in calls or point.gives_blocks:
            continue
        server, answered, error = stage.trouble(point, fault)
        if error is None:
            # There is space when the batch is made again.
            assert fault == NO_SPACE.inject and stage.was_reached(), f"{point} was not reached"
        if fault == KILL:
            assert server.wait() == KILLED
        elif fault == FAILS:
            # The call may have ended with this batch, or have been on its way.
            assert error is not None
            refusal = refusal_in(error)
            assert (refusal.code, refusal.reason) == UNKNOWN, f"{point}: {refusal}"
            assert server.wait(BOUND) == STORE_FAILED
        else:
            with Client(server.targets["unix"]) as client:
                script.finish(client, answered)
            server.kill()
            answered = len(script.calls)
        stage.check_restart(server.home, answered)
