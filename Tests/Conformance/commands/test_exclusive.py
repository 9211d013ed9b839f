"""A second server takes nothing from the first: not its data, nor its port, nor its socket."""

import os
import subprocess
from collections.abc import Callable

import pytest

from harness import wire
from harness.client import Client
from harness.launcher import Launcher
from harness.server import BOUND, Server
from harness.torture import Torture

ROW = "R15-second"

CANNOT_START = 73


def start_in_vain(launch: Launcher, *arguments: str) -> str:
    """Runs a server that cannot start, and gives what it says."""
    second = subprocess.run(
        [launch.binary, "serve", *arguments], capture_output=True, text=True, timeout=BOUND
    )
    assert second.returncode == CANNOT_START
    assert len(second.stderr.splitlines()) == 1, second.stderr
    assert second.stdout == ""
    return second.stderr


def expect_serving(server: Server, transport: str) -> None:
    """The first server still takes new connections over both transports, and acts."""
    for target in server.targets.values():
        with Client(target) as client:
            client.call("GetServerInfo")
    with Client(server.targets[transport]) as client:
        app = client.app()
        app.authorize()
        assert app.add("one").state == wire.REQUEST_STATE_DELIVERED


@pytest.fixture
def first(launch: Launcher) -> Server:
    """The server that was there before."""
    server = launch()
    assert server.targets
    return server


@pytest.mark.torture
def test_a_data_directory_has_one_server(
    launch: Launcher,
    first: Server,
    transport: str,
    torture: Torture,
    report: Callable[[str], None],
) -> None:
    data = first.home / "data"
    for _ in torture.rounds(ROW):
        home = launch.new_home()
        said = start_in_vain(launch, f"--data={data}", f"--listen=unix:{home / 'belfry.sock'}")
        assert str(data) in said
        assert list(home.iterdir()) == []
        expect_serving(first, transport)
    report(f"{ROW} on the same directory, {transport}: {torture.count(ROW)} refused, 0 lost")


@pytest.mark.torture
def test_a_port_has_one_server(
    launch: Launcher,
    first: Server,
    transport: str,
    torture: Torture,
    report: Callable[[str], None],
) -> None:
    address = first.targets["tcp"]
    home = launch.new_home()
    for _ in torture.rounds(ROW):
        said = start_in_vain(
            launch,
            f"--data={home / 'data'}",
            f"--listen=unix:{home / 'belfry.sock'}",
            f"--listen=tcp:{address}", "--insecure",
        )
        assert address in said
        expect_serving(first, transport)
    # What the second began with is free again.
    expect_serving(launch(home), transport)
    report(f"{ROW} on the same port, {transport}: {torture.count(ROW)} refused, 0 lost")


@pytest.mark.torture
def test_a_socket_has_one_server(
    launch: Launcher,
    first: Server,
    transport: str,
    torture: Torture,
    report: Callable[[str], None],
) -> None:
    before = os.stat(first.socket).st_ino
    home = launch.new_home()
    for _ in torture.rounds(ROW):
        said = start_in_vain(launch, f"--data={home / 'data'}", f"--listen=unix:{first.socket}")
        assert str(first.socket) in said
        assert os.stat(first.socket).st_ino == before
        expect_serving(first, transport)
    report(f"{ROW} on the same socket, {transport}: {torture.count(ROW)} refused, 0 lost")


def test_a_file_that_is_no_socket_is_not_taken(launch: Launcher) -> None:
    home = launch.new_home()
    file = home / "belfry.sock"
    file.write_text("somebody's")
    said = start_in_vain(launch, f"--data={home / 'data'}", f"--listen=unix:{file}")
    assert str(file) in said
    assert file.read_text() == "somebody's"


def test_a_stop_takes_its_socket_away_and_a_crash_leaves_one_that_is_taken_over(
    launch: Launcher, first: Server, transport: str
) -> None:
    first.kill()
    assert first.socket.is_socket()
    second = launch(first.home)
    expect_serving(second, transport)
    second.terminate()
    assert second.wait() == 0
    assert not second.socket.exists()
