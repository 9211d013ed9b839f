"""What is left of files when a server is killed, or its disk gets full: whole ones, or nothing."""

import random
import threading
from collections.abc import Callable

import grpc
import pytest

from harness import files
from harness.client import App, Client
from harness.disk import Disk
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.refusals import refusal_of
from harness.server import Server
from test_backup import run

CYCLES = 12
SENDERS = 4


class Sender:
    """One app that stores one file after the other until its server ends."""

    def __init__(self, number: int) -> None:
        self.app_id = f"org.example.sender{number}"
        # The acknowledged files: the identifiers, and the bytes.
        self.stored: dict[str, bytes] = {}
        self._count = number * 1_000_000
        self._error: BaseException | None = None
        self._thread: threading.Thread | None = None

    def app(self, client: Client) -> App:
        """The app, over a connection."""
        app = client.app()
        app.center.app_id = self.app_id
        return app

    def start(self, server: Server) -> None:
        """Begins to store files."""
        self._thread = threading.Thread(target=self._work, args=(server.targets["unix"],))
        self._thread.start()

    def join(self) -> None:
        """Waits until it has noticed the server's end."""
        assert self._thread
        self._thread.join()
        if self._error:
            raise self._error

    def _work(self, target: str) -> None:
        try:
            with Client(target) as client:
                app = self.app(client)
                while True:
                    self._count += 1
                    data = files.png(self._count % 7 * 150_000 + 100, self._count)
                    attachment = files.upload(app, data, chunk=100_000)
                    self.stored[attachment.attachment_id] = data
        except grpc.RpcError as error:
            if error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):
                self._error = error


def test_a_killed_server_has_what_was_acknowledged_and_no_other_file(
    launch: Launcher, report: Callable[[str], None]
) -> None:
    choices = random.Random(7)
    home = launch.new_home()
    senders = [Sender(number) for number in range(SENDERS)]
    unfinished = 0
    for _ in range(CYCLES):
        server = launch(home, clock="system")
        for sender in senders:
            sender.start(server)
        count = sum(len(sender.stored) for sender in senders) + choices.randint(3, 15)
        eventually(lambda: sum(len(sender.stored) for sender in senders) >= count)
        server.kill()
        for sender in senders:
            sender.join()
        unfinished += len([name for name in files.names(home) if name.endswith(".unfinished")])

        server = launch(home, clock="system")
        with Client(server.targets["unix"]) as client:
            for sender in senders:
                for identifier, data in sender.stored.items():
                    assert files.download(sender.app(client), identifier) == data
            # One that was recorded and not told has a row, too; the check holds both together.
            eventually(lambda: not [name for name in files.names(home) if "." in name])
        server.terminate()
        assert server.wait() == 0
        checked = run(launch, "check", f"--data={home / 'data'}", "--json")
        assert checked.returncode == 0, checked.stdout
    told = sum(len(sender.stored) for sender in senders)
    assert told <= len(files.names(home)) <= told + CYCLES * SENDERS
    assert unfinished, "no upload was ever cut"
    report(
        f"attachments: {CYCLES} kills during uploads: {told} acknowledged files, 0 lost;"
        f" {unfinished} that were cut, 0 left"
    )


def test_a_full_disk_refuses_files_and_leaves_nothing_of_them(
    small_disk: Disk, launch: Launcher
) -> None:
    home = small_disk.new_home()
    server = launch(home)
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        kept = []
        while len(kept) < 1_000:
            try:
                kept.append(files.upload(app, files.png(500_000, len(kept))).attachment_id)
            except grpc.RpcError:
                break
        refusal = refusal_of(lambda: files.upload(app, files.png(500_000, 10_000)))
        assert refusal.code == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert refusal.reason == "STORE_FULL"
        eventually(lambda: len(files.names(home)) == len(kept) > 0)
        # Files leave free the space that adds leave free.
        app.add("now")
        small_disk.fill()
        refusal = refusal_of(lambda: files.put(app, files.png(5_000, 10_001)))
        assert refusal.reason == "STORE_FULL"
        small_disk.relieve()
        for number, identifier in enumerate(kept):
            assert files.download(app, identifier) == files.png(500_000, number)
        client.advance(86_400)
        eventually(lambda: not files.names(home))
        files.upload(app, files.png(500_000))
    server.kill()


@pytest.mark.parametrize("blocks", range(0, 60, 9))
def test_a_disk_that_gets_full_within_a_file_leaves_whole_files_alone(
    small_disk: Disk, launch: Launcher, blocks: int
) -> None:
    home = small_disk.new_home()
    server = launch(home)
    with Client(server.targets["unix"]) as client:
        app = client.app()
        stored = files.put(app, files.png(1_000))
        small_disk.fill(leave=blocks * 4_096)
        refusal = refusal_of(lambda: files.put(app, files.png(200_000)))
        assert refusal.reason == "STORE_FULL"
        small_disk.relieve()
        eventually(lambda: len(files.names(home)) == 1)
        assert files.download(app, stored.attachment_id) == files.png(1_000)
        files.put(app, files.png(200_000))
    server.kill()
