"""Redis with an append-only file that is synced for every write, and a script for each step."""

import socket
from pathlib import Path

from harness.figures import Sample
from harness.peers.peer import Place, Window, WirePeer
from harness.process import Missing, Server, run


class Redis(WirePeer):
    name = "Redis"
    protocol = "redis"
    does = (
        "a script adds (hash, sorted set of due instants, idempotency key for a day; a pipeline "
        "of 256 has one key), another fires 256 (stream of about 190,000 events that name the "
        "request, the last 1,000 delivered). All of it is held in memory; the events do not carry "
        "the content; nothing wakes at a due instant: a client has to ask; no settings of the "
        "person."
    )

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.environment = {"LD_LIBRARY_PATH": str(place.build / "debian/libraries")}
        self._program = place.build / "debian/redis-server"
        self.command = [str(self._program), "--daemonize", "no"]

    def version(self) -> str:
        if not self._program.exists():
            raise Missing("Debian's redis-server is not there: Benchmarks/Peers/setup fetches it")
        words = run([str(self._program), "--version"], 10, self.environment).split()
        return next(word[2:] for word in words if word.startswith("v="))

    @property
    def settings(self) -> str:
        return "appendonly yes, appendfsync always, save ''; otherwise Debian's defaults"

    def start(self, pending: int) -> None:
        directory = self.place.new_directory(self.name)
        command = [
            *self.command, "--dir", str(directory), "--appendonly", "yes",
            # Until it is full.
            "--appendfsync", "no", "--save", "",
        ]
        if self.place.transport == "unix":
            path = self.place.directory / "redis.sock"
            self.target = f"unix:{path}"
            command += ["--port", "0", "--unixsocket", str(path)]
        else:
            port = self.place.free_port()
            self.target = f"127.0.0.1:{port}"
            command += ["--bind", "127.0.0.1", "--port", str(port)]
        log = self.place.directory / "redis.log"
        self.server = Server(command, log, self.environment)
        self.server.wait_for_text("eady to accept connections")
        self.fill(pending)
        self._command("CONFIG", "SET", "appendfsync", "always")

    def add(self, window: Window) -> Sample:
        # They were due in the past: all of them fire at the next call, and none before.
        options = [*self.window_options(window), "--due", "-3600000,1000000"]
        return self.measured(self.wire("add", *options), window.seconds)

    def fire(self) -> Sample:
        return self.measured(self.wire("fire"), 600)

    def balance(self, seconds: float, in_flight: int, centers: int) -> Sample:
        # It has no centers: one set of due instants serves all.
        options = ["--connections", str(in_flight), "--seconds", str(seconds)]
        return self.measured(self.wire("balance", *options, "--due", "1000,2000"), seconds)

    def _command(self, *words: str) -> None:
        """Sends one command that Redis answers with OK."""
        parts = "".join(f"${len(word)}\r\n{word}\r\n" for word in words)
        with self._connect() as connection:
            connection.settimeout(60)
            connection.sendall(f"*{len(words)}\r\n{parts}".encode())
            answer = connection.recv(1024)
        if not answer.startswith(b"+OK"):
            raise Missing(f"Redis refuses {words}: {answer!r}")

    def _connect(self) -> socket.socket:
        if self.target.startswith("unix:"):
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(str(Path(self.target.removeprefix("unix:"))))
            return connection
        host, _, port = self.target.partition(":")
        return socket.create_connection((host, int(port)))
