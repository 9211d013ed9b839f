"""The options of `belfry serve` from a file and from the environment."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from access.serving import USAGE, belfry, environment
from harness.launcher import Launcher
from harness.server import BOUND

WHERE = {"config", "check-config"}


def check(
    launch: Launcher, *arguments: str, config: object = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Checks settings, of which the file may be any bytes."""
    home = launch.new_home()
    if config is not None:
        path = home / "belfry.json"
        path.write_bytes(config if isinstance(config, bytes) else json.dumps(config).encode())
        arguments = (f"--config={path}", *arguments)
    return belfry(launch, home, "serve", "--check-config", *arguments, variables=variables)


def options(launch: Launcher) -> dict[str, bool]:
    """The options that the help has, and whether each takes a value."""
    text = belfry(launch, launch.new_home(), "serve", "--help").stdout
    found = re.findall(r"^  --([a-z-]+)( <)?", text, re.MULTILINE)
    return {name: bool(value) for name, value in found if name not in {"help", "version"} | WHERE}


def test_each_option_is_a_setting(launch: Launcher) -> None:
    names = options(launch)
    assert len(names) > 20
    for name, takes_value in names.items():
        done = check(launch, config={name: None})
        assert done.returncode == USAGE
        wanted = ["a text or a number", "a list of texts"] if takes_value else ["true or false"]
        assert any(f"{name} has to be {one}" in done.stderr for one in wanted), done.stderr


def test_sources_count_in_their_order(launch: Launcher) -> None:
    config = {"prompts": "deny", "listen": ["tcp:127.0.0.1:1"], "insecure": True, "rpc-threads": 2}
    done = check(
        launch, "--prompts=ask", config=config, BELFRY_PROMPTS="grant",
        BELFRY_LISTEN="tcp:127.0.0.1:2, tcp:127.0.0.1:3", BELFRY_NO_AUTO_REGISTER="yes",
        BELFRY_EXIT_WITH_PARENT="0", BELFRY_SERVICE_HOST="10.0.0.1",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [line.split("  (")[0] for line in done.stdout.splitlines()]
    assert lines == [
        "--insecure", "--listen=tcp:127.0.0.1:1", "--prompts=deny", "--rpc-threads=2",
        "--listen=tcp:127.0.0.1:2", "--listen=tcp:127.0.0.1:3", "--no-auto-register",
        "--prompts=grant", "The configuration is valid.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("config", "says"),
    [
        (b"", "no JSON"), (b"[]", "one JSON object"), (b"\xff", "no JSON"), (b"{", "no JSON"),
        (b'{\n "prompts": "deny",\n "data" "/x"\n}', "line 3, column 9"),
        ({"lisen": []}, "there is no setting 'lisen'"),
        ({"rpc_threads": 1}, "is rpc-threads meant?"),
        ({"clock\x1b[31m": ""}, "there is no setting"),
        ({"prompts": True}, "prompts has to be a text"),
        ({"prompts": ["ask"]}, "prompts has to be a text"),
        ({"prompts": "never"}, "--prompts"),
        ({"insecure": 1}, "insecure has to be true or false"),
        ({"insecure": "true"}, "insecure has to be true or false"),
        ({"listen": [1]}, "listen has to be a list of texts"),
        ({"listen": "nowhere"}, "--listen"),
        ({"rpc-threads": 1.5}, "--rpc-threads"),
        ({"rpc-threads": 0}, "--rpc-threads"),
        ({"config": "other.json"}, "there is no setting 'config'"),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_said(launch: Launcher, config: object, says: str) -> None:
    done = check(launch, config=config)
    assert done.returncode == USAGE
    assert says in done.stderr and "\x1b" not in done.stderr, done.stderr
    assert done.stdout == ""


def test_a_file_that_is_not_there(launch: Launcher) -> None:
    done = check(launch, "--config=/nowhere/belfry.json")
    assert done.returncode == USAGE
    assert "/nowhere/belfry.json" in done.stderr


@pytest.mark.parametrize("text", ["maybe", "TRUEE", "2"])
def test_a_variable_of_a_flag(launch: Launcher, text: str) -> None:
    done = check(launch, BELFRY_INSECURE=text)
    assert done.returncode == USAGE
    assert "BELFRY_INSECURE has to be true or false" in done.stderr


def test_a_server_runs_with_them(launch: Launcher) -> None:
    home = launch.new_home()
    config = home / "belfry.json"
    ready = home / "ready.json"
    config.write_text(json.dumps({"data": str(home / "store"), "no-default-socket": True}))
    process = subprocess.Popen(
        [launch.binary, "serve", "--listen=tcp:127.0.0.1:0"],
        env=environment(home, BELFRY_CONFIG=str(config), BELFRY_READY_FILE=str(ready)),
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    for line in process.stderr:
        if "listening on" in line:
            break
    process.terminate()
    assert process.wait(BOUND) == 0
    assert (home / "store").is_dir()
    assert not Path(home / "belfry.sock").exists()
