"""Where `belfry attachments get` writes, whatever the app named the file."""

import os
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.launcher import Launcher
from harness.server import BOUND

GIF = b"GIF89a=1\n" + b"x" * 20
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def place(launch: Launcher) -> Path:
    """The directory in which commands are typed."""
    place = launch.new_home() / "place"
    place.mkdir()
    return place


@pytest.fixture
def run(launch: Launcher, place: Path) -> Run:
    server = launch()
    environment = {
        "HOME": str(server.home),
        "BELFRY_SERVER": server.targets["unix"],
        "BELFRY_APP": "org.example.tea",
    }

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [launch.binary.resolve(), *arguments],
            cwd=place, env=environment, capture_output=True, text=True, timeout=BOUND,
        )  # fmt: skip

    assert run("authorize").returncode == 0
    return run


def put(run: Run, place: Path, name: str) -> str:
    """Stores a picture under a name, and gives its identifier."""
    source = place.parent / "source"
    source.mkdir(exist_ok=True)
    (source / name).write_bytes(GIF + name.encode())
    stored = run("attachments", "put", str(source / name), "--type=com.compuserve.gif")
    assert stored.returncode == 0, stored.stderr
    return stored.stdout.split()[0]


def test_a_new_file_has_the_name_that_the_app_gave(run: Run, place: Path) -> None:
    identifier = put(run, place, "tea.gif")
    assert run("attachments", "get", identifier).returncode == 0
    assert (place / "tea.gif").read_bytes() == GIF + b"tea.gif"
    (place / "tea.gif").write_text("my own")
    again = run("attachments", "get", identifier)
    assert again.returncode != 0
    assert "--output" in again.stderr
    assert (place / "tea.gif").read_text() == "my own"
    # A file that is named is replaced.
    assert run("attachments", "get", identifier, "--output=tea.gif").returncode == 0
    assert (place / "tea.gif").read_bytes() == GIF + b"tea.gif"


@pytest.mark.parametrize("name", [".profile", "-rf"])
def test_a_name_that_means_something_is_not_taken(run: Run, place: Path, name: str) -> None:
    fetched = run("attachments", "get", put(run, place, name))
    assert fetched.returncode != 0
    assert "--output" in fetched.stderr
    assert list(place.iterdir()) == []


def test_what_is_no_file_is_written_to(run: Run, place: Path) -> None:
    identifier = put(run, place, "tea.gif")
    pipe = place / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert run("attachments", "get", identifier, f"--output={pipe}").returncode == 0
    reader.join(BOUND)
    assert read == [GIF + b"tea.gif"]
    assert pipe.is_fifo()
    target = place / "target"
    target.write_text("old")
    (place / "link").symlink_to(target)
    assert run("attachments", "get", identifier, "--output=link").returncode == 0
    assert (place / "link").is_symlink()
    assert target.read_bytes() == GIF + b"tea.gif"
