"""Spreads, ratios, and what generators print."""

import pytest

from harness.figures import Figures, Key, Sample, Spread, combine, parse_sample, percentile
from harness.peers.echo import parse_echo
from harness.peers.postgresql import parse_pgbench
from harness.process import Failed
from harness.stages.stage import rotated

FAST, SLOW = Key("Belfry", "add, rate"), Key("Redis", "add, rate")


def figures(*rounds: tuple[float, float]) -> Figures:
    made = Figures()
    for round_, (fast, slow) in enumerate(rounds):
        made.add(FAST.subject, FAST.measure, round_, fast)
        made.add(SLOW.subject, SLOW.measure, round_, slow)
    return made


def test_a_spread_has_the_median_the_least_and_the_most() -> None:
    assert Spread.of([3, 1, 10]) == Spread(3, 1, 10, 3)


def test_a_percentile_is_a_value_that_was_measured() -> None:
    values = [float(value) for value in range(100, 0, -1)]
    assert percentile(values, 0.5) == 50
    assert percentile(values, 0.99) == 99
    assert percentile([7.0], 0.99) == 7
    with pytest.raises(ValueError):
        percentile([], 0.5)


def test_a_ratio_is_made_round_by_round() -> None:
    # A slow second round slows both: of all medians the ratio would be another.
    ratio = figures((100, 50), (20, 10), (90, 30)).ratio([FAST], [SLOW])
    assert ratio == Spread(2, 2, 3, 3)


def test_a_ratio_leaves_out_a_round_that_lacks_a_side() -> None:
    made = figures((100, 50))
    made.add(FAST.subject, FAST.measure, 1, 1_000)
    assert made.ratio([FAST], [SLOW]) == Spread(2, 2, 2, 1)
    assert Figures().ratio([FAST], [SLOW]) is None


def test_a_ratio_adds_up_what_stands_below() -> None:
    ratio = figures((100, 50)).ratio([FAST], [SLOW, SLOW])
    assert ratio is not None and ratio.median == 1


def test_samples_that_follow_on_each_other_are_one() -> None:
    first = Sample(100, 1, total=110, p50_us=10, p99_us=20, client_cpu_seconds=0.5)
    second = Sample(300, 1, total=310, p50_us=30, p99_us=25, client_cpu_seconds=0.5)
    whole = combine([first, second, Sample(0, 0, total=5)])
    assert (whole.rate, whole.total, whole.p50_us, whole.p99_us) == (200, 425, 25, 25)
    assert whole.client_cpu_seconds == 1
    assert whole.server_cpu_seconds is None


def test_cpu_time_is_told_for_each_request() -> None:
    made = Figures()
    made.add_sample("Redis", "add", 0, Sample(1_000, 2, server_cpu_seconds=0.02))
    spread = made.spread("Redis", "add, server CPU")
    assert spread is not None and spread.median == pytest.approx(20)


def test_a_line_of_json_is_read() -> None:
    sample = parse_sample('{"measured": 500, "seconds": 2.5, "total": 600, "p50_us": 12.5}')
    assert (sample.rate, sample.total, sample.p50_us, sample.p99_us) == (200, 600, 12.5, None)


def test_a_line_of_the_echo_client_is_read() -> None:
    sample = parse_echo("50000 30.5 70.1 120000\n", 2)
    assert (sample.rate, sample.total) == (50_000, 120_000)
    assert (sample.p50_us, sample.p99_us) == (30.5, 70.1)


def test_the_summary_of_pgbench_is_read() -> None:
    text = (
        "pgbench (15.18)\nnumber of transactions actually processed: 1200/1200\n"
        "latency average = 2.0 ms\ntps = 600.000000 (without initial connection time)\n"
    )
    assert parse_pgbench(text).rate == pytest.approx(600)
    with pytest.raises(Failed):
        parse_pgbench("pgbench (15.18)\n")


def test_each_has_a_turn_in_each_round_from_another_one_on() -> None:
    assert list(rotated("abc", 2)) == [
        (0, "a"), (0, "b"), (0, "c"), (1, "b"), (1, "c"), (1, "a"),
    ]
    assert list(rotated([], 2)) == []
