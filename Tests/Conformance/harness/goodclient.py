"""What a client that does nothing wrong notices of an attack: how long its events take."""

import threading
import time
from typing import Self

from harness import wire
from harness.client import App, Client, request
from harness.memory import MIB, anonymous_memory
from harness.server import Server
from harness.subscription import Subscription


class GoodClient:
    """Adds a notification again and again on a connection of its own, and waits for its event."""

    def __init__(self, server: Server, transport: str = "unix") -> None:
        self._server = server
        self._client = Client(server.targets[transport])
        self._app = self._client.app()
        self._app.authorize()
        # A long form takes longer than a test's calls may.
        self._subscription = Subscription(
            self._client.send(
                "Subscribe", wire.SubscribeRequest(center=self._app.center), timeout=600
            )
        )
        self._subscription.until("caught_up")
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.delays: list[float] = []
        self.failure: Exception | None = None
        self.at_rest = self.peak = anonymous_memory(server.pid)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        self._client.channel.close()
        if self.failure is not None:
            raise self.failure

    def _run(self) -> None:
        try:
            while not self._is_over.is_set():
                self.delays.append(self.event_after())
                self.peak = max(self.peak, anonymous_memory(self._server.pid))
                time.sleep(0.005)
        except Exception as error:  # The test's own thread tells it.
            self.failure = error

    def event_after(self) -> float:
        """How long it takes from an add to its event."""
        began = time.monotonic()
        self._app.call("Add", request=request("tick"))
        self._subscription.event()
        return time.monotonic() - began

    @property
    def app(self) -> App:
        return self._app

    @property
    def p99(self) -> float:
        """The time that 99 of 100 events took no longer than."""
        return sorted(self.delays)[len(self.delays) * 99 // 100]

    def figures(self) -> str:
        """What it saw, for a report."""
        now = anonymous_memory(self._server.pid)
        return (
            f"a good client's {len(self.delays)} events: p99 {self.p99 * 1_000:.0f} ms, longest"
            f" {max(self.delays) * 1_000:.0f} ms; memory {self.at_rest // MIB} MiB before,"
            f" {self.peak // MIB} MiB at most, {now // MIB} MiB after"
        )
