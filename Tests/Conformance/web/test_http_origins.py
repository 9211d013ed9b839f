"""No web page of another origin reaches a server, and no name that a page gives its address."""

import socket

import pytest

from access.serving import own_token
from harness.launcher import Launcher
from harness.server import BOUND
from web.http_server import Web, path, serve

PAGE = "https://app.example.org"
OTHER = [
    "https://evil.example", "http://app.example.org", "https://app.example.org.evil.example",
    "https://app.example.org:8443", "null", "http://localhost", "http://127.0.0.1", "", "x" * 5_000,
    "https://app.example.org,https://evil.example", "https://APP.example.org/",
]  # fmt: skip
JSON = {"Content_Type": "application/json"}


@pytest.fixture(scope="module")
def open_web(shared_launch: Launcher) -> Web:
    """A server that lets the pages of one origin call, and has a name."""
    server, web = serve(
        shared_launch, f"--http-allow-origin={PAGE}", "--http-allow-host=bell.example.org"
    )
    return web.bearing(own_token(server))


@pytest.mark.parametrize("origin", [PAGE, *OTHER])
@pytest.mark.parametrize("where", ["/livez", "/metrics", path("GetServerInfo"), "/topic"])
def test_a_server_lets_no_page_call(web: Web, where: str, origin: str) -> None:
    method = "GET" if where in ("/livez", "/metrics") else "POST"
    reply = web.send(method, where, b"{}", Origin=origin, **JSON)
    assert reply.status == 403
    assert "access-control-allow-origin" not in reply.headers


@pytest.mark.parametrize(
    ("site", "status"),
    [("cross-site", 403), ("same-site", 403), ("Cross-Site", 403), ("none", 200)],
)
def test_a_page_reads_nothing_without_an_origin(web: Web, site: str, status: int) -> None:
    """A browser sends no Origin with what a page only asks for, as a picture."""
    for where in ["/livez", "/metrics"]:
        assert web.send("GET", where, Sec_Fetch_Site=site).status == status
    backup = web.send(
        "GET", path("Backup") + "?message=%7B%7D", Accept="text/event-stream", Sec_Fetch_Site=site
    )
    assert backup.status == status


@pytest.mark.parametrize("origin", OTHER)
def test_other_pages_may_not_call(open_web: Web, origin: str) -> None:
    for method in ["POST", "OPTIONS"]:
        reply = open_web.send(method, path("GetServerInfo"), b"{}", Origin=origin, **JSON)
        assert reply.status == 403
        assert "access-control-allow-origin" not in reply.headers


def test_a_page_of_an_allowed_origin_calls(open_web: Web) -> None:
    asked = open_web.send("OPTIONS", path("GetServerInfo"), Origin=PAGE)
    assert asked.status == 200
    assert asked.headers["access-control-allow-origin"] == PAGE
    for header in ["Authorization", "traceparent", "tracestate"]:
        assert header in asked.headers["access-control-allow-headers"]
    reply = open_web.send("POST", path("GetServerInfo"), b"{}", Origin=PAGE, **JSON)
    assert (reply.status, reply.headers["access-control-allow-origin"]) == (200, PAGE)
    assert reply.headers["vary"] == "Origin"


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "LOCALHOST", "[::1]", "[::1]:1"])
def test_this_machine_has_names(web: Web, name: str) -> None:
    assert web.send("GET", "/livez", Host=name).status == 200


@pytest.mark.parametrize(
    "name",
    [
        "evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example", "",
        "bell.example.org", "[::1", "localhost\tx", "x" * 5_000, "[::2]", "0.0.0.0", "localhost,x",
    ],
)  # fmt: skip
def test_other_names_are_refused(web: Web, name: str) -> None:
    reply = web.send("GET", "/livez", Host=name)
    assert reply.status in (400, 403), reply.body


def test_a_name_may_be_allowed(open_web: Web) -> None:
    assert open_web.send("GET", "/livez", Host="bell.example.org:8080").status == 200


@pytest.mark.parametrize(
    "head",
    [
        b"GET /livez HTTP/1.1\r\n\r\n",
        b"GET /livez HTTP/1.0\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\n\r\n",
    ],
)
def test_a_request_without_one_clear_host_is_refused(web: Web, head: bytes) -> None:
    host, port = web.host.split(":")
    with socket.create_connection((host, int(port)), BOUND) as connection:
        connection.sendall(head)
        answer = connection.recv(65_536)
    assert b"200 OK" not in answer
    assert b" 40" in answer.split(b"\r\n")[0] or answer == b""
