"""TLS: whom a server shows itself to, whom it lets in, and certificates that change (W-11)."""

import random
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import grpc
import pytest
from cryptography import x509

from access.certificates import DAY, Authority, Pair, place, replace
from access.serving import (
    CANNOT_START, DONE, NOT_PERMITTED, USAGE, Caller, belfry, make_token, own_token, start,
)  # fmt: skip
from harness import wire
from harness.client import Client
from harness.launcher import Launcher
from harness.server import BOUND, Server
from harness.torture import Torture

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
    deadline = time.monotonic() + BOUND
    while server.log.count("listening on") < 3:
        assert time.monotonic() < deadline, server.log
        time.sleep(0.01)
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


def wait_for(served: Served, line: str, count: int = 1) -> None:
    """Waits until the server logged a line."""
    deadline = time.monotonic() + BOUND
    while served.server.log.count(line) < count:
        assert time.monotonic() < deadline, served.server.log
        time.sleep(0.05)


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
    deadline = time.monotonic() + BOUND
    while served.caller(shown=new).ask("GetStats").refusal is not None:
        assert time.monotonic() < deadline, served.server.log
        time.sleep(0.1)
    answer = served.caller(shown=old).ask("GetStats")
    assert answer.refusal is not None
    assert answer.refusal.code == grpc.StatusCode.UNAVAILABLE


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
