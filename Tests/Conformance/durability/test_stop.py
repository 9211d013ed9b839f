"""A stop in the middle of a call that takes many steps, and what the next start does (W-25)."""

import random
import threading
import time
from collections.abc import Callable

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.keys import new_key
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_in
from harness.server import BOUND
from harness.torture import Torture

STOPPING = Expected(grpc.StatusCode.UNAVAILABLE, "STOPPING")
ALLOWED = wire.LOCATION_PERMISSION_AUTHORIZED_WHEN_IN_USE
HOME = {"latitude": 38.7, "longitude": -9.1}
AWAY = {"latitude": 38.8, "longitude": -9.1}
REGIONS = 2_000
CROSSINGS = 100


def requests() -> list[wire.NotificationRequest]:
    """Requests that each wait for the same border, again and again."""
    region = wire.Region(
        identifier="home", circular=wire.CircularRegion(radius_meters=200, **HOME)
    )
    trigger = wire.Trigger(repeats=True, location=wire.LocationTrigger(region=region))
    return [
        wire.NotificationRequest(
            identifier=f"{number}",
            content=wire.NotificationContent(title="here"),
            trigger=trigger,
        )
        for number in range(REGIONS)
    ]


def fired(client: Client) -> int:
    """How many requests have fired since the start."""
    return client.call("GetStats").counters.fired


def crossings(client: Client) -> tuple[wire.Center, wire.ReportLocationRequest]:
    """Fills a center with regions, and gives a report that crosses all of them many times."""
    app = client.app()
    app.authorize()
    app.call("UpdateSettings", location_permission=ALLOWED)
    added = requests()
    for begin in range(0, REGIONS, 500):
        app.call("AddBatch", requests=added[begin : begin + 500])
    device = app.center.device_id
    client.call("ReportLocation", device_id=device, fixes=[AWAY])
    report = wire.ReportLocationRequest(
        device_id=device,
        idempotency_key=new_key(),
        fixes=[HOME if number % 2 == 0 else AWAY for number in range(CROSSINGS)],
    )
    return app.center, report


@pytest.mark.parametrize("deadline", [None, 0.3], ids=["open", "past its deadline"])
def test_a_stop_ends_a_report_of_many_borders(launch: Launcher, deadline: float | None) -> None:
    server = launch(arguments=["--stop-timeout=5s"])
    told: list[grpc.RpcError] = []
    with Client(server.targets["unix"]) as client:
        center, report = crossings(client)
        before = fired(client)

        def call() -> None:
            try:
                client.send("ReportLocation", report, timeout=deadline or 10 * BOUND)
            except grpc.RpcError as error:
                told.append(error)

        caller = threading.Thread(target=call)
        caller.start()
        while fired(client) < before + 200:
            pass
        if deadline is not None:
            caller.join(BOUND)
            assert told[0].code() == grpc.StatusCode.DEADLINE_EXCEEDED
        server.terminate()
        assert server.wait() == 0
        caller.join(BOUND)
    if deadline is None:
        STOPPING.check(refusal_in(told[0]))
    # A start goes on with it, and a stop ends that, too; others are served meanwhile.
    for _ in range(2):
        server = launch(server.home)
        with Client(server.targets["unix"]) as client:
            before = fired(client)
            while fired(client) < before + 100:
                App(client, center).add("mine")
        server.terminate()
        assert server.wait() == 0


@pytest.mark.torture
def test_a_stop_at_any_time_of_a_long_report(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    row = "R15-slices"
    server = launch(arguments=["--stop-timeout=5s"])
    with Client(server.targets["unix"]) as client:
        center, crossing = crossings(client)
        with pytest.raises(grpc.RpcError):
            client.send("ReportLocation", crossing, timeout=0.3)
    chance = random.Random(torture.seed)
    stops: list[float] = []
    answers: list[float] = []
    for _ in torture.rounds(row):
        time.sleep(chance.uniform(0, 0.2))
        began = time.monotonic()
        server.terminate()
        assert server.wait() == 0
        stops.append(time.monotonic() - began)
        # The next start goes on with the report, and serves others meanwhile.
        server = launch(server.home, arguments=["--stop-timeout=5s"])
        with Client(server.targets["unix"]) as client:
            before = fired(client)
            # A report that an earlier start finished fires nothing any more.
            for _ in range(100):
                began = time.monotonic()
                App(client, center).add("mine")
                answers.append(time.monotonic() - began)
                if fired(client) != before + 1:
                    break
                before += 1
    answers.sort()
    report(
        f"{row}: {torture.count(row)} stops took {max(stops):.2f} s at most; beside the report"
        f" another call took {answers[len(answers) * 99 // 100] * 1_000:.0f} ms at the 99th"
        f" percentile"
    )
