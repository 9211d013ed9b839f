"""TLS: whom a server shows itself to, whom it lets in, and certificates that change (W-11)."""

import os
import random
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import grpc
import pytest
from cryptography import x509

from access.serving import (
    CANNOT_START, DONE, NOT_PERMITTED, USAGE, Caller, belfry, make_token, own_token, start,
)  # fmt: skip
from harness import http2, wire
from harness.certificates import DAY, Authority, Pair, place, replace
from harness.client import Client
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import BOUND, Server
from harness.torture import Torture
from web.http_server import url

# The status of a command that has no connection to a server.
UNREACHABLE = 69

APP, OTHER = "org.example.tea", "org.example.coffee"

# How long a server may take to see a new file: it looks each second, and so does gRPC.
SEEN = 3.5


@dataclass
class Served:
    """A server with TLS, and what signs for it and for its clients."""

    server: Server
    authority: Authority
    clients: Authority
    port: int

    def caller(
        self, token: str | None = None, roots: bytes | None = None, shown: Pair | None = None
    ) -> Caller:
        """A caller over a connection of its own."""
        credentials = grpc.ssl_channel_credentials(
            roots or self.authority.roots,
            shown and shown.key,
            shown and shown.certificates,
        )
        return Caller(Client(f"localhost:{self.port}", credentials), token)

    def serial(self) -> int:
        """The number of the certificate that the server shows."""
        context = ssl.create_default_context(cadata=self.authority.roots.decode())
        context.set_alpn_protocols(["h2"])
        with (
            socket.create_connection(("127.0.0.1", self.port), BOUND) as plain,
            context.wrap_socket(plain, server_hostname="localhost") as encrypted,
        ):
            shown = encrypted.getpeercert(binary_form=True)
        assert shown is not None
        return x509.load_der_x509_certificate(shown).serial_number


def serve(launch: Launcher, *arguments: str, pair: Pair | None = None) -> Served:
    """Starts a server with TLS."""
    authority, clients = Authority(), Authority("Clients")
    home = launch.new_home()
    certificate, key = place(home, pair or authority.pair())
    roots = replace(home / "clients.pem", clients.roots)
    server = start(
        launch, "--listen=tls:127.0.0.1:0", f"--tls-certificate={certificate}",
        f"--tls-key={key}", f"--tls-client-ca={roots}", *arguments, home=home,
    )  # fmt: skip
    eventually(lambda: server.log.count("listening on") >= 3)
    ports = [int(line.rsplit(":", 1)[1]) for line in server.log.splitlines()
             if "listening on 127.0.0.1" in line]  # fmt: skip
    return Served(server, authority, clients, ports[1])


@pytest.fixture(scope="module")
def served(shared_launch: Launcher) -> Served:
    """A server whose clients may have certificates."""
    return serve(
        shared_launch,
        f"--allow-certificate=tea.example=app:{APP}",
        "--allow-certificate=boss.example=admin",
        "--allow-certificate=plain.example",
    )


def test_a_token_counts(served: Served) -> None:
    token = own_token(served.server)
    assert served.caller(token).call("GetServerInfo").version
    served.caller().ask("GetServerInfo").check(
        grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REQUIRED"
    )


def test_a_client_that_trusts_others_does_not_call(served: Served) -> None:
    answer = served.caller(own_token(served.server), Authority().roots).ask("GetServerInfo")
    assert answer.refusal is not None
    assert answer.refusal.code == grpc.StatusCode.UNAVAILABLE


def test_a_client_without_tls_does_not_call(served: Served) -> None:
    with Client(f"127.0.0.1:{served.port}") as client:
        answer = Caller(client, own_token(served.server)).ask("GetServerInfo")
    assert answer.refusal is not None
    assert answer.refusal.code == grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize("has_alternative", [True, False])
def test_a_certificate_has_the_right_of_its_name(served: Served, has_alternative: bool) -> None:
    shown = served.clients.pair("tea.example", is_server=False, has_alternative=has_alternative)
    caller = served.caller(shown=shown)
    assert caller.ask("GetNotificationSettings", center=wire.Center(app_id=APP)).is_let_in
    caller.ask("GetNotificationSettings", center=wire.Center(app_id=OTHER)).check(
        grpc.StatusCode.PERMISSION_DENIED, "APP_REFUSED", app_id=OTHER
    )
    caller.ask("GetStats").check(grpc.StatusCode.PERMISSION_DENIED, "ROLE_REQUIRED")


