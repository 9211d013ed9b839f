"""How a server is named, and to whom the own token is told."""

import os
import socket
from pathlib import Path

import pytest

import belfry
from belfry import Client
from belfry._target import _address, _is_on_this_machine, find

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


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


@pytest.mark.parametrize(
    ("named", "address"),
    [
        ("tcp:a:1", "a:1"), ("tls:a:1", "a:1"), ("a:1", "a:1"), ("tls:::1:5", "[::1]:5"),
        ("tcp:[::1]:5", "[::1]:5"), ("unix:/x", "unix:/x"), ("/x", "unix:/x"),
    ],
)  # fmt: skip
def test_a_name_becomes_an_address(named: str, address: str) -> None:
    assert _address(named) == address


def test_a_directory_that_others_may_write_into_is_not_trusted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("BELFRY_SERVER", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert find().address == f"unix:{tmp_path}/belfry/belfry.sock"
    directory = tmp_path / "belfry"
    directory.mkdir(mode=0o700)
    assert find().address == f"unix:{tmp_path}/belfry/belfry.sock"
    directory.chmod(0o777)
    with pytest.raises(PermissionError, match="everybody may write"):
        find()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to be another user")
@pytest.mark.parametrize("user", [0, 1_000])
def test_a_server_of_another_user_is_not_trusted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, user: int
) -> None:
    monkeypatch.delenv("BELFRY_SERVER", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    path = tmp_path / "belfry/belfry.sock"
    path.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        # Whose it is says who listens, and not who made the file.
        os.seteuid(user)
        listener.listen()
        os.seteuid(0)
        if user == 0:
            assert find().address == f"unix:{path}"
        else:
            with pytest.raises(PermissionError, match=r"belongs to another user \(1000\)"):
                find()
        # Who names it trusts it.
        assert find(f"unix:{path}").address == f"unix:{path}"
    # A file that nobody listens on is that of a server that has ended.
    assert find().address == f"unix:{path}"


@pytest.mark.parametrize(
    ("parent", "state", "kept"),
    [
        (PARENT, "a=1", (PARENT, "a=1")),
        (PARENT, "a\n", (PARENT, "")),
        ("", "a=1", ("", "")),
        # What gRPC does not send at all: the call is made.
        ("caf\u00e9\n", "", ("", "")),
        ("0" * 10_000, "", ("", "")),
    ],
)
def test_the_trace_of_the_environment_is_kept_with_what_is_scheduled(
    monkeypatch: pytest.MonkeyPatch, belfry_server: Client, app: belfry.App,
    parent: str, state: str, kept: tuple[str, str],
) -> None:  # fmt: skip
    monkeypatch.setenv("TRACEPARENT", parent)
    monkeypatch.setenv("TRACESTATE", state)
    with belfry.connect(belfry_server.address) as client:
        client.app(app.id, device=app.device).add("Tea")
    [trace] = [each.raw.trace for each in app.delivered()]
    assert (trace.traceparent, trace.tracestate) == kept


def test_a_token_is_not_shown() -> None:
    assert "secret" not in repr(find("a.example:1", "secret"))


def test_what_is_given_counts_more_than_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BELFRY_SERVER", "tcp:a.example:1")
    monkeypatch.setenv("BELFRY_TOKEN", "of the environment")
    assert find().address == "a.example:1"
    assert find().metadata == (("authorization", "Bearer of the environment"),)
    assert find("b.example:2", "mine").address == "b.example:2"
    assert find("b.example:2", "mine").token == "mine"
    assert find("b.example:2").credentials is None
    assert find("tls:b.example:2").credentials is not None
