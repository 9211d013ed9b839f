"""The command line: what is mistyped is guessed, JSON leaves nothing out, and a server has names."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.message import Message

from access.serving import DONE, NOT_PERMITTED, USAGE, belfry, environment, start
from harness import wire
from harness.launcher import Launcher
from harness.server import BOUND

UNREACHABLE = 69


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["stattus"], "belfry status"),
        (["ad", "Tea"], "belfry add"),
        (["attach"], "belfry attachments"),
        (["attachments", "pu", "x"], "belfry attachments put"),
        (["device", "lokc"], "belfry device lock"),
        (["token", "craete", "x"], "belfry token create"),
        (["add", "Tea", "--level", "activ"], "active"),
        (["add", "Tea", "--level", "time-sensitiv"], "time-sensitive"),
        (["add", "Tea", "--bdy", "x"], "--body"),
        (["list"], "belfry pending"),
        (["notify", "Tea"], "belfry add"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_is_mistyped_is_guessed(launch: Launcher, words: list[str], meant: str) -> None:
    done = belfry(launch, launch.new_home(), *words)
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert done.stderr.count("Did you mean") == 1, done.stderr
    assert f"Did you mean '{meant}'?" in done.stderr.splitlines()[0]


@pytest.mark.parametrize(
    "words",
    [["zzzzzz"], ["add", "Tea", "--level", "'x'"], ["x" * 100_000], ["add", "Tea", "--in", "4x"]],
    ids=["far", "quotes", "long", "no choice"],
)
def test_what_is_not_known_is_not_guessed(launch: Launcher, words: list[str]) -> None:
    done = belfry(launch, launch.new_home(), *words)
    assert done.returncode == USAGE
    assert done.stderr.startswith("Error: ") and "Did you mean" not in done.stderr


@pytest.mark.parametrize("option", ["--knob", "--button", "--titel", "--xyzw"])
def test_an_option_that_is_far_is_not_guessed(launch: Launcher, option: str) -> None:
    done = belfry(launch, launch.new_home(), "add", "Tea", option, "x")
    assert done.returncode == USAGE
    assert done.stderr.startswith(f"Error: Unknown option '{option}'")
    assert "Did you mean" not in done.stderr


@pytest.mark.parametrize("words", [["device", "list"], ["token", "show"], ["rich", "xyzw"]])
def test_the_commands_that_there_are_are_told(launch: Launcher, words: list[str]) -> None:
    done = belfry(launch, launch.new_home(), *words)
    assert done.returncode == USAGE
    told = done.stderr.splitlines()[0]
    listed = belfry(launch, launch.new_home(), words[0], "--help").stdout
    names = [line.split()[0] for line in listed.split("SUBCOMMANDS:")[1].splitlines()
             if line.startswith("  ") and line[2] != " " and line.split()[0] != "help"]  # fmt: skip
    assert all(name.rstrip(",") in told for name in names if name != "See"), (told, names)


def commands(launch: Launcher, home: Path, *above: str) -> list[tuple[str, ...]]:
    """All commands, from their helps."""
    help_text = belfry(launch, home, *above, "--help").stdout
    found = [above]
    for section in help_text.split("\n\n"):
        if not section.split("\n", 1)[0].endswith("SUBCOMMANDS:"):
            continue
        for line in section.splitlines()[1:]:
            name = line[2:].split(" ", 1)[0] if line.startswith("  ") else ""
            if name and name != "help":
                found += commands(launch, home, *above, name)
    return found


def test_what_a_command_alone_takes_comes_first(launch: Launcher) -> None:
    home = launch.new_home()
    asked = commands(launch, home)
    assert len(asked) > 60, asked
    checked = 0
    for words in asked:
        told = belfry(launch, home, *words, "--help")
        assert (told.returncode, told.stderr) == (0, "")
        titles = [part.split("\n", 1)[0] for part in told.stdout.split("\n\n")]
        if "SERVER:" in titles and "OPTIONS:" in titles:
            assert titles.index("OPTIONS:") < titles.index("SERVER:"), words
            checked += 1
    assert checked > 40


def test_the_level_that_an_app_loses_is_told(launch: Launcher) -> None:
    server = start(launch)
    home = server.home
    to = [f"--server={server.targets['unix']}", "--app=org.example.tea"]
    belfry(launch, home, "authorize", *to)
    added = ["add", "Tea", "--level", "time-sensitive", *to]
    assert "time-sensitive counts as active" in belfry(launch, home, *added).stderr
    assert "counts as active" not in belfry(launch, home, "add", "Tea", *to).stderr
    registered = belfry(launch, home, "register", "--time-sensitive", *to)
    assert registered.returncode == DONE, registered.stderr
    done = belfry(launch, home, *added)
    assert (done.returncode, "counts as active" in done.stderr) == (DONE, False), done.stderr


def test_a_rule_that_fires_often_leaves_room_for_others(launch: Launcher) -> None:
    server = start(launch)
    home = server.home
    to = [f"--server={server.targets['unix']}", "--app=org.example.tea"]
    belfry(launch, home, "authorize", *to)
    for words in (["often", "--every", "1h"], ["seldom", "--in", "6d"]):
        belfry(launch, home, "add", "Tea", "--id", *words, *to)
    told = belfry(launch, home, "next", *to)
    rows = [line for line in told.stdout.splitlines() if "often" in line]
    assert len(rows) == 7 and "seldom" in told.stdout, told.stdout
    assert "'often'" in told.stderr and "belfry next ID" in told.stderr
    named = belfry(launch, home, "next", "often", *to)
    assert len([line for line in named.stdout.splitlines() if "often" in line]) == 100


def same_names(told: Any, whole: Any, path: str = "") -> None:
    """Fails unless two values have the same names, at every level."""
    if isinstance(whole, dict):
        assert sorted(told) == sorted(whole), path
        for name, value in whole.items():
            same_names(told[name], value, f"{path}.{name}")
    elif isinstance(whole, list):
        assert len(told) == len(whole), path
        for one, other in zip(told, whole, strict=True):
            same_names(one, other, path)


def check_whole(line: str, message: Message) -> None:
    """Fails unless a line has all of a message, as protobuf's own library prints it."""
    parsed = json_format.Parse(line, message)
    whole = json_format.MessageToDict(
        parsed, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    same_names(json.loads(line), whole)


def test_json_leaves_nothing_out(launch: Launcher) -> None:
    server = start(launch, prompts="grant")
    target = f"--server={server.targets['unix']}"

    def lines(*arguments: str) -> list[str]:
        done = belfry(launch, server.home, *arguments, "--json", target)
        assert done.returncode == DONE, done.stderr
        return done.stdout.splitlines()

    check_whole(lines("authorize", "--alert")[0], wire.RequestAuthorizationResponse())
    check_whole(lines("add", "Tea \u202e", "--id=now")[0], wire.AddResponse())
    check_whole(
        lines("add", "Tea", "--id=later", "--every=day", "--at=9:00", "--badge=0")[0],
        wire.AddResponse(),
    )
    (pending,) = lines("pending")
    check_whole(pending, wire.PendingRequest())
    content = json.loads(pending)["request"]["content"]
    # Absent is not zero: a badge of zero takes the badge away.
    assert content["badge"] == 0 and content["body"] == "" and content["attachments"] == []
    (delivered,) = lines("delivered")
    check_whole(delivered, wire.Notification())
    assert "badge" not in json.loads(delivered)["request"]["content"]
    assert "\\u202e" in delivered and "\u202e" not in delivered
    settings = json.loads(lines("settings")[0])
    check_whole(json.dumps(settings), wire.NotificationSettings())
    for line in lines("watch", "--after=0", "--count=2"):
        check_whole(line, wire.SubscriptionFrame())
    (stats,) = lines("status")
    check_whole(stats, wire.GetServerInfoResponse())
    (stats,) = lines("status", "--statistics")
    check_whole(stats, wire.GetStatsResponse())
    assert sum(map(int, json.loads(stats)["stages"]["commit"]["counts"])) > 0
    # The printed request can be added again.
    request = json.dumps(json.loads(pending)["request"])
    again = belfry(launch, server.home, "add", "--file=-", target, input=request)
    assert again.returncode == DONE, again.stderr
    assert lines("pending") != [] and len(lines("pending")) == 1


def test_a_server_is_named_as_it_listens(launch: Launcher) -> None:
    server = start(launch)
    port = server.targets["tcp"].rpartition(":")[2]
    socket = server.targets["unix"].removeprefix("unix:")
    for name in (f"unix:{socket}", socket, f"127.0.0.1:{port}", f"tcp:127.0.0.1:{port}"):
        done = belfry(launch, server.home, "status", f"--server={name}")
        assert done.returncode == DONE, (name, done.stderr)


@pytest.mark.parametrize("name", ["localhost", "belfry.sock"])
def test_a_name_of_no_kind_is_told_from_a_server_that_is_away(
    launch: Launcher, name: str
) -> None:
    home = launch.new_home()
    done = belfry(launch, home, "status", f"--server={name}")
    assert done.returncode == UNREACHABLE
    assert "Name a server as unix:/path/to.sock, tcp:host:port" in done.stderr
    away = belfry(launch, home, "status", f"--server=unix:{home}/none")
    assert "Start one with 'belfry serve'" in away.stderr


@pytest.mark.parametrize("token", ["wrong", "a" * 64])
def test_a_wrong_token_says_where_there_are_others(launch: Launcher, token: str) -> None:
    server = start(launch)
    to = f"--server=tcp:{server.targets['tcp']}"
    done = belfry(launch, server.home, "pending", to, variables={"BELFRY_TOKEN": token})
    assert done.returncode == NOT_PERMITTED
    assert "Make one with 'belfry token create' on the server's side" in done.stderr
    assert token not in done.stderr


def test_the_help_fits_eighty_columns(launch: Launcher) -> None:
    done = belfry(launch, launch.new_home(), "--help")
    names = done.stdout[done.stdout.index("Environment:") : done.stdout.index("Exit status:")]
    # A line that is broken begins at the margin.
    assert all(line.startswith("  ") for line in names.splitlines()[1:] if line), names


def test_a_closed_output_ends_quietly(launch: Launcher) -> None:
    server = start(launch, prompts="grant")
    script = f"""
        set -eu
        export BELFRY_SERVER={server.targets['unix']}
        '{launch.binary.absolute()}' authorize --alert >/dev/null
        for i in 1 2 3; do '{launch.binary.absolute()}' add Tea >/dev/null; done
        '{launch.binary.absolute()}' watch --after 0 --count 4 | head -1
        '{launch.binary.absolute()}' delivered | head -1
    """
    done = subprocess.run(
        ["timeout", "20", "bash", "-c", script], env=environment(server.home),
        capture_output=True, text=True, timeout=BOUND, check=False,
    )  # fmt: skip
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 2, done
    assert done.stderr == ""


def test_a_watch_ends_when_nobody_reads_it(launch: Launcher) -> None:
    """Also where nothing happens any more that it could print."""
    server = start(launch, prompts="grant")
    target = f"--server={server.targets['unix']}"
    assert belfry(launch, server.home, "authorize", target).returncode == DONE
    for command in (["watch", "--after=0"], ["responses"]):
        following = subprocess.Popen(
            [launch.binary, *command, target],
            env=environment(server.home), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert following.stdout is not None
        try:
            if command[0] == "watch":
                following.stdout.readline()
            following.stdout.close()
            following.wait(BOUND)
        finally:
            following.kill()
            following.wait()


def options(command: dict[str, Any]) -> list[dict[str, Any]]:
    """All that a command and those below it take."""
    own = command.get("arguments", [])
    return own + [one for inner in command.get("subcommands", []) for one in options(inner)]


def test_files_are_completed_where_files_are_taken(launch: Launcher, tmp_path: Path) -> None:
    done = belfry(launch, tmp_path, "--experimental-dump-help")
    taken = options(json.loads(done.stdout)["command"])
    paths = [one for one in taken if one.get("valueName") in {"path", "file", "directory"}]
    assert len(paths) > 25
    for one in paths:
        kind = "directory" if one["valueName"] == "directory" else "file"
        assert list(one["completionKind"]) == [kind], one
