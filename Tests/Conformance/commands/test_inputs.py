"""What commands read from standard input, and what they write for other programs."""

import subprocess
from pathlib import Path

from google.protobuf import descriptor_pb2

from harness import wire
from harness.client import App, Client
from harness.launcher import Launcher
from harness.server import BOUND

ROOT = Path(__file__).parents[3]


def run(
    launch: Launcher, *arguments: str, given: bytes = b"", status: int = 0
) -> tuple[bytes, bytes]:
    """Runs a command, and gives its output and its errors."""
    done = subprocess.run(
        [launch.binary, *arguments], input=given, capture_output=True, timeout=BOUND, check=False
    )
    assert done.returncode == status, done.stderr
    return done.stdout, done.stderr


def test_a_body_may_come_from_standard_input(launch: Launcher) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = App(client, wire.Center(app_id="org.example.log"))
        app.authorize()
        to = ["--server", server.targets["unix"], "--app", app.center.app_id]
        given = "two\nlines ☕\n".encode()
        run(launch, "add", "Log", "--id", "log", "--body", "-", *to, given=given)
        (delivered,) = client.call("ListDelivered", center=app.center).notifications
        assert delivered.request.content.body == "two\nlines ☕"
        for given in (b"\xff", b"x" * (1 << 20) + b"x"):
            _, errors = run(launch, "add", "Log", "--body", "-", *to, given=given, status=64)
            assert b"standard input" in errors
        # The newest event of the app is where 'watch' goes on.
        status, _ = run(launch, "status", *to)
        newest = client.call("GetNotificationSettings", center=app.center).as_of_event
        assert f"{newest} of {app.center.app_id}".encode() in status


def test_the_protos_are_those_of_the_repository(launch: Launcher, tmp_path: Path) -> None:
    run(launch, "protos", "--out", str(tmp_path / "new/protos"))
    written = sorted(file for file in (tmp_path / "new/protos").rglob("*") if file.is_file())
    sources = sorted((ROOT / "Protos/belfry").rglob("*.proto"))
    assert [file.name for file in written] == [file.name for file in sources]
    for file, source in zip(written, sources, strict=True):
        assert file.read_bytes() == source.read_bytes()


def test_the_descriptors_are_whole(launch: Launcher) -> None:
    descriptors, _ = run(launch, "protos", "--descriptor-set")
    files = descriptor_pb2.FileDescriptorSet.FromString(descriptors).file
    assert "belfry/v1/push_service.proto" in {file.name for file in files}
    assert "google/protobuf/timestamp.proto" in {file.name for file in files}


def test_a_place_that_cannot_be_written_is_named(launch: Launcher) -> None:
    _, errors = run(launch, "protos", "--out", "/dev/null/protos", status=1)
    assert b"/dev/null/protos" in errors
    run(launch, "protos", status=64)
