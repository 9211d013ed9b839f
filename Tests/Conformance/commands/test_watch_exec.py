"""`belfry watch --exec`: a command of the shell for each event."""

import json
from pathlib import Path

from access.serving import DONE, belfry, start
from harness.launcher import Launcher


def test_a_command_for_each_event(launch: Launcher) -> None:
    server = start(launch)
    home = server.home
    target = f"--server={server.targets['unix']}"
    assert belfry(launch, home, "authorize", target).returncode == DONE
    title = "Tea\u202e $(touch never) \"'\\"
    for name in ("one", "two"):
        added = belfry(launch, home, "add", title, "--body=hot", f"--id={name}", target)
        assert added.returncode == DONE, added.stderr
    told = home / "told"
    # The settings' event is first; one of the commands reads nothing, and one fails.
    command = (
        f'printf "%s|%s|%s|%s\\n" "$BELFRY_EVENT_KIND" "$BELFRY_IDENTIFIER" "$BELFRY_TITLE"'
        f' "$BELFRY_BODY" >>{told}; [ "$BELFRY_IDENTIFIER" != two ] || exit 3;'
        f' [ "$BELFRY_IDENTIFIER" != one ] || cat >{home}/frame'
    )
    watched = belfry(
        launch, home, "watch", "--after=0", "--count=3", f"--exec={command}", "--json", target
    )
    assert watched.returncode == DONE, watched.stderr
    lines = told.read_text().splitlines()
    assert lines[1:] == [f"delivered|one|{title}|hot", f"delivered|two|{title}|hot"]
    assert "--exec ended with 3 for event" in watched.stderr
    frame = json.loads((home / "frame").read_text())
    assert frame["event"]["delivered"]["notification"]["request"]["content"]["title"] == title
    assert "\u202e" not in watched.stdout and "\\u202e" in watched.stdout
    assert not Path("never").exists()
