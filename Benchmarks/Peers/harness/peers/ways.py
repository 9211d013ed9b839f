"""Belfry itself, called in several ways: with a token, with TLS, and over HTTP."""

import http.client
import json
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from harness.peers.belfry import DUE_AFTER, Belfry
from harness.peers.peer import Place, Window
from harness.process import Missing, run

# What a token may do that an app shows: each call is looked at for the app that it names.
TOKEN_ROLE = "app:org.example.*"
CERTIFICATE_DAYS = 2


@dataclass(frozen=True)
class Way:
    """How adds reach a server, which differs from the one over plain TCP in this alone."""

    name: str
    does: str
    # unix, tcp, tls or http.
    protocol: str = "tcp"
    has_token: bool = False


PLAIN = Way("Belfry over TCP", "gRPC over TCP on 127.0.0.1; serve --insecure asks for no token.")
TOKEN = Way(
    "Belfry with a token",
    f"the same without --insecure: each call shows a token with the role {TOKEN_ROLE}.",
    has_token=True,
)
TLS = Way("Belfry with TLS", "the same as over TCP, with TLS and a certificate of P-256.", "tls")
CONNECT = Way(
    "Belfry over Connect JSON",
    "unary calls of the Connect protocol with JSON of 600 bytes, over HTTP/1.1 on TCP: a "
    "connection for each call in flight, which is kept; serve --insecure.", "http",
)
WAYS = (
    Way("Belfry over a unix socket", "gRPC over a unix socket, as the server's own user.", "unix"),
    PLAIN, TOKEN, TLS, CONNECT,
)


class ByWay(Belfry):
    """A server that is filled and fires over its own unix socket, and is sent adds in one way."""

    def __init__(self, place: Place, way: Way) -> None:
        super().__init__(place, way.name)
        self.way = way
        self.does = way.does
        self._port = 0

    @property
    def settings(self) -> str:
        return "serve --prompts grant --clock manual"

    def start(self, pending: int) -> None:
        self.directory.mkdir()
        self.target = f"unix:{self._beside('sock')}"
        if self.way.protocol != "unix":
            self._port = self.place.free_port()
        if self.way.protocol == "tls":
            make_certificate(self._beside("cert"), self._beside("key"))
        if self.way.has_token:
            command = [str(self.place.belfry), "token", "create", "bench", "--role", TOKEN_ROLE,
                       "--data", str(self.directory)]
            self._beside("token").touch(mode=0o600)
            self._beside("token").write_text(run(command, 10))
        self.serve()
        # One at least: the fill lets the app notify, which is no part of what is measured.
        self.fill(max(1, pending))

    def _beside(self, kind: str) -> Path:
        return self.place.directory / f"{self.name.replace(' ', '-')}.{kind}"

    def listen_options(self) -> list[str]:
        arguments = ["--listen", self.target]
        address = f"127.0.0.1:{self._port}"
        if self.way.protocol == "tls":
            arguments += ["--listen", f"tls:{address}", "--tls-certificate",
                          str(self._beside("cert")), "--tls-key", str(self._beside("key"))]
        elif self.way.protocol == "http":
            arguments += ["--http-listen", f"tcp:{address}"]
        elif self.way.protocol == "tcp":
            arguments += ["--listen", f"tcp:{address}"]
        return arguments if self.way.has_token else [*arguments, "--insecure"]

    def add_command(self, window: Window) -> list[str]:
        if self.way.protocol == "http":
            return self._connect_adds(window)
        command = super().add_command(window)
        if self.way.protocol == "unix":
            return command
        command[command.index(self.target)] = f"127.0.0.1:{self._port}"
        command += ["--set-up", self.target]
        if self.way.protocol == "tls":
            command += ["--tls-ca", str(self._beside("cert"))]
        if self.way.has_token:
            command += ["--token-file", str(self._beside("token"))]
        return command

    def _connect_adds(self, window: Window) -> list[str]:
        return [
            self.place.program("wire-load"), "--peer", "connect",
            "--server", f"127.0.0.1:{self._port}", "--kind", "add",
            "--connections", str(window.in_flight), "--seconds", str(window.seconds),
            "--limit", str(window.limit), "--warm-up", "0",
            "--due", f"{DUE_AFTER * 1000},{self._spread * 1000}",
            "--clock-ahead", str(clock_ahead(self.clock_answer(), time.time())),
        ]

    def clock_answer(self) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request("POST", "/belfry.v1.AdminService/GetClock", "{}",
                               {"Content-Type": "application/json"})
            return connection.getresponse().read().decode()
        finally:
            connection.close()


def clock_ahead(answer: str, now: float) -> int:
    """The milliseconds by which the clock of a GetClockResponse, in JSON, is ahead of `now`."""
    server = datetime.fromisoformat(json.loads(answer)["clock"]["now"])
    return round((server.timestamp() - now) * 1000)


def make_certificate(certificate: Path, key: Path) -> None:
    """Makes a key and a certificate for 127.0.0.1, which is its own authority."""
    command = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
        "-nodes", "-keyout", str(key), "-out", str(certificate), "-days", str(CERTIFICATE_DAYS),
        "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
    ]
    try:
        run(command, 60)
    except FileNotFoundError:
        raise Missing("openssl, which makes the certificate, is not there") from None
