"""A full disk refuses adds and nothing else, loses nothing, and is left again (ST-2)."""

from collections.abc import Callable

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from harness import wire
from harness.client import App, Client, request
from harness.disk import Disk
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.ledger import State
from harness.refusals import refusal_in, refusal_of, refusal_of_item
from harness.server import BOUND, ServerFailed
from harness.torture import Torture

HOUR = 3_600

FULL = (grpc.StatusCode.RESOURCE_EXHAUSTED, "STORE_FULL")

LARGE = "x" * 60_000

DUE = 200

CANNOT_START = 73

BLOCK = 4_096
# What others leave of a disk; more than an eighth of it.
SHARED_BYTES = 5 << 20
# A new store takes more than the first and less than the last of these.
FEW_BLOCKS = [*range(0, 42, 6), *range(180, 270, 11)]


class Filled:
    """An app whose requests fill the store, and what it was told of them."""

    def __init__(self, client: Client) -> None:
        self.app = client.app()
        self.app.authorize()
        self.due = [f"due {number}" for number in range(DUE)]
        soon = [request(name, 60) for name in self.due]
        self.app.call("AddBatch", requests=soon)
        self.app.add("shown")
        self.pending = set(self.due)
        self.delivered = {"shown"}
        self._number = 0

    def fill(self) -> None:
        """Adds until the server refuses, first much at a time, then little."""
        while self._add(10):
            assert len(self.pending) < 10_000, "the disk does not get full"
        while self._add(1):
            assert len(self.pending) < 10_000, "the disk does not get full"

    def _add(self, count: int) -> bool:
        """Adds some; whether all of them were added. Each is refused for want of space or not."""
        self._number += count
        names = [f"large {self._number - number}" for number in range(count)]
        requests = [request(name, HOUR, body=LARGE) for name in names]
        try:
            response = self.app.call("AddBatch", requests=requests)
        except grpc.RpcError as error:
            refusal = refusal_in(error)
            assert (refusal.code, refusal.reason) == FULL, refusal
            return False
        for name, result in zip(names, response.results, strict=True):
            if result.HasField("added"):
                self.pending.add(name)
            else:
                refusal = refusal_of_item(result.error)
                assert (refusal.code, refusal.reason) == FULL, refusal
        return all(result.HasField("added") for result in response.results)

    def expect_refused(self) -> None:
        """One more add, a small one, is refused."""
        refusal = refusal_of(lambda: self.app.add("refused", HOUR))
        assert (refusal.code, refusal.reason) == FULL, refusal

    def remove(self, count: int) -> None:
        """Removes some of the large requests, and the notification that is shown."""
        names = sorted(name for name in self.pending if name.startswith("large"))[:count]
        response = self.app.call("RemovePending", identifiers=names)
        assert list(response.removed_identifiers) == names
        self.pending -= set(names)
        response = self.app.call("RemoveDelivered", identifiers=list(self.delivered))
        assert set(response.removed_identifiers) == self.delivered
        self.delivered = set()

    def deliver(self) -> None:
        """Lets fire what is due."""
        assert self.app.client.advance(60).fired == len(self.due)
        self.pending -= set(self.due)
        self.delivered |= set(self.due)

    def deliver_or_wait(self) -> None:
        """Lets fire what is due, or is refused for want of space."""
        try:
            self.deliver()
            self.due = []
        except grpc.RpcError as error:
            refusal = refusal_in(error)
            assert (refusal.code, refusal.reason) == FULL, refusal

    def check(self) -> None:
        """Holds the server against what it acknowledged."""
        state = State.read(self.app)
        assert set(state.pending) == self.pending
        assert state.delivered == self.delivered
        fired = [event for event in state.events if event.HasField("delivered")]
        names = [event.delivered.notification.request.identifier for event in fired]
        assert len(names) == len(set(names)), "a notification was delivered twice"

    def expect_room(self) -> None:
        """Adds are taken again."""
        self.app.add("after", HOUR)
        self.pending.add("after")


def expect_serving(client: Client) -> None:
    """The server says that it is well: it can do all but add."""
    health = health_pb2_grpc.HealthStub(client.channel)
    response = health.Check(health_pb2.HealthCheckRequest(), timeout=BOUND)
    assert response.status == health_pb2.HealthCheckResponse.SERVING


