"""What each peer that stores requests can be asked to do."""

import signal
import socket
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.figures import Sample, parse_sample
from harness.process import Failed, Server, cpu_seconds, pause, resume, run

# Filling a peer is not measured, and takes as long as it takes.
FILL_DEADLINE = 3600.0


@dataclass
class Place:
    """Where a run keeps its files and finds its programs."""

    # Temporary, on the disk that is measured.
    directory: Path
    # What setup fetched, and what was compiled.
    build: Path
    # Benchmarks/Peers.
    sources: Path
    belfry: Path
    # unix or tcp.
    transport: str
    ports: set[int] = field(default_factory=set)

    def program(self, name: str) -> str:
        return str(self.build / "programs" / name)

    def script(self, name: str) -> str:
        return str(self.sources / "scripts" / name)

    def new_directory(self, name: str) -> Path:
        directory = self.directory / name
        directory.mkdir(mode=0o755)
        return directory

    def free_port(self) -> int:
        """A port that nobody listens on, and that was not given before."""
        while True:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = int(probe.getsockname()[1])
            if port not in self.ports:
                self.ports.add(port)
                return port


@dataclass(frozen=True)
class Window:
    """One stretch of adds."""

    seconds: float
    # About how many are added at most.
    limit: int
    in_flight: int
    # Requests of one call or of one pipeline; 1 is none.
    batch: int = 1
    # Whether Belfry's go over one stream in place of calls.
    is_streamed: bool = False


class Peer(ABC):
    """A server with a store, which is started, filled, measured and stopped.

    Between its turns it is paused, so that what it does in the background is done in its own time.
    """

    name: str
    # What it does of a notification center's work, and what it does not.
    does: str
    can_fire = True
    can_batch = True

    def __init__(self, place: Place) -> None:
        self.place = place
        self.server: Server | None = None
        # How many were added and have not fired.
        self.due = 0

    @abstractmethod
    def version(self) -> str:
        """The version; raises Missing where the peer is not here."""

    @property
    @abstractmethod
    def settings(self) -> str:
        """What it is started with, as far as it decides what is measured."""

    @abstractmethod
    def start(self, pending: int) -> None:
        """Starts the server with so many requests that are due in one to two years."""

    @abstractmethod
    def add(self, window: Window) -> Sample:
        """Adds requests that `fire` takes."""

    def fire(self) -> Sample:
        """Fires all that is due, 256 at a time."""
        raise Failed(f"{self.name} has nothing that fires in batches")

    def balance(self, seconds: float, in_flight: int, centers: int) -> Sample:
        """Adds requests that are due in one to three seconds, and fires them meanwhile."""
        raise Failed(f"{self.name} has nothing that fires in batches")

    def stored_bytes(self) -> int:
        """What the store takes on the disk."""
        directory = self.place.directory / self.name
        return sum(path.stat().st_blocks * 512 for path in directory.rglob("*") if path.is_file())

    def pause(self) -> None:
        if self.server is not None:
            pause(self.server.pid)

    def resume(self) -> None:
        if self.server is not None:
            resume(self.server.pid)
            self.server.check()

    def stop(self) -> None:
        if self.server is not None:
            self.server.stop(self.stop_signal)
            self.server = None

    stop_signal = signal.SIGTERM

    def measured(self, command: Sequence[str], seconds: float) -> Sample:
        """Runs a generator on the server, and takes note of the CPU time of both."""
        assert self.server is not None
        before = cpu_seconds(self.server.pid)
        sample = parse_sample(run(command, deadline=seconds * 4 + 300))
        sample.server_cpu_seconds = cpu_seconds(self.server.pid) - before
        return sample


class WirePeer(Peer):
    """A peer that wire-load can drive."""

    protocol: str
    target: str

    def wire(self, kind: str, *options: str) -> list[str]:
        return [
            self.place.program("wire-load"), "--peer", self.protocol, "--server", self.target,
            "--kind", kind, "--add-script", self.place.script("add.lua"),
            "--fire-script", self.place.script("fire.lua"), *options,
        ]

    def accepts(self) -> bool:
        """Whether the server takes connections."""
        kind, address = self.target.split(":", 1)
        is_unix = kind == "unix"
        with socket.socket(socket.AF_UNIX if is_unix else socket.AF_INET) as connection:
            return connection.connect_ex(address if is_unix else (kind, int(address))) == 0

    def fill(self, pending: int) -> None:
        options = ["--connections", "4", "--pipeline", "256", "--limit", str(pending)]
        run(self.wire("fill", *options), FILL_DEADLINE)

    def window_options(self, window: Window) -> list[str]:
        return [
            "--connections", str(window.in_flight), "--pipeline", str(window.batch),
            "--seconds", str(window.seconds), "--limit", str(window.limit), "--warm-up", "0",
        ]
