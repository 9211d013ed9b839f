"""Backup, and `belfry restore` and `belfry check`, which need no server."""

import hashlib
import os
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest

from harness import files, wire
from harness.client import App, Client
from harness.disk import Disk
from harness.launcher import Launcher
from harness.ledger import State
from harness.load import Load
from harness.refusals import refusal_in
from harness.server import BOUND, START_SECONDS, Server
from harness.torture import Torture

# The log of events only grows, and all of it is read each time: after so many backups a new store
# begins.
ROUNDS_OF_A_STORE = 20


def run(launch: Launcher, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the program to its end."""
    return subprocess.run(
        [launch.binary, *arguments], capture_output=True, text=True, timeout=2 * BOUND
    )


def back_up(client: Client) -> wire.Backup:
    """Makes a backup, past what it tells on the way."""
    *progress, last = client.call("Backup")
    assert all(message.HasField("progress") for message in progress)
    return last.backup


def stop(server: Server) -> None:
    """Ends a server in order."""
    server.terminate()
    assert server.wait() == 0


def test_a_backup_is_a_file_that_restores(launch: Launcher, transport: str) -> None:
    server = launch()
    with Client(server.targets[transport]) as client:
        app = client.app()
        app.authorize()
        app.add("later", 60)
        app.add("now")
        events = app.events()
        messages = list(client.call("Backup"))
        app.add("after the backup")
    assert [message.WhichOneof("kind") for message in messages] == ["progress", "backup"]
    assert messages[0].progress.copied_bytes == 0 < messages[0].progress.total_bytes
    backup = messages[-1].backup
    path = Path(backup.path)
    assert backup.name == "20260101T000000Z.mdb"
    assert path == server.home.resolve() / "data" / "backups" / backup.name
    assert backup.size_bytes == path.stat().st_size
    assert backup.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert backup.as_of.seconds == START_SECONDS

    home = launch.new_home()
    restored = run(launch, "restore", backup.path, f"--data={home / 'data'}")
    assert restored.returncode == 0, restored.stderr
    with Client(launch(home).targets[transport]) as client:
        app = App(client, app.center)
        assert app.events() == events
        assert (app.pending(), app.delivered()) == (["later"], ["now"])
        assert client.advance(60).fired == 1


def test_a_backup_has_the_files_of_attachments(launch: Launcher, transport: str) -> None:
    server = launch()
    with Client(server.targets[transport]) as client:
        app = client.app()
        assert back_up(client).attachments_path == ""
        picture = files.upload(app, files.png(1_000_000))
        files.put(app, files.wave(1), "a.wav", purpose=files.SOUND)
        backup = back_up(client)
        # They never change, so a backup has them though the store loses them.
        client.advance(86_400)
        files.put(app, files.png(50))
    path = Path(backup.attachments_path)
    assert path == Path(backup.path).with_suffix(".attachments")
    sizes = [file.stat().st_size for file in path.iterdir()]
    assert (backup.attachment_count, backup.attachments_size_bytes) == (len(sizes), sum(sizes))
    assert len(sizes) == 2

    home = launch.new_home()
    restored = run(launch, "restore", backup.path, f"--data={home / 'data'}")
    assert restored.returncode == 0, restored.stderr
    with Client(launch(home).targets[transport]) as client:
        app = App(client, app.center)
        assert files.get(app, picture.attachment_id) == picture
        assert files.download(app, picture.attachment_id) == files.png(1_000_000)

    next(path.iterdir()).unlink()
    checked = run(launch, "check", f"--file={backup.path}")
    assert checked.returncode == 1
    assert checked.stdout.startswith("attachments ") and " is gone" in checked.stdout
    refused = run(launch, "restore", backup.path, f"--data={launch.new_home() / 'data'}")
    assert refused.returncode == 1


def test_a_call_that_leaves_has_its_backup_ended(launch: Launcher, transport: str) -> None:
    server = launch()
    with Client(server.targets[transport]) as client:
        call = client.call("Backup")
        call.cancel()
        with pytest.raises(grpc.RpcError):
            list(call)
        # The one that is ended may still be on its way out.
        for _ in range(1_000):
            try:
                backup = back_up(client)
                break
            except grpc.RpcError as error:
                assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert not (Path(backup.path).parent / "unfinished").exists()


@pytest.mark.torture
def test_a_backup_under_load_has_all_that_was_acknowledged(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    choices = random.Random(torture.seed)
    home, load = launch.new_home(), Load(torture.seed)
    sizes: list[int] = []
    answered = 0
    for number in torture.rounds("R13"):
        begins = number % ROUNDS_OF_A_STORE == 0
        if begins:
            home, load = launch.new_home(), Load(torture.seed + number)
        load.answered = 0
        server = launch(home, clock="system")
        with Client(server.targets["unix"]) as client:
            if begins:
                load.register(client)
            load.check(client)
            load.start(server)
            load.wait_for(choices.randint(20, 300))
            before = [worker.ledger.copy() for worker in load.workers]
            owner = App(client, load.workers[0].center)
            sizes_of_files = [100 * number + 50 + rest for rest in range(3)]
            stored = {
                files.put(owner, files.png(size)).attachment_id: size for size in sizes_of_files
            }
            backup = back_up(client)
            after = [worker.ledger.copy() for worker in load.workers]
        stop(server)
        load.join()
        answered += load.answered
        sizes.append(backup.size_bytes)

        other = launch.new_home()
        restored = run(launch, "restore", backup.path, f"--data={other / 'data'}")
        assert restored.returncode == 0, restored.stderr + restored.stdout
        second = launch(other, clock="system")
        with Client(second.targets["unix"]) as client:
            for worker, first, last in zip(load.workers, before, after, strict=True):
                first.until(last).check(State.read(App(client, worker.center)))
            owner = App(client, owner.center)
            for identifier, size in stored.items():
                assert files.download(owner, identifier) == files.png(size)
        stop(second)
        stores = [f"--file={backup.path}", f"--data={other / 'data'}", f"--data={home / 'data'}"]
        for store in stores:
            checked = run(launch, "check", store)
            assert checked.returncode == 0, checked.stdout + checked.stderr
            assert checked.stdout.startswith("Clean: ")
        Path(backup.path).unlink()
        shutil.rmtree(backup.attachments_path)
        shutil.rmtree(other)
    report(
        f"R13 backup under load: {len(sizes)} backups of at most {max(sizes)} bytes, each restored,"
        f" checked and held against what was acknowledged: {answered} calls, 0 lost"
        f" (seed {torture.seed})"
    )


def test_the_newest_backups_stay(launch: Launcher) -> None:
    server = launch(arguments=["--keep-backups=3"])
    directory = server.home / "data" / "backups"
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        stored = files.put(app, files.png())
        app.add("a", 3_600, title="T", attachments=[{"attachment_id": stored.attachment_id}])
        names = []
        for number in range(6):
            names.append(back_up(client).name)
            client.advance(1)
            if number == 0:
                (directory / names[0]).rename(directory / "kept by its owner.mdb")
        assert {path.name for path in directory.glob("*.mdb")} == {
            *names[-3:],
            "kept by its owner.mdb",
        }
        for name in names[1:3]:
            assert not (directory / name).with_suffix(".attachments").exists()
        for name in names[-3:]:
            assert (directory / name).with_suffix(".attachments").exists()


def test_a_backup_leaves_what_the_store_needs(small_disk: Disk, launch: Launcher) -> None:
    home = small_disk.root / "home"
    home.mkdir()
    server = launch(home, arguments=["--keep-backups=1000"])
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        for number in range(60):
            app.add(f"{number}", 3_600, body="b" * 3_900)
        with pytest.raises(grpc.RpcError) as refused:
            for _ in range(1_000):
                back_up(client)
        refusal = refusal_in(refused.value)
        assert refusal.code == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert refusal.reason == "STORE_FULL"
        # An eighth of the disk is for the store, which serves on.
        disk = os.statvfs(home)
        assert disk.f_bavail * disk.f_frsize > disk.f_blocks * disk.f_frsize / 8 - 2**20
        assert len(list((home / "data" / "backups").glob("*.mdb"))) > 1
        assert app.add("more").state == wire.REQUEST_STATE_DELIVERED
