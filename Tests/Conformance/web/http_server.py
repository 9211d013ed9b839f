"""Servers that answer HTTP, and requests to them, each over a connection of its own."""

import http.client
import json
import re
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from access.serving import start
from harness import wire
from harness.launcher import Launcher
from harness.server import BOUND, Server

LISTEN = "--http-listen=tcp:127.0.0.1:0"

_ANSWERING = re.compile(r"answering HTTP on (\S+)")

END_FLAG = 2


def serve(launch: Launcher, *arguments: str, **options: Any) -> tuple[Server, "Web"]:
    """A server that answers HTTP on a free port, and the way to it."""
    server = start(launch, LISTEN, *arguments, **options)
    assert server.targets
    return server, Web(url(server))


def url(server: Server) -> str:
    """Where a server that listens answers HTTP."""
    with server._changed:
        found = server._changed.wait_for(lambda: _ANSWERING.search("".join(server._lines)), BOUND)
    assert found, server.log
    return found[1]


@dataclass(frozen=True)
class Reply:
    """A whole response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, which has to be JSON."""
        return json.loads(self.body)

    @property
    def reason(self) -> str:
        """The reason of a refusal; empty where it has none."""
        for detail in self.json.get("details", []):
            if detail["type"] == "google.rpc.ErrorInfo":
                return detail["debug"]["reason"]
        return ""


class Web:
    """The way to a server, as a caller with a token or without."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url
        self.host = urlsplit(url).netloc
        self.headers = {} if token is None else {"Authorization": f"Bearer {token}"}

    def bearing(self, token: str | None) -> "Web":
        """The same way for another caller."""
        return Web(self.url, token)

    def connect(self) -> http.client.HTTPConnection:
        """A new connection."""
        return http.client.HTTPConnection(self.host, timeout=BOUND)

    def send(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> Reply:
        """Makes one request; a header's name has underscores where HTTP has hyphens."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = self.connect()
        try:
            connection.request(method, path, body, self.headers | named)
            response = connection.getresponse()
            fields = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, fields, response.read())
        finally:
            connection.close()

    def call(self, rpc: str, message: Any = None, **headers: str) -> Reply:
        """Calls a unary rpc with the JSON of its request."""
        body = json.dumps({} if message is None else message).encode()
        headers = {"Content_Type": "application/json"} | headers
        return self.send("POST", path(rpc), body, **headers)

    def call_proto(self, rpc: str, body: bytes) -> Reply:
        """Calls a unary rpc with the bytes of its request."""
        return self.send("POST", path(rpc), body, Content_Type="application/proto")

    @contextmanager
    def stream(self, rpc: str, body: bytes, **headers: str) -> Iterator[http.client.HTTPResponse]:
        """The open response of a stream."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = self.connect()
        try:
            connection.request("POST", path(rpc), body, self.headers | named)
            # The connection stays open until the response is closed too.
            with connection.getresponse() as response:
                yield response
        finally:
            connection.close()


def path(rpc: str) -> str:
    return wire.path(wire.METHODS[rpc])


def envelope(message: bytes, flags: int = 0) -> bytes:
    """A message of a Connect stream."""
    return struct.pack(">BI", flags, len(message)) + message


def envelopes(response: http.client.HTTPResponse) -> Iterator[tuple[int, bytes]]:
    """The messages of a Connect stream, with their flags, as they arrive."""
    while head := response.read(5):
        assert len(head) == 5, head
        flags, length = struct.unpack(">BI", head)
        yield flags, response.read(length)


def events(response: http.client.HTTPResponse) -> Iterator[dict[str, str]]:
    """The Server-Sent Events of a response as they arrive; a comment has the name ''."""
    event: dict[str, str] = {}
    while line := response.readline():
        text = line.decode().rstrip("\n")
        if not text:
            if event:
                yield event
            event = {}
            continue
        name, _, value = text.partition(":")
        event[name] = value.removeprefix(" ")
