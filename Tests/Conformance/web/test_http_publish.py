"""What ntfy's clients and Apprise send becomes a notification."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import apprise
import pytest

from access.serving import DONE, Caller, belfry, make_token, own_token
from harness import wire
from harness.launcher import Launcher
from harness.server import BOUND, Server
from web.http_server import Web, serve

APP = "org.example.alerts"
# Apprise takes no topic with a dot.
TOPIC = "alerts"


def delivered(caller: Caller, app: str = APP) -> list[Any]:
    """The notifications of an app, the newest first."""
    answer = caller.ask("ListDelivered", center=wire.Center(app_id=app), page_size=1_000)
    if answer.refusal is not None:
        assert answer.refusal.reason == "APP_NOT_REGISTERED", answer.refusal
        return []
    listed = wire.ListDeliveredResponse.FromString(answer.messages[0])
    newest = sorted(listed.notifications, key=lambda one: -one.delivery)
    return [one.request.content for one in newest]


def test_a_text(web: Web, caller: Caller) -> None:
    reply = web.send("POST", f"/{APP}", "Tee \u2615 ist fertig\nKomm".encode())
    assert reply.status == 200, reply.body
    assert reply.json["event"] == "message" and reply.json["topic"] == APP
    content = delivered(caller)[0]
    assert content.body == "Tee \u2615 ist fertig\nKomm"
    assert content.interruption_level == wire.INTERRUPTION_LEVEL_ACTIVE


@pytest.mark.parametrize("prefix", ["", "X_"])
def test_headers(web: Web, caller: Caller, prefix: str) -> None:
    fields = {"Title": "Tea", "Priority": "low", "Tags": "cup, hot", "Click": "https://x.example"}
    headers = {prefix + name: value for name, value in fields.items()}
    assert web.send("PUT", f"/{APP}", b"It has drawn.", **headers).status == 200
    content = delivered(caller)[0]
    assert (content.title, content.body) == ("Tea", "It has drawn.")
    assert content.interruption_level == wire.INTERRUPTION_LEVEL_PASSIVE
    info = json.loads(content.user_info_json)
    assert (info["tags"], info["click"]) == (["cup", "hot"], "https://x.example")


def test_the_query(web: Web, caller: Caller) -> None:
    assert web.send("POST", f"/{APP}?title=A%20b&m=c&priority=5", b"").status == 200
    content = delivered(caller)[0]
    assert (content.title, content.body) == ("A b", "c")


def test_json(web: Web, caller: Caller) -> None:
    body = {
        "topic": APP, "message": "Disk full", "title": "Server", "tags": ["disk"], "priority": 4,
        "actions": [{"action": "view", "label": "Open", "url": "https://x.example"}],
        "markdown": False,
    }  # fmt: skip
    assert web.send("POST", "/", json.dumps(body).encode()).status == 200
    content = delivered(caller)[0]
    assert (content.title, content.body) == ("Server", "Disk full")
    assert [action.title for action in content.actions] == ["Open"]


@pytest.mark.parametrize(
    ("target", "body", "headers", "status"),
    [
        (f"/{APP}", b"\xff\xfe", {}, 400),
        (f"/{APP}", b"x", {"Priority": "9"}, 400),
        (f"/{APP}", b"x", {"Actions": "view"}, 400),
        (f"/{APP}", b"x", {"Actions": "[1]"}, 400),
        (f"/{APP}", b"x", {"Actions": "view, A; view, A"}, 400),
        (f"/{APP}", b"x", {"Actions": "view, A; view, B; view, C; view, D"}, 400),
        (f"/{APP}", b"x" * 70_000, {}, 400),
        ("/not:an:app", b"x", {}, 400),
        (f"/{APP}/one/more", b"x", {}, 404),
        (f"/{APP}%00", b"x", {}, 400),
        ("/", b"x", {}, 400),
        ("/", b"{}", {}, 400),
        ("/", b'{"topic":1}', {}, 400),
        ("/", b'{"topic":"a","priority":"x"}', {}, 400),
    ],
    ids=str,
)
def test_what_is_wrong_is_said(
    web: Web, caller: Caller, target: str, body: bytes, headers: dict[str, str], status: int
) -> None:
    before = len(delivered(caller))
    reply = web.send("POST", target, body, **headers)
    assert reply.status == status, reply.body
    assert reply.json["http"] == status and reply.json["error"]
    assert len(reply.body) < 1_000
    assert len(delivered(caller)) == before


def test_without_a_right_nothing_is_published(web: Web, caller: Caller) -> None:
    before = len(delivered(caller))
    for token, status in [(None, 401), ("0" * 64, 401)]:
        reply = web.bearing(token).send("POST", f"/{APP}", b"x")
        assert reply.status == status and reply.json["error"]
    assert len(delivered(caller)) == before


@pytest.mark.parametrize("way", ["token", "password"])
def test_apprise(served: Server, web: Web, caller: Caller, way: str) -> None:
    token = own_token(served)
    credentials = {"token": f"{token}@", "password": f"anyone:{token}@"}[way]
    extra = {"token": "&auth=token", "password": ""}[way]
    notifier = apprise.Apprise()
    assert notifier.add(f"ntfy://{credentials}{web.host}/{TOPIC}?mode=private&priority=high{extra}")
    assert notifier.notify(title="From Apprise", body=f"by {way}")
    content = delivered(caller, TOPIC)[0]
    assert (content.title, content.body) == ("From Apprise", f"by {way}")


def test_apprise_learns_that_it_was_refused(web: Web) -> None:
    notifier = apprise.Apprise()
    assert notifier.add(f"ntfy://anyone:wrong@{web.host}/{TOPIC}?mode=private")
    assert not notifier.notify(title="a", body="b")


def test_the_command_of_apprise(served: Server, web: Web, caller: Caller) -> None:
    target = f"ntfy://anyone:{own_token(served)}@{web.host}/{TOPIC}?mode=private"
    done = subprocess.run(
        [Path(sys.executable).with_name("apprise"), "-t", "Command", "-b", "line", target],
        timeout=BOUND, check=False, capture_output=True, text=True,
        env=os.environ | {"HOME": str(served.home)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert delivered(caller, TOPIC)[0].title == "Command"


def test_a_reminder_by_apprise_is_answered(launch: Launcher) -> None:
    """Scheduled by Apprise with a token for one app, answered by the person, read by a command."""
    server, web = serve(launch, clock="system")
    token = make_token(launch, server.home, "night-job", f"app:{TOPIC}")
    target = (
        f"ntfy://anyone:{token}@{web.host}/{TOPIC}?mode=private&delay=1s"
        "&actions=view%2C%20Come%2C%20https%3A%2F%2Ftea.example"
    )
    notifier = apprise.Apprise()
    assert notifier.add(target)
    assert notifier.notify(title="Tea", body="It has drawn.")

    def ask(*arguments: str, **variables: str) -> str:
        own = {"BELFRY_SERVER": server.targets["unix"], "BELFRY_APP": TOPIC}
        done = belfry(launch, server.home, *arguments, variables=own | variables)
        assert done.returncode == DONE, done.stderr
        return done.stdout

    # It was scheduled, and is not there at once.
    (event,) = [
        json.loads(line)["event"]["delivered"]["notification"]
        for line in ask("watch", "--after=0", "--count=2", "--json").splitlines()
        if "delivered" in json.loads(line).get("event", {})
    ]
    assert event["request"]["trigger"]["time_interval"]["interval"] == "1s"
    identifier = event["request"]["identifier"]
    (action,) = event["request"]["content"]["actions"]
    assert action["title"] == "Come"
    ask("respond", identifier, "--action", action["identifier"])
    as_job = {"BELFRY_SERVER": f"tcp:{server.targets['tcp']}", "BELFRY_TOKEN": token}
    answer = ask("responses", "--count=1", **as_job)
    assert answer.split() == [action["identifier"], identifier]
    # The token is good for nothing else.
    other = "--app=org.example.other"
    refused = belfry(launch, server.home, "pending", other, variables=as_job)
    assert "APP_REFUSED" in refused.stderr
