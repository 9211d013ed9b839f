"""What misbehaves at full speed on the HTTP listener: the server goes on, and stays small."""

import contextlib
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from access.serving import Caller, own_token
from harness.client import Client
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import BOUND, Server
from web.http_server import Web, path, serve

MEBIBYTE = 1 << 20


def memory(server: Server) -> int:
    """The anonymous memory of a server, in bytes."""
    lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
    (line,) = [line for line in lines if line.startswith("RssAnon:")]
    return int(line.split()[1]) * 1_024


@pytest.fixture
def flooded(shared_launch: Launcher) -> Iterator[Web]:
    """A way to a server that has to be well and small afterwards, without a token."""
    server, web = serve(shared_launch)
    assert web.send("GET", "/livez").status == 200
    before = memory(server)
    yield web
    eventually(lambda: web.send("GET", "/livez").status == 200)
    assert web.send("GET", "/readyz").status == 200
    with Client(server.targets["tcp"]) as client:
        assert Caller(client, own_token(server)).call("GetServerInfo").version
    assert memory(server) - before < 64 * MEBIBYTE
    server.terminate()
    assert server.wait() == 0


def dial(web: Web) -> socket.socket:
    """A connection for bytes of any kind."""
    host, port = web.host.split(":")
    connection = socket.create_connection((host, int(port)), BOUND)
    # Real time: a server that takes nothing for so long is sent no more. That it ends such a connection
    # is tested in test_http_beside.py.
    connection.settimeout(2)
    return connection


def push(connection: socket.socket, data: bytes, times: int) -> None:
    """Sends as much as the server takes."""
    with contextlib.suppress(OSError):
        for _ in range(times):
            connection.sendall(data)


def head(web: Web, fields: str, target: str = path("Add")) -> bytes:
    """The head of a call as text."""
    first = f"POST {target} HTTP/1.1\r\nHost: {web.host}\r\nContent-Type: application/json\r\n"
    return (first + fields + "\r\n").encode()


def test_a_publication_without_a_right_is_not_read(flooded: Web) -> None:
    # The answer comes before the body, of which nothing is sent.
    for target in ("/org.example.x", "/"):
        with dial(flooded) as connection:
            connection.sendall(head(flooded, "Content-Length: 1000000\r\n", target))
            assert b" 401 " in connection.recv(65_536).split(b"\r\n")[0]


@pytest.mark.parametrize("length", ["2000000", "99999999999999999999", "-1", "1, 2", "x"])
def test_a_length_that_is_too_much(flooded: Web, length: str) -> None:
    with dial(flooded) as connection:
        connection.sendall(head(flooded, f"Content-Length: {length}\r\n"))
        push(connection, b"x" * 65_536, 64)
        with contextlib.suppress(OSError):
            answer = connection.recv(65_536)
            assert b"200 OK" not in answer


def test_a_body_without_an_end(flooded: Web) -> None:
    for target in (path("Add"), path("GetServerInfo"), "/org.example.x", "/livez", "/nothing"):
        with dial(flooded) as connection:
            connection.sendall(head(flooded, "Transfer-Encoding: chunked\r\n", target))
            push(connection, b"ffff\r\n" + b"x" * 0xFFFF + b"\r\n", 512)


def test_heads_without_an_end(flooded: Web) -> None:
    for field in (b"X: " + b"x" * 65_536 + b"\r\n", b"X: y\r\n" * 1_000, b"x" * 65_536):
        with dial(flooded) as connection:
            connection.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n")
            push(connection, field, 256)
            with contextlib.suppress(OSError):
                assert b"200 OK" not in connection.recv(65_536)


@pytest.mark.parametrize(
    "data",
    [
        b"\0" * 4_096, b"\xff" * 65_536, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0" * 4_096,
        b"GET\r\n\r\n", b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", b"\r\n" * 65_536,
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n",
        b"CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n" + b"x" * 4_096,
        b"GET /livez HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    ],
    ids=lambda data: repr(data[:24]),
)  # fmt: skip
def test_bytes_that_are_no_request(flooded: Web, data: bytes) -> None:
    for _ in range(20):
        with dial(flooded) as connection:
            push(connection, data, 4)


def test_a_client_of_tls(flooded: Web) -> None:
    context = ssl._create_unverified_context()
    with dial(flooded) as connection, pytest.raises(OSError):
        context.wrap_socket(connection)


def test_requests_whose_answers_nobody_reads(flooded: Web) -> None:
    request = f"GET /nothing HTTP/1.1\r\nHost: {flooded.host}\r\n\r\n".encode()
    live = request.replace(b"/nothing", b"/livez")
    connections = [dial(flooded) for _ in range(16)]
    for connection in connections:
        connection.settimeout(0.2)
        push(connection, live * 1_000, 64)
        push(connection, request * 1_000, 4)
    for connection in connections:
        connection.close()


def test_more_connections_than_the_server_takes(flooded: Web) -> None:
    connections = [dial(flooded) for _ in range(700)]
    for connection in connections:
        connection.sendall(b"GET /livez HTTP/1.1\r\n")
    for connection in connections:
        connection.close()
