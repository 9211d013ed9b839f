"""How the Python package finds the server and the token."""

import os
import re
import socket
import subprocess
import sys

import pytest

from access import test_tls as tls
from access.serving import own_token, start
from harness.certificates import replace
from harness.examples import PACKAGE
from harness.launcher import Launcher
from harness.server import BOUND, Server

PROGRAM = """
import sys, belfry
with belfry.connect(*sys.argv[1:]) as client:
    print(client.info().version)
"""


def connect(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """A program of its own connects, and asks the server for its version."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        capture_output=True,
        text=True,
        timeout=BOUND,
        check=False,
    )


def assert_serves(*arguments: str) -> None:
    done = connect(*arguments)
    assert done.returncode == 0 and done.stdout.strip(), done.stderr


def assert_fails(why: str, *arguments: str) -> None:
    done = connect(*arguments)
    assert done.returncode != 0 and re.search(why, done.stderr.splitlines()[-1]), done.stderr


@pytest.fixture
def server(launch: Launcher, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server of whoever runs the test, who has no other."""
    home = launch.new_home()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(home))
    for name in ("BELFRY_SERVER", "BELFRY_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    server = start(launch, home=home)
    assert server.targets
    # Where the user's own server has it.
    (home / "belfry/belfry.sock").symlink_to(server.socket)
    return server


def test_it_finds_the_own_server_and_the_own_token(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = server.targets["tcp"]
    for target in ("", f"unix:{server.socket}", str(server.socket), address, f"tcp:{address}"):
        assert_serves(target)
    monkeypatch.setenv("BELFRY_SERVER", f"tcp:{address}")
    assert_serves()


def test_a_token_that_is_given_counts_alone(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = server.targets["tcp"]
    assert_fails("NotAllowed|TokenInvalid", address, "belfry_" + "x" * 43)
    monkeypatch.setenv("BELFRY_TOKEN", "belfry_" + "x" * 43)
    assert_fails("TOKEN_INVALID", address)


def test_a_token_that_others_may_read_is_not_sent(server: Server) -> None:
    address = server.targets["tcp"]
    token = server.home / "belfry/token"
    token.chmod(0o644)
    assert_fails("PermissionError", address)
    token.chmod(0o600)
    assert_serves(address)
    token.rename(token.with_name("elsewhere"))
    token.symlink_to("elsewhere")
    assert_fails("OSError", address)


def test_no_proxy_is_told_the_token(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        proxy.settimeout(1)
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.getsockname()[1]}")
        assert_serves(server.targets["tcp"])
        with pytest.raises(TimeoutError):
            proxy.accept()


def test_without_a_token_the_server_refuses(server: Server) -> None:
    address = server.targets["tcp"]
    (server.home / "belfry/token").unlink()
    assert_fails("needs a token", address)


def test_no_server_is_told_at_once(server: Server) -> None:
    """Nothing is waited for that was never there."""
    assert_fails("no server answers at unix:/nowhere: start one with", "unix:/nowhere")


def test_it_connects_with_tls(launch: Launcher, monkeypatch: pytest.MonkeyPatch) -> None:
    served = tls.serve(launch, "--allow-certificate=tea.example=app:org.example.tea")
    home = served.server.home
    for name in ("BELFRY_SERVER", "BELFRY_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(launch.new_home()))
    target = f"tls:localhost:{served.port}"
    # Nobody is trusted who did not sign the certificate.
    assert_fails("failed to connect|handshake", target, own_token(served.server))
    monkeypatch.setenv("BELFRY_TLS_CA", str(replace(home / "ca.pem", served.authority.roots)))
    assert_serves(target, own_token(served.server))
    assert_fails("needs a token", target)
    shown = served.clients.pair("tea.example", is_server=False)
    monkeypatch.setenv("BELFRY_TLS_KEY", str(replace(home / "client.key", shown.key)))
    assert_fails("ValueError.*need each other", target)
    certificates = replace(home / "client.pem", shown.certificates)
    monkeypatch.setenv("BELFRY_TLS_CERTIFICATE", str(certificates))
    monkeypatch.setenv("BELFRY_SERVER", target)
    assert_serves()
    certificates.unlink()
    assert_fails("FileNotFoundError")
