"""HTTP over TLS: whom the server shows itself to, the page's cookie, and certificates that change
(W-11, W-23)."""

import http.client
import json
import socket
import ssl
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509

from access.serving import USAGE, belfry, own_token, start
from harness.certificates import DAY, Authority, place
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import BOUND, Server
from web.http_server import LISTEN, url

GET_INFO = "/belfry.v1.ServerService/GetServerInfo"


class Secure:
    """A server that answers HTTP over TLS, and what signs for it."""

    def __init__(self, launch: Launcher, *arguments: str) -> None:
        self.authority = Authority()
        self.home = launch.new_home()
        certificate, key = place(self.home, self.authority.pair())
        self.server: Server = start(
            launch, LISTEN.replace("tcp:", "tls:"), f"--tls-certificate={certificate}",
            f"--tls-key={key}", *arguments, home=self.home,
        )  # fmt: skip
        self.url = url(self.server)
        self.port = urlsplit(self.url).port
        assert self.url.startswith("https://") and self.port

    def context(self, authority: Authority | None = None) -> ssl.SSLContext:
        """What a client trusts."""
        roots = (authority or self.authority).roots.decode()
        return ssl.create_default_context(cadata=roots)

    def connect(self, context: ssl.SSLContext | None = None) -> http.client.HTTPSConnection:
        return http.client.HTTPSConnection(
            "localhost", self.port, timeout=BOUND, context=context or self.context()
        )

    def post(
        self, path: str, body: object, **headers: str
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """Sends JSON over a connection of its own."""
        connection = self.connect()
        try:
            connection.request(
                "POST", path, json.dumps(body), {"Content-Type": "application/json"} | headers
            )
            response = connection.getresponse()
            return response, response.read()
        finally:
            connection.close()

    def serial(self, context: ssl.SSLContext | None = None) -> int:
        """The number of the certificate that a new connection is shown."""
        with (
            socket.create_connection(("127.0.0.1", self.port), BOUND) as plain,
            (context or self.context()).wrap_socket(plain, server_hostname="localhost") as made,
        ):
            shown = made.getpeercert(binary_form=True)
        assert shown is not None
        return x509.load_der_x509_certificate(shown).serial_number


@pytest.fixture(scope="module")
def secure(shared_launch: Launcher) -> Secure:
    return Secure(shared_launch)


def test_a_call_is_answered(secure: Secure) -> None:
    token = own_token(secure.server)
    response, body = secure.post(GET_INFO, {}, Authorization=f"Bearer {token}")
    assert response.status == 200 and json.loads(body)["version"]
    response, _ = secure.post(GET_INFO, {})
    assert response.status == 401


def test_a_large_body_and_a_kept_connection(secure: Secure) -> None:
    connection = secure.connect()
    headers = {"Authorization": f"Bearer {own_token(secure.server)}"}
    for size in (10, 900_000):
        connection.request("POST", "/org.example.large", b"x" * size, headers)
        answer = connection.getresponse()
        told = answer.read()
        # The text is too long for a notification, and was read to its end.
        assert answer.status == (200 if size == 10 else 400), told
        connection.request("GET", "/livez")
        response = connection.getresponse()
        assert (response.status, response.read()) == (200, b"ok\n")
    connection.close()


def test_the_page_signs_in_with_a_cookie_for_tls_alone(secure: Secure) -> None:
    response, _ = secure.post(
        "/belfry.page/session", {}, Authorization=f"Bearer {own_token(secure.server)}",
    )  # fmt: skip
    cookies = response.headers.get_all("Set-Cookie")
    assert response.status == 200 and cookies
    assert all(cookie.endswith("; Secure") for cookie in cookies)


def test_a_client_that_trusts_others_sends_nothing(secure: Secure) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        secure.connect(secure.context(Authority())).request("GET", "/livez")


def test_an_older_version_of_tls_is_refused(secure: Secure) -> None:
    context = secure.context()
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.raises(ssl.SSLError):
        secure.serial(context)


@pytest.mark.parametrize(
    "sent", [b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\x16\x03\x01\xff\xff" + b"x" * 99]
)
def test_what_is_no_tls_is_let_go_without_an_answer(secure: Secure, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", secure.port), BOUND) as plain:
        plain.sendall(sent)
        plain.settimeout(BOUND)
        told = b""
        try:
            while part := plain.recv(4_096):
                told += part
        except ConnectionResetError:
            pass
    assert b"HTTP/1.1" not in told
    assert secure.serial() > 0, "others are answered"


def test_a_new_certificate_is_taken_and_a_bad_one_is_not(launch: Launcher) -> None:
    secure = Secure(launch)
    first, kept = secure.serial(), secure.connect()
    kept.request("GET", "/livez")
    kept.getresponse().read()
    bad = secure.authority.pair(begin=-2 * DAY, end=-DAY)
    place(secure.home, bad)
    eventually(lambda: "is used on" in secure.server.log)
    assert secure.serial() == first
    new = secure.authority.pair()
    place(secure.home, new)
    eventually(lambda: secure.serial() == new.serial)
    kept.request("GET", "/livez")
    assert kept.getresponse().status == 200, "an open connection keeps what it began with"
    kept.close()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--http-listen=tls:127.0.0.1:0"], "--http-listen tls: needs --tls-certificate"),
        (["--http-listen=unix:/x"], "HTTP is answered at tcp: and tls: alone"),
    ],
    ids=str,
)
def test_options_that_do_not_fit(launch: Launcher, arguments: list[str], told: str) -> None:
    home: Path = launch.new_home()
    done = belfry(launch, home, "serve", f"--data={home / 'data'}", *arguments)
    assert done.returncode == USAGE
    assert told in done.stderr


def test_other_machines_may_call_over_tls(launch: Launcher) -> None:
    home = launch.new_home()
    certificate, key = place(home, Authority().pair())
    done = belfry(
        launch, home, "serve", f"--data={home / 'data'}", "--http-listen=tls:0.0.0.0:0",
        f"--tls-certificate={certificate}", f"--tls-key={key}", "--check-config",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
