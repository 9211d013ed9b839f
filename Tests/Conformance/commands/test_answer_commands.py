"""What a script learns of the person's answers: `belfry responses`, `add --wait-answer`, `ask`."""

import fcntl
import json
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import BOUND, Server

DONE, REFUSED, NOT_FOUND, TAKEN, USAGE, UNREACHABLE, TRY_LATER, NOT_PERMITTED = (
    0, 1, 3, 4, 64, 69, 75, 77
)  # fmt: skip
CATEGORIES = """[
    {"identifier": "drink", "actions": [
        {"identifier": "reply", "title": "Reply", "textInput": {}},
        {"identifier": "ok", "title": "OK"}
    ]},
    {"identifier": "told", "options": ["CATEGORY_OPTION_CUSTOM_DISMISS_ACTION"]}
]"""


class Shell:
    """A shell in which the commands of one app are typed."""

    def __init__(self, binary: Path, server: Server) -> None:
        self._binary = binary
        self.server = server
        self._started: list[subprocess.Popen[str]] = []
        self._environment = {
            "HOME": str(server.home),
            "BELFRY_SERVER": server.targets["unix"],
            "BELFRY_APP": "org.example.tea",
        }

    def start(
        self, *arguments: str, output: IO[str] | int = subprocess.PIPE
    ) -> subprocess.Popen[str]:
        """Begins a command."""
        command = subprocess.Popen(
            [self._binary, *arguments],
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._started.append(command)
        return command

    def close(self) -> None:
        """Ends what still runs."""
        for command in self._started:
            command.kill()
            command.wait()

    def run(self, *arguments: str, text: str = "", status: int = DONE) -> str:
        """Runs a command to its end, and gives what it prints."""
        command = self.start(*arguments)
        output, errors = command.communicate(text, BOUND)
        assert command.returncode == status, errors
        return output

    def await_delivery(self, identifier: str) -> None:
        """Waits until a notification is delivered."""
        eventually(lambda: f'"{identifier}"' in self.run("delivered", "--json"))


@pytest.fixture
def shell(launch: Launcher) -> Iterator[Shell]:
    shell = Shell(launch.binary, launch(clock="system"))
    shell.run("authorize")
    shell.run("categories", "set", "-", text=CATEGORIES)
    yield shell
    shell.close()


def add(shell: Shell, identifier: str) -> None:
    shell.run("add", "Tea?", "--id", identifier, "--category", "drink")


def end(command: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Waits for the end of a command: its status, and what it printed."""
    output, errors = command.communicate(timeout=BOUND)
    return command.returncode, output, errors


def test_what_came_meanwhile_is_printed_once(shell: Shell) -> None:
    for identifier in ("one", "two", "three"):
        add(shell, identifier)
    shell.run("respond", "one", "--action", "reply", "--text", "On my\nway\t!")
    shell.run("respond", "two", "--action", "ok")
    shell.run("respond", "three")
    printed = shell.run("responses", "--count", "3")
    assert printed == "reply\tone\tOn my way !\nok\ttwo\nopen\tthree\n"
    # Those were handled: nothing is left for the next one, which says so by its status.
    assert shell.run("responses", "--wait", "1s", status=TRY_LATER) == ""


def test_responses_are_followed_as_json(shell: Shell) -> None:
    follower = shell.start("responses", "--json", "--wait", "3s")
    for identifier in ("one", "two"):
        add(shell, identifier)
        shell.run("respond", identifier, "--action", "reply", "--text", identifier)
    status, output, _ = end(follower)
    # It ends by itself, and well: some came.
    assert status == DONE
    responses = [json.loads(line) for line in output.splitlines()]
    assert [one["user_text"] for one in responses] == ["one", "two"]
    assert [one["notification"]["request"]["identifier"] for one in responses] == ["one", "two"]


def test_a_response_that_was_not_printed_waits_for_the_next(shell: Shell) -> None:
    follower = shell.start("responses")
    add(shell, "one")
    shell.run("respond", "one")
    assert follower.stdout is not None
    assert follower.stdout.readline() == "open\tone\n"
    follower.kill()
    end(follower)
    add(shell, "two")
    shell.run("respond", "two")
    assert shell.run("responses", "--count", "1") == "open\ttwo\n"


def test_the_newer_of_two_speaks_for_the_app(shell: Shell) -> None:
    older = shell.start("responses")
    add(shell, "one")
    shell.run("respond", "one")
    assert older.stdout is not None
    assert older.stdout.readline() == "open\tone\n"
    newer = shell.start("responses", "--count", "1")
    status, _, errors = end(older)
    assert status == TAKEN
    assert "another program speaks for org.example.tea now" in errors
    add(shell, "two")
    shell.run("respond", "two")
    assert end(newer)[:2] == (DONE, "open\ttwo\n")


def waiting(
    shell: Shell, identifier: str, *arguments: str, category: str = "drink"
) -> subprocess.Popen[str]:
    """A command that has added a notification, and waits for its answer."""
    command = shell.start(
        "add", "Tea?", "--id", identifier, "--category", category, "--wait-answer", *arguments
    )
    shell.await_delivery(identifier)
    return command


def test_an_answer_is_printed(shell: Shell) -> None:
    command = waiting(shell, "tea")
    shell.run("respond", "tea", "--action", "reply", "--text", "Yes, please.")
    assert end(command) == (DONE, "reply\tYes, please.\n", "tea is delivered\n")
    # It was completed.
    assert shell.run("responses", "--wait", "1s", status=TRY_LATER) == ""


def test_an_answer_that_cannot_be_printed_waits_for_the_next(shell: Shell) -> None:
    # Every write to it fails, as on a full disk.
    with open("/dev/full", "w") as full:
        arguments = ["--id", "tea", "--category", "drink", "--wait-answer"]
        command = shell.start("add", "Tea?", *arguments, output=full)
        shell.await_delivery("tea")
        shell.run("respond", "tea", "--action", "ok")
        assert command.wait(BOUND) != DONE
    assert shell.run("responses", "--count", "1") == "ok\ttea\n"


def test_an_answer_to_what_fires_later(shell: Shell) -> None:
    command = waiting(shell, "tea", "--in", "1s", "--json")
    shell.run("respond", "tea")
    status, output, _ = end(command)
    assert status == DONE
    answer = json.loads(output)
    assert answer["action_identifier"] == "com.apple.UNNotificationDefaultActionIdentifier"
    assert answer["delivery"]


def test_only_an_answer_to_this_delivery_counts(shell: Shell) -> None:
    add(shell, "tea")
    shell.run("respond", "tea", "--action", "reply", "--text", "of yesterday")
    add(shell, "cake")
    command = waiting(shell, "tea")
    shell.run("respond", "cake", "--action", "ok")
    shell.run("respond", "tea", "--action", "ok")
    assert end(command)[:2] == (DONE, "ok\n")
    # The others are left to those who wait for them.
    assert shell.run("responses", "--count", "2") == "reply\ttea\tof yesterday\nok\tcake\n"


def test_a_dismissal_is_an_answer_where_the_app_wants_to_know(shell: Shell) -> None:
    command = waiting(shell, "tea", category="told")
    shell.run("dismiss", "tea")
    assert end(command)[:2] == (DONE, "dismiss\n")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["dismiss", "tea"], "no answer: it was dismissed"),
        (["remove", "tea"], "no answer: it was removed"),
    ],
)
def test_what_goes_without_an_answer_ends_the_wait(
    shell: Shell, arguments: list[str], why: str
) -> None:
    command = waiting(shell, "tea")
    shell.run(*arguments)
    status, output, errors = end(command)
    assert (status, output) == (NOT_FOUND, "")
    assert why in errors


def test_two_wait_each_for_its_own_answer(shell: Shell) -> None:
    first, second = waiting(shell, "first"), waiting(shell, "second")
    shell.run("respond", "first", "--action", "ok")
    assert end(first)[:2] == (DONE, "ok\n")
    shell.run("respond", "second", "--action", "reply", "--text", "Yes.")
    assert end(second)[:2] == (DONE, "reply\tYes.\n")
    # Each was completed by who waited for it.
    assert shell.run("responses", "--wait", "1s", status=TRY_LATER) == ""


def test_of_two_that_wait_one_is_dismissed(shell: Shell) -> None:
    first, second = waiting(shell, "first"), waiting(shell, "second")
    shell.run("dismiss", "first")
    status, output, errors = end(first)
    assert (status, output) == (NOT_FOUND, "")
    assert "no answer: it was dismissed" in errors
    shell.run("respond", "second")
    assert end(second)[:2] == (DONE, "open\n")


def test_many_wait_and_are_answered_at_once(shell: Shell) -> None:
    names = [f"tea{number}" for number in range(5)]
    commands = [waiting(shell, name) for name in names]
    for name in names:
        shell.run("respond", name, "--action", "reply", "--text", name)
    for name, command in zip(names, commands, strict=True):
        assert end(command)[:2] == (DONE, f"reply\t{name}\n")
    assert shell.run("responses", "--wait", "1s", status=TRY_LATER) == ""


def test_an_answer_is_printed_whoever_speaks_for_the_app(shell: Shell) -> None:
    follower = shell.start("responses", "--count", "2")
    add(shell, "first")
    shell.run("respond", "first")
    assert follower.stdout is not None
    assert follower.stdout.readline() == "open\tfirst\n"
    command = waiting(shell, "tea")
    shell.run("respond", "tea", "--action", "ok")
    # Both learn of it, and neither ends the other.
    assert end(follower)[:2] == (DONE, "ok\ttea\n")
    assert end(command)[:2] == (DONE, "ok\n")


@pytest.mark.parametrize(
    ("act", "advice"),
    [
        ([], "Ask for permission with 'belfry authorize'."),
        (["authorize", "--wait", "0s"], "The person answers in 'belfry center'"),
        (["device", "answer", "deny"], "'belfry device settings --allow on'"),
    ],
)
def test_an_add_without_permission_says_what_to_do(
    launch: Launcher, act: list[str], advice: str
) -> None:
    shell = Shell(launch.binary, launch(clock="system", prompts="ask"))
    shell.run("register")
    if act:
        shell.run("authorize", "--wait", "0s", status=TRY_LATER)
    if "answer" in act:
        shell.run(*act)
    status, _, errors = end(shell.start("add", "Tea?"))
    assert status == NOT_PERMITTED
    assert advice in errors.splitlines()[1]
    assert ("authorize" in errors) == (not act)
    shell.close()


def test_an_answer_that_came_while_the_connection_was_cut(launch: Launcher, shell: Shell) -> None:
    command = shell.start("add", "Tea?", "--id", "tea", "--in", "2s", "--wait-answer")
    eventually(lambda: '"tea"' in shell.run("pending", "--json"))
    command.send_signal(signal.SIGSTOP)
    # All that happened meanwhile is told after the restart, the answer before the delivery.
    shell.server.terminate()
    shell.server.wait()
    again = launch(shell.server.home, clock="system")
    assert again.targets
    shell.await_delivery("tea")
    shell.run("respond", "tea")
    command.send_signal(signal.SIGCONT)
    assert end(command)[:2] == (DONE, "open\n")


def test_a_restart_of_the_server_loses_and_repeats_no_response(
    launch: Launcher, shell: Shell
) -> None:
    long = "x" * 3_000
    for number in range(6):
        add(shell, f"tea{number}")
        shell.run("respond", f"tea{number}", "--action", "reply", "--text", long)
    follower = shell.start("responses", "--count", "6")
    assert follower.stdout is not None
    fcntl.fcntl(follower.stdout, fcntl.F_SETPIPE_SZ, 4_096)
    time.sleep(0.5)
    # It holds responses that it cannot print yet, of a subscription that is gone then.
    shell.server.terminate()
    shell.server.wait()
    assert launch(shell.server.home, clock="system").targets
    status, output, errors = end(follower)
    assert status == DONE, errors
    assert output == "".join(f"reply\ttea{number}\t{long}\n" for number in range(6))
    assert shell.run("responses", "--wait", "1s", status=TRY_LATER) == ""


def test_a_request_that_is_removed_before_it_fires_ends_the_wait(shell: Shell) -> None:
    command = shell.start("add", "Tea?", "--id", "tea", "--in", "1h", "--wait-answer")
    eventually(lambda: '"tea"' in shell.run("pending", "--json"))
    shell.run("remove", "tea")
    assert end(command)[0] == NOT_FOUND


def asking(shell: Shell, *arguments: str) -> tuple[subprocess.Popen[str], str]:
    """A command that asks, and the identifier of what it shows."""
    command = shell.start("ask", "Deploy?", *arguments)
    eventually(lambda: '"Deploy?"' in shell.run("delivered", "--json"))
    [shown] = [json.loads(line) for line in shell.run("delivered", "--json").splitlines()]
    return command, shown["request"]["identifier"]


@pytest.mark.parametrize(
    ("arguments", "act", "status", "printed"),
    [
        ([], ["--action", "yes"], DONE, "Yes\n"),
        ([], ["--action", "no"], REFUSED, "No\n"),
        (["--yes", "Deploy", "--no", "Wait"], ["--action", "yes"], DONE, "Deploy\n"),
        (["--yes", "Deploy", "--no", "Wait"], ["--action", "no"], REFUSED, "Wait\n"),
        (["--text"], ["--action", "text", "--text", "at five"], DONE, "at five\n"),
        (["--text"], ["--action", "no"], REFUSED, "No\n"),
        ([], [], NOT_FOUND, ""),
    ],
)
def test_a_question_is_answered(
    shell: Shell, arguments: list[str], act: list[str], status: int, printed: str
) -> None:
    command, identifier = asking(shell, *arguments)
    shell.run("respond", identifier, *act)
    assert end(command)[:2] == (status, printed)
    assert shell.run("responses", "--wait", "1s", status=TRY_LATER) == ""
    assert shell.run("categories", "list", "--json").count("\n") == 2


def test_a_question_that_is_not_answered(shell: Shell) -> None:
    command, identifier = asking(shell)
    shell.run("dismiss", identifier)
    status, output, errors = end(command)
    assert (status, output) == (NOT_FOUND, "")
    assert "no answer: it was dismissed" in errors
    status, output, errors = end(asking(shell, "--answer-within", "2s")[0])
    assert (status, output) == (TRY_LATER, "")
    assert "the person did nothing in time" in errors
    assert shell.run("delivered", "--json") == ""


@contextmanager
def starting_with(number: signal.Signals, handler: signal.Handlers) -> Iterator[None]:
    """Programs that are started meanwhile take a signal so, whatever this one does."""
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_question_that_is_interrupted_leaves_the_screen(
    shell: Shell, number: signal.Signals
) -> None:
    with starting_with(number, signal.SIG_DFL):
        command, _ = asking(shell)
    command.send_signal(number)
    assert end(command)[:2] == (-number, "")
    assert shell.run("delivered", "--json") == ""


def test_a_question_outlives_a_signal_that_its_starter_ignores(shell: Shell) -> None:
    with starting_with(signal.SIGHUP, signal.SIG_IGN):
        command, identifier = asking(shell)
    command.send_signal(signal.SIGHUP)
    shell.run("respond", identifier, "--action", "yes")
    assert end(command)[:2] == (DONE, "Yes\n")


def test_nobody_answers_in_time(shell: Shell) -> None:
    status, output, errors = end(waiting(shell, "tea", "--answer-within", "2s"))
    assert (status, output) == (TRY_LATER, "")
    assert "the person did nothing in time" in errors


def test_a_refused_request_ends_the_wait(shell: Shell) -> None:
    shell.run("add", "Tea?", "--in", "0s", "--wait-answer", status=REFUSED)


@pytest.mark.parametrize(
    "arguments",
    [
        ["responses", "--count", "0"],
        ["responses", "--wait", "0s"],
        ["add", "Tea?", "--wait-answer", "--answer-within", "0s"],
        ["add", "Tea?", "--answer-within", "1s"],
        ["add", "--file", "-", "--wait-answer"],
    ],
)
def test_what_has_no_meaning_is_refused(shell: Shell, arguments: list[str]) -> None:
    shell.run(*arguments, status=USAGE)


def test_no_server_is_told_at_once(launch: Launcher) -> None:
    missing = ["--server", f"unix:{launch.new_home()}/none.sock"]
    for arguments in (["responses"], ["add", "Tea?", "--wait-answer", "--answer-within", "2s"]):
        done = subprocess.run(
            [launch.binary, *arguments, *missing], capture_output=True, timeout=BOUND, check=False
        )
        assert done.returncode == UNREACHABLE, (arguments, done.stderr)
