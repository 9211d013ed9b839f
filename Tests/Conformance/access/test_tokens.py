"""`belfry token`, and the file of the tokens as a server reads it (W-11)."""

import json
import os
import signal
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest

from access.serving import (
    CANNOT_START,
    DONE,
    NOTHING_THERE,
    REFUSED,
    USAGE,
    Caller,
    bearer,
    belfry,
    make_token,
    own_token,
    start,
    token_command,
)
from harness import wire
from harness.client import Client
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.refusals import refusal_of
from harness.server import BOUND, Server
from harness.subscription import Subscription

UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED

# A revoked token counts until at most a second later; a loaded machine is slower.

APP = "org.example.tea"


@pytest.fixture
def home(launch: Launcher) -> Path:
    """The home of a server that does not run."""
    return launch.new_home()


@pytest.fixture(scope="module")
def admin(guarded: Server, tcp: Client) -> Caller:
    """Who may make every call."""
    return Caller(tcp, own_token(guarded))


def file_of(home: Path) -> Path:
    return home / "data" / "tokens.json"


def listed(launch: Launcher, home: Path) -> list[dict[str, object]]:
    """What `belfry token list --json` prints, token by token."""
    result = token_command(launch, home, "list", "--json")
    assert result.returncode == DONE, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_text_is_printed_once_and_kept_nowhere(launch: Launcher, home: Path) -> None:
    made = token_command(launch, home, "create", "backup-job", "--role=admin")
    assert made.returncode == DONE, made.stderr
    text = made.stdout.removesuffix("\n")
    assert text and text.split() == [text] and made.stdout == f"{text}\n"
    assert text not in made.stderr
    assert file_of(home).stat().st_mode & 0o7777 == 0o600
    for path in home.rglob("*"):
        if path.is_file():
            assert text.encode() not in path.read_bytes(), path
            assert path.stat().st_mode & 0o077 == 0, path
    for more in [[], ["--json"]]:
        shown = token_command(launch, home, "list", *more)
        assert text not in shown.stdout
        assert "backup-job" in shown.stdout and "admin" in shown.stdout
    # Two are never the same.
    assert make_token(launch, home, "another", "admin") != text


def test_it_makes_the_file_for_its_user_alone_whatever_the_umask(
    launch: Launcher, home: Path
) -> None:
    before = os.umask(0)
    try:
        for name in ("first", "second"):
            make_token(launch, home, name, "app")
    finally:
        os.umask(before)
    assert file_of(home).stat().st_mode & 0o7777 == 0o600


def test_json_has_the_text_once(launch: Launcher, home: Path) -> None:
    roles = [f"--role=app:{APP}", "--role=device:phone"]
    made = token_command(launch, home, "create", "job", *roles, "--expires=90d", "--json")
    assert made.returncode == DONE, made.stderr
    (line,) = made.stdout.splitlines()
    told = json.loads(line)
    assert told["name"] == "job" and told["roles"] == [f"app:{APP}", "device:phone"]
    assert sorted(told) == ["created", "expires", "id", "name", "roles", "token"]
    (entry,) = listed(launch, home)
    assert entry == {name: value for name, value in told.items() if name != "token"}
    shown = token_command(launch, home, "list").stdout
    assert told["id"] in shown and told["expires"][:10] in shown
    revoked = token_command(launch, home, "revoke", told["id"], "--json")
    assert revoked.returncode == DONE
    assert json.loads(revoked.stdout)["id"] == told["id"]
    assert listed(launch, home) == []


def test_two_of_a_name_count_and_a_third_is_refused(launch: Launcher, home: Path) -> None:
    for _ in range(2):
        make_token(launch, home, "job", "app")
    third = token_command(launch, home, "create", "job", "--role=app")
    assert third.returncode == REFUSED and third.stdout == "" and "job" in third.stderr
    first, second = [str(entry["id"]) for entry in listed(launch, home)]
    assert first in third.stderr and second in third.stderr
    # The name alone does not say which.
    unclear = token_command(launch, home, "revoke", "job")
    assert unclear.returncode == REFUSED
    assert first in unclear.stderr and second in unclear.stderr
    assert len(listed(launch, home)) == 2
    assert token_command(launch, home, "revoke", first).returncode == DONE
    assert [entry["id"] for entry in listed(launch, home)] == [second]
    # There is room for one again; and then the name says which.
    make_token(launch, home, "job", "app")
    assert token_command(launch, home, "revoke", second).returncode == DONE
    assert token_command(launch, home, "revoke", "job").returncode == DONE
    for gone in ["job", first, second]:
        again = token_command(launch, home, "revoke", gone)
        assert again.returncode == NOTHING_THERE and gone in again.stderr


def test_a_token_that_has_expired_takes_no_place_of_its_name(
    launch: Launcher, home: Path
) -> None:
    for _ in range(2):
        make_token(launch, home, "job", "app", expires="1s")
    time.sleep(1.1)
    make_token(launch, home, "job", "app")


