"""Clients that work on a server which may end at any moment, each with its ledger."""

import random
import threading
from collections.abc import Callable
from typing import Any

import grpc

from harness import wire
from harness.client import App, Client, request
from harness.keys import new_key
from harness.ledger import Entry, Ledger, State
from harness.server import BOUND, Server
from harness.subscription import Subscription

LONG = 3_600.0

# A stream lasts as long as its server.
STREAM_BOUND = 20 * BOUND


class Worker:
    """One client with one app: a thread that calls, and a thread that reads its events.

    Every call has an idempotency key, so that the one that a crash interrupted can be sent again.
    """

    def __init__(
        self, center: wire.Center, choices: random.Random, on_answer: Callable[[], None]
    ) -> None:
        self.center = center
        self.ledger = Ledger()
        self.stream_codes: list[grpc.StatusCode] = []
        self._choices = choices
        self._on_answer = on_answer
        self._count = 0
        # The call that was sent and not answered, and what its answer will mean.
        self._unanswered: tuple[str, Any, Callable[[Any], None]] | None = None
        self._threads: list[threading.Thread] = []
        self._error: BaseException | None = None

    def start(self, target: str) -> None:
        """Begins to call and to listen."""
        self._threads = [
            threading.Thread(target=self._guarded, args=(body, target))
            for body in (self._work, self._listen)
        ]
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        """Waits until both threads have noticed the server's end."""
        for thread in self._threads:
            thread.join(BOUND)
            assert not thread.is_alive(), "a call did not end with its server"
        if self._error:
            raise self._error

    def check(self, client: Client) -> int:
        """Holds the server against the ledger, before and after the unanswered call is repeated.

        Gives how many events there are.
        """
        app = App(client, self.center)
        self.ledger.check(State.read(app))
        if self._unanswered:
            rpc, message, note = self._unanswered
            note(client.send(rpc, message))
            self._unanswered = None
        state = State.read(app)
        self.ledger.check(state)
        return len(state.events)

    def has_fired_all(self, client: Client) -> bool:
        """Whether nothing is pending but what waits for an hour."""
        waiting = State.read(App(client, self.center)).pending
        return not any(name.startswith("soon") for name in waiting)

    def _guarded(self, body: Callable[[App], None], target: str) -> None:
        try:
            with Client(target) as client:
                body(App(client, self.center))
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is joined
            self._error = error

    def _work(self, app: App) -> None:
        actions = [self._add] * 10 + [self._add_batch] * 3 + [self._remove] * 4
        actions += [self._replace] * 2 + [self._set_badge]
        try:
            while True:
                self._choices.choice(actions)(app)
                self._on_answer()
        except grpc.RpcError as error:
            # gRPC cancels a call that is on its way when a server stops, before the server sees it.
            assert error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED), error

    def _listen(self, app: App) -> None:
        told = self.ledger.told
        newest = max(told, default=0)
        try:
            message = wire.SubscribeRequest(center=self.center, after=newest)
            call = app.client.send("Subscribe", message, timeout=STREAM_BOUND)
            with Subscription(call) as subscription:
                while True:
                    event = subscription.event()
                    assert event.number == newest + 1, "an event was left out"
                    newest = event.number
                    told[newest] = event
        except grpc.RpcError as error:
            self.stream_codes.append(error.code())

    def _send(self, app: App, rpc: str, note: Callable[[Any], None], **fields: Any) -> None:
        """Makes a call that counts as unanswered until its answer is noted."""
        message = getattr(wire, f"{rpc}Request")(
            center=self.center, idempotency_key=new_key(), **fields
        )
        self._unanswered = (rpc, message, note)
        note(app.client.send(rpc, message))
        self._unanswered = None

    def _new_request(self) -> wire.NotificationRequest:
        self._count += 1
        kind = self._choices.choices(["now", "soon", "long"], [1, 6, 3])[0]
        after = {"now": None, "soon": round(self._choices.uniform(0.3, 2), 3), "long": LONG}[kind]
        made = request(f"{kind} {self._count}", after)
        self.ledger.entries[made.identifier] = Entry()
        return made

    def _added(self, response: wire.AddResponse) -> None:
        self.ledger.entries[response.identifier].is_added = True

    def _add(self, app: App) -> None:
        self._send(app, "Add", self._added, request=self._new_request())

    def _add_batch(self, app: App) -> None:
        def note(response: wire.AddBatchResponse) -> None:
            for result in response.results:
                self._added(result.added)

        self._send(app, "AddBatch", note, requests=[self._new_request() for _ in range(20)])

    def _remove(self, app: App) -> None:
        entries = self.ledger.entries
        rpc, mark = self._choices.choice(
            [
                ("RemovePending", "is_removed_from_pending"),
                ("RemoveDelivered", "is_removed_from_delivered"),
            ]
        )
        newest = list(entries)[-200:]
        names = self._choices.sample(newest, min(5, len(newest)))
        for name in names:
            entries[name].is_asked_to_go = True

        def note(response: Any) -> None:
            for name in response.removed_identifiers:
                setattr(entries[name], mark, True)

        self._send(app, rpc, note, identifiers=names)

    def _replace(self, app: App) -> None:
        self.ledger.version_sent += 1
        version = self.ledger.version_sent

        def note(_: wire.AddResponse) -> None:
            self.ledger.version_added = version

        self._send(app, "Add", note, request=request(Ledger.REPLACED, LONG, body=f"{version}"))

    def _set_badge(self, app: App) -> None:
        self.ledger.badge_sent += 1
        badge = self.ledger.badge_sent

        def note(_: wire.SetBadgeCountResponse) -> None:
            self.ledger.badge_set = badge

        self._send(app, "SetBadgeCount", note, count=badge)


class Load:
    """Some workers, and how many calls were answered."""

    def __init__(self, seed: int, workers: int = 4) -> None:
        self.answered = 0
        self._changed = threading.Condition()
        self.workers = [
            Worker(
                wire.Center(app_id=f"org.example.worker{number}"),
                random.Random(f"{seed}/{number}"),
                self._count,
            )
            for number in range(workers)
        ]

    def _count(self) -> None:
        with self._changed:
            self.answered += 1
            self._changed.notify_all()

    def register(self, client: Client) -> None:
        """Registers every worker's app."""
        for worker in self.workers:
            App(client, worker.center).authorize()

    def start(self, server: Server) -> None:
        """Begins on a server, half of the workers over each transport."""
        targets = server.targets
        for number, worker in enumerate(self.workers):
            worker.start(targets[["unix", "tcp"][number % 2]])

    def wait_for(self, count: int) -> None:
        """Waits until so many further calls are answered."""
        with self._changed:
            goal = self.answered + count
            assert self._changed.wait_for(lambda: self.answered >= goal, BOUND), "the load stalled"

    def join(self) -> None:
        """Waits until every worker has noticed the server's end."""
        for worker in self.workers:
            worker.join()

    def check(self, client: Client) -> int:
        """Holds the server against every ledger, and gives how many events there are."""
        return sum(worker.check(client) for worker in self.workers)
