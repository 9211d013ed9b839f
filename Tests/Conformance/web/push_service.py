"""A double of a push service on this machine, and a browser's subscription to it."""

import base64
import http.server
import json
import ssl
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import http_ece
import py_vapid
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from harness.certificates import Authority
from harness.eventually import eventually
from harness.server import BOUND

SILENT = 0


@dataclass(frozen=True)
class Pushed:
    """A message, as the service got it."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float


class PushService:
    """Takes messages over TLS; answers each browser's with what it is told to, else 201."""

    def __init__(self, directory: Path, authority: Authority | None = None) -> None:
        authority = authority or Authority()
        self.roots = directory / "push-roots.pem"
        self.roots.write_bytes(authority.roots)
        pair = authority.pair()
        files = directory / "push.pem", directory / "push.key"
        files[0].write_bytes(pair.certificates)
        files[1].write_bytes(pair.key)
        self.pushed: list[Pushed] = []
        self.answers: dict[str, list[tuple[int, dict[str, str]]]] = {}
        self._ended = threading.Event()
        # How many connections ended before their request.
        self.failed = 0
        self._server = self._made()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*files)
        self._server.socket = context.wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False
        )
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def arguments(self) -> list[str]:
        """What lets a server send to it."""
        return [
            "--web-push=mailto:tests@example.org",
            f"--web-push-test=localhost:{self.port}={self.roots}",
        ]

    @property
    def origin(self) -> str:
        return f"https://localhost:{self.port}"

    def _made(self) -> http.server.ThreadingHTTPServer:
        service = self

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None:
                service.failed += 1

        return Server(("127.0.0.1", 0), self._handler())

    def _handler(self) -> type[http.server.BaseHTTPRequestHandler]:
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.pushed.append(Pushed(self.path, headers, body, time.monotonic()))
                waiting = service.answers.get(self.path, [])
                status, fields = waiting.pop(0) if waiting else (201, {})
                if status == SILENT:
                    service._ended.wait(BOUND)
                    return
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    def of(self, browser: "Subscription") -> list[Pushed]:
        """The messages for a browser."""
        return [each for each in self.pushed if each.path == browser.path]

    def wait(self, browser: "Subscription", count: int = 1) -> list[Pushed]:
        """Waits for so many messages for a browser."""
        eventually(lambda: len(self.of(browser)) >= count)
        return self.of(browser)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()


class Subscription:
    """A browser's subscription, with the keys by which it reads."""

    def __init__(self, service: PushService, name: str = "one") -> None:
        self._service = service
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.path = f"/push/{name}"
        self.endpoint = service.origin + self.path
        self.point = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.secret = bytes(range(16))

    @property
    def fields(self) -> dict[str, Any]:
        """What the call has."""
        return {
            "endpoint": self.endpoint,
            "p256dh": base64.b64encode(self.point).decode(),
            "auth": base64.b64encode(self.secret).decode(),
        }

    @property
    def json(self) -> dict[str, Any]:
        """What a browser's PushSubscription is as JSON."""
        keys = {"p256dh": _url64(self.point), "auth": _url64(self.secret)}
        return {"endpoint": self.endpoint, "keys": keys}

    def read(self, pushed: Pushed) -> dict[str, Any]:
        """What a message says."""
        assert pushed.headers["content-encoding"] == "aes128gcm"
        text = http_ece.decrypt(
            pushed.body, private_key=self._key, auth_secret=self.secret, version="aes128gcm"
        )
        return json.loads(text)

    def verify(self, pushed: Pushed, key: str) -> dict[str, Any]:
        """The claims of a message, whose signature has to be of a key."""
        scheme, _, rest = pushed.headers["authorization"].partition(" ")
        assert scheme == "vapid"
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert parts["k"] == key
        assert py_vapid.Vapid02.verify("vapid " + rest.replace(" ", ""))
        body = parts["t"].split(".")[1]
        return json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))


def _url64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
