"""What HTTP itself says of methods, hosts, targets, lengths and codings."""

import contextlib
import itertools
import socket
import subprocess

import pytest

from access.serving import own_token
from harness import wire
from harness.launcher import Launcher
from harness.server import BOUND
from web.http_server import Reply, Web, path, serve

NAMES = ["localhost", "127.0.0.1", "[::1]", "bell.example.org"]
RPC = path("GetServerInfo")
JSON = "Content-Type: application/json"
READ = ["/", "/livez", "/readyz", "/metrics"]


@pytest.fixture(scope="module")
def web(shared_launch: Launcher) -> Web:
    """A server that has a name, as its own user."""
    server, web = serve(shared_launch, "--http-allow-host=bell.example.org")
    return web.bearing(own_token(server))


def ask(web: Web, head: str, body: bytes = b"") -> list[Reply]:
    """The answers to bytes of a request, up to the end of the connection."""
    host, port = web.host.split(":")
    received = b""
    with socket.create_connection((host, int(port)), BOUND) as connection:
        connection.sendall(head.replace("\n", "\r\n").encode() + body)
        with contextlib.suppress(ConnectionResetError):
            while data := connection.recv(65_536):
                received += data
    replies = []
    while received:
        first, _, received = received.partition(b"\r\n\r\n")
        line, *lines = first.decode().split("\r\n")
        fields: dict[str, str] = {}
        for name, value in (field.split(": ", 1) for field in lines):
            name = name.lower()
            fields[name] = f"{fields[name]}, {value}" if name in fields else value
        status = int(line.split()[1])
        length = 0 if head.startswith("HEAD") else int(fields.get("content-length", 0))
        replies.append(Reply(status, fields, received[:length]))
        received = received[length:]
    return replies


def answer(web: Web, head: str, body: bytes = b"") -> Reply:
    """The one answer to bytes of a request."""
    (reply,) = ask(web, head, body)
    return reply


def call(web: Web, target: str, *fields: str, body: bytes = b"{}", ends: bool = True) -> Reply:
    """The one answer to a call of bytes, whose fields have a host unless they name it."""
    named = [*fields, JSON, f"Authorization: {web.headers['Authorization']}", "Connection: close"]
    if ends:
        named.append(f"Content-Length: {len(body)}")
    return answer(web, "\n".join([f"POST {target} HTTP/1.1", *named, "", ""]), body)


# What may stand behind a name where a port stands.
NO_PORTS = [
    "{}:80@evil.example", "{}evil.example", "{}:x", "{}:80:80", "{}:99999", "{}:-1", "{}:+1",
    "{}:80/", "{}:80?x", "{}:80#x", "{}:80,evil.example", "{}:80 evil.example", "{}@evil.example",
    "{}/@evil.example", "evil.example@{}", "evil.example:80@{}", "{}:８０", "{},{}",
]  # fmt: skip


@pytest.mark.parametrize(("name", "form"), itertools.product(NAMES, NO_PORTS))
def test_a_host_is_a_name_and_a_port(web: Web, name: str, form: str) -> None:
    for target in ("/livez", RPC, "/org.example.x"):
        assert call(web, target, f"Host: {form.replace('{}', name)}").status in (400, 403)


@pytest.mark.parametrize("name", NAMES)
def test_a_host_may_have_a_port(web: Web, name: str) -> None:
    for host in (name, f"{name}:80", f"{name}:", f"{name}:65535", name.upper()):
        assert call(web, RPC, f"Host: {host}").status == 200, host


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("other", ["evil.example", "localhost", "LOCALHOST", "", "[::1]"])
def test_a_request_names_one_host(web: Web, name: str, other: str) -> None:
    for fields in ([name, other], [other, name], [name, name]):
        assert call(web, RPC, *[f"Host: {field}" for field in fields]).status == 400, fields


@pytest.mark.parametrize("name", NAMES)
def test_the_host_of_a_whole_url_counts(web: Web, name: str) -> None:
    for scheme in ("http", "HTTP", "https"):
        assert call(web, f"{scheme}://{name}{RPC}", f"Host: {name}").status == 200
        assert call(web, f"{scheme}://{name.upper()}{RPC}", f"Host: {name}").status == 200
    for host in (f"Host: {name}", "Host: evil.example", "X: y"):
        for other in ("evil.example", f"{name}@evil.example", f"{name}:80@evil.example", ""):
            assert call(web, f"http://{other}{RPC}", host).status in (400, 403), (host, other)
    assert call(web, f"http://{name}{RPC}", "Host: evil.example").status == 400
    assert call(web, f"http://{name}?{RPC}", f"Host: {name}").status == 400


