"""Other users of the machine, over a unix socket (W-11)."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from access.serving import (
    DONE,
    NOT_PERMITTED,
    USAGE,
    Answer,
    Caller,
    belfry,
    make_token,
    start,
)
from access.users import (
    GROUP,
    OTHER_STRANGER,
    STRANGER,
    Stranger,
    calling_as,
    needs_root,
    open_home,
    public,
    run_as,
)
from harness import wire
from harness.client import Client
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import BOUND, Server

pytestmark = needs_root

DENIED, UNAUTHENTICATED = grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.UNAUTHENTICATED

APP, OTHER_APP = "org.example.tea", "org.example.teapot"
FOR_ALL = "--socket-mode=0666"


@pytest.fixture(scope="module")
def visited(shared_launch: Launcher) -> Server:
    """A server whose socket every user may open, and that lets nobody in."""
    server = start(shared_launch, FOR_ALL, home=open_home(shared_launch))
    assert server.targets
    return server


@pytest.fixture(scope="module")
def own(visited: Server) -> Iterator[Caller]:
    """The server's own user."""
    with Client(visited.targets["unix"]) as client:
        yield Caller(client)


def refused_calls(own: Caller) -> int:
    count: int = own.call("GetStats").counters.refused_calls
    return count


def refusals(server: Server) -> list[str]:
    """The lines of the log about refused calls."""
    return [line for line in server.log.splitlines() if "refused" in line]


def test_a_user_without_a_right_is_refused_counted_and_logged(
    visited: Server, own: Caller
) -> None:
    before = refused_calls(own)
    with calling_as(visited.socket) as client:
        for rpc in wire.METHODS:
            answer = Caller(client).send(rpc, b"")
            answer.check(DENIED, "USER_REFUSED")
            assert not answer.messages
    assert refused_calls(own) == before + len(wire.METHODS)
    eventually(lambda: any("USER_REFUSED" in line for line in refusals(visited)))
    line = next(line for line in refusals(visited) if "USER_REFUSED" in line)
    assert "rpc=/belfry.v1." in line
    assert str(STRANGER) in line


def test_health_and_reflection_are_for_every_user(visited: Server) -> None:
    with calling_as(visited.socket) as client:
        asked = health_pb2.HealthCheckRequest()
        told = health_pb2_grpc.HealthStub(client.channel).Check(asked, timeout=BOUND)
        assert told.status == health_pb2.HealthCheckResponse.SERVING
        path = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
        assert b"AdminService" in Caller(client).send_to(path, b"\x3a\x00").messages[0]


def test_a_token_lets_a_user_in_with_its_rights(
    shared_launch: Launcher, visited: Server
) -> None:
    token = make_token(shared_launch, visited.home, "visitor", f"app:{APP}")
    with calling_as(visited.socket) as client:
        caller = Caller(client, token)
        assert caller.send("GetServerInfo", b"").messages
        assert caller.ask("ListPending", center={"app_id": APP}).is_let_in
        other = caller.ask("ListPending", center={"app_id": OTHER_APP})
        other.check(DENIED, "APP_REFUSED", app_id=OTHER_APP)
        caller.send("GetStats", b"").check(DENIED, "ROLE_REQUIRED", roles="admin,metrics")
        wrong = Caller(client, "never-made").send("GetServerInfo", b"")
        wrong.check(UNAUTHENTICATED, "TOKEN_INVALID")


def test_root_too_is_another_user_to_a_server_that_is_not_roots(
    launch: Launcher, binary: Path
) -> None:
    home = open_home(launch)
    server = start_as(launch, home, binary)
    with Client(server.targets["unix"]) as client:
        Caller(client).send("GetStats", b"").check(DENIED, "USER_REFUSED")
    with calling_as(server.socket, STRANGER) as client:
        assert Caller(client).send("GetStats", b"").messages


