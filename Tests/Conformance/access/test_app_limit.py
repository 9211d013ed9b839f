"""A caller may register a limited number of apps, and keeps no other caller out (W-11)."""

import grpc
import pytest

from access.serving import CANNOT_START, USAGE, Caller, belfry, make_token, own_token, start
from access.users import OTHER_STRANGER, STRANGER, calling_as, needs_root, open_home
from harness.client import Client
from harness.launcher import Launcher
from web.http_server import LISTEN, Web, url

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
LIMIT = 3
OPTION = f"--apps-per-caller={LIMIT}"


def center(number: int, device: str = "") -> dict[str, str]:
    """A center of an app that has a number."""
    return {"app_id": f"org.example.limit{number}", "device_id": device}


def register(caller: Caller, number: int, device: str = "") -> None:
    """Registers an app by its first call, or calls as one that is registered."""
    answer = caller.ask("RequestAuthorization", center=center(number, device), options=[4])
    assert answer.refusal is None, answer


def check_refused(caller: Caller, number: int, kind: str, device: str = "") -> None:
    """Checks that each way to register an app is refused, and that nothing came of it."""
    where = center(number, device)
    for rpc, more in [
        ("RequestAuthorization", {"options": [4]}),
        ("SetNotificationCategories", {}),
        ("RegisterForRemoteNotifications", {}),
        ("Subscribe", {"role": "SUBSCRIBER_ROLE_PRIMARY"}),
    ]:
        answer = caller.ask(rpc, center=where, **more)
        answer.check(EXHAUSTED, "APP_LIMIT", limit=str(LIMIT), caller=kind)
    known = caller.ask("GetNotificationSettings", center=where)
    assert known.refusal is not None
    assert known.refusal.reason == "APP_NOT_REGISTERED"


def test_a_token_registers_as_many_apps_as_it_may_also_after_a_restart(launch: Launcher) -> None:
    server = start(launch, OPTION)
    home = server.home
    tokens = {name: make_token(launch, home, name, "app") for name in ("tea", "coffee")}
    for begin in (0, 1):
        with Client(server.targets["tcp"]) as client:
            tea, coffee = (Caller(client, token) for token in tokens.values())
            owner = Caller(client, own_token(server))
            # An app counts on each device, and once however often it calls.
            for number, device in [(0, ""), (0, "phone"), (1, "")] * 2:
                register(tea, number, device)
            check_refused(tea, 2, "token")
            check_refused(tea, 1, "token", "phone")
            # Nobody else is kept out, and whose app it is stays with who registered it.
            register(coffee, 10 + begin)
            register(coffee, 0)
            for number in range(20, 20 + 2 * LIMIT):
                register(owner, number)
            if begin:
                # A caller at its limit calls for the apps that it has; a place left is free.
                owner.call("UnregisterApp", center=center(1))
                register(tea, 2)
                check_refused(tea, 1, "token")
                admin = Caller(client, make_token(launch, home, "admin", "admin"))
                for number in range(30, 30 + 2 * LIMIT):
                    register(admin, number)
        server.terminate()
        assert server.wait() == 0
        server = start(launch, OPTION, home=home)


def test_over_http_it_is_the_same_caller(launch: Launcher) -> None:
    server = start(launch, OPTION, LISTEN)
    token = make_token(launch, server.home, "tea", "app")
    web = Web(url(server), token)
    assert server.targets
    with Client(server.targets["tcp"]) as client:
        register(Caller(client, token), 0)
    for number in range(1, LIMIT):
        assert web.send("POST", f"/org.example.limit{number}", b"x").status == 200
    # It publishes for its own apps, and for no other.
    assert web.send("POST", f"/org.example.limit{LIMIT}", b"x").status == 429
    assert web.send("POST", "/org.example.limit0", b"x").status == 200
    asked = {"center": {"appId": f"org.example.limit{LIMIT}"}, "options": [4]}
    assert web.call("RequestAuthorization", asked).reason == "APP_LIMIT"


@needs_root
def test_a_user_of_a_socket_is_a_caller(launch: Launcher) -> None:
    users = [f"--allow-uid={user}" for user in (STRANGER, OTHER_STRANGER)]
    server = start(launch, OPTION, "--socket-mode=0666", *users, home=open_home(launch))
    assert server.targets
    with calling_as(server.socket) as client:
        for number in range(LIMIT):
            register(Caller(client), number)
        check_refused(Caller(client), LIMIT, "user")
    # Its number counts, not its connection.
    with calling_as(server.socket) as client:
        check_refused(Caller(client), LIMIT, "user")
    with calling_as(server.socket, OTHER_STRANGER) as client:
        register(Caller(client), LIMIT)
    with Client(server.targets["unix"]) as client:
        for number in range(10, 10 + 2 * LIMIT):
            register(Caller(client), number)


@pytest.mark.parametrize("count", ["0", "-1", "x", ""])
def test_a_count_that_is_none(launch: Launcher, count: str) -> None:
    home = launch.new_home()
    ended = belfry(launch, home, "serve", f"--apps-per-caller={count}", f"--data={home / 'data'}")
    assert ended.returncode in (USAGE, CANNOT_START)
    assert "apps-per-caller" in ended.stderr
