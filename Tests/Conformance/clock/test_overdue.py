"""A storm of requests that were due while the server was down: each is recorded once."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable

import pytest

from harness import wire
from harness.client import App, Client, request
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import BOUND, Server
from harness.subscription import Subscription
from harness.torture import Torture

APPS = 8
BATCH = 1_000

# What the plan asks of a release build; the short form only reports it.
P99_BOUND = 0.05

LONG = 3_600.0


class Storm:
    """Adds requests to several apps, all due at about the same instant."""

    def __init__(self, client: Client, batches: int) -> None:
        self.centers = [wire.Center(app_id=f"org.example.storm{n}") for n in range(APPS)]
        self.names: list[set[str]] = [set() for _ in self.centers]
        self.due_at = 0.0
        self.batches = batches
        for center in self.centers:
            App(client, center).authorize()

    def add(self, client: Client, rounds: Iterable[int]) -> None:
        """Adds everything; what is added later waits for less."""
        began = time.monotonic()
        App(client, self.centers[0]).call("AddBatch", requests=[request("", LONG)] * BATCH)
        for number in rounds:
            a_batch = (time.monotonic() - began) / (number + 1)
            # Twice as long as the rest seems to take, so that nearly all wait for the stop.
            self._add_batch(client, number, 2 * a_batch * (self.batches - number) + 2)

    def _add_batch(self, client: Client, number: int, after: float) -> None:
        names = [f"{number}/{place}" for place in range(BATCH)]
        response = App(client, self.centers[number % APPS]).call(
            "AddBatch", requests=[request(name, round(after, 3)) for name in names]
        )
        assert all(result.HasField("added") for result in response.results)
        self.names[number % APPS].update(names)
        self.due_at = max(self.due_at, time.time() + after)

    def wait_until_due(self) -> None:
        """Waits until the last of them is due."""
        time.sleep(max(0, self.due_at - time.time()))

    def check(self, client: Client) -> int:
        """Holds every app's events against what was added; gives how many told of lateness."""
        late = 0
        for center, names in zip(self.centers, self.names, strict=True):
            delivered: Counter[str] = Counter()
            for event in events(App(client, center), len(names)):
                delivered[event.notification.request.identifier] += 1
                late += event.late_by.ToTimedelta().total_seconds() > 0
            assert set(delivered) == names, "some are lost, or nobody added them"
            assert set(delivered.values()) <= {1}, "some were recorded twice"
        return late


def events(app: App, expected: int) -> list[wire.DeliveredEvent]:
    """What was delivered; what retention took from the list is no less delivered."""
    message = wire.SubscribeRequest(center=app.center, after=0)
    delivered: list[wire.DeliveredEvent] = []
    call = app.client.send("Subscribe", message, timeout=BOUND + expected / 1_000)
    with Subscription(call) as subscription:
        for number, event in enumerate(subscription.events_until_caught_up(), 1):
            assert event.number == number
            match event.WhichOneof("kind"):
                case "delivered":
                    delivered.append(event.delivered)
                case "removed":
                    assert event.removed.cause == wire.REMOVAL_CAUSE_RETENTION
                case kind:
                    assert kind == "settings_changed", kind
    return delivered


class Caller:
    """Adds and lists on an app of its own, and times each call."""

    def __init__(self, server: Server) -> None:
        self.seconds: list[float] = []
        self._target = server.targets["tcp"]
        self._has_to_stop = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            with Client(self._target) as client:
                client.wait_until_ready()
                app = App(client, wire.Center(app_id="org.example.caller"))
                app.authorize()
                while not self._has_to_stop.is_set():
                    self._time(lambda: app.add(f"{len(self.seconds) % 100}", LONG))
                    self._time(lambda: app.pending(page_size=10))
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is joined
            self._error = error

    def _time(self, call: Callable[[], object]) -> None:
        began = time.monotonic()
        call()
        self.seconds.append(time.monotonic() - began)

    def stop(self) -> None:
        """Ends it; raises what went wrong."""
        self._has_to_stop.set()
        self._thread.join()
        if self._error:
            raise self._error

    def quantile(self, part: float) -> float:
        """The time that so large a part of the calls stayed within."""
        return sorted(self.seconds)[int(part * (len(self.seconds) - 1))]


def wait_until_fired(client: Client, count: int) -> None:
    """Waits until so many have fired since the start of the server, as long as it goes on."""
    fired = 0

    def has_gone_on() -> bool:
        nonlocal fired
        before, fired = fired, client.call("GetStats").counters.fired
        return fired > before

    while fired < count:
        time.sleep(0.02)
        eventually(has_gone_on)


@pytest.mark.torture
def test_what_is_overdue_at_start_is_recorded_once(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    batches = max(APPS, torture.count("R14") // BATCH)
    first = launch(clock="system")
    with Client(first.targets["unix"]) as client:
        storm = Storm(client, batches)
        storm.add(client, torture.rounds("R14", batches))
        overdue = client.call("GetStats").store.pending - BATCH
    first.terminate()
    assert first.wait() == 0
    assert overdue >= batches * BATCH / 2, "they fired before the stop: there is no storm"
    storm.wait_until_due()
    server = launch(first.home, clock="system")
    caller = Caller(server)
    with Client(server.targets["unix"]) as client:
        try:
            client.wait_until_ready()
            wait_until_fired(client, overdue)
            took = time.monotonic() - server.started_at
        finally:
            caller.stop()
        late = storm.check(client)
    assert late >= overdue
    report(
        f"R14 overdue storm: {batches * BATCH} requests of {APPS} apps, {overdue} overdue at start,"
        f" recorded once each, over {took:.2f} s after the start; {len(caller.seconds)} calls"
        f" meanwhile, p99 {caller.quantile(0.99) * 1_000:.1f} ms,"
        f" longest {max(caller.seconds) * 1_000:.1f} ms"
    )
    # Real time: a promise in figures, of a quiet machine.
    assert not torture.is_full or caller.quantile(0.99) < P99_BOUND
