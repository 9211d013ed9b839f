"""The server as a process among others: signals, descriptors, and files that others made first."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness.client import Client
from harness.launcher import Launcher
from harness.server import BOUND

CANNOT_START, NOT_PERMITTED = 73, 77

# Some user who is neither root nor who tests.
STRANGER = 54_321

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


def test_signals_of_a_terminal_that_is_gone_end_no_server(launch: Launcher) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        client.call("GetServerInfo")
        for number in [signal.SIGHUP, signal.SIGPIPE]:
            os.kill(server.pid, number)
            client.call("GetServerInfo")


def serve(binary: Path, home: Path, *under: str, **options: object) -> subprocess.Popen[bytes]:
    """Starts a server whose log is not read."""
    command = [*under, binary, "serve", f"--data={home / 'data'}", f"--listen=unix:{home / 's'}"]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **options)


def test_a_log_that_nobody_reads_ends_no_server(launch: Launcher) -> None:
    home = launch.new_home()
    process = serve(launch.binary, home, stderr=subprocess.PIPE)
    try:
        with Client(f"unix:{home / 's'}") as client:
            client.wait_until_ready()
            assert process.stderr is not None
            process.stderr.close()
            process.terminate()
            assert process.wait(BOUND) == 0
    finally:
        process.kill()


def test_standard_descriptors_that_are_closed_become_no_file_of_the_store(
    launch: Launcher,
) -> None:
    home = launch.new_home()
    without = 'exec "$0" "$@" <&- >&- 2>&-'
    process = serve(launch.binary, home, "sh", "-c", without, stderr=subprocess.DEVNULL)
    try:
        with Client(f"unix:{home / 's'}") as client:
            client.wait_until_ready()
            for number in range(3):
                assert os.readlink(f"/proc/{process.pid}/fd/{number}") == "/dev/null"
    finally:
        process.kill()
        process.wait()


def refusal(launch: Launcher, home: Path) -> str:
    """What a server says that refuses to start in a home."""
    server = launch(home)
    assert server.wait() == CANNOT_START
    return server.log


def test_the_lock_is_not_looked_for_behind_a_link(launch: Launcher) -> None:
    home = launch.new_home()
    (home / "data").mkdir()
    other = home / "other"
    other.write_text("precious")
    (home / "data" / "lock").symlink_to(other)
    assert "is a symbolic link" in refusal(launch, home)
    assert other.read_text() == "precious"


def test_a_socket_is_not_made_where_everybody_may_write(launch: Launcher) -> None:
    home = launch.new_home()
    home.chmod(0o777)
    assert "everybody may write into the directory" in refusal(launch, home)
    # In a directory such as /tmp nobody removes what is another's.
    home.chmod(0o1777)
    assert launch(home).targets


@needs_root
def test_a_socket_is_not_made_in_a_directory_of_somebody_else(launch: Launcher) -> None:
    home = launch.new_home()
    os.chown(home, STRANGER, STRANGER)
    assert f"belongs to another user ({STRANGER})" in refusal(launch, home)


@needs_root
def test_a_socket_is_not_made_behind_a_link_of_somebody_else(launch: Launcher) -> None:
    home, ours = launch.new_home(), launch.new_home()
    (home / "link").symlink_to(ours)
    os.chown(home / "link", STRANGER, STRANGER, follow_symlinks=False)
    assert f"belongs to another user ({STRANGER})" in refusal(launch, home / "link")


def status(binary: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """What `belfry status` says of the server in the default place."""
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(home)}
    environment.pop("BELFRY_SERVER", None)
    command = [binary, "status", "--timeout", "5s"]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=BOUND, check=False
    )


@contextmanager
def listener(path: Path, user: int) -> Iterator[None]:
    """A socket on which a user listens."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        os.seteuid(user)
        try:
            listening.listen()
        finally:
            os.seteuid(0)
        yield


@needs_root
def test_a_client_does_not_talk_to_a_server_of_somebody_else(launch: Launcher) -> None:
    home = launch.new_home()
    directory = home / "belfry"
    directory.mkdir(mode=0o700)
    with listener(directory / "belfry.sock", STRANGER):
        answer = status(launch.binary, home)
    assert answer.returncode == NOT_PERMITTED
    assert "the server at" in answer.stderr
    assert f"belongs to another user ({STRANGER})" in answer.stderr


@needs_root
def test_a_client_does_not_look_into_a_directory_of_somebody_else(launch: Launcher) -> None:
    home = launch.new_home()
    directory = home / "belfry"
    directory.mkdir(mode=0o700)
    os.chown(directory, STRANGER, STRANGER)
    answer = status(launch.binary, home)
    assert answer.returncode == NOT_PERMITTED
    assert f"the directory {directory} belongs to another user ({STRANGER})" in answer.stderr
