"""What misbehaves on the HTTP listener is ended, and others are served meanwhile."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from access.serving import own_token
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import BOUND, Server
from harness.tracing import Tracer
from web.http_server import Web, path, serve

# The places of all addresses together, and the seconds of a connection and of a body: the server's
# own numbers (W-23).
PLACES, IDLE, RECEIVING, READY = 2_048, 60, 30, 5
# All of 127.0.0.0/8 is this machine, so that there can be two addresses.
ELSEWHERE = "127.0.0.2"

Opened = tuple[Server, Web]


@pytest.fixture
def opened(shared_launch: Launcher) -> Iterator[Opened]:
    """A server of which an app may notify, and the way to it as its own user."""
    server, web = serve(shared_launch)
    bearing = web.bearing(own_token(server))
    assert bearing.send("POST", "/org.example.beside", b"first").status == 200
    yield server, bearing
    server.terminate()
    assert server.wait() == 0


def dial(web: Web, source: str = ELSEWHERE) -> socket.socket:
    """A connection from another address than that of the callers who have to be served."""
    host, port = web.host.split(":")
    return socket.create_connection((host, int(port)), BOUND, source_address=(source, 0))


def head(web: Web, first: str, *fields: str) -> bytes:
    """The head of a request."""
    return "\r\n".join([f"{first} HTTP/1.1", f"Host: {web.host}", *fields, "", ""]).encode()


def is_open(connection: socket.socket) -> bool:
    """Whether the server has not closed a connection that it sends nothing on."""
    connection.setblocking(False)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def is_served(web: Web, source: str) -> bool:
    """Whether a request from an address is answered."""
    with dial(web, source) as connection, contextlib.suppress(OSError):
        connection.sendall(head(web, "GET /livez"))
        return b" 200 " in connection.recv(65_536)
    return False


def notify(web: Web) -> float:
    """The seconds that a notification takes, which is answered as ever."""
    began = time.monotonic()
    assert web.send("POST", "/org.example.beside", b"while others flood").status == 200
    assert web.send("GET", "/livez").status == 200
    return time.monotonic() - began


def test_connections_of_one_address_keep_no_other_out(opened: Opened) -> None:
    _, web = opened
    connections = [dial(web) for _ in range(PLACES)]
    try:
        # One address leaves half of the places to others.
        eventually(lambda: sum(map(is_open, connections)) == PLACES // 2)
        notify(web)
        # The other address has a share of what is left.
        others = [dial(web, "127.0.0.1") for _ in range(PLACES // 4)]
        eventually(lambda: sum(map(is_open, others)) == PLACES // 4)
        assert sum(map(is_open, connections)) == PLACES // 2
        for other in others:
            other.close()
        # The server learns of it a moment later.
        eventually(lambda: is_served(web, "127.0.0.1"))
    finally:
        for connection in connections:
            connection.close()
    eventually(lambda: is_served(web, ELSEWHERE))


def test_a_writer_that_does_not_answer_keeps_no_probe_waiting(
    shared_launch: Launcher, opened: Opened
) -> None:
    server, web = opened
    assert web.send("GET", "/readyz").status == 200
    answers: list[tuple[int, float]] = []

    def probe() -> None:
        began = time.monotonic()
        status = web.send("GET", "/readyz").status
        answers.append((status, time.monotonic() - began))

    slow = ["--trace=fdatasync,pwrite64", "--inject=fdatasync:delay_enter=12000000:when=1"]
    with Tracer(server, server.home / "trace", *slow):
        adding = threading.Thread(target=notify, args=[web])
        adding.start()
        time.sleep(0.5)
        probes = [threading.Thread(target=probe) for _ in range(20)]
        for thread in probes:
            thread.start()
        for thread in probes:
            thread.join()
        assert web.send("GET", "/livez").status == 200
        adding.join()
    assert {status for status, _ in answers} == {503}
    # A later answer would tell of a writer that has answered.
    assert all(took > READY - 1 for _, took in answers), answers
    # The writer has answered: probes are told so at once.
    eventually(lambda: web.send("GET", "/readyz").status == 200)


def trickled(web: Web) -> dict[str, tuple[bytes, bytes, int]]:
    """What is sent at first, what is sent each second, and how many seconds it may go on."""
    begun = head(web, "GET /livez")[:-2]
    length = "Content-Length: 1000000"
    chunked = "Transfer-Encoding: chunked"
    bearer = f"Authorization: {web.headers['Authorization']}"
    json = "Content-Type: application/json"
    called = f"POST {path('GetServerInfo')}"
    return {
        "nothing": (b"", b"", IDLE),
        "a head": (begun, b"X: y\r\n", IDLE),
        "a first line": (b"GET /", b"x", IDLE),
        "a body": (head(web, called, bearer, json, length), b"x", RECEIVING),
        "a text": (head(web, "POST /org.example.beside", bearer, length), b"x", RECEIVING),
        "chunks": (head(web, called, bearer, json, chunked), b"1\r\nx\r\n", RECEIVING),
        # A request that needs no body is answered at once, and nobody waits for the rest of it.
        "a probe's body": (head(web, "GET /livez", length), b"x", IDLE),
        "a probe's chunks": (head(web, "GET /readyz", chunked), b"1\r\nx\r\n", IDLE),
        "a scrape's body": (head(web, "GET /metrics", bearer, length), b"x", IDLE),
        "a preflight's body": (head(web, "OPTIONS /x", length), b"x", IDLE),
        "what is refused": (head(web, called, json, length), b"x", IDLE),
    }


def test_what_is_slow_is_ended_while_others_are_served(opened: Opened) -> None:
    _, web = opened
    kinds = trickled(web)
    began = time.monotonic()
    open_connections: dict[str, socket.socket] = {}
    ended: list[str] = []
    for kind, (first, _, _) in kinds.items():
        open_connections[kind] = dial(web)
        open_connections[kind].sendall(first)
    # Half of a request, and no more to come.
    halves = {"half a head": b"GET /livez HT", "half a body": kinds["a body"][0] + b"x"}
    for kind, first in halves.items():
        open_connections[kind] = dial(web)
        open_connections[kind].sendall(first)
        open_connections[kind].shutdown(socket.SHUT_WR)
    while open_connections and time.monotonic() - began < 10 * IDLE:
        for kind, connection in list(open_connections.items()):
            try:
                if kind in kinds:
                    connection.sendall(kinds[kind][1])
                connection.settimeout(0.01)
                if connection.recv(65_536) == b"":
                    raise ConnectionError
            except TimeoutError:
                continue
            except OSError:
                ended.append(kind)
                open_connections.pop(kind).close()
        notify(web)
        time.sleep(0.8)
    assert not open_connections, f"never ended: {list(open_connections)}"
    # What has half as long ends first.
    idle = {"nothing", "a head", "a first line"}
    received = {kind for kind, (_, _, limit) in kinds.items() if limit == RECEIVING} | set(halves)
    # Real time: the order of the ends, however long a round takes.
    assert max(map(ended.index, received)) < min(map(ended.index, idle)), ended


def _churn(web: Web, connection: socket.socket) -> None:
    for _ in range(50):
        dial(web).close()


def _repeat(data: Callable[[Web], bytes]) -> Callable[[Web, socket.socket], None]:
    def send(web: Web, connection: socket.socket) -> None:
        connection.settimeout(0.5)
        for _ in range(64):
            connection.sendall(data(web))

    return send


FLOODS = {
    "connections": _churn,
    "heads": _repeat(lambda web: head(web, "GET /livez", "X: " + "x" * 15_000) * 8),
    "too large heads": _repeat(lambda web: head(web, "GET /livez", "X: " + "x" * 200_000)),
    "many fields": _repeat(lambda web: head(web, "GET /livez", *["X: y"] * 5_000)),
    "pipelined": _repeat(lambda web: head(web, "GET /livez") * 1_000),
    "pipelined refusals": _repeat(lambda web: head(web, "GET /metrics") * 1_000),
    "chunks": _repeat(
        lambda web: head(web, "POST /x", "Transfer-Encoding: chunked") + b"1\r\nx\r\n" * 10_000
    ),
    "chunks that are let in": _repeat(
        lambda web: head(
            web, "POST /org.example.beside", "Transfer-Encoding: chunked",
            f"Authorization: {web.headers['Authorization']}",
        ) + b"1\r\nx\r\n" * 10_000
    ),
}  # fmt: skip


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_keeps_nobody_waiting(opened: Opened, flood: str) -> None:
    _, web = opened
    begun, ended = time.monotonic(), threading.Event()

    def run() -> None:
        # It stops by itself too.
        while not ended.is_set() and time.monotonic() - begun < 4 * BOUND:
            with contextlib.suppress(OSError), dial(web) as connection:
                FLOODS[flood](web, connection)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    times: list[float] = []
    try:
        while len(times) < 3 or time.monotonic() - begun < 3:
            times.append(notify(web))
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    notify(web)