@pytest.mark.parametrize(
    "target", [f"ftp://localhost{RPC}", f"foo:{RPC}", "localhost:80", "x", "*", "?x", "http:/livez"]
)
def test_a_target_is_a_path(web: Web, target: str) -> None:
    assert call(web, target, "Host: localhost").status == 400


def test_the_server_itself_has_options(web: Web) -> None:
    head = "OPTIONS * HTTP/1.1\nHost: localhost\nConnection: close\n\n"
    assert "HEAD" in answer(web, head).headers["allow"]


@pytest.mark.parametrize("target", [*READ, "/no/thing/at/all", "/topic", RPC])
def test_head_answers_as_get_without_the_body(web: Web, target: str) -> None:
    fields = f"Host: localhost\nAuthorization: {web.headers['Authorization']}\n"
    read = web.send("GET", target)
    # Both on one connection: bytes of a body would be taken for the second answer.
    twice = (f"HEAD {target} HTTP/1.1\n{fields}\n") * 2 + (
        f"HEAD /livez HTTP/1.1\n{fields}Connection: close\n\n"
    )
    for reply in ask(web, twice)[:-1]:
        assert reply.status == read.status
        assert reply.headers["content-type"] == read.headers["content-type"]
        # The page names the host, and figures change.
        if target not in ("/", "/metrics"):
            assert reply.headers["content-length"] == read.headers["content-length"]
    assert read.status == (200 if target in READ else 405 if target in ("/topic", RPC) else 404)


@pytest.mark.parametrize("target", READ)
@pytest.mark.parametrize("method", ["DELETE", "PATCH", "TRACE", "PROPFIND"])
def test_another_method_is_told_which_there_are(web: Web, method: str, target: str) -> None:
    reply = web.send(method, target)
    assert reply.status == 405
    allowed = reply.headers["allow"].split(", ")
    assert {"GET", "HEAD"} <= set(allowed)
    for other in set(allowed) - {"POST", "PUT"}:
        assert web.send(other, target).status == 200


def test_a_probe_is_no_topic(web: Web) -> None:
    for target in READ[1:]:
        assert web.send("POST", target, b"text").status == 405


def test_a_newcomer_is_told_what_is_here(web: Web) -> None:
    reply = web.bearing(None).send("GET", "/")
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/plain")
    page = reply.body.decode()
    assert f"http://{web.host}/org.example.tea" in page
    for word in ("Belfry", "belfry token create", "/belfry.v1.", "/livez", "/metrics", "README"):
        assert word in page
    assert max(map(len, page.splitlines())) <= 100


def test_the_advice_of_the_page_works(web: Web) -> None:
    page = web.send("GET", "/").body.decode()
    (line,) = [line for line in page.splitlines() if "curl" in line]
    token = web.headers["Authorization"].removeprefix("Bearer ")
    shell = ["bash", "-c", line + " --silent --fail"]
    told = subprocess.run(
        shell, env={"TOKEN": token, "PATH": "/usr/bin:/bin"}, capture_output=True, timeout=BOUND
    )
    assert told.returncode == 0, told
    assert b"Tea is ready" in told.stdout


@pytest.mark.parametrize("token", [None, "nothing", ""])
def test_who_is_unknown_is_told_how_to_be_known(web: Web, token: str | None) -> None:
    stranger = web.bearing(token)
    unary = [
        rpc
        for rpc, method in wire.METHODS.items()
        if not method.client_streaming and not method.server_streaming
    ]
    replies = [stranger.call(rpc) for rpc in unary]
    replies += [stranger.send("GET", "/metrics"), stranger.send("POST", "/org.example.x", b"x")]
    for reply in replies:
        assert reply.status == 401
        schemes = reply.headers["www-authenticate"]
        assert schemes.startswith(("Bearer realm=", "Basic realm="))
    # The library of the other requests keeps one field of a name.
    reply = answer(web, "GET /metrics HTTP/1.1\nHost: localhost\nConnection: close\n\n")
    assert reply.status == 401
    for scheme in ("Bearer", "Basic"):
        assert f'{scheme} realm="belfry"' in reply.headers["www-authenticate"]


def test_curl_sends_a_password_when_asked(web: Web) -> None:
    token = web.headers["Authorization"].removeprefix("Bearer ")
    curl = ["curl", "--silent", "--anyauth", "--user", f":{token}", f"{web.url}/metrics"]
    assert b"belfry_" in subprocess.run(curl, capture_output=True, timeout=BOUND).stdout


