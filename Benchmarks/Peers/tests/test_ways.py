"""Belfry in several ways: what each server and each generator is told."""

import datetime
from pathlib import Path

import pytest

from harness.figures import Figures, Spread
from harness.peers.peer import Place, Window
from harness.peers.ways import CONNECT, PLAIN, TLS, TOKEN, WAYS, ByWay, Way, clock_ahead
from harness.rows import rows
from harness.stages import ways

WINDOW = Window(seconds=2, limit=512, in_flight=64)
CLOCK = datetime.datetime(2026, 11, 25, 1, 0, 0, 500_000, datetime.UTC).timestamp()


def by(way: Way, tmp_path: Path) -> ByWay:
    made = ByWay(Place(tmp_path, tmp_path, tmp_path, tmp_path / "belfry", "unix"), way)
    made.target = "unix:/socket"
    return made


def told(way: Way, tmp_path: Path) -> set[str]:
    """The options of the server and of its generator."""
    made = by(way, tmp_path)
    words = [*made.listen_options(), *made.add_command(WINDOW)]
    return {word for word in words if word.startswith("--")}


def test_a_way_differs_from_the_plain_one_in_one_thing(tmp_path: Path) -> None:
    plain = told(PLAIN, tmp_path)
    assert told(TOKEN, tmp_path) ^ plain == {"--insecure", "--token-file"}
    assert told(TLS, tmp_path) ^ plain == {"--tls-certificate", "--tls-key", "--tls-ca"}
    assert "tls:127.0.0.1:0" in by(TLS, tmp_path).listen_options()
    assert "tcp:127.0.0.1:0" in by(TOKEN, tmp_path).listen_options()


def test_adds_go_to_the_way_and_what_prepares_them_to_the_socket(tmp_path: Path) -> None:
    command = by(TLS, tmp_path).add_command(WINDOW)
    assert command[command.index("--server") + 1] == "127.0.0.1:0"
    assert command[command.index("--set-up") + 1] == "unix:/socket"


def test_http_has_a_connection_for_each_call_in_flight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = by(CONNECT, tmp_path)
    answer = '{"clock":{"now":"2026-11-25T01:00:00.5Z"}}'
    monkeypatch.setattr(connect, "clock_answer", lambda: answer)
    command = connect.add_command(WINDOW)
    assert command[command.index("--connections") + 1] == "64"
    # As many milliseconds as the other ways have seconds.
    assert command[command.index("--due") + 1] == "3600000,1000"
    assert "--http-listen" in connect.listen_options()


def test_the_clock_of_the_server_may_be_ahead() -> None:
    answer = '{"clock":{"kind":"CLOCK_KIND_MANUAL","now":"2026-11-25T01:00:00.500123456Z"}}'
    assert clock_ahead(answer, CLOCK - 1) == 1_000
    assert clock_ahead(answer, CLOCK + 1) == -1_000


def test_each_way_is_told_beside_the_plain_one() -> None:
    figures = Figures()
    for way, rate in zip(WAYS, (120.0, 100.0, 96.0, 80.0, 50.0)):
        figures.add(way.name, f"{ways.MANY}, rate", 0, rate)
        figures.add(way.name, f"{ways.ONE}, p50", 0, 1e6 / rate)
    found = {row.path: row for row in rows(1_000_000, 0)}
    token = found["`Add` with a token / without, over TCP, 64 in flight"]
    assert token.spread(figures) == Spread(0.96, 0.96, 0.96, 1)
    assert [token.verdict(value) for value in (0.96, 0.94)] == ["floor", "not the floor"]
    connect = found["one `Add` at a time over Connect JSON / gRPC, over TCP, p50"]
    assert connect.spread(figures) == Spread(2, 2, 2, 1)
    assert connect.verdict(2) == "-"
