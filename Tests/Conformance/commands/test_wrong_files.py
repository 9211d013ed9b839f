"""What is wrong with a file of requests or categories is said with its line and its field."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands.test_inputs import run
from commands.test_values import NEEDED, commands
from harness import wire
from harness.client import App, Client
from harness.files import png
from harness.launcher import Launcher
from harness.server import BOUND

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


def files_to_read(binary: Path) -> Iterator[tuple[list[str], bytes]]:
    """The command lines that end before the file that a command reads, and what the file may have.

    They are found in the program's own description, so that the next one is tried, too.
    """
    described = subprocess.run(
        [binary, "--experimental-dump-help"], capture_output=True, check=True, timeout=BOUND
    )
    for path, arguments in commands(json.loads(described.stdout)["command"]):
        # These take the files of a server, or write.
        if path[0] in {"serve", "token", "link", "check", "restore"} or "get" in path:
            continue
        for one in arguments:
            if completes_files(one) and one.get("sectionTitle") != "Server":
                yield line_before(path, one, arguments), WHOLE.get(path[0], b"{}")


def completes_files(argument: dict[str, Any]) -> bool:
    return "file" in argument.get("completionKind", {})


def line_before(path: tuple[str, ...], file: Any, arguments: list[Any]) -> list[str]:
    """What a command needs, and last the place of the file."""
    line = list(path)
    for one in arguments:
        if one["kind"] == "flag" or one["isOptional"] or one is file:
            continue
        name = ["--" + one["preferredName"]["name"]] if one["kind"] == "option" else []
        if one["kind"] == "option" or file["kind"] == "option":
            line += [*name, NEEDED.get(one.get("valueName", ""), "x")]
    return line + (["--" + file["preferredName"]["name"]] if file["kind"] == "option" else [])


# A file that a command takes, by the command's first word.
WHOLE = {
    "add": b'{"identifier": "good", "content": {"title": "Tea"}}',
    "categories": b'{"identifier": "a"}',
    "strings": b'{"a": "A text"}',
}


def test_each_file_may_be_a_pipe_and_no_file_is_a_directory(
    launch: Launcher, tmp_path: Path
) -> None:
    tried = list(files_to_read(launch.binary))
    assert {line[0] for line, _ in tried} >= {"add", "attachments", "categories", "push", "rich"}
    for line, text in tried:
        rest = ["x"] if line[:2] == ["rich", "create"] else []
        _, errors = run(launch, *line, str(tmp_path), *rest, status=65)
        assert errors.decode() == f"belfry: {tmp_path}: Is a directory\n", line
        reading, writing = os.pipe()
        os.write(writing, text)
        os.close(writing)
        # No server is there: a command that gets so far has read its file.
        nowhere = ["--server", f"unix:{tmp_path}/none.sock"]
        done = subprocess.run(
            [launch.binary, *line, f"/dev/fd/{reading}", *rest, *nowhere],
            pass_fds=[reading], capture_output=True, timeout=BOUND, check=False,
        )  # fmt: skip
        os.close(reading)
        assert done.returncode == 69, (line, done.stderr)


def test_what_is_no_text_is_refused_and_not_changed(launch: Launcher, tmp_path: Path) -> None:
    for argument in (b"\xff", b"a\xc3", b"\xff\xcc\x81"):
        for line in ([b"add", argument], [b"add", b"T", b"--id=" + argument], [argument]):
            done = subprocess.run(
                [launch.binary, *line], capture_output=True, timeout=BOUND, check=False
            )
            assert done.returncode == 64, line
            assert b"is no text in UTF-8" in done.stderr
    given = b'{"identifier": "a", "content": {"title": "a\xff"}}'
    _, errors = run(launch, "add", "--file", "-", given=given, status=65)
    assert errors == b"belfry: -: it is no text in UTF-8\n"
    _, errors = run(launch, "categories", "set", "-", given=given, status=65)
    assert errors == b"belfry: -: it is no text in UTF-8\n"


def test_an_output_that_is_full_is_told(launch: Launcher, tmp_path: Path) -> None:
    to = ["--server", launch().targets["unix"]]
    run(launch, "authorize", *to)
    picture, _ = run(launch, "attachments", "put", "-", "--type", "public.png", *to, given=png())
    for line in (
        ["status", *to], ["authorize", *to], ["add", "Tea", *to], ["delivered", *to],
        ["attachments", "get", picture.decode().strip(), "--output", "-", *to],
        ["protos", "--out", str(tmp_path)], ["protos", "--descriptor-set"],
        ["serve", "--check-config"],
    ):  # fmt: skip
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [launch.binary, *line],
                stdout=full, stderr=subprocess.PIPE, timeout=BOUND, check=False,
            )  # fmt: skip
        assert done.returncode == 74, (line, done.stderr)
        assert done.stderr == b"belfry: standard output: No space left on device\n", line


def test_a_configuration_may_be_a_pipe(launch: Launcher) -> None:
    given = b'{"http-listen": "tcp:127.0.0.1:50080"}'
    output, _ = run(launch, "serve", "--check-config", "--config", "/dev/stdin", given=given)
    assert b"--http-listen=tcp:127.0.0.1:50080" in output
