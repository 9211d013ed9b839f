"""A damaged row is its app's misfortune alone: the server serves all others (ST-4)."""

import json
import subprocess
import time
from pathlib import Path
from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of
from harness.server import BOUND, Server

ROW_DAMAGED = Expected(grpc.StatusCode.DATA_LOSS, "ROW_DAMAGED")


def run(launch: Launcher, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [launch.binary, *arguments], capture_output=True, text=True, timeout=BOUND, check=False
    )


def damage(server: Server, old: bytes, new: bytes) -> None:
    """Overwrites bytes of the rows of a server that has ended, in every copy of their page."""
    file = server.home / "data" / "data.mdb"
    contents = file.read_bytes()
    assert old in contents and len(old) == len(new)
    file.write_bytes(contents.replace(old, new))


def stop(server: Server) -> None:
    server.terminate()
    assert server.wait() == 0


class Pair:
    """An app one of whose requests is damaged, and another one, with a request each."""

    def __init__(self, launch: Launcher, what: str, **options: Any) -> None:
        self.launch = launch
        self.options = options
        self.server = launch(**options)
        with Client(self.server.targets["unix"]) as client:
            self.hurt = client.app().center
            self.well = client.app().center
            for center in (self.hurt, self.well):
                App(client, center).authorize()
            App(client, self.hurt).add("victim", 2.0, title="A needle in it")
            App(client, self.well).add("other", 2.0)
        stop(self.server)
        app = self.hurt.app_id.encode()
        if what == "request":
            # Its length is more than there is: it does not decode.
            damage(self.server, b"\x06victim", b"\x7fvictim")
        elif what == "center":
            # Its length is more than there is, whatever the version of the record before it.
            name = app + b"\x05local"
            damage(self.server, bytes([len(app)]) + name, b"\x7f" + name)

    def start(self) -> Client:
        self.server = self.launch(self.server.home, **self.options)
        return Client(self.server.targets["unix"])


@pytest.mark.parametrize("what", ["request", "center"])
def test_due_work_that_is_damaged_stops_neither_the_server_nor_another_app(
    launch: Launcher, what: str
) -> None:
    pair = Pair(launch, what)
    for _ in range(2):
        with pair.start() as client:
            client.advance(10)
            client.advance(10)
            well, hurt = App(client, pair.well), App(client, pair.hurt)
            assert "other" in well.delivered()
            ROW_DAMAGED.check(refusal_of(hurt.pending))
            victim = {"identifiers": ["victim"]}
            ROW_DAMAGED.check(refusal_of(lambda: hurt.call("RemovePending", **victim)))
            # From now on that app is left alone, whatever it asks for.
            ROW_DAMAGED.check(refusal_of(lambda: hurt.call("SetBadgeCount", count=1)))
            assert well.add().state == wire.REQUEST_STATE_DELIVERED
            client.call("UpdateDeviceState", **NIGHT)
            listed = client.call("ListDamagedRows").rows
        key = "request 1" if what == "request" else "center 1"
        assert any(key in f"{row.table} {row.key}" for row in listed), listed
        assert all(row.problem for row in listed)
        assert key in pair.server.log
        assert "MDB_CORRUPTED" not in pair.server.log
        stop(pair.server)


NIGHT = {
    "device_id": "local",
    "state": wire.DeviceState(summary={"enabled": True, "times": [480], "apps": []}),
    "update_mask": {"paths": ["summary"]},
}


def test_damaged_work_is_not_tried_again_and_again(launch: Launcher) -> None:
    pair = Pair(launch, "request", clock="system")
    time.sleep(2.5)
    with pair.start() as client:
        client.wait_until_ready()
        well = App(client, pair.well)
        eventually(lambda: well.delivered() == ["other"])
        before = seconds(pair.server)
        time.sleep(1)
        # Of the processor, which a loaded machine gives it less of.
        assert seconds(pair.server) - before < 0.5
        assert pair.server.log.count("a row is damaged") == 1
        assert well.add().state == wire.REQUEST_STATE_DELIVERED
    stop(pair.server)


def seconds(server: Server) -> float:
    """The time that a server's threads ran, in seconds."""
    fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


@pytest.mark.parametrize("what", ["request", "center"])
def test_a_damaged_row_is_set_aside_and_kept(launch: Launcher, what: str) -> None:
    pair = Pair(launch, what)
    data = pair.server.home / "data"
    checked = run(launch, "check", "--data", data)
    assert checked.returncode == 1
    assert "does not decode" in checked.stdout
    repaired = run(launch, "check", "--repair", "--data", data)
    assert repaired.returncode == 0, repaired.stdout + repaired.stderr
    (kept,) = data.glob("set-aside-*.jsonl")
    assert str(kept) in repaired.stdout
    rows = [json.loads(line) for line in kept.read_text().splitlines()]
    assert {"table", "key", "problem", "key_hex", "value_hex", "text"} == set(rows[0])
    assert any("A needle in it" in row["text"] for row in rows)
    checked = run(launch, "check", "--data", data)
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
    with pair.start() as client:
        hurt, well = App(client, pair.hurt), App(client, pair.well)
        client.advance(10)
        assert well.delivered() == ["other"]
        # An app without its center is one that was never there.
        if what == "center":
            hurt.authorize()
        assert hurt.pending() == []
        assert hurt.add("again").state == wire.REQUEST_STATE_DELIVERED
        assert hurt.delivered() == ["again"]
    stop(pair.server)
    assert run(launch, "check", "--data", data).returncode == 0


def test_a_sound_store_is_not_repaired(launch: Launcher) -> None:
    pair = Pair(launch, "nothing")
    data = pair.server.home / "data"
    before = (data / "data.mdb").read_bytes()
    repaired = run(launch, "check", "--repair", "--data", data)
    assert repaired.returncode == 0, repaired.stdout
    assert list(data.glob("set-aside-*")) == []
    assert (data / "data.mdb").read_bytes() == before


def test_a_bit_that_flipped_in_a_text_is_told(launch: Launcher) -> None:
    pair = Pair(launch, "nothing")
    # Still a text, of the same length: nothing else in the row could tell.
    damage(pair.server, b"A needle in it", b"A noedle in it")
    data = pair.server.home / "data"
    checked = run(launch, "check", "--data", data)
    assert checked.returncode == 1, checked.stdout
    assert "request 1" in checked.stdout
    with pair.start() as client:
        hurt, well = App(client, pair.hurt), App(client, pair.well)
        ROW_DAMAGED.check(refusal_of(hurt.pending))
        client.advance(10)
        assert well.delivered() == ["other"]
        assert hurt.delivered() == []
    assert "a row's checksum is wrong" in pair.server.log
    stop(pair.server)
