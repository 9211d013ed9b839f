"""What an app has stored, listed by the command line."""

import json
from pathlib import Path

import pytest

from access.serving import DONE, USAGE, belfry, start
from harness import files
from harness.launcher import Launcher

COMMANDS = {
    "attachments": ("The app has no stored files.", "ID NAME TYPE BYTES STORED USES"),
    "sounds": ("The app has no sounds.", "NAME PLAYS BYTES FILE"),
    "strings": ("The app has no texts.", "LANGUAGE TEXTS BYTES"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_list(launch: Launcher, tmp_path: Path, command: str) -> None:
    server = start(launch)
    to = [f"--server={server.targets['unix']}", "--app=org.example.tea"]

    def run(*arguments: str, status: int = DONE) -> tuple[str, str]:
        done = belfry(launch, server.home, *arguments, *to)
        assert done.returncode == status, done.stderr
        return done.stdout, done.stderr

    empty, header = COMMANDS[command]
    assert run(command, "list") == ("", f"{empty}\n")
    assert run(command, "list", "--json") == ("", "")
    for number in range(3):
        sound = tmp_path / f"{number}.wav"
        sound.write_bytes(files.wave(number + 1))
        stored, _ = run("attachments", "put", str(sound), "--purpose=sound")
        run("sounds", "set", sound.name, stored.strip())
        texts = tmp_path / "texts.json"
        texts.write_text(json.dumps({"a": "Text", "b": "Text"}))
        run("strings", "set", str(texts), f"--language=a{'abc'[number]}")

    shown, _ = run(command, "list")
    first, *rows = shown.splitlines()
    assert first.split() == header.split()
    assert len(rows) == 3
    some, note = run(command, "list", "--limit=2")
    assert some.splitlines()[1:] == rows[:2] and "--limit" in note

    lines, _ = run(command, "list", "--json")
    entries = [json.loads(line) for line in lines.splitlines()]
    assert len(entries) == 3
    match command:
        case "attachments":
            assert {entry["reference_count"] for entry in entries} == {1}
            assert {entry["attachment"]["file_name"] for entry in entries} == {
                "0.wav", "1.wav", "2.wav",
            }  # fmt: skip
        case "sounds":
            assert [entry["sound"]["name"] for entry in entries] == ["0.wav", "1.wav", "2.wav"]
            assert [row.split()[1] for row in rows] == ["1s", "2s", "3s"]
        case "strings":
            assert [entry["language"] for entry in entries] == ["aa", "ab", "ac"]
            assert [entry["count"] for entry in entries] == [2, 2, 2]
    run(command, "list", "--limit=-1", status=USAGE)
