"""A data file that was cut short, or whose pages are damaged: told at the start, once."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import BOUND, Server

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


def test_an_emptied_file_and_a_lost_one_are_refused(launch: Launcher) -> None:
    file = filled(launch)
    for change in (lambda: file.write_bytes(b""), file.unlink):
        change()
        server = launch(file.parent.parent)
        assert server.wait() == DAMAGED, server.log
        assert "belfry restore" in server.log
        check = subprocess.run(
            [launch.binary, "check", "--data", file.parent],
            capture_output=True,
            text=True,
            timeout=BOUND,
            check=False,
        )
        assert check.returncode == DAMAGED
        assert check.stderr.strip().split(": ", 1)[-1] in server.log


@pytest.mark.parametrize("kind", ["directory", "link", "format", "restore"])
def test_what_is_no_store_is_refused_and_nothing_new_is_served(
    launch: Launcher, kind: str
) -> None:
    file = filled(launch)
    if kind == "format":
        contents = file.read_bytes()
        row = b"formatbelfry\0\0\0"
        assert row + b"\2" in contents
        file.write_bytes(contents.replace(row + b"\2", row + b"\x63"))
    else:
        shutil.rmtree(file.parent)
        file.parent.mkdir()
        if kind == "directory":
            file.mkdir()
        elif kind == "link":
            file.symlink_to("/nowhere/data.mdb")
        else:
            file.with_name("data.mdb.unfinished").write_bytes(b"")
    server = launch(file.parent.parent)
    assert server.wait() == DAMAGED, server.log
    check = subprocess.run(
        [launch.binary, "check", "--data", file.parent],
        capture_output=True,
        text=True,
        timeout=BOUND,
        check=False,
    )
    assert check.returncode == DAMAGED
    assert check.stderr.strip().split(": ", 1)[-1] in server.log


def leaves(contents: bytes, text: bytes) -> list[int]:
    """The pages of entries that hold a text."""
    pages = range(2, len(contents) // PAGE)
    kind = {page: contents[page * PAGE + 10] for page in pages}
    return [page for page in pages if kind[page] == 2 and text in contents[page * PAGE :][:PAGE]]


def start(launch: Launcher, file: Path) -> Server:
    return launch(file.parent.parent)


def listed(launch: Launcher) -> tuple[Path, wire.Center]:
    """The data file of a server that has ended, and an app with two lists of many pages."""
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        for number in range(700):
            app.add(f"delivered-{number}")
            app.add(f"pending-{number}", 3_600.0 + number)
    server.terminate()
    assert server.wait() == 0
    return server.home / "data" / "data.mdb", app.center


@pytest.mark.parametrize("damage", ["zeros", "misdirected", "places"])
def test_a_damaged_page_is_told_and_makes_no_list_short(launch: Launcher, damage: str) -> None:
    file, center = listed(launch)
    whole = file.read_bytes()
    pages = leaves(whole, b"pending-") + leaves(whole, b"delivered-")
    assert len(pages) > 20
    refused = 0
    for page in pages[:: max(1, len(pages) // 12)]:
        other = pages[-1] if page != pages[-1] else pages[0]
        changed = bytearray(whole)
        place = slice(page * PAGE, (page + 1) * PAGE)
        if damage == "zeros":
            changed[place] = bytes(PAGE)
        elif damage == "misdirected":
            changed[place] = whole[other * PAGE : (other + 1) * PAGE]
        else:
            for offset in range(16, 64):
                changed[page * PAGE + offset] ^= 0x5A
        file.write_bytes(changed)
        server = start(launch, file)
        try:
            client = Client(server.targets["unix"])
        except Exception:
            assert server.wait() == DAMAGED
            continue
        with client:
            app = App(client, center)
            for rpc, rows in (("ListPending", "requests"), ("ListDelivered", "notifications")):
                try:
                    response = app.call(rpc, page_size=1_000)
                    assert len(getattr(response, rows)) == 700
                except grpc.RpcError as error:
                    refused += 1
                    assert error.code() == grpc.StatusCode.UNAVAILABLE
                    eventually(lambda server=server: "the file is damaged" in server.log)
        server.terminate()
        assert server.wait() in (0, DAMAGED)
    assert refused > 0


def test_after_a_crash_a_damaged_file_is_told_at_the_start(launch: Launcher) -> None:
    file, center = listed(launch)
    server = start(launch, file)
    with Client(server.targets["unix"]) as client:
        client.wait_until_ready()
        os.kill(server.pid, signal.SIGSEGV)
    assert server.wait() == -signal.SIGSEGV
    # The file is sound: it is served.
    server = start(launch, file)
    with Client(server.targets["unix"]) as client:
        client.wait_until_ready()
        os.kill(server.pid, signal.SIGSEGV)
    assert server.wait() == -signal.SIGSEGV
    # This start checks all pages, and the next one does not.
    server = start(launch, file)
    with Client(server.targets["unix"]) as client:
        client.wait_until_ready()
    server.kill()
    whole = file.read_bytes()
    for page in leaves(whole, b"pending-")[5:]:
        contents = bytearray(whole)
        contents[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)
        file.write_bytes(contents)
        server = start(launch, file)
        with Client(server.targets["unix"]) as client:
            client.wait_until_ready()
            try:
                App(client, center).call("ListPending", page_size=1_000)
                server.kill()
                continue  # The page was free.
            except grpc.RpcError:
                os.kill(server.pid, signal.SIGSEGV)
        assert server.wait() == -signal.SIGSEGV
        break
    for _ in range(2):
        server = start(launch, file)
        assert server.wait() == DAMAGED, server.log
        assert "restore" in server.log
