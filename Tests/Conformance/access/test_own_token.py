"""The token of the server's own user, with which the user's programs call over TCP (W-11)."""

import os
from pathlib import Path

import grpc
import pytest

from access.serving import (
    CANNOT_START,
    DONE,
    NOT_PERMITTED,
    Caller,
    belfry,
    own_token,
    start,
)
from harness.client import Client
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import Server

UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
CHOSEN = "a-token-of-the-environment-of-40-letters"


def file_of(home: Path) -> Path:
    return home / "belfry" / "token"


def clock(launch: Launcher, server: Server, **variables: str) -> int:
    """How `belfry clock`, which is for an admin, ends over TCP."""
    address = f"--server=tcp:{server.targets['tcp']}"
    return belfry(launch, server.home, "clock", address, variables=variables).returncode


def test_it_is_made_once_and_found_by_belfry(launch: Launcher) -> None:
    server = start(launch)
    assert server.targets
    path, token = file_of(server.home), own_token(server)
    assert path.stat().st_mode & 0o7777 == 0o600
    assert path.parent.stat().st_mode & 0o077 == 0
    assert len(token) >= 32
    assert token not in server.log
    assert clock(launch, server) == DONE
    # In either form of the address.
    plain = belfry(launch, server.home, "clock", "--server", server.targets["tcp"])
    assert plain.returncode == DONE, plain.stderr
    # Kept with the digests of others it would be one more that can be revoked.
    assert "admin" not in belfry(
        launch, server.home, "token", "list", f"--data={server.home / 'data'}"
    ).stdout
    server.terminate()
    assert server.wait() == 0
    again = start(launch, home=server.home)
    assert again.targets
    assert own_token(again) == token
    assert clock(launch, again) == DONE


def test_belfry_without_it_is_not_permitted_and_says_what_to_do(launch: Launcher) -> None:
    server = start(launch)
    address = f"--server={server.targets['tcp']}"
    elsewhere = launch.new_home()
    result = belfry(launch, elsewhere, "clock", address)
    assert result.returncode == NOT_PERMITTED
    assert "belfry token create" in result.stderr and result.stdout == ""
    wrong = belfry(launch, elsewhere, "clock", address, variables={"BELFRY_TOKEN": "wrong"})
    assert wrong.returncode == NOT_PERMITTED and "TOKEN_INVALID" in wrong.stderr
    # What is in the environment counts more than the file.
    assert clock(launch, server, BELFRY_TOKEN="wrong") == NOT_PERMITTED
    variables = {"BELFRY_TOKEN": own_token(server)}
    told = belfry(launch, elsewhere, "clock", address, variables=variables)
    assert told.returncode == DONE, told.stderr


def test_the_environment_of_the_server_may_have_it(launch: Launcher) -> None:
    server = start(launch, variables={"BELFRY_TOKEN": CHOSEN})
    with Client(server.targets["tcp"]) as client:
        assert Caller(client, CHOSEN).send("GetStats", b"").messages
        for other in [CHOSEN[:-1], CHOSEN + "x", CHOSEN.upper()]:
            answer = Caller(client, other).send("GetStats", b"")
            answer.check(UNAUTHENTICATED, "TOKEN_INVALID")
    assert not file_of(server.home).exists()
    assert clock(launch, server, BELFRY_TOKEN=CHOSEN) == DONE
    assert CHOSEN not in server.log


def test_that_of_the_environment_takes_the_place_of_the_file(launch: Launcher) -> None:
    first = start(launch)
    assert first.targets
    token = own_token(first)
    first.kill()
    second = start(launch, home=first.home, variables={"BELFRY_TOKEN": CHOSEN})
    with Client(second.targets["tcp"]) as client:
        assert Caller(client, CHOSEN).send("GetStats", b"").messages
        Caller(client, token).send("GetStats", b"").check(UNAUTHENTICATED, "TOKEN_INVALID")


@pytest.mark.parametrize("token", ["short", "x" * 15])
def test_a_short_one_of_the_environment_is_refused(launch: Launcher, token: str) -> None:
    server = start(launch, variables={"BELFRY_TOKEN": token})
    assert server.wait() == CANNOT_START
    assert "BELFRY_TOKEN" in server.log
    assert token not in server.log


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o622])
def test_a_file_that_others_may_open_is_refused(launch: Launcher, mode: int) -> None:
    home = launch.new_home()
    file_of(home).parent.mkdir(mode=0o700)
    file_of(home).write_text(CHOSEN + "\n")
    file_of(home).chmod(mode)
    server = start(launch, home=home)
    assert server.wait() == CANNOT_START
    assert str(file_of(home)) in server.log
    assert CHOSEN not in server.log
    # It is not the server's to change.
    assert file_of(home).stat().st_mode & 0o7777 == mode


def test_a_link_in_its_place_is_not_followed(launch: Launcher) -> None:
    home = launch.new_home()
    file_of(home).parent.mkdir(mode=0o700)
    other = home / "other"
    other.write_text(CHOSEN + "\n")
    other.chmod(0o600)
    file_of(home).symlink_to(other)
    server = start(launch, home=home)
    assert server.wait() == CANNOT_START
    assert other.read_text() == CHOSEN + "\n"


@pytest.mark.parametrize("content", ["", "\n", "short\n"])
def test_a_file_without_a_token_is_refused(launch: Launcher, content: str) -> None:
    home = launch.new_home()
    file_of(home).parent.mkdir(mode=0o700)
    file_of(home).write_text(content)
    file_of(home).chmod(0o600)
    server = start(launch, home=home)
    assert server.wait() == CANNOT_START
    assert str(file_of(home)) in server.log


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_another_user_is_refused(launch: Launcher) -> None:
    home = launch.new_home()
    file_of(home).parent.mkdir(mode=0o700)
    file_of(home).write_text(CHOSEN + "\n")
    file_of(home).chmod(0o600)
    os.chown(file_of(home), 54_321, 54_321)
    assert start(launch, home=home).wait() == CANNOT_START


def test_servers_that_start_at_once_agree_on_one(launch: Launcher) -> None:
    shared = launch.new_home()
    variables = {"XDG_RUNTIME_DIR": str(shared)}
    for _ in range(2):
        servers = [start(launch, variables=variables) for _ in range(3)]
        # It may be there before the last of them listens, never after.
        targets = [server.targets["tcp"] for server in servers]
        token = file_of(shared).read_text().strip()
        for target in targets:
            with Client(target) as client:
                assert Caller(client, token).send("GetStats", b"").messages
        for server in servers:
            server.kill()
        assert sorted(path.name for path in file_of(shared).parent.iterdir()) == ["token"]
        file_of(shared).unlink()


def test_none_is_made_where_nobody_needs_it(launch: Launcher) -> None:
    for arguments, options in [([], {"tokens": False})]:
        server = start(launch, *arguments, **options)
        with Client(server.targets["tcp"]) as client:
            client.call("GetServerInfo")
        eventually(lambda: "serving" in server.log)
        assert not file_of(server.home).exists()
