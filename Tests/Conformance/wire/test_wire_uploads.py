"""Uploads that keep their places: nobody else is kept out, and who is too slow is ended."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from harness import files, wire
from harness.client import App, Client
from harness.eventually import eventually
from harness.goodclient import GoodClient
from harness.launcher import Launcher
from harness.memory import MIB
from harness.refusals import refusal_of
from harness.server import Server
from harness.torture import Torture

PER_CONNECTION = 8
PLACES_OF_A_PEER = 48
PLACES_OF_AN_APP = 16

# How long one may send less than the least rate, and how late that may be noticed.
STALL = 30
P99_BOUND = 0.1


class Holder:
    """A connection whose uploads send a byte now and then, until they are told to go on."""

    def __init__(self, server: Server, apps: list[str], pause: float) -> None:
        self.client = Client(server.targets["tcp"])
        self.going = threading.Event()
        self._pause = pause
        stub = self.client._stubs["belfry.v1.AttachmentService"]
        self.calls: list[Any] = [stub.UploadAttachment.future(self._messages(app)) for app in apps]

    def _messages(self, app: str) -> Iterator[wire.UploadAttachmentRequest]:
        yield wire.UploadAttachmentRequest(app_id=app, metadata=files.metadata())
        yield wire.UploadAttachmentRequest(chunk=files.png()[:16])
        while not self.going.wait(self._pause):
            yield wire.UploadAttachmentRequest(chunk=b"t")

    @property
    def refused(self) -> int:
        """How many were ended."""
        return sum(call.done() for call in self.calls)

    def close(self) -> None:
        """Ends all."""
        self.going.set()
        self.client.channel.close()


def hold(server: Server, apps: list[str], *, pause: float = 1e6) -> list[Holder]:
    """Begins an upload of each app, eight over each connection, until each has its place or not."""
    holders = [
        Holder(server, apps[start : start + PER_CONNECTION], pause)
        for start in range(0, len(apps), PER_CONNECTION)
    ]
    eventually(
        lambda: (
            len(files.names(server.home)) + sum(holder.refused for holder in holders) >= len(apps)
        )
    )
    return holders


@pytest.mark.torture
def test_uploads_that_hold_their_places_keep_no_other_peer_out(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    server = launch()
    count = torture.count("R9-uploads")
    apps = [f"org.example.holder{number}" for number in range(count)]
    uploads: list[float] = []
    with GoodClient(server) as good, Client(server.targets["unix"]) as client:
        app = client.app()
        connected = time.monotonic()
        # A byte in 20 seconds is far below the least rate.
        holders = hold(server, apps, pause=20 if torture.is_full else 1e6)
        held = count - sum(holder.refused for holder in holders)
        began = time.monotonic()
        until = began + (STALL + 15 if torture.is_full else 1)
        while time.monotonic() < until:
            asked = time.monotonic()
            files.upload(app, files.png(100, len(uploads)))
            uploads.append(time.monotonic() - asked)
            time.sleep(0.02)
        ended = sum(holder.refused for holder in holders)
        held_for = time.monotonic() - connected
        if torture.is_full:
            # Their places are free again, for their own peer, too.
            with Client(server.targets["tcp"]) as slow:
                files.upload(slow.app(), files.png(999))
        for holder in holders:
            holder.close()
    report(
        f"R9-uploads: {count} uploads that trickle, of which {held} had a place and {ended} were"
        f" ended; {len(uploads)} uploads of another peer took at most"
        f" {max(uploads) * 1_000:.0f} ms; {good.figures()}"
    )
    assert held == PLACES_OF_A_PEER
    # Real time: a promise in figures, of a quiet machine.
    assert not torture.is_full or good.p99 <= P99_BOUND
    assert good.peak - good.at_rest <= 256 * MIB
    if torture.is_full:
        assert ended == count
    elif held_for < STALL:
        # A busy machine may take longer, and the server ends them then.
        assert ended == count - PLACES_OF_A_PEER


def test_an_app_has_sixteen_files_on_their_way(launch: Launcher) -> None:
    server = launch()
    holders = hold(server, ["org.example.app"] * 24)
    assert sum(holder.refused for holder in holders) == 24 - PLACES_OF_AN_APP
    with Client(server.targets["tcp"]) as client:
        app = App(client, wire.Center(app_id="org.example.app"))
        refusal = refusal_of(lambda: files.upload(app, files.png()))
        assert (refusal.code, refusal.reason) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "OVERLOADED",
        )
        assert refusal.retry_after
        # Other apps go on, and so does this one when its files have come.
        files.upload(client.app(), files.png())
        for holder in holders:
            holder.close()
        eventually(lambda: len(files.names(server.home)) == 1)
        files.upload(app, files.png())


def test_a_stream_that_says_nothing_has_no_place(launch: Launcher) -> None:
    server = launch()
    silent = threading.Event()

    def nothing() -> Iterator[wire.UploadAttachmentRequest]:
        silent.wait()
        yield from ()

    with Client(server.targets["tcp"]) as client:
        stub = client._stubs["belfry.v1.AttachmentService"]
        calls = [stub.UploadAttachment.future(nothing()) for _ in range(100)]
        files.upload(client.app(), files.png())
        assert not any(call.done() for call in calls)
        silent.set()
