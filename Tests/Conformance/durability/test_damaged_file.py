"""A data file that was cut short, or whose pages are damaged: told at the start, once."""

import signal
from pathlib import Path

import pytest

from harness.client import Client
from harness.launcher import Launcher

DAMAGED = 65
PAGE = 4_096


def filled(launch: Launcher) -> Path:
    """The data file of a server that has ended, of a few hundred pages."""
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        for number in range(200):
            app.add(f"{number}", 60.0 + number, body="b" * 3_000)
    server.terminate()
    assert server.wait() == 0
    return server.home / "data" / "data.mdb"


def test_a_file_that_was_cut_short_is_told_at_the_start(launch: Launcher) -> None:
    file = filled(launch)
    whole = file.read_bytes()
    for kept in (len(whole) - PAGE, len(whole) // 2, 3 * PAGE, 2 * PAGE, PAGE):
        file.write_bytes(whole[:kept])
        server = launch(file.parent.parent)
        assert server.wait() == DAMAGED, (kept, server.log)
        assert "restore" in server.log
        # Nothing of what is left was changed.
        assert file.read_bytes() == whole[:kept]
    file.write_bytes(whole)
    server = launch(file.parent.parent)
    with Client(server.targets["unix"]) as client:
        client.advance(300)
    server.terminate()
    assert server.wait() == 0


@pytest.mark.parametrize("fill", [b"\0", b"\xff"], ids=["zeros", "ones"])
def test_pages_of_garbage_are_told_at_the_start(launch: Launcher, fill: bytes) -> None:
    file = filled(launch)
    whole = file.read_bytes()
    file.write_bytes(whole[: 2 * PAGE] + fill * (len(whole) - 2 * PAGE))
    server = launch(file.parent.parent)
    status = server.wait()
    assert status == DAMAGED, (status, server.log)
    assert status not in (-signal.SIGBUS, -signal.SIGABRT, -signal.SIGSEGV)
    assert "restore" in server.log
