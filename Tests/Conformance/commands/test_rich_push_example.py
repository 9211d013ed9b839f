"""`Examples/RichPush`: the tutorial on rich push, with backend, app and device (§23.3, AZ-12)."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from harness import wire
from harness.client import App, Client
from harness.examples import EXAMPLES, PACKAGE
from harness.launcher import Launcher

PROGRAM = EXAMPLES / "RichPush/rich_push.py"
PICTURE = PROGRAM.parents[1] / "cup.png"


@contextmanager
def running(target: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    program = subprocess.Popen(
        [sys.executable, str(PROGRAM), target, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
    )
    try:
        yield program
    finally:
        program.kill()
        program.wait()
        if program.stdout:
            program.stdout.close()


def says(program: subprocess.Popen[str], *lines: str) -> None:
    assert program.stdout
    for line in lines:
        assert program.stdout.readline() == line + "\n"


def phone(client: Client) -> App:
    return App(client, wire.Center(app_id="org.example.rich", device_id="phone"))


def is_read(client: Client, rich_id: int) -> bool:
    return phone(client).call("GetRichPush", rich_id=rich_id).rich_push.HasField("read_at")


def test_more_opens_the_picture_that_was_fetched(launch: Launcher) -> None:
    target = launch().targets["unix"]
    size = PICTURE.stat().st_size
    with Client(target) as client, running(target) as program:
        begun = {says_first(program), says_first(program)}
        assert begun == {"sent 1", f"fetched 1: {size} bytes"}
        assert not is_read(client, 1)
        client.advance(5)
        [shown] = client.call("ListNotificationCenter", device_id="phone").groups[0].notifications
        assert shown.body == "Check this image out!"
        client.call(
            "Respond",
            device_id="phone",
            notification=shown.notification,
            action=wire.CustomAction(action_identifier="richPushMore"),
        )
        assert is_read(client, 1)
        says(program, "opened 1")


def test_the_app_in_front_shows_an_alert_of_its_own(launch: Launcher) -> None:
    target = launch().targets["unix"]
    with Client(target) as client, running(target, "--front") as program:
        says_first(program), says_first(program)
        client.advance(5)
        says(program, "alert in the app: Check this image out!", "opened 1")
        assert is_read(client, 1)
        assert not phone(client).delivered()


def says_first(program: subprocess.Popen[str]) -> str:
    assert program.stdout
    return program.stdout.readline().rstrip("\n")
