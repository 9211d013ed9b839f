"""Trouble while many calls come at once, and a batch is made while the last one is written.

Where the log has no space for the last one, both are made again: nothing is lost or forgotten.
"""

from collections.abc import Sequence
from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client, request
from harness.keys import new_key
from harness.launcher import Launcher
from harness.ledger import listed
from harness.refusals import refusal_in
from harness.server import BOUND, Server
from harness.tracing import Point, Tracer, data_files

CALLS = 40
# A few calls fill a batch, so that others wait whenever one is made.
REQUESTS = 200
# A call takes several batches.
STEPS_OF_REQUESTS = 600
HOUR = 3_600

# The thread that writes a frame while the next batch is made.
LOG = "log"
SYNC = "fdatasync"
WRITE = "pwrite64"

# Such calls of the log's thread.
POINTS = [1, 2, 3]
# Much longer than it takes to send the calls.
SLOW_MICROSECONDS = 1_000_000

KILLED = -9
STORE_FAILED = 74

UNKNOWN = (grpc.StatusCode.UNAVAILABLE, "OUTCOME_UNKNOWN")


def calls_of(app: App, last: int) -> list[wire.AddBatchRequest]:
    """Calls that have nothing in common; the last half of them with so many requests."""
    return [
        wire.AddBatchRequest(
            center=app.center,
            idempotency_key=new_key(),
            requests=[request(f"{call}/{number}", HOUR) for number in range(count)],
        )
        for call, count in enumerate([REQUESTS] * (CALLS // 2) + [last] * (CALLS // 2))
    ]


def send(client: Client, calls: Sequence[wire.AddBatchRequest]) -> list[Any]:
    """Makes all calls at once, and gives the reply or the error of each."""
    add = client.stub("AddBatch")
    open_calls = [add.future(call, timeout=BOUND) for call in calls]
    return [call.exception() or call.result() for call in open_calls]


class AtOnce:
    """A server, and calls that come at once with trouble at a call of the log's thread."""

    def __init__(self, launch: Launcher, last: int = REQUESTS) -> None:
        self.server = launch()
        self._output = launch.new_home() / "trace"
        self._other_output = launch.new_home() / "trace"
        with Client(self.server.targets["unix"]) as client:
            self.app = client.app()
            self.app.authorize()
        self.calls = calls_of(self.app, last)

    def trouble(self, point: Point, inject: str) -> list[Any]:
        """Makes all calls with trouble at a point."""
        return self.inject(*point.inject(inject))

    def inject(self, *options: str) -> list[Any]:
        """Makes all calls, of which most come while the writer syncs the first."""
        files = data_files(self.server.home)
        slow = Point(SYNC, 1).inject(f"delay_exit={SLOW_MICROSECONDS}")
        with (
            Client(self.server.targets["unix"]) as client,
            Tracer(self.server, self._other_output, *slow, *files, thread="writer"),
            Tracer(self.server, self._output, *options, *files, thread=LOG),
        ):
            replies = send(client, self.calls)
        # Without it no batch was made while another one was written; a kill is seen by its end.
        is_kill = any("signal=" in option for option in options)
        assert is_kill or "INJECTED" in self._output.read_text(), "the trouble was not reached"
        return replies

    def check(self, server: Server, replies: Sequence[Any]) -> None:
        """Holds the server against the replies, and retries all calls: each acts once."""
        with Client(server.targets["unix"]) as client:
            app = App(client, self.app.center)
            found = set(pending(app))
            for call, reply in zip(self.calls, replies, strict=True):
                if isinstance(reply, wire.AddBatchResponse):
                    assert found >= {item.identifier for item in call.requests}, "a call was lost"
            for before, after in zip(replies, send(client, self.calls), strict=True):
                assert isinstance(after, wire.AddBatchResponse), after
                if isinstance(before, wire.AddBatchResponse):
                    assert after.results == before.results, "a retry got another reply"
            names = [item.identifier for call in self.calls for item in call.requests]
            assert sorted(pending(app)) == sorted(names)


def pending(app: App) -> list[str]:
    return [item.request.identifier for item in listed(app, "ListPending")]


@pytest.mark.parametrize("number", POINTS)
def test_a_crash_while_calls_come_at_once_loses_none(launch: Launcher, number: int) -> None:
    stage = AtOnce(launch)
    replies = stage.trouble(Point(SYNC, number), "signal=SIGKILL")
    assert stage.server.wait() == KILLED
    stage.check(launch(stage.server.home), replies)


@pytest.mark.parametrize("number", POINTS)
def test_a_failed_sync_while_calls_come_at_once_is_told_to_all(
    launch: Launcher, number: int
) -> None:
    stage = AtOnce(launch)
    replies = stage.trouble(Point(SYNC, number), "error=EIO")
    refusals = [refusal_in(reply) for reply in replies if isinstance(reply, grpc.RpcError)]
    # Others came after the failure, and are told that the server stops, or are cut off.
    assert UNKNOWN in {(refusal.code, refusal.reason) for refusal in refusals}
    assert stage.server.wait(BOUND) == STORE_FAILED
    stage.check(launch(stage.server.home), replies)


@pytest.mark.parametrize("number", POINTS)
def test_calls_at_once_are_made_again_where_a_frame_finds_no_space(
    launch: Launcher, number: int
) -> None:
    """The next try finds some, so that no call is refused."""
    stage = AtOnce(launch)
    replies = stage.trouble(Point(WRITE, number), "error=ENOSPC")
    for reply in replies:
        assert isinstance(reply, wire.AddBatchResponse), reply
    stage.check(stage.server, replies)


def test_calls_of_several_batches_lose_no_step_where_frames_find_no_space(
    launch: Launcher
) -> None:
    """Their first step may be in a batch that is thrown away, with the one before or by itself."""
    stage = AtOnce(launch, STEPS_OF_REQUESTS)
    replies = stage.inject(f"--trace={WRITE}", f"--inject={WRITE}:error=ENOSPC:when=1+")
    for reply in replies:
        assert isinstance(reply, wire.AddBatchResponse), reply
    stage.check(stage.server, replies)
