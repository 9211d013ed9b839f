"""Belfry itself, driven by Benchmarks/Load and, where latencies are meant, by `belfry load`."""

import json
import math
from pathlib import Path
from typing import Any

from harness.figures import Sample
from harness.peers.peer import FILL_DEADLINE, Peer, Place, Window
from harness.process import Failed, Missing, Server, run

# A manual clock is moved past requests that are due after so long. They come before all pending.
DUE_AFTER = 3600
FIRED_AT_A_TIME = 256


class Belfry(Peer):
    name = "Belfry"
    does = (
        "all of it: identifiers, replacement, idempotency keys for a day, the person's settings, "
        "the delivered list of 1,000 with its records, events with their content for 7 days or "
        "64 MiB, subscribers that are told, expiry. It fires by itself when the instant comes."
    )

    def __init__(self, place: Place, name: str = "Belfry", clock: str = "manual") -> None:
        super().__init__(place)
        self.name = name
        self._clock = clock
        self._spread = 1
        self._starts = 0

    def version(self) -> str:
        if not self.place.belfry.exists():
            raise Missing("no release build of Belfry is there: make build")
        return run([str(self.place.belfry), "--version"], 10).strip()

    @property
    def settings(self) -> str:
        return "serve --prompts grant; while firing is measured --clock manual, else system"

    @property
    def directory(self) -> Path:
        return self.place.directory / self.name

    def start(self, pending: int) -> None:
        self.directory.mkdir()
        if self.place.transport == "unix":
            self.target = f"unix:{self.place.directory / self.name.replace(' ', '-')}.sock"
        else:
            self.target = f"127.0.0.1:{self.place.free_port()}"
        self.serve()
        if pending > 0:
            self.fill(pending)

    def fill(self, pending: int) -> None:
        self.load("fill", "--limit", str(pending), deadline=FILL_DEADLINE)

    def serve(self) -> float:
        """Starts the server on what is in its directory; gives the seconds until it serves."""
        self._starts += 1
        command = [str(self.place.belfry), "serve", "--data", str(self.directory),
                   "--prompts", "grant", *self.listen_options()]
        if self._clock == "manual":
            command += ["--clock", "manual"]
        self.server = Server(command, self.place.directory / f"belfry-{self._starts}.log")
        return self.server.wait_for_text("serving", 600)

    def listen_options(self) -> list[str]:
        """Where it listens, and for whom."""
        # Redis and PostgreSQL are called without a password as well.
        if self.target.startswith("unix:"):
            return ["--listen", self.target, "--insecure"]
        # It always has a socket of its own as well.
        return ["--listen", f"tcp:{self.target}", "--listen", f"unix:{self.directory}.sock",
                "--insecure"]

    def load(self, kind: str, *options: str, deadline: float = 600) -> str:
        """Runs Benchmarks/Load."""
        command = [self.place.program("load"), "--server", self.target, "--kind", kind, *options]
        return run(command, deadline)

    def add(self, window: Window) -> Sample:
        # One instant for each batch that is to fire, at which it is due as a whole.
        self._spread = max(1, math.ceil(window.limit / FIRED_AT_A_TIME))
        return self.measured(self.add_command(window), window.seconds)

    def add_command(self, window: Window) -> list[str]:
        """The generator of a window's adds."""
        due = ["--due", f"{DUE_AFTER},{self._spread}"] if self._clock == "manual" else []
        return [
            self.place.program("load"), "--server", self.target, "--kind", "add",
            "--in-flight", str(window.in_flight), "--seconds", str(window.seconds),
            "--limit", str(window.limit), "--warm-up", "0", *due,
            *(["--batch", str(window.batch)] if window.batch > 1 else []),
            *(["--stream"] if window.is_streamed else []),
        ]

    def fire(self, subscribers: int = 0) -> Sample:
        return self.measured(
            [self.place.program("load"), "--server", self.target, "--kind", "fire",
             "--due", f"{DUE_AFTER},{self._spread}", "--subscribers", str(subscribers)],
            600,
        )

    def balance(self, seconds: float, in_flight: int, centers: int) -> Sample:
        return self.measured(
            [self.place.program("load"), "--server", self.target, "--kind", "add",
             "--in-flight", str(in_flight), "--seconds", str(seconds), "--warm-up", "0",
             "--due", "1,2", "--centers", str(centers)],
            seconds,
        )

    def open_loop(self, seconds: float, *options: str) -> list[dict[str, Any]]:
        """Runs `belfry load`, which also checks that nothing is lost; gives its stages."""
        command = [
            str(self.place.belfry), "load", "--server", self.target, "--json", "--ids", "random",
            "--disk", str(self.place.directory), "--duration", f"{seconds:g}s", *options,
        ]
        lines = [json.loads(line) for line in run(command, seconds * 20 + 600).splitlines()]
        checks = [line["verification"] for line in lines if "verification" in line]
        problems = [problem for check in checks for problem in check["problems"]]
        if problems:
            raise Failed(f"belfry load found that the server lost something: {problems}")
        return [line["stage"] for line in lines if "stage" in line]
