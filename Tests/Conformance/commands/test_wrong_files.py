"""What is wrong with a file of requests or categories is said with its line and its field."""

import json
from pathlib import Path

import pytest

from commands.test_inputs import run
from harness import wire
from harness.client import App, Client
from harness.launcher import Launcher

GOOD = {"identifier": "good", "content": {"title": "Tea"}}


def lines(*requests: object) -> bytes:
    """A file of lines, in which a text stands as it is."""
    texts = [text if isinstance(text, str) else json.dumps(text) for text in requests]
    return "\n".join(texts).encode()


WRONG = [
    ({"content": {"body": 5}}, "content.body: found a number, where a text has to be"),
    ({"content": {"titel": ""}}, "content.titel: there is no such field; there are title,"),
    ({"trigger": {"timeInterval": {"interval": "5 min"}}}, 'interval: found the text "5 min"'),
    ({"content": {"interruptionLevel": "LOUD"}}, "INTERRUPTION_LEVEL_PASSIVE"),
    ({"expiresAt": "soon"}, "expiresAt: there is no such field"),
    ("garbage", "it is no JSON: there is no value at column 1"),
    ('{"identifier": "cut', "it is no JSON: a text does not end at column 20"),
    ("5", "found a number, where an object has to be"),
]


@pytest.mark.parametrize(("wrong", "told"), WRONG, ids=str)
def test_a_line_that_is_wrong_stops_no_other(launch: Launcher, wrong: object, told: str) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = App(client, wire.Center(app_id="org.example.log"))
        app.authorize()
        to = ["--server", server.targets["unix"], "--app", app.center.app_id]
        given = lines(GOOD | {"identifier": "first"}, wrong, GOOD | {"identifier": "last"})
        _, errors = run(launch, "add", "--file", "-", *to, given=given, status=1)
        assert f"line 2 is not a request: " in errors.decode()
        assert told in errors.decode()
        assert "Added 2 of 3." in errors.decode()
        listed = client.call("ListDelivered", center=app.center).notifications
        assert {found.request.identifier for found in listed} == {"first", "last"}


def test_the_place_of_a_refused_line_counts_those_that_are_unreadable(launch: Launcher) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = App(client, wire.Center(app_id="org.example.log"))
        app.authorize()
        to = ["--server", server.targets["unix"], "--app", app.center.app_id]
        refused = GOOD | {"trigger": {"timeInterval": {"interval": "0s"}}}
        given = lines("garbage", GOOD, refused)
        _, errors = run(launch, "add", "--file", "-", *to, given=given, status=1)
        assert "requests[2]: " in errors.decode()
        assert "Added 1 of 3." in errors.decode()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (b'[{"identifier":"a"},\n{"identifier" "b"}]', "line 2, column 15"),
        (b"garbage\n", "column 1"),
        (json.dumps([{"content": 5}]).encode(), "requests[0] is not a request: content: found a"),
    ],
)
def test_a_file_without_a_request_is_bad(launch: Launcher, given: bytes, told: str) -> None:
    _, errors = run(launch, "add", "--file", "-", "--app", "x", given=given, status=65)
    assert told in errors.decode()


@pytest.mark.parametrize("command", ["add", "set"])
def test_a_wrong_field_of_a_category_is_named(
    launch: Launcher, tmp_path: Path, command: str
) -> None:
    file = tmp_path / "categories.json"
    good = {"identifier": "a", "actions": [{"identifier": "b", "title": "B"}]}
    file.write_text(json.dumps([good, {"identifier": "a", "actions": [{"title": 5}]}]))
    _, errors = run(launch, "categories", command, str(file), "--app", "x", status=65)
    said = "categories[1] is not a category: actions[0].title: found a number, where a text has to be"
    assert said in errors.decode()
