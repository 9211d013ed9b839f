"""The file of the tokens where something is wrong with it (W-11)."""

import os
import subprocess

from access.serving import CANNOT_START, DONE, Caller, belfry, environment, make_token, start
from harness.client import Client
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import BOUND


def test_a_revocation_that_could_not_be_read_at_first_counts_later(launch: Launcher) -> None:
    home = launch.new_home()
    token = make_token(launch, home, "job", "app")
    server = start(launch, home=home)
    with Client(server.targets["tcp"]) as client:
        assert Caller(client, token).ask("GetServerInfo").is_let_in
        file = home / "data/tokens.json"
        file.write_text('{"tokens": []}')
        file.chmod(0o664)
        eventually(lambda: "may be written by other users" in server.log)
        assert Caller(client, token).ask("GetServerInfo").is_let_in
        file.chmod(0o600)
        eventually(lambda: not Caller(client, token).ask("GetServerInfo").is_let_in)
    assert server.log.count("may be written by other users") == 1


def test_what_is_no_file_of_tokens_starts_no_server(launch: Launcher) -> None:
    home = launch.new_home()
    os.mkfifo(home / "pipe")
    done = belfry(
        launch, home, "serve", f"--data={home / 'data'}", f"--listen=unix:{home / 's'}",
        f"--tokens={home / 'pipe'}",
    )  # fmt: skip
    assert done.returncode == CANNOT_START, done.stderr


def test_a_file_beside_the_command_needs_no_path(launch: Launcher) -> None:
    home = launch.new_home()
    command = [launch.binary.resolve(), "token", "create", "job", "--role=app", "--tokens=t.json"]
    made = subprocess.run(
        command, cwd=home, env=environment(home), capture_output=True, timeout=BOUND, check=False
    )
    assert made.returncode == DONE, made.stderr
    assert (home / "t.json").stat().st_mode & 0o777 == 0o600