@pytest.mark.parametrize(
    "arguments",
    [
        ["x"], ["x", "--role=boss"], ["x", "--role=app", "--role="], ["--role=app"],
        ["", "--role=app"], ["x" * 65, "--role=app"], ["a\nb", "--role=app"],
        ["x", "--role=app", "--expires=soon"], ["x", "--role=app", "--expires=-1s"],
        ["x", "--role=app", "--expires=0s"], ["x", "--role=app", "--expires=500ms"],
        ["x", "y", "--role=app"],
    ],
)  # fmt: skip
def test_a_wrong_command_line_makes_no_token(
    launch: Launcher, home: Path, arguments: list[str]
) -> None:
    made = token_command(launch, home, "create", *arguments)
    assert made.returncode == USAGE, made
    assert made.stdout == "" and made.stderr
    assert not file_of(home).exists()


def test_many_at_a_time_make_each_its_own(launch: Launcher, home: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        texts = list(pool.map(lambda n: make_token(launch, home, f"n{n}", "app"), range(12)))
    assert len(set(texts)) == 12
    assert {entry["name"] for entry in listed(launch, home)} == {f"n{n}" for n in range(12)}


def test_another_file_is_named_to_both(launch: Launcher) -> None:
    home = launch.new_home()
    path = home / "other.json"
    server = start(launch, f"--tokens={path}", home=home)
    with Client(server.targets["tcp"]) as client:
        made = belfry(launch, home, "token", "create", "a", "--role=app", f"--tokens={path}")
        assert Caller(client, made.stdout.strip()).send("GetServerInfo", b"").messages
        # One of the directory is not asked.
        other = Caller(client, make_token(launch, home, "b", "app"))
        other.send("GetServerInfo", b"").check(UNAUTHENTICATED, "TOKEN_INVALID")


def test_a_new_token_counts_from_its_first_call(
    shared_launch: Launcher, guarded: Server, tcp: Client
) -> None:
    for number in range(5):
        token = make_token(shared_launch, guarded.home, f"new {number}", "app")
        answer = Caller(tcp, token).send("GetServerInfo", b"")
        assert answer.messages, answer


def follow(admin: Caller, tcp: Client, token: str) -> Subscription:
    """A stream of an app that a token's bearer has open."""
    center = {"app_id": APP}
    admin.call("RequestAuthorization", center=center, options=[1])
    asked = wire.SubscribeRequest(center=center)
    call = tcp.stub("Subscribe")(asked, timeout=BOUND, metadata=bearer(token))
    stream = Subscription(call)
    stream.started()
    return stream


def end_of(stream: Subscription) -> tuple[grpc.StatusCode, str]:
    refusal = refusal_of(lambda: [stream.message() for _ in range(1_000)])
    return refusal.code, refusal.reason


def wait_until_refused(caller: Caller) -> None:
    """Waits until a token counts no longer."""
    eventually(lambda: not caller.send("GetServerInfo", b"").is_let_in)
    caller.send("GetServerInfo", b"").check(UNAUTHENTICATED, "TOKEN_INVALID")


def test_a_revoked_token_is_refused_soon_and_its_streams_end(
    shared_launch: Launcher, guarded: Server, tcp: Client, admin: Caller
) -> None:
    tokens = [make_token(shared_launch, guarded.home, name, "app") for name in ("one", "two")]
    streams = [follow(admin, tcp, token) for token in tokens]
    device = make_token(shared_launch, guarded.home, "screen", "device")
    metadata = bearer(device)
    watching = tcp.stub("WatchDevice")(wire.WatchDeviceRequest(), timeout=BOUND, metadata=metadata)
    next(watching)
    for name in ["one", "screen"]:
        done = token_command(shared_launch, guarded.home, "revoke", name)
        assert done.returncode == DONE, done.stderr
    wait_until_refused(Caller(tcp, tokens[0]))
    assert end_of(streams[0]) == (UNAUTHENTICATED, "TOKEN_INVALID")
    with pytest.raises(grpc.RpcError) as ended:
        list(watching)
    assert ended.value.code() == UNAUTHENTICATED
    # The other's goes on, and tells what happens.
    admin.call("Add", center={"app_id": APP}, request={"content": {"title": "t"}})
    assert streams[1].event()
    assert Caller(tcp, tokens[1]).send("GetServerInfo", b"").messages
    streams[1].__exit__()


def test_an_expired_token_is_refused_and_its_streams_end(
    shared_launch: Launcher, guarded: Server, tcp: Client, admin: Caller
) -> None:
    since = time.monotonic()
    token = make_token(shared_launch, guarded.home, "short", "app", expires="2s")
    lasting = make_token(shared_launch, guarded.home, "lasting", "app", expires="1d")
    with follow(admin, tcp, token) as stream, follow(admin, tcp, lasting) as other:
        assert end_of(stream) == (UNAUTHENTICATED, "TOKEN_INVALID")
        # Its time is that of the machine, on a manual clock too.
        assert time.monotonic() > since + 1
        wait_until_refused(Caller(tcp, token))
        admin.call("Add", center={"app_id": APP}, request={"content": {"title": "t"}})
        assert other.event()


def entry(**changes: object) -> dict[str, object]:
    """A token of the file, with what is wrong with it."""
    right = {
        "name": "a", "roles": ["admin"], "created": "2026-01-01T00:00:00Z", "sha256": "ab" * 32,
    }  # fmt: skip
    return {name: value for name, value in {**right, **changes}.items() if value is not None}


def holding(*entries: object) -> str:
    return json.dumps({"tokens": entries})


BROKEN = {
    "nothing": "",
    "half": '{"tokens":[{"name":"a"',
    "no JSON": "tokens",
    "a list": "[]",
    "no tokens": "{}",
    "tokens of another type": '{"tokens":{"a":"b"}}',
    "tokens that are null": '{"tokens":null}',
    "an entry of another type": holding("a"),
    "a short digest": holding(entry(sha256="ab" * 31)),
    "a long digest": holding(entry(sha256="ab" * 33)),
    "a digest of no digits": holding(entry(sha256="xy" * 32)),
    "no digest": holding(entry(sha256=None)),
    "a digest that is a number": holding(entry(sha256=7)),
    "an unknown role": holding(entry(roles=["boss"])),
    "roles of another type": holding(entry(roles="admin")),
    "a role that is a number": holding(entry(roles=[1])),
    "no roles": holding(entry(roles=None)),
    "an end that is no time": holding(entry(expires="soon")),
    "an end of another type": holding(entry(expires=7)),
    "one right and one wrong": holding(entry(), entry(roles=["boss"])),
}


@pytest.fixture(scope="module")
def stubborn(
    shared_launch: Launcher,
) -> Iterator[tuple[Server, Client, str, Callable[[], None]]]:
    """A server whose file is to be broken, one of its tokens, and what makes it read the file."""
    server = start(shared_launch)
    with Client(server.targets["tcp"]) as client:
        token = make_token(shared_launch, server.home, "old", "app")
        assert Caller(client, token).send("GetServerInfo", b"").messages
        yield server, client, token, lambda: os.kill(server.pid, signal.SIGHUP)


def new_errors(server: Server, before: int) -> list[str]:
    lines = server.log.splitlines()[before:]
    return [line for line in lines if "error" in line and "tokens.json" in line]


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN.keys())
def test_a_file_that_cannot_be_read_leaves_the_tokens_as_they_were(
    stubborn: tuple[Server, Client, str, Callable[[], None]], content: str
) -> None:
    server, client, token, reread = stubborn
    path, before = file_of(server.home), len(server.log.splitlines())
    good = path.read_text()
    path.write_text(content)
    reread()
    eventually(lambda: bool(new_errors(server, before)))
    assert Caller(client, token).send("GetServerInfo", b"").messages
    other = Caller(client, "never-made").send("GetServerInfo", b"")
    other.check(UNAUTHENTICATED, "TOKEN_INVALID")
    assert Caller(client, token).send("GetServerInfo", b"").messages
    path.write_text(good)
    # What is logged is not what the file has.
    assert "ab" * 31 not in server.log


