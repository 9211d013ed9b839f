"""/metrics is OpenMetrics as Prometheus reads it, with how long things took (W-23)."""

import math
from collections.abc import Iterator

import pytest
from prometheus_client.metrics_core import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from access.serving import own_token
from harness import wire
from harness.client import Client
from harness.eventually import eventually
from harness.launcher import Launcher
from web.http_server import Web, serve

# The histograms by their metrics, and what GetStats has of each.
HISTOGRAMS = {
    "queue_wait": lambda stats: stats.stages.queue_wait,
    "batch_making": lambda stats: stats.stages.making,
    "commit": lambda stats: stats.stages.commit,
    "replies": lambda stats: stats.stages.replies,
    "lateness": lambda stats: stats.lateness.histogram,
}
BOUNDS = [
    seconds * 10**power for power in range(-5, 1) for seconds in (1, 2.5, 5)
] + [10]  # fmt: skip


@pytest.fixture
def serving(launch: Launcher) -> Iterator[tuple[Web, Client]]:
    """A server of this test alone that has added, fired and delivered: over HTTP and gRPC."""
    server, web = serve(launch)
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        for number in range(3):
            app.add(f"{number}", after=10)
        client.advance(60)
        # The last replies are measured after they are handed over.
        eventually(lambda: sum(client.call("GetStats").stages.replies.counts) >= 5)
        yield web.bearing(own_token(server)), client


def scrape(web: Web) -> dict[str, Metric]:
    """The families of metrics by their names, as Prometheus's parser takes them apart."""
    reply = web.send("GET", "/metrics")
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("application/openmetrics-text")
    return {family.name: family for family in text_string_to_metric_families(reply.body.decode())}


@pytest.mark.parametrize("name", HISTOGRAMS)
def test_a_histogram(serving: tuple[Web, Client], name: str) -> None:
    web, client = serving
    family = scrape(web)[f"belfry_{name}_seconds"]
    assert (family.type, bool(family.documentation)) == ("histogram", True)
    ends = [float(s.labels["le"]) for s in family.samples if s.name.endswith("_bucket")]
    assert ends == pytest.approx([*BOUNDS, math.inf])
    counts = [s.value for s in family.samples if s.name.endswith("_bucket")]
    assert counts == sorted(counts)
    (count,) = [s.value for s in family.samples if s.name.endswith("_count")]
    (total,) = [s.value for s in family.samples if s.name.endswith("_sum")]
    assert count == counts[-1] >= 3

    found = HISTOGRAMS[name](client.call("GetStats"))
    assert [wire.nanoseconds(bound) for bound in found.bounds] == [
        round(end * 1e9) for end in BOUNDS
    ]
    assert len(found.counts) == len(BOUNDS) + 1
    assert sum(found.counts) == count
    assert wire.nanoseconds(found.sum) == pytest.approx(total * 1e9)
    # On a manual clock nothing is late, and all else takes time.
    assert (total > 0) == (name != "lateness")


def test_each_counter_and_gauge_is_what_the_server_tells(serving: tuple[Web, Client]) -> None:
    web, client = serving
    families = scrape(web)
    counters = client.call("GetStats").counters
    for field in ("adds", "fired", "delivered", "commands", "refused_calls"):
        (sample,) = families[f"belfry_{field}"].samples
        assert sample.name == f"belfry_{field}_total"
        assert sample.value == getattr(counters, field), field
    (start,) = families["belfry_start_time_seconds"].samples
    assert start.value == client.call("GetStats").started_at.seconds


def test_refused_calls_by_their_reasons(serving: tuple[Web, Client]) -> None:
    web, client = serving
    assert "belfry_refused_calls_by_reason" not in scrape(web)
    for token, count in [(None, 2), ("0" * 64, 3)]:
        for _ in range(count):
            assert web.bearing(token).call("GetStats").status == 401
    assert web.send("GET", "/metrics", Host="evil.example").status == 403
    expected = {"HOST_REFUSED": 1, "TOKEN_INVALID": 3, "TOKEN_REQUIRED": 2}
    families = scrape(web)
    by_reason = families["belfry_refused_calls_by_reason"]
    assert by_reason.type == "counter"
    assert {s.labels["reason"]: s.value for s in by_reason.samples} == expected
    (all_refused,) = families["belfry_refused_calls"].samples
    assert all_refused.value == 6
    counters = client.call("GetStats").counters
    told = [(refused.reason, refused.count) for refused in counters.refused_calls_by_reason]
    assert told == sorted(expected.items())
    assert counters.refused_calls == 6
