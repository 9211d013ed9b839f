"""`Examples/DynamicButtons`: buttons that change while a notification is open (§19.3)."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.content import open_notification, press
from harness.device import Watch, listed
from harness.examples import EXAMPLES, PACKAGE
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of
from harness.terminal import ENTER, ESCAPE, Terminal

PROGRAM = EXAMPLES / "DynamicButtons/dynamic_buttons.py"
ROTATE, RESET, TELL = "rotate-twenty-degrees-action", "reset-rotation-action", "tell-app-action"
HANDLED = wire.RESPOND_OUTCOME_HANDLED_BY_EXTENSION


@dataclass
class Example:
    """The running example, and a client beside it."""

    app: App
    program: subprocess.Popen[str]
    target: str

    def notification(self, category: str) -> wire.NotificationRef:
        """The notification of a category in the list."""
        shown = [n for group in listed(self.app).groups for n in group.notifications]
        [found] = [n for n in shown if n.notification.identifier == category]
        return found.notification


@pytest.fixture
def example(launch: Launcher) -> Iterator[Example]:
    server = launch()
    target = server.targets["unix"]
    program = subprocess.Popen(
        [sys.executable, str(PROGRAM), target],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
    )
    assert program.stdout and program.stdout.readline().startswith("ready")
    with Client(target) as client:
        app = App(client, wire.Center(app_id="org.example.red-green"))
        yield Example(app, program, target)
    program.kill()
    program.wait()
    program.stdout.close()


class Screen:
    """The buttons and the picture of an open notification, as the person sees them change."""

    def __init__(self, example: Example, category: str) -> None:
        self._app = example.app
        self._watch = Watch(example.app)
        self._watch.until("snapshot")
        opened = open_notification(example.app, example.notification(category))
        self.name = opened.presentation_id
        self.buttons = [action.identifier for action in opened.actions]
        self.pictures = [opened.view.data] if opened.HasField("view") else []
        self._until(lambda: self.pictures)

    def _until(self, condition: object) -> None:
        while not condition():
            frame = self._watch.until("presentation")[-1].presentation
            assert frame.presentation_id == self.name
            if frame.HasField("actions_changed"):
                self.buttons = [action.identifier for action in frame.actions_changed.actions]
            elif frame.HasField("view_updated"):
                self.pictures.append(frame.view_updated.data)

    def press(self, action: str, buttons: list[str] | None = None) -> None:
        """Presses a button, and waits for the turned picture and for the buttons."""
        count = len(self.pictures)
        assert press(self._app, self.name, action) == HANDLED
        self._until(
            lambda: len(self.pictures) > count and (buttons is None or self.buttons == buttons)
        )


def test_buttons_come_and_go_as_the_reference_scenario_says(example: Example) -> None:
    screen = Screen(example, "red-category")
    assert screen.buttons == [ROTATE]
    screen.press(ROTATE, [ROTATE, RESET])
    for _ in range(7):
        screen.press(ROTATE)
        assert screen.buttons == [ROTATE, RESET]
    screen.press(ROTATE, [ROTATE])
    screen.press(ROTATE, [ROTATE, RESET])
    screen.press(RESET, [ROTATE])
    Expected(
        grpc.StatusCode.INVALID_ARGUMENT, "ACTION_UNKNOWN", ("action.action_identifier",)
    ).check(refusal_of(lambda: press(example.app, screen.name, RESET)))
    # Each turn is another picture, half a turn after 9 presses; a reset shows the first again.
    assert len(set(screen.pictures[:10])) == 10
    assert screen.pictures[-1] == screen.pictures[0]
    # The app was told of none of it.
    assert sorted(example.app.delivered()) == ["green-category", "red-category"]


def test_one_button_sends_on_to_the_app(example: Example) -> None:
    screen = Screen(example, "green-category")
    assert screen.buttons == [ROTATE, TELL]
    assert press(example.app, screen.name, TELL) == HANDLED
    assert example.program.stdout
    assert example.program.stdout.readline() == f"the app is told: {TELL}\n"
    assert example.app.delivered() == ["red-category"]


def test_the_person_sees_it_in_a_terminal(example: Example, launch: Launcher) -> None:
    command = [launch.binary, "center", f"--server={example.target}"]
    with Terminal(command, rows=40) as terminal:
        terminal.shows("green-category", "red-category")
        terminal.type("v")
        terminal.shows("[1] Rotate 20°  [2] Tell the app", "▀", "esc back")
        before = terminal.written.count("▀".encode())
        terminal.type("1")
        terminal.shows("[1] Rotate 20°  [2] Reset rotation  [3] Tell the app")
        terminal.until(lambda _: terminal.written.count("▀".encode()) > before, "it did not turn")
        terminal.type("2")
        terminal.shows("[1] Rotate 20°  [2] Tell the app")
        terminal.type(ESCAPE)
        terminal.shows("red-category", "v view")
        terminal.hides("▀")
        terminal.type("v" + ENTER)
        terminal.shows("opens")
