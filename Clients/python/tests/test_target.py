"""How a server is named, and to whom the own token is told."""

from pathlib import Path

import pytest

from belfry._target import _address, _is_on_this_machine, find


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