def test_an_admin_may_have_a_certificate(served: Served) -> None:
    shown = served.clients.pair("boss.example", is_server=False)
    assert served.caller(shown=shown).call("GetStats").HasField("counters")


@pytest.mark.parametrize("name", ["other.example", "tea.example.evil", "TEA.example", "*.example"])
def test_another_name_has_none(served: Served, name: str) -> None:
    shown = served.clients.pair(name, is_server=False)
    served.caller(shown=shown).ask("GetServerInfo").check(
        grpc.StatusCode.PERMISSION_DENIED, "CERTIFICATE_REFUSED", certificate=name
    )


def test_a_token_counts_more_than_a_certificate(shared_launch: Launcher, served: Served) -> None:
    token = make_token(shared_launch, served.server.home, "coffee", f"app:{OTHER}")
    shown = served.clients.pair("boss.example", is_server=False)
    served.caller(token, shown=shown).ask("GetStats").check(
        grpc.StatusCode.PERMISSION_DENIED, "ROLE_REQUIRED"
    )


@pytest.mark.parametrize(
    "sign",
    [
        lambda served: Authority("Clients").pair("boss.example", is_server=False),
        lambda served: served.authority.pair("boss.example", is_server=False),
        lambda served: served.clients.pair(
            "boss.example", is_server=False, begin=-2 * DAY, end=-DAY
        ),
        lambda served: served.clients.pair("boss.example", is_server=True),
    ],
    ids=["another authority", "the server's authority", "expired", "a server's"],
)
def test_a_certificate_that_does_not_count_is_not_let_in(
    served: Served, sign: Callable[[Served], Pair]
) -> None:
    answer = served.caller(shown=sign(served)).ask("GetStats")
    assert answer.refusal is not None
    assert answer.refusal.code == grpc.StatusCode.UNAVAILABLE


def test_the_command_uses_tls(shared_launch: Launcher, served: Served) -> None:
    home = served.server.home
    roots = home / "roots.pem"
    roots.write_bytes(served.authority.roots)
    shown = served.clients.pair("boss.example", is_server=False)
    for name, text in (("own-key.pem", shown.key), ("own.pem", shown.certificates)):
        (home / name).write_bytes(text)
    target = f"--server=tls:localhost:{served.port}"
    trusting = belfry(shared_launch, home, "status", target, f"--tls-ca={roots}")
    assert trusting.returncode == DONE, trusting.stderr
    own = {
        "BELFRY_TLS_CA": str(roots), "BELFRY_TLS_CERTIFICATE": str(home / "own.pem"),
        "BELFRY_TLS_KEY": str(home / "own-key.pem"), "XDG_RUNTIME_DIR": "/nowhere",
    }  # fmt: skip
    shown_only = belfry(shared_launch, home, "clock", target, variables=own)
    assert shown_only.returncode == DONE, shown_only.stderr
    assert belfry(shared_launch, home, "status", target).returncode != DONE


def test_the_command_with_a_certificate_tells_nobody_the_owners_token(
    shared_launch: Launcher, served: Served
) -> None:
    home = served.server.home
    roots = replace(home / "servers.pem", served.authority.roots)
    shown = served.clients.pair("plain.example", is_server=False)
    files = {"KEY": shown.key, "CERTIFICATE": shown.certificates}
    own = {"BELFRY_TLS_CA": str(roots)}
    for name, text in files.items():
        own[f"BELFRY_TLS_{name}"] = str(replace(home / f"plain-{name}.pem", text))
    token = own_token(served.server)

    def clock(variables: dict[str, str]) -> int:
        target = f"--server=tls:localhost:{served.port}"
        return belfry(shared_launch, home, "clock", target, variables=variables).returncode

    # The file of the token is where the command finds it, and the clock is for an admin.
    assert clock({"BELFRY_TLS_CA": str(roots)}) == DONE
    assert clock(own) == NOT_PERMITTED
    # One that is given counts all the same.
    assert clock({**own, "BELFRY_TOKEN": token}) == DONE


def bad_pairs(authority: Authority) -> Iterator[tuple[str, Pair]]:
    """Pairs that no server should show, and what is wrong with each."""
    good, other = authority.pair(), authority.pair()
    yield "is not that of", Pair(other.key, good.certificates, 0)
    yield "no private key", Pair(b"", good.certificates, 0)
    yield "no private key", Pair(good.certificates, good.certificates, 0)
    yield "no private key", Pair(authority.pair(password=b"x").key, good.certificates, 0)
    yield "no certificate", Pair(good.key, b"", 0)
    yield "no certificate", Pair(good.key, good.key, 0)
    cut = good.certificates[:200] + b"\n-----END CERTIFICATE-----\n"
    yield "cannot be read", Pair(good.key, cut, 0)
    yield "is not signed", Pair(good.key, good.certificates + Authority("x").roots, 0)
    old = authority.pair(begin=-2 * DAY, end=-DAY)
    yield "has expired", old
    yield "not count yet", authority.pair(begin=DAY, end=2 * DAY)


