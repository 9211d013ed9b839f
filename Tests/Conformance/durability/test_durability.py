"""What was acknowledged is there after a crash and after a stop, once."""

import random
import time
from collections.abc import Callable

import grpc
import pytest

from harness.client import Client
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.load import Load
from harness.server import Server
from harness.torture import Torture

# The promise is one second; a debug build on a loaded machine is given more.
READY_BOUND = 5.0

STOP_TIMEOUT = 5.0

# Each check reads all that a store holds: a new store every few cycles keeps that short.
CYCLES_OF_A_STORE = 25


class Run:
    """A store under load, over the cycles that it lives."""

    def __init__(self, launch: Launcher, seed: int) -> None:
        self._launch = launch
        self.home = launch.new_home()
        self.load = Load(seed)

    def check(self, server: Server) -> None:
        """Holds a server that has just started against the ledgers."""
        with Client(server.targets["tcp"]) as client:
            if not self.load.answered:
                self.load.register(client)
            self.load.check(client)

    def finish(self) -> int:
        """Waits until all that is due soon has fired, and gives how many events there are."""
        server = self._launch(self.home, clock="system")
        with Client(server.targets["tcp"]) as client:
            self.load.check(client)
            eventually(lambda: all(worker.has_fired_all(client) for worker in self.load.workers))
            events = self.load.check(client)
        server.kill()
        return events


class Runs:
    """The stores of a row, one after the other, and what they add up to."""

    def __init__(self, launch: Launcher, torture: Torture) -> None:
        self._launch = launch
        self._seed = torture.seed
        self._run: Run | None = None
        self.events = 0
        self.answered = 0
        self.stream_codes: list[grpc.StatusCode] = []

    def at(self, cycle: int) -> Run:
        """The store of a cycle."""
        if cycle % CYCLES_OF_A_STORE == 0:
            self.finish()
            self._run = Run(self._launch, self._seed + cycle)
        assert self._run
        return self._run

    def finish(self) -> None:
        """Ends the store of the last cycle."""
        if self._run:
            self.events += self._run.finish()
            self.answered += self._run.load.answered
            for worker in self._run.load.workers:
                self.stream_codes += worker.stream_codes


def seconds_until_ready(server: Server) -> float:
    """From the start of the process to its first answer."""
    with Client(server.targets["unix"]) as client:
        client.wait_until_ready()
    return time.monotonic() - server.started_at


@pytest.mark.torture
def test_a_kill_under_load_loses_and_repeats_nothing(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    cycles = torture.count("R1")
    choices = random.Random(torture.seed)
    runs = Runs(launch, torture)
    ready: list[float] = []
    for cycle in torture.rounds("R1"):
        run = runs.at(cycle)
        server = launch(run.home, clock="system")
        ready.append(seconds_until_ready(server))
        run.check(server)
        run.load.start(server)
        run.load.wait_for(choices.randint(100, 600))
        server.kill()
        run.load.join()
    runs.finish()
    report(
        f"R1 kill -9 under load: {cycles} cycles, {runs.answered} acknowledged calls,"
        f" {runs.events} events, 0 lost, 0 twice; ready after at most {max(ready):.2f} s (seed {torture.seed})"
    )
    # Real time: a promise in figures, of a quiet machine.
    assert not torture.is_full or max(ready) <= READY_BOUND


@pytest.mark.torture
def test_a_stop_under_load_loses_and_repeats_nothing(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    cycles = torture.count("R15")
    runs = Runs(launch, torture)
    stopped: list[float] = []
    for cycle in torture.rounds("R15"):
        run = runs.at(cycle)
        timeout = f"--stop-timeout={STOP_TIMEOUT:.0f}s"
        server = launch(run.home, clock="system", arguments=[timeout])
        run.check(server)
        run.load.start(server)
        run.load.wait_for(200)
        asked_at = time.monotonic()
        server.terminate()
        # Real time: what is left when the time is over has ten times as long.
        assert server.wait(10 * STOP_TIMEOUT) == 0
        stopped.append(time.monotonic() - asked_at)
        run.load.join()
        workers = len(run.load.workers)
    runs.finish()
    assert runs.stream_codes == [grpc.StatusCode.UNAVAILABLE] * workers * cycles
    report(
        f"R15 SIGTERM under load: {cycles} cycles, {runs.answered} acknowledged calls,"
        f" {runs.events} events, 0 lost, 0 twice; stopped after at most {max(stopped):.2f} s"
    )


def test_what_was_due_while_it_was_down_fires_late_and_once(
    launch: Launcher, transport: str
) -> None:
    first = launch(clock="system")
    with Client(first.targets[transport]) as client:
        app = client.app()
        app.authorize()
        response = app.add("due while down", 0.2)
    first.kill()
    due_at = response.next_trigger_date.seconds + response.next_trigger_date.nanos / 1e9
    eventually(lambda: time.time() > due_at)
    with Client(launch(first.home, clock="system").targets[transport]) as client:
        app.client = client
        with app.subscribe(after=1) as subscription:
            event = subscription.event()
        assert event.delivered.notification.request.identifier == "due while down"
        assert event.delivered.late_by.ToTimedelta().total_seconds() > 0
        assert app.delivered() == ["due while down"]
        assert len(app.events()) == 2


def test_a_change_of_each_kind_outlives_a_crash(launch: Launcher, transport: str) -> None:
    first = launch()
    with Client(first.targets[transport]) as client:
        app = client.app()
        app.authorize()
        for name in "abcd":
            app.add(name)
            app.add(name, 60)
        app.call("RemovePending", identifiers=["a"])
        app.call("RemoveDelivered", identifiers=["b"])
        app.call("SetBadgeCount", count=3)
        app.client.advance(30)
        calls = ["GetNotificationSettings", "ListPending", "ListDelivered"]
        before = [app.call(rpc) for rpc in calls], app.events(), client.now()
    first.kill()
    with Client(launch(first.home).targets[transport]) as client:
        app.client = client
        assert ([app.call(rpc) for rpc in calls], app.events(), client.now()) == before