@pytest.mark.parametrize("target", [RPC, path("Add"), "/org.example.x", "/"])
def test_a_long_body_is_too_large(web: Web, target: str) -> None:
    for length in (2**25, 2**31, 2**40):
        fields = ("Host: localhost", f"Content-Length: {length}")
        reply = call(web, target, *fields, body=b"", ends=False)
        assert reply.status == 413
        assert reply.headers["connection"] == "close"
    # Who still sends it hears the answer.
    for length in (2**20 + 1, 2**24):
        assert call(web, target, "Host: localhost", body=b" " * length).status == 413
    chunked = ("Host: localhost", "Transfer-Encoding: chunked")
    body = (b"10000\r\n" + b" " * 2**16 + b"\r\n") * 17 + b"0\r\n\r\n"
    assert call(web, target, *chunked, body=body, ends=False).status == 413
    # Who asks before sending it need not send it.
    asks = ("Host: localhost", "Expect: 100-continue", f"Content-Length: {2**20 + 1}")
    assert call(web, target, *asks, body=b"", ends=False).status == 413


def test_a_long_body_has_a_reason(web: Web) -> None:
    reply = web.call("Add", {"center": {"appId": "x" * 2**20}})
    assert (reply.status, reply.json["code"], reply.reason) == (
        413, "resource_exhausted", "BODY_TOO_LONG",
    )  # fmt: skip


def test_a_message_that_grows_is_too_large(web: Web) -> None:
    # A number of an enum that is negative has ten bytes.
    body = {"options": [-1] * 200_000}
    reply = web.call("RequestAuthorization", body)
    assert (reply.status, reply.reason) == (413, "BODY_TOO_LONG")


CODINGS = [
    "gzip", "gzip, chunked", "identity", "deflate", "xchunked", "compress,chunked", "x;chunked",
]  # fmt: skip


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("target", [RPC, "/org.example.x", "/", "/livez", "/nothing"])
def test_a_coding_that_is_unknown_is_not_implemented(web: Web, target: str, coding: str) -> None:
    fields = ("Host: localhost", f"Transfer-Encoding: {coding}")
    assert call(web, target, *fields, body=b"2\r\n{}\r\n0\r\n\r\n", ends=False).status == 501


CHUNKS = [
    b"ffffffffffffffffff\r\n", b"10000000000000000\r\nx", b"zz\r\n{}\r\n", b"-1\r\n", b"+2\r\n{}",
    b"0x2\r\n{}\r\n0\r\n\r\n", b"2\r\n{}xx0\r\n\r\n", b"\r\n", b" 2\r\n{}\r\n0\r\n\r\n",
]  # fmt: skip


@pytest.mark.parametrize("chunks", CHUNKS)
@pytest.mark.parametrize("target", [RPC, "/org.example.x", "/"])
def test_chunks_that_are_none_are_a_bad_request(web: Web, target: str, chunks: bytes) -> None:
    fields = ("Host: localhost", "Transfer-Encoding: chunked")
    assert call(web, target, *fields, body=chunks, ends=False).status == 400


@pytest.mark.parametrize("coding", ["chunked", "CHUNKED"])
def test_chunks_are_read(web: Web, coding: str) -> None:
    fields = ("Host: localhost", f"Transfer-Encoding: {coding}")
    for chunks in (b"2\r\n{}\r\n0\r\n\r\n", b"1;a=b\r\n{\r\n1\r\n}\r\n0\r\nX: y\r\n\r\n"):
        assert call(web, RPC, *fields, body=chunks, ends=False).status == 200


def test_a_body_that_is_asked_for_is_wanted(web: Web) -> None:
    named = [JSON, f"Authorization: {web.headers['Authorization']}", "Connection: close"]
    asked = ["Host: localhost", *named, "Expect: 100-continue", "Content-Length: 2", "", ""]
    replies = ask(web, "\n".join([f"POST {RPC} HTTP/1.1", *asked]), b"{}")
    assert [reply.status for reply in replies] == [100, 200]
    # Who may not call is not told to send.
    asked.remove(named[1])
    replies = ask(web, "\n".join([f"POST {RPC} HTTP/1.1", *asked]))
    assert [reply.status for reply in replies] == [401]


@pytest.mark.parametrize("timeout", ["0", "00", "0000000000"])
def test_a_time_of_nothing_is_none(web: Web, timeout: str) -> None:
    reply = web.call("GetServerInfo", Connect_Timeout_Ms=timeout)
    assert (reply.status, reply.json["code"]) == (400, "invalid_argument")