def start_as(launch: Launcher, home: Path, binary: Path) -> Server:
    """A server of a stranger, in a home that is the stranger's."""
    os.chown(home, STRANGER, STRANGER)
    user = [f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups"]
    launcher = Launcher(binary)
    server = start(launcher, home=home, under=["setpriv", *user])
    launch.servers.append(server)
    return server


FILES = {"PutAttachment", "GetAttachment"}

# The rights of users, each with the calls of those below that they may make.
RIGHTS: list[tuple[list[str], set[str]]] = [
    ([""], {"ListPending", "Subscribe"} | FILES),
    (["=app"], {"ListPending", "Subscribe"} | FILES),
    (["=device"], {"GetDeviceState", "GetAttachment"}),
    (["=provider"], {"Push"} | FILES),
    (["=extension"], {"Serve"} | FILES),
    (
        ["=admin"],
        {"ListPending", "Subscribe", "GetDeviceState", "Push", "Serve", "GetStats"} | FILES,
    ),
    (["=device", "=provider"], {"GetDeviceState", "Push"} | FILES),
    (["=provider", ""], {"ListPending", "Subscribe", "Push"} | FILES),
]  # fmt: skip

ASKED = [
    "ListPending", "Subscribe", "PutAttachment", "GetAttachment", "GetDeviceState", "Push", "Serve",
    "GetStats",
]  # fmt: skip


def test_a_user_that_is_let_in_has_the_roles_it_was_given(launch: Launcher) -> None:
    given = [
        f"--allow-uid={STRANGER + number}{role}"
        for number, (roles, _) in enumerate(RIGHTS)
        for role in roles
    ]
    server = start(launch, FOR_ALL, *given, home=open_home(launch))
    assert server.targets
    for number, (roles, may) in enumerate(RIGHTS):
        with calling_as(server.socket, STRANGER + number) as client:
            for rpc in ASKED:
                answer = Caller(client).send(rpc, b"")
                if rpc in may:
                    assert answer.is_let_in, (roles, rpc, answer)
                else:
                    answer.check(DENIED, "ROLE_REQUIRED")
            assert Caller(client).send("GetServerInfo", b"").messages, roles
    with calling_as(server.socket, STRANGER + len(RIGHTS)) as client:
        for rpc in ASKED:
            Caller(client).send(rpc, b"").check(DENIED, "USER_REFUSED")


def test_a_right_of_a_user_may_be_for_some_apps_or_devices(launch: Launcher) -> None:
    given = [
        f"{STRANGER}=app:{APP}", f"{STRANGER}=device:phone", f"{OTHER_STRANGER}=app:org.example.*",
    ]  # fmt: skip
    users = [f"--allow-uid={user}" for user in given]
    server = start(launch, FOR_ALL, *users, home=open_home(launch))
    assert server.targets

    def ask(client: Client, app: str) -> Answer:
        return Caller(client).ask("ListPending", center={"app_id": app})

    with calling_as(server.socket) as client:
        assert ask(client, APP).is_let_in
        ask(client, OTHER_APP).check(DENIED, "APP_REFUSED", app_id=OTHER_APP)
        assert Caller(client).ask("GetDeviceState", device_id="phone").messages
        local = Caller(client).ask("GetDeviceState")
        local.check(DENIED, "DEVICE_REFUSED", device_id="local")
        # With a token a call has the rights of the token, and not the user's.
        token = make_token(launch, server.home, "provider", "provider")
        by_token = Caller(client, token).ask("ListPending", center={"app_id": APP})
        by_token.check(DENIED, "ROLE_REQUIRED")
        wrong = Caller(client, "never-made").ask("ListPending", center={"app_id": APP})
        wrong.check(UNAUTHENTICATED, "TOKEN_INVALID")
    with calling_as(server.socket, OTHER_STRANGER) as client:
        assert ask(client, OTHER_APP).is_let_in
        ask(client, "org.example").check(DENIED, "APP_REFUSED", app_id="org.example")
        phone = Caller(client).ask("GetDeviceState", device_id="phone")
        phone.check(DENIED, "ROLE_REQUIRED")
    # A group is not a user: who only has its number is nobody.
    with calling_as(server.socket, STRANGER + 7, STRANGER) as client:
        Caller(client).send("GetServerInfo", b"").check(DENIED, "USER_REFUSED")


@pytest.mark.parametrize(
    "user", ["", "x", "-1", "54321=", "54321=boss", "54321=app:", "=app", "4294967296",
             "54321=app=device", "54321=admin:x", "1.5"]
)  # fmt: skip
def test_what_is_no_right_starts_no_server(launch: Launcher, user: str) -> None:
    server = start(launch, f"--allow-uid={user}")
    assert server.wait() == USAGE
    assert "--allow-uid" in server.log


MODES = {
    "default": ([], 0o600, None),
    "a mode": (["--socket-mode=0660"], 0o660, None),
    "for all": (["--socket-mode=0666"], 0o666, None),
    "a group": ([f"--socket-group={GROUP}"], 0o660, GROUP),
    "a group and a mode": ([f"--socket-group={GROUP}", "--socket-mode=0600"], 0o600, GROUP),
}


@pytest.mark.parametrize("options, mode, group", MODES.values(), ids=MODES.keys())
def test_the_mode_and_the_group_of_the_socket_say_who_may_open_it(
    launch: Launcher, binary: Path, options: list[str], mode: int, group: int | None
) -> None:
    home = open_home(launch)
    allowed = f"--allow-uid={STRANGER}=admin"
    server = start(launch, *options, allowed, home=home)
    assert server.targets
    status = server.socket.stat()
    assert status.st_mode & 0o7777 == mode
    assert status.st_gid == (0 if group is None else group)
    for gid in [STRANGER, GROUP]:
        may_open = mode & 0o006 == 0o006 or (gid == group and mode & 0o060 == 0o060)
        result = run_as(home, binary, "clock", "--server", f"unix:{server.socket}", gid=gid)
        assert result.returncode == (DONE if may_open else NOT_PERMITTED), result
        if not may_open:
            assert str(server.socket) in result.stderr and "may not open" in result.stderr
            assert "--socket-group" in result.stderr and "--allow-uid" in result.stderr
    # Its own user's programs are not in need of it.
    assert belfry(launch, home, "clock", f"--server=unix:{server.socket}").returncode == DONE


@pytest.mark.parametrize("option", ["--socket-mode=999", "--socket-mode=rw", "--socket-mode=0066",
                                    "--socket-group=no-such-group"])  # fmt: skip
def test_a_socket_that_cannot_be_made_so_starts_no_server(launch: Launcher, option: str) -> None:
    server = start(launch, option)
    assert server.wait() == USAGE
    assert option.partition("=")[0] in server.log


def test_the_command_says_what_a_refused_user_can_do(
    shared_launch: Launcher, visited: Server, binary: Path
) -> None:
    address = f"--server=unix:{visited.socket}"
    result = run_as(visited.home, binary, "clock", address)
    assert result.returncode == NOT_PERMITTED and result.stdout == ""
    assert "USER_REFUSED" in result.stderr
    assert f"--allow-uid {STRANGER}" in result.stderr and "token" in result.stderr
    token = make_token(shared_launch, visited.home, "by-command", "admin")
    with_token = run_as(visited.home, binary, "clock", address, BELFRY_TOKEN=token)
    assert with_token.returncode == DONE, with_token.stderr


def test_a_flood_of_refused_calls_fills_no_log_and_keeps_nobody_out(
    visited: Server, own: Caller
) -> None:
    before, refused, began = len(refusals(visited)), refused_calls(own), time.monotonic()
    calls = 3_000
    with calling_as(visited.socket) as client:
        stub = client.stub("GetServerInfo")
        for _ in range(calls // 500):
            futures = [stub.future(wire.GetServerInfoRequest(), timeout=BOUND) for _ in range(500)]
            own.call("GetServerInfo")
            assert {future.code() for future in futures} == {DENIED}
    assert refused_calls(own) == refused + calls
    took = time.monotonic() - began
    time.sleep(0.3)
    # Each line may be followed by one that says how many were left out.
    # Real time: the bound grows with the time that the calls took.
    lines = len(refusals(visited)) - before
    assert 1 <= lines <= 2 * 10 * (took + 2), (lines, took)


def test_what_a_refused_request_names_makes_no_line_of_its_own(
    shared_launch: Launcher, visited: Server
) -> None:
    token = make_token(shared_launch, visited.home, "forger", f"app:{APP}")
    # Behind the flood there is room in the log again.
    time.sleep(1)
    name = "x\n2026-01-01T00:00:00+0000 info belfry: forged\r\x1b[31m\u2028"
    with calling_as(visited.socket) as client:
        answer = Caller(client, token).ask("ListPending", center={"app_id": name})
        answer.check(DENIED, "APP_REFUSED")
    eventually(lambda: any("forged" in line for line in refusals(visited)))
    for line in visited.log.split("\n"):
        assert not line.startswith("2026-01-01T00:00:00+0000 info belfry: forged")
        assert "\x1b" not in line and "\r" not in line and "\u2028" not in line


@pytest.mark.parametrize("count", [1_000, 100_000, 1_000_000])
def test_however_long_a_name_is_its_refusal_is_short(
    shared_launch: Launcher, visited: Server, count: int
) -> None:
    name = f"long {count}"
    scope = make_token(shared_launch, visited.home, name, f"app:{APP}", "device:phone")
    with calling_as(visited.socket) as client:
        app = Caller(client, scope).ask("ListPending", center={"app_id": "a" * count})
        app.check(DENIED, "APP_REFUSED")
        device = Caller(client, scope).ask("GetDeviceState", device_id="a" * count)
        device.check(DENIED, "DEVICE_REFUSED")


def test_a_long_name_makes_no_long_line(shared_launch: Launcher, visited: Server) -> None:
    time.sleep(1)
    token = make_token(shared_launch, visited.home, "long line", f"app:{APP}")
    before = len(refusals(visited))
    with calling_as(visited.socket) as client:
        answer = Caller(client, token).ask("ListPending", center={"app_id": "a" * 200_000})
        assert not answer.messages
    eventually(lambda: len(refusals(visited)) > before)
    assert max(len(line) for line in visited.log.splitlines()) < 4_000


def test_many_connections_of_users_keep_nobody_else_out(launch: Launcher) -> None:
    server = start(launch, FOR_ALL, home=open_home(launch))
    assert server.targets
    strangers = [Stranger(server.socket, STRANGER + number) for number in range(3)]
    with strangers[0] as first, strangers[1] as second, strangers[2] as third:
        for flooding in (first, second):
            flooding.open(6_000)
            for _ in range(2):
                with Client(server.targets["unix"]) as client:
                    # A connection may be lost in the flood; the next one is not.
                    client.wait_until_ready()
                    assert Caller(client).send("GetStats", b"").messages
            # Nor does it keep out a third, and the flood has come to an end of its own.
            assert third.open(1) > 0
            eventually(lambda: 0 < flooding.open(0) < 6_000)
        assert third.open(0) == 2


@needs_root
def test_a_place_that_one_may_not_enter_is_not_taken_for_an_empty_one(launch: Launcher) -> None:
    program, home = public(launch), open_home(launch)
    closed = home / "closed"
    closed.mkdir(mode=0o700)
    server = launch(closed / "server")
    assert server.targets
    server.terminate()
    server.wait()
    data = closed / "server/data"
    for line, path in (
        (["check", "--file", data / "data.mdb"], data / "data.mdb"),
        (["check", "--data", data], data / "data.mdb"),
        (["check", "--repair", "--data", data], data / "data.mdb"),
        (["restore", data / "data.mdb", "--data", home / "new"], data / "data.mdb"),
    ):
        done = run_as(home, program, *line)
        assert done.returncode == 73, line
        assert done.stderr == f"belfry: {path}: Permission denied\n"
    done = run_as(home, program, "token", "create", "x", "--role", "app", "--data", home)
    assert done.returncode == 65
    assert done.stderr == f"belfry: {home}/tokens.json.lock cannot be opened: Permission denied\n"
