"""What the apps of a caller keep in the store has a limit, and keeps no other caller out (W-11)."""

from typing import Any

import grpc
import pytest

from access.serving import CANNOT_START, USAGE, Caller, belfry, make_token, own_token, start
from harness import wire
from harness.client import Client
from harness.launcher import Launcher
from web.http_server import LISTEN, Web, url

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
LIMIT = 64 * 1_024
OPTION = f"--store-bytes-per-caller={LIMIT // 1_024}KiB"
BODY = "x" * 3_000


def center(app: int) -> dict[str, str]:
    return {"app_id": f"org.example.app{app}"}


def register(caller: Caller, app: int) -> None:
    """Registers an app, or calls as one that is registered."""
    answer = caller.ask("RequestAuthorization", center=center(app), options=[4])
    assert answer.refusal is None, answer


def request(identifier: int, after: float | None = 3_600) -> Any:
    """A request that is due after so many seconds, or at once."""
    asked = wire.NotificationRequest(identifier=f"{identifier}", content={"body": BODY})
    if after is not None:
        asked.trigger.time_interval.interval.CopyFrom(wire.seconds(after))
    return asked


def fill(caller: Caller, app: int, begin: int = 0) -> int:
    """Adds requests until one is refused, and tells how many were taken."""
    for count in range(1_000):
        answer = caller.ask("Add", center=center(app), request=request(begin + count))
        if answer.refusal is not None:
            answer.check(EXHAUSTED, "STORE_BYTES_LIMIT", limit=f"{LIMIT}", caller="token")
            return count
    raise AssertionError("a thousand requests were taken")


def check_refused(caller: Caller, app: int) -> None:
    """Checks that each way to add a request is refused, and that the app goes on otherwise."""
    for after in (None, 60):
        answer = caller.ask("Add", center=center(app), request=request(9_999, after))
        answer.check(EXHAUSTED, "STORE_BYTES_LIMIT", limit=f"{LIMIT}", caller="token")
    requests = [request(9_000 + number) for number in range(3)]
    reply = caller.call("AddBatch", center=center(app), requests=requests)
    reasons = {result.error.reason for result in reply.results}
    assert reasons == {"STORE_BYTES_LIMIT"}
    listed = caller.call("ListPending", center=center(app))
    assert all(int(entry.request.identifier) < 9_000 for entry in listed.requests)


def test_apps_of_a_token_keep_as_much_as_they_may_also_after_a_restart(launch: Launcher) -> None:
    server = start(launch, OPTION)
    home = server.home
    tokens = {name: make_token(launch, home, name, "app") for name in ("tea", "coffee")}
    provider = make_token(launch, home, "provider", "provider")
    for begin in (0, 1):
        with Client(server.targets["tcp"]) as client:
            tea, coffee = (Caller(client, token) for token in tokens.values())
            owner, pushing = Caller(client, own_token(server)), Caller(client, provider)
            if not begin:
                for app in (0, 1):
                    register(tea, app)
                register(coffee, 2)
                register(owner, 3)
                # About 64 KiB, whatever app has them.
                half = fill(tea, 0)
                assert 17 <= half <= 20
                tea.call("RemoveAllPending", center=center(0))
                fill(tea, 1)
            for app in (0, 1):
                check_refused(tea, app)
            # Who calls does not matter: the apps are of that caller.
            check_refused(owner, 1)
            payload = f'{{"aps":{{"alert":"{BODY}"}}}}'
            pushed = pushing.ask("Push", center=center(1), payload_json=payload)
            pushed.check(EXHAUSTED, "STORE_BYTES_LIMIT", caller="token")
            # Nobody else is kept out.
            if not begin:
                assert fill(coffee, 2) > 10
            for number in range(40):
                asked = request(100 * begin + number)
                owner.call("Add", center=center(3), request=asked)
            if begin:
                # What fires counts as events, for a week, which take little less.
                owner.call("AdvanceClock", by=wire.seconds(7_200))
                assert fill(tea, 1, 500) <= 2
                check_refused(tea, 1)
                owner.call("AdvanceClock", by=wire.seconds(8 * 86_400))
                assert fill(tea, 1) > 10
                owner.call("UnregisterApp", center=center(1))
                assert fill(tea, 0) > 10
        server.terminate()
        assert server.wait() == 0
        checked = belfry(launch, home, "check", f"--data={home / 'data'}")
        assert checked.returncode == 0, checked.stdout + checked.stderr
        if not begin:
            server = start(launch, OPTION, home=home)


def test_over_http_it_is_the_same_caller(launch: Launcher) -> None:
    server = start(launch, OPTION, LISTEN)
    token = make_token(launch, server.home, "tea", "app")
    web = Web(url(server), token)
    with Client(server.targets["tcp"]) as client:
        tea = Caller(client, token)
        register(tea, 0)
        fill(tea, 0)
    asked = {"center": {"appId": "org.example.app0"}, "request": {"content": {"body": BODY}}}
    asked["request"]["identifier"] = "web"
    reply = web.call("Add", asked)
    assert (reply.status, reply.reason) == (429, "STORE_BYTES_LIMIT")


@pytest.mark.parametrize("size", ["0KiB", "-1KiB", "5", "x", ""])
def test_a_size_that_is_none(launch: Launcher, size: str) -> None:
    home = launch.new_home()
    option = f"--store-bytes-per-caller={size}"
    ended = belfry(launch, home, "serve", option, f"--data={home / 'data'}")
    assert ended.returncode in (USAGE, CANNOT_START)
    assert "store-bytes-per-caller" in ended.stderr
