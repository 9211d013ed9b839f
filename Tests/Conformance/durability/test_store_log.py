"""The log before the store's file: its damage is told and mended, and a merge takes any trouble."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest

from harness.client import App, Client, request
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.processor import niceness
from harness.refusals import refusal_in
from harness.server import BOUND, Server
from harness.tracing import Tracer

DAMAGED = 65
STORE_FAILED = 74
KILLED = -9
BLOCK = 4_096
HOUR = 3_600.0

ADDS = 20

CHANGES = Path(__file__).parents[3] / "Sources/NotificationRecords/Changes/StateChanges.swift"
CHANGES_PER_MERGE = int(re.findall(r"changesPerMerge = ([\d_]+)", CHANGES.read_text())[0])


def run(launch: Launcher, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [launch.binary, *arguments], capture_output=True, text=True, timeout=BOUND, check=False
    )


def killed(launch: Launcher) -> tuple[Server, App]:
    """A server that was killed after some adds, which are in its log alone."""
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        for number in range(ADDS):
            app.add(f"{number:02}", HOUR)
    server.kill()
    return server, app


def frames(segment: Path) -> list[int]:
    """Where the frames of a segment begin."""
    contents = segment.read_bytes()
    places = range(BLOCK, len(contents), BLOCK)
    return [place for place in places if any(contents[place : place + BLOCK])]


def written_counts(trace: Path) -> list[int]:
    """How many bytes each `writev` of a trace wrote."""
    return [int(count) for count in re.findall(r"writev\b.* = (-?\d+)$", trace.read_text(), re.M)]


def remove(log: Path, _: Path) -> None:
    (log / "0").unlink()


def lose(log: Path, _: Path) -> None:
    shutil.rmtree(log)


def cut(log: Path, _: Path) -> None:
    contents = (log / "0").read_bytes()
    (log / "0").write_bytes(contents[: frames(log / "0")[ADDS // 2]])


def flip(log: Path, _: Path) -> None:
    contents = bytearray((log / "0").read_bytes())
    contents[frames(log / "0")[ADDS // 2] + 100] ^= 1
    (log / "0").write_bytes(contents)


def swap(log: Path, other: Path) -> None:
    shutil.rmtree(log)
    shutil.copytree(other, log)


@pytest.mark.parametrize(
    "damage, words, kept",
    [
        pytest.param(remove, "segment 0 of the log is missing", range(1), id="segment"),
        pytest.param(lose, "segment 0 of the log is missing", range(1), id="log"),
        pytest.param(cut, "was cut short", range(1), id="cut"),
        pytest.param(flip, "of the log is damaged", range(ADDS // 2 - 5, ADDS // 2 + 5), id="bit"),
        pytest.param(swap, "another store's log", range(1), id="other"),
    ],
)
def test_a_damaged_log_is_refused_told_and_mended(
    launch: Launcher, damage: Callable[[Path, Path], None], words: str, kept: range
) -> None:
    other, _ = killed(launch)
    server, app = killed(launch)
    data = server.home / "data"
    damage(data / "log", other.home / "data" / "log")
    refused = launch(server.home)
    assert refused.wait() == DAMAGED
    assert words in refused.log and "belfry check" in refused.log
    checked = run(launch, "check", "--data", data)
    assert checked.returncode == 1 and words in checked.stdout, checked.stdout + checked.stderr
    repaired = run(launch, "check", "--repair", "--data", data)
    assert repaired.returncode == 0, repaired.stdout + repaired.stderr
    assert words in repaired.stdout
    checked = run(launch, "check", "--data", data)
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
    assert len(list(data.glob("set-aside-*.log"))) == (0 if damage is lose else 1)
    server = launch(server.home)
    with Client(server.targets["unix"]) as client:
        app.client = client
        app.authorize()
        pending = sorted(app.pending())
        assert pending == [f"{number:02}" for number in range(len(pending))]
        assert len(pending) in kept
        app.add("after", HOUR)
    server.kill()
    server = launch(server.home)
    with Client(server.targets["unix"]) as client:
        app.client = client
        assert "after" in app.pending()


def fill(client: Client) -> tuple[int, grpc.RpcError | None]:
    """Adds so much that a merge begins and ends; gives how many were acknowledged."""
    count = 0
    try:
        # Each add makes three changes.
        for _ in range(CHANGES_PER_MERGE // 3_000 + 7):
            app = client.app()
            app.authorize()
            requests = [request(f"{number:03}", HOUR) for number in range(1_000)]
            response = app.call("AddBatch", requests=requests)
            assert all(result.HasField("added") for result in response.results)
            count += len(requests)
    except grpc.RpcError as error:
        return count, error
    return count, None


def test_a_merge_is_synced_before_its_frames_may_go(launch: Launcher) -> None:
    server = launch()
    trace = launch.new_home() / "trace"
    data = server.home / "data" / "data.mdb"
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        app.add("one", HOUR)
        with Tracer(server, trace, "--trace=fdatasync", f"--trace-path={data}") as tracer:
            server.terminate()
            assert server.wait() == 0
            tracer.wait()
    # The end of another thread may part the line.
    assert re.search(r"fdatasync(\(\d+| resumed>)\) += 0", trace.read_text()), trace.read_text()


@pytest.mark.parametrize("call", ["pwrite64", "fdatasync"])
@pytest.mark.parametrize("number", [1, 5])
@pytest.mark.parametrize("fault", ["signal=SIGKILL", "error=EIO", "error=ENOSPC"])
def test_trouble_in_a_merge_loses_nothing(
    launch: Launcher, call: str, number: int, fault: str
) -> None:
    server = launch()
    trace = launch.new_home() / "trace"
    data = server.home / "data" / "data.mdb"
    options = [
        f"--trace={call}",
        f"--inject={call}:{fault}:when={number}",
        f"--trace-path={data}",
    ]
    with Client(server.targets["unix"]) as client:
        with Tracer(server, trace, *options):
            count, error = fill(client)
            if fault.startswith("signal"):
                # The merge goes on after the last call.
                assert server.wait(BOUND) == KILLED
            elif error is not None:
                # A failed sync, or a meta page that could not be written.
                assert refusal_in(error).reason in ("OUTCOME_UNKNOWN", "STORE_FAILED")
                assert server.wait(BOUND) == STORE_FAILED
        server.close()
    server = launch(server.home)
    with Client(server.targets["unix"]) as client:
        # Of the call that was cut, any part may be there.
        assert count <= client.call("GetStats").store.pending <= count + (1_000 if error else 0)
    server.terminate()
    assert server.wait() == 0
    assert run(launch, "check", "--data", server.home / "data").returncode == 0


def test_a_merge_that_a_quota_cuts_short_is_tried_again(launch: Launcher) -> None:
    """LMDB says of a short write what it says of a failed disk; the disk itself has room."""
    server = launch()
    trace = launch.new_home() / "trace"
    data = server.home / "data"
    options = [
        "--trace=writev,fallocate",
        # The pages of a slice; a meta page that is cut short is another failure.
        "--inject=writev:retval=100:when=1",
        "--inject=fallocate:error=EDQUOT",
        f"--trace-path={data / 'data.mdb'}",
        f"--trace-path={data / 'trial'}",
    ]
    with Client(server.targets["unix"]) as client:
        with Tracer(server, trace, *options):
            count, error = fill(client)
            assert error is None
            eventually(lambda: "EDQUOT" in trace.read_text())
        assert client.call("GetStats").store.pending == count
    assert not (data / "trial").exists()
    server.terminate()
    assert server.wait() == 0
    assert run(launch, "check", "--data", data).returncode == 0


def test_a_merge_writes_pages_one_by_one(launch: Launcher) -> None:
    """Linux keeps what is written at once as one folio, which makes each later write slower."""
    server = launch()
    trace = launch.new_home() / "trace"
    path = server.home / "data" / "data.mdb"
    with Client(server.targets["unix"]) as client:
        with Tracer(server, trace, "--trace=writev", f"--trace-path={path}"):
            assert fill(client)[1] is None
            eventually(lambda: len(written_counts(trace)) > 100)
    assert set(written_counts(trace)) == {os.sysconf("SC_PAGE_SIZE")}


def test_a_merge_stands_back_for_the_calls(launch: Launcher) -> None:
    server = launch()
    # Its threads are there when it serves.
    assert server.targets
    assert niceness(server.pid, "merger") == min(niceness(server.pid, "writer") + 10, 19)
