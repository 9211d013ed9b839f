"""How `Clients/python/belfry_connect.py` finds the server and the token."""

import socket
import sys
from pathlib import Path

import grpc
import pytest

from belfry.v1 import server_service_pb2_grpc
from belfry.v1.server_service_pb2 import GetServerInfoRequest
from access import test_tls as tls
from access.certificates import replace
from access.serving import own_token, start
from harness.launcher import Launcher
from harness.server import BOUND, Server

sys.path.append(str(Path(__file__).parents[3] / "Clients/python"))
from belfry_connect import _address, _is_on_this_machine, connect  # noqa: E402


def version(channel: grpc.Channel) -> str:
    """What the server at the other end says of itself."""
    with channel:
        stub = server_service_pb2_grpc.ServerServiceStub(channel)
        return str(stub.GetServerInfo(GetServerInfoRequest(), timeout=BOUND).version)


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
        assert version(connect(target))
    monkeypatch.setenv("BELFRY_SERVER", f"tcp:{address}")
    assert version(connect())


def test_a_token_that_is_given_counts_alone(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = server.targets["tcp"]
    with pytest.raises(grpc.RpcError, match="TOKEN_INVALID|not one of this server"):
        version(connect(address, "belfry_" + "x" * 43))
    monkeypatch.setenv("BELFRY_TOKEN", "belfry_" + "x" * 43)
    with pytest.raises(grpc.RpcError, match="not one of this server"):
        version(connect(address))


def test_a_token_that_others_may_read_is_not_sent(server: Server) -> None:
    address = server.targets["tcp"]
    token = server.home / "belfry/token"
    token.chmod(0o644)
    with pytest.raises(PermissionError):
        connect(address)
    token.chmod(0o600)
    assert version(connect(address))
    token.rename(token.with_name("elsewhere"))
    token.symlink_to("elsewhere")
    with pytest.raises(OSError):
        connect(address)


def test_no_proxy_is_told_the_token(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        proxy.settimeout(1)
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.getsockname()[1]}")
        assert version(connect(server.targets["tcp"]))
        with pytest.raises(TimeoutError):
            proxy.accept()


@pytest.mark.parametrize(
    ("target", "is_here"),
    [
        ("127.0.0.1:80", True), ("127.8.0.1:80", True), ("localhost:80", True), ("[::1]:80", True),
        ("127.evil.example.org:80", False), ("10.0.0.1:80", False),
        ("localhost.evil.org:80", False), ("unix:/run/b.sock", False), ("", False),
    ],
)  # fmt: skip
def test_the_own_token_is_for_this_machine(target: str, is_here: bool) -> None:
    assert _is_on_this_machine(target) == is_here


def test_without_a_token_the_server_refuses(server: Server) -> None:
    address = server.targets["tcp"]
    (server.home / "belfry/token").unlink()
    with pytest.raises(grpc.RpcError, match="needs a token"):
        version(connect(address))


def test_it_connects_with_tls(launch: Launcher, monkeypatch: pytest.MonkeyPatch) -> None:
    served = tls.serve(launch, "--allow-certificate=tea.example=app:org.example.tea")
    home = served.server.home
    for name in ("BELFRY_SERVER", "BELFRY_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(launch.new_home()))
    target = f"tls:localhost:{served.port}"
    # Nobody is trusted who did not sign the certificate.
    with pytest.raises(grpc.RpcError, match="failed to connect|handshake"):
        version(connect(target, own_token(served.server)))
    monkeypatch.setenv("BELFRY_TLS_CA", str(replace(home / "ca.pem", served.authority.roots)))
    assert version(connect(target, own_token(served.server)))
    with pytest.raises(grpc.RpcError, match="needs a token"):
        version(connect(target))
    shown = served.clients.pair("tea.example", is_server=False)
    monkeypatch.setenv("BELFRY_TLS_KEY", str(replace(home / "client.key", shown.key)))
    with pytest.raises(ValueError, match="need each other"):
        connect(target)
    certificates = replace(home / "client.pem", shown.certificates)
    monkeypatch.setenv("BELFRY_TLS_CERTIFICATE", str(certificates))
    monkeypatch.setenv("BELFRY_SERVER", target)
    assert version(connect())
    certificates.unlink()
    with pytest.raises(FileNotFoundError):
        connect()


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("tcp:a:1", "a:1"), ("tls:a:1", "a:1"), ("a:1", "a:1"), ("tls:::1:5", "[::1]:5"),
        ("tcp:[::1]:5", "[::1]:5"), ("unix:/x", "unix:/x"),
    ],
)  # fmt: skip
def test_a_target_becomes_an_address(target: str, address: str) -> None:
    assert _address(target) == address