def fill_and_empty(disk: Disk, launch: Launcher, *, is_shared: bool) -> int:
    """Fills a new store to its limit and gives it room again; gives how much was in it.

    On a disk that is shared the reserve of free space is the limit, else the share of the disk.
    """
    home = disk.new_home()
    if is_shared:
        disk.fill(leave=SHARED_BYTES)
    server = launch(home)
    with Client(server.targets["unix"]) as client:
        filled = Filled(client)
        filled.fill()
        count = len(filled.pending)
        filled.expect_refused()
        expect_serving(client)
        filled.check()
        filled.remove(1)
        filled.deliver()
        filled.check()
    server.kill()
    server = launch(home)
    with Client(server.targets["unix"]) as client:
        filled.app.client = client
        expect_serving(client)
        filled.check()
        filled.remove(count // 2)
        filled.expect_room()
        filled.check()
    server.kill()
    disk.relieve()
    return count


@pytest.mark.torture
def test_a_full_store_still_removes_and_delivers(
    small_disk: Disk, launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    counts = [
        fill_and_empty(small_disk, launch, is_shared=number % 2 == 0)
        for number in torture.rounds("R12")
    ]
    report(
        f"R12 full store: {len(counts)} fulls of up to {max(counts)} requests: adds refused,"
        f" {DUE} deliveries and the removals done each time, 0 lost, 0 twice"
    )


@pytest.mark.torture
def test_a_disk_that_somebody_else_fills_is_outlived(
    small_disk: Disk, launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    """No reserve holds against others: what is due may wait for space, but comes then, once."""
    for _ in torture.rounds("R12"):
        home = small_disk.new_home()
        server = launch(home, clock="system")
        with Client(server.targets["unix"]) as client:
            app = client.app()
            app.authorize()
            names = [f"{number}" for number in range(DUE)]
            app.call("AddBatch", requests=[request(name, 1) for name in names])
            app.add("long", HOUR)
            small_disk.fill()
            expect_refused_soon(app)
            expect_serving(client)
            assert "long" in app.pending(page_size=1_000)
        server.kill()
        server = launch(home, clock="system")
        with Client(server.targets["unix"]) as client:
            app.client = client
            expect_serving(client)
            expect_refused_soon(app)
            small_disk.relieve()
            eventually(lambda: len(app.delivered(page_size=1_000)) == DUE)
            app.add("after", HOUR)
            state = State.read(app)
            assert {"long", "after"} <= set(state.pending) <= {"long", "after", "refused"}
            delivered = [event for event in state.events if event.HasField("delivered")]
            assert len(delivered) == len(state.delivered) == DUE
        server.kill()
    report(
        f"R12 disk filled by others: {torture.count('R12')} fulls: adds refused, {DUE} deliveries"
        " once each after space was there, 0 lost"
    )


def test_a_disk_that_gets_full_within_a_write_is_outlived(
    small_disk: Disk, launch: Launcher, report: Callable[[str], None]
) -> None:
    """A write that finds some space writes less than it should: that is want of space, too."""
    leaves = range(0, 16, 3)
    for blocks in leaves:
        server = launch(small_disk.new_home())
        with Client(server.targets["unix"]) as client:
            filled = Filled(client)
            small_disk.fill(leave=blocks * 4_096)
            for _ in range(3):
                filled.deliver_or_wait()
            expect_serving(client)
            filled.check()
            small_disk.relieve()
            filled.deliver_or_wait()
            assert not filled.due, "there is space, and what is due is not delivered"
            filled.expect_room()
            filled.check()
        server.kill()
    report(f"R12 disk full within a write: {len(leaves)} fulls, all outlived, 0 lost")


def expect_refused_soon(app: App) -> None:
    """Adds are refused, at the latest when the free pages of the file are used up."""
    for _ in range(100):
        try:
            app.add("refused", HOUR, body=LARGE)
        except grpc.RpcError as error:
            refusal = refusal_in(error)
            assert (refusal.code, refusal.reason) == FULL, refusal
            return
    pytest.fail("the disk is full and requests are added")


def start_in_space(disk: Disk, launch: Launcher, blocks: int) -> int:
    """Starts a new server with so many free blocks; gives its end, 0 where there were enough."""
    home = disk.new_home()
    disk.fill(leave=blocks * BLOCK)
    server = launch(home)
    try:
        assert server.targets
    except ServerFailed:
        return server.wait()
    server.kill()
    return 0


def test_a_first_start_on_a_full_disk_leaves_what_opens_when_there_is_space(
    small_disk: Disk, launch: Launcher, report: Callable[[str], None]
) -> None:
    """The first files are cut short anywhere; nothing was told, and the next start serves."""
    ends = []
    for blocks in FEW_BLOCKS:
        ends.append(start_in_space(small_disk, launch, blocks))
        small_disk.relieve()
        server = launch(small_disk.root / "home")
        with Client(server.targets["unix"]) as client:
            app = client.app()
            app.authorize()
            assert app.add("one").state == wire.REQUEST_STATE_DELIVERED
        server.kill()
    refused = len([end for end in ends if end])
    assert 0 < refused < len(ends), "the disk was never full, or always"
    report(
        f"R12 first start on a full disk: {len(ends)} starts with up to {FEW_BLOCKS[-1]} free"
        f" blocks, {refused} of them refused, 0 in vain after space was there"
    )


def test_a_first_start_on_a_full_disk_is_refused_in_order(
    small_disk: Disk, launch: Launcher
) -> None:
    for blocks in FEW_BLOCKS:
        assert start_in_space(small_disk, launch, blocks) in (0, CANNOT_START)
        small_disk.relieve()
