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

# The issue is one second; a debug build on a loaded machine is given more.
READY_BOUND = 5.0

STOP_TIMEOUT = 5.0


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
    load = Load(torture.seed)
    home = launch.new_home()
    ready: list[float] = []
    for cycle in torture.rounds("R1"):
        server = launch(home, clock="system")
        ready.append(seconds_until_ready(server))
        with Client(server.targets["tcp"]) as client:
            if cycle == 0:
                load.register(client)
            load.check(client)
        load.start(server)
        load.wait_for(choices.randint(100, 600))
        server.kill()
        load.join()
    server = launch(home, clock="system")
    ready.append(seconds_until_ready(server))
    with Client(server.targets["tcp"]) as client:
        load.check(client)
        eventually(lambda: all(worker.has_fired_all(client) for worker in load.workers))
        events = load.check(client)
    report(
        f"R1 kill -9 under load: {cycles} cycles, {load.answered} acknowledged calls, {events} events,"
        f" 0 lost, 0 twice; ready after at most {max(ready):.2f} s (seed {torture.seed})"
    )
    assert max(ready) <= READY_BOUND


@pytest.mark.torture
def test_a_stop_under_load_loses_and_repeats_nothing(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    cycles = torture.count("R15")
    load = Load(torture.seed)
    home = launch.new_home()
    stopped: list[float] = []
    for cycle in torture.rounds("R15"):
        server = launch(home, clock="system", arguments=[f"--stop-timeout={STOP_TIMEOUT:.0f}s"])
        with Client(server.targets["unix"]) as client:
            if cycle == 0:
                load.register(client)
            load.check(client)
        load.start(server)
        load.wait_for(200)
        asked_at = time.monotonic()
        server.terminate()
        assert server.wait(STOP_TIMEOUT + 1) == 0
        stopped.append(time.monotonic() - asked_at)
        load.join()
    with Client(launch(home, clock="system").targets["unix"]) as client:
        events = load.check(client)
    codes = [code for worker in load.workers for code in worker.stream_codes]
    assert codes == [grpc.StatusCode.UNAVAILABLE] * len(load.workers) * cycles
    report(
        f"R15 SIGTERM under load: {cycles} cycles, {load.answered} acknowledged calls, {events} events,"
        f" 0 lost, 0 twice; stopped after at most {max(stopped):.2f} s"
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
