"""Dates of the command line: the zones, instants and distances that a person and a script write."""

import json
from functools import partial
from typing import Any

import pytest

from access.serving import DONE, USAGE, belfry, start
from harness.launcher import Launcher

# The server's clock stands at 2026-01-01T00:00:00Z.


@pytest.fixture
def run(launch: Launcher) -> Any:
    server = start(launch, prompts="grant")
    variables = {"BELFRY_SERVER": server.targets["unix"]}

    def run(*arguments: str, zone: str | None = "UTC") -> Any:
        shell = {} if zone is None else {"TZ": zone}
        return belfry(launch, server.home, *arguments, variables=variables | shell)

    assert run("authorize").returncode == DONE
    return run


@pytest.mark.parametrize(
    "zone", ["Asia/Kolkata", "Etc/UTC", "US/Pacific", "Etc/GMT-5", "Japan", "EST5EDT", "CET", "UTC"]
)
def test_a_zone_of_the_database_is_taken(run: Any, zone: str) -> None:
    added = run("add", "Tea", "--id=a", "--at=9:00", f"--zone={zone}")
    assert added.returncode == DONE, added.stderr
    assert f"({zone})" in added.stdout
    # The server knows it too, and the shell may be in it.
    (pending,) = run("pending", "--json").stdout.splitlines()
    components = json.loads(pending)["request"]["trigger"]["calendar"]["date_components"]
    assert components["time_zone"] == zone
    shell = run("add", "Tea", "--id=b", "--at=9", zone=f":{zone}")
    assert shell.stdout.replace("b ", "a ", 1) == added.stdout, shell.stderr


@pytest.mark.parametrize("zone", ["IST-5:30", "CET-1CEST", "Mars/Olympus"])
def test_a_shell_without_a_zone_that_a_server_knows_is_told_so(run: Any, zone: str) -> None:
    refused = run("add", "Tea", "--at=9:00", zone=zone)
    assert (refused.returncode, refused.stdout) == (USAGE, "")
    assert f"TZ={zone} is no name of the zone database" in refused.stderr
    named = run("add", "Tea", "--at=9:00", "--zone=Asia/Kolkata", zone=zone)
    assert named.returncode == DONE and "09:00 (Asia/Kolkata)" in named.stdout


def test_a_distance_from_utc_is_honoured(run: Any) -> None:
    assert run("add", "Tea", "--id=a", "--in=1h").returncode == DONE
    pending = run("pending", zone="IST-5:30")
    assert "2026-01-01 06:30:00" in pending.stdout
    clock = run("clock", "advance", "--to=6:30", zone="IST-5:30")
    assert "2026-01-01 06:30:00; 1 occurrence fired" in clock.stdout


@pytest.mark.parametrize(
    ("written", "nanos"),
    [
        ("2026-01-02T03:04:05.25Z", 250_000_000), ("2026-01-02T05:04:05.25+0200", 250_000_000),
        ("2026-01-02T03:04:05+00", 0), ("2026-01-01 21:34:05-05:30", 0),
        ("2026-01-02T03:04:05.000000001Z", 1),
    ],
)  # fmt: skip
def test_an_instant_is_taken_as_programs_write_it(run: Any, written: str, nanos: int) -> None:
    added = json.loads(run("add", "Tea", f"--at={written}", "--json").stdout)
    told = added["next_trigger_date"]
    fraction = f".{nanos:09d}".rstrip("0").rstrip(".")
    assert told.startswith("2026-01-02T03:04:05")
    assert float("0" + (told[19:-1] or ".0")) == float("0" + (fraction or ".0"))
    # The date that --json prints can be given again.
    again = json.loads(run("add", "Tea", f"--at={told}", "--json").stdout)
    assert again["next_trigger_date"] == told


def test_distances_are_told_by_the_servers_clock(run: Any) -> None:
    assert run("add", "Tea", "--id=a").returncode == DONE
    assert run("add", "Tea", "--id=b", "--in=1h").stdout.endswith("(in 1h)\n")
    assert run("clock", "advance", "5m").returncode == DONE
    assert "  5m ago  " in run("delivered").stdout
    assert "  in 55m  " in run("pending").stdout
    assert "  in 55m  " in run("next").stdout
    # What is of the clock's day has its time alone.
    assert "2026" not in run("center", "--once").stdout