def test_a_file_that_others_may_write_is_not_taken(
    stubborn: tuple[Server, Client, str, Callable[[], None]],
) -> None:
    server, client, token, reread = stubborn
    path = file_of(server.home)
    for mode in [0o620, 0o602, 0o666]:
        before = len(server.log.splitlines())
        path.chmod(mode)
        reread()
        eventually(lambda: bool(new_errors(server, before)))
        assert Caller(client, token).send("GetServerInfo", b"").messages
    path.chmod(0o600)


@pytest.mark.parametrize(
    "name", ["nothing", "half", "a list", "a short digest", "an unknown role", "others may write"]
)
def test_a_server_does_not_start_with_it(launch: Launcher, home: Path, name: str) -> None:
    (home / "data").mkdir(mode=0o700)
    path = file_of(home)
    path.write_text(BROKEN.get(name, holding(entry())))
    path.chmod(0o600 if name in BROKEN else 0o666)
    server = start(launch, home=home)
    assert server.wait() == CANNOT_START
    assert "tokens.json" in server.log


def test_a_hangup_has_the_file_read_at_once(
    shared_launch: Launcher, guarded: Server, tcp: Client
) -> None:
    # Without a hangup the file is read once a second, soon after the round before: most of these
    # times would be most of a second. A machine that stalls now and then changes few of them.
    # Real time: half a second is ten times what a call takes on a loaded machine.
    times: list[float] = []
    for number in range(15):
        name = f"hangup {number}"
        caller = Caller(tcp, make_token(shared_launch, guarded.home, name, "app"))
        assert caller.send("GetServerInfo", b"").messages
        assert token_command(shared_launch, guarded.home, "revoke", name).returncode == DONE
        os.kill(guarded.pid, signal.SIGHUP)
        since = time.monotonic()
        wait_until_refused(caller)
        times.append(time.monotonic() - since)
    # Real time: as said above.
    assert statistics.median(times) < 0.5, f"the file was not read at once: {times}"