def test_a_server_does_not_start_with_a_bad_pair(launch: Launcher) -> None:
    for reason, pair in bad_pairs(Authority()):
        home = launch.new_home()
        certificate, key = place(home, pair)
        done = belfry(
            launch, home, "serve", f"--data={home / 'data'}", "--listen=tls:127.0.0.1:0",
            f"--tls-certificate={certificate}", f"--tls-key={key}",
        )  # fmt: skip
        assert done.returncode == CANNOT_START, done.stderr
        assert reason in done.stderr, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--listen=tls:127.0.0.1:0"],
        ["--tls-key=/x"],
        ["--tls-certificate=/x"],
        ["--tls-client-ca=/x"],
        ["--tls-key=/x", "--tls-certificate=/x", "--allow-certificate=a"],
        ["--health-listen=tls:127.0.0.1:0"],
    ],
    ids=str,
)
def test_options_that_do_not_fit(launch: Launcher, arguments: list[str]) -> None:
    home = launch.new_home()
    done = belfry(launch, home, "serve", f"--data={home / 'data'}", *arguments)
    assert done.returncode == USAGE
    assert "--" in done.stderr


def test_a_certificate_that_ends_soon_is_told(launch: Launcher) -> None:
    authority = Authority()
    served = serve(launch, pair=authority.pair(end=3 * DAY + DAY // 2))
    assert "the certificate ends in 3 days" in served.server.log


def test_bad_files_are_told_by_the_check_of_the_configuration(launch: Launcher) -> None:
    home = launch.new_home()
    authority = Authority()
    certificate, key = place(home, authority.pair())
    roots = replace(home / "clients.pem", authority.roots)
    arguments = [
        "serve", "--check-config", f"--tls-certificate={certificate}", f"--tls-key={key}",
        f"--tls-client-ca={roots}",
    ]  # fmt: skip
    assert belfry(launch, home, *arguments).returncode == DONE
    roots.write_text("none")
    told = belfry(launch, home, *arguments)
    assert told.returncode != DONE
    assert f"{roots}: there is no certificate" in told.stderr


def is_shown(served: Served, serial: int) -> bool:
    """Whether the server shows the certificate of a number."""
    return served.serial() == serial


def wait_for(served: Served, line: str, count: int = 1) -> None:
    """Waits until the server logged a line."""
    eventually(lambda: served.server.log.count(line) >= count)


def test_who_signs_for_clients_changes(launch: Launcher) -> None:
    served = serve(launch, "--allow-certificate=boss.example=admin")
    roots = served.server.home / "clients.pem"
    old = served.clients.pair("boss.example", is_server=False)
    assert served.caller(shown=old).ask("GetStats").refusal is None
    roots.write_text("none")
    wait_for(served, "is used on")
    time.sleep(SEEN)
    assert served.caller(shown=old).ask("GetStats").refusal is None
    later = Authority("Later")
    replace(roots, later.roots)
    wait_for(served, "took a new certificate")
    new = later.pair("boss.example", is_server=False)
    eventually(lambda: served.caller(shown=new).ask("GetStats").refusal is None)
    answer = served.caller(shown=old).ask("GetStats")
    assert answer.refusal is not None
    assert answer.refusal.code == grpc.StatusCode.UNAVAILABLE


def put_other(kind: str, path: Path) -> None:
    """Puts what is no file in the place of one."""
    path.unlink()
    match kind:
        case "FIFO":
            os.mkfifo(path)
        case "directory":
            path.mkdir()
        case "socket":
            with socket.socket(socket.AF_UNIX) as listening:
                listening.bind(str(path))
        case "device":
            path.symlink_to("/dev/zero")


def take_away(path: Path) -> None:
    """Removes what was put."""
    path.rmdir() if path.is_dir() else path.unlink()


OTHERS = ["FIFO", "directory", "socket", "device"]


def test_what_is_no_file_does_not_stop_rotation(launch: Launcher) -> None:
    served = serve(launch)
    home = served.server.home
    shown = served.serial()
    files = ["certificate.pem", "key.pem", "clients.pem", "certificate.pem"]
    for count, (kind, name) in enumerate(zip(OTHERS, files, strict=True), 1):
        put_other(kind, home / name)
        wait_for(served, "is used on", count)
        assert served.serial() == shown
        take_away(home / name)
        pair = served.authority.pair()
        replace(home / "clients.pem", served.clients.roots)
        place(home, pair)
        shown = pair.serial
        eventually(partial(is_shown, served, shown))


@pytest.mark.parametrize("kind", OTHERS)
def test_a_server_does_not_start_with_what_is_no_file(launch: Launcher, kind: str) -> None:
    for name in ("certificate.pem", "key.pem"):
        home = launch.new_home()
        certificate, key = place(home, Authority().pair())
        put_other(kind, home / name)
        done = belfry(
            launch, home, "serve", f"--data={home / 'data'}", "--listen=tls:127.0.0.1:0",
            f"--tls-certificate={certificate}", f"--tls-key={key}",
        )  # fmt: skip
        assert done.returncode == CANNOT_START, done.stderr
        assert f"{home / name}" in done.stderr
        take_away(home / name)


def test_what_is_encrypted_is_not_read_as_frames(served: Served) -> None:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["h2"])
    hello = ssl.MemoryBIO()
    with pytest.raises(ssl.SSLWantReadError):
        context.wrap_bio(ssl.MemoryBIO(), hello, server_hostname="localhost").do_handshake()
    said = bytearray(hello.read())
    # Random bytes of the client, behind as many as HTTP/2's preface has: they would begin a call
    # with longer headers than there may be.
    said[24:33] = b"\xff\xff\xff" + bytes([http2.HEADERS, 0, 0, 0, 0, 1])
    with socket.create_connection(("127.0.0.1", served.port), BOUND) as plain:
        plain.sendall(said)
        # The server's part of the handshake: a record of its kind, and of TLS.
        assert plain.recv(3)[:2] == b"\x16\x03"


def test_a_connection_that_fails_says_why(launch: Launcher) -> None:
    served, plain = serve(launch), start(launch, "--http-listen=tcp:127.0.0.1:0")
    home = served.server.home
    trusted = replace(home / "trusted.pem", served.authority.roots)
    other = replace(home / "other.pem", Authority().roots)
    assert plain.targets
    tcp, web = plain.targets["tcp"], url(plain).removeprefix("http://")
    encrypted = f"localhost:{served.port}"
    cases = [
        (f"tls:{encrypted}", other, "nobody whom you trust signed", "--tls-ca"),
        (f"tls:{encrypted}", None, "nobody whom you trust signed", "--tls-ca"),
        (f"tls:127.0.0.1:{served.port}", trusted, "for another name", "as its certificate does"),
        (f"tcp:{encrypted}", None, "ends a connection without TLS", "tls:host:port"),
        (f"tls:{tcp}", trusted, "does not speak TLS", "tcp:host:port"),
        (f"tls:{web}", trusted, "does not speak TLS", "tcp:host:port"),
        (f"tcp:{web}", None, "speaks HTTP/1.1", "--listen"),
        ("tcp:nowhere.invalid:1", None, "no machine is known", "tcp:host:port"),
        ("tcp:localhost:1", None, "no server answers", "belfry serve"),
        ("tls:localhost:1", trusted, "no server answers", "belfry serve"),
        (f"unix:{home}/nothing", None, "no server answers", "belfry serve"),
    ]
    for target, roots, said, advice in cases:
        arguments = [] if roots is None else [f"--tls-ca={roots}"]
        done = belfry(launch, home, "status", f"--server={target}", *arguments)
        assert done.returncode == UNREACHABLE, (target, done.stderr)
        assert said in done.stderr and advice in done.stderr, (target, done.stderr)


@pytest.mark.torture
def test_certificates_change(launch: Launcher, torture: Torture) -> None:
    """Half of the new pairs are bad: the server shows the last good one, and never none."""
    served = serve(launch)
    generator = random.Random(torture.seed)
    home = served.server.home
    expected = served.serial()
    token = own_token(served.server)
    bad = list(bad_pairs(served.authority))
    for turn in torture.rounds("rotations"):
        is_good = turn % 2 == 0
        if is_good:
            pair = served.authority.pair()
            expected = pair.serial
        else:
            pair = generator.choice(bad)[1]
        place(home, pair)
        deadline = time.monotonic() + SEEN
        while time.monotonic() < deadline:
            shown = served.serial()
            if is_good and shown == expected:
                break
            time.sleep(0.1)
        assert served.serial() == expected, served.server.log
        assert served.caller(token).call("GetServerInfo").version
    assert served.server.log.count("is used on") > 0
