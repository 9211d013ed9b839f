"""GetStats."""

from harness import wire
from harness.client import App, Client, request
from harness.device import update
from harness.launcher import Launcher
from harness.server import START_SECONDS


def test_a_new_server_has_done_nothing(own_app: App) -> None:
    stats = own_app.client.call("GetStats")
    assert stats.started_at.seconds == START_SECONDS
    counters = stats.counters
    # Asking for permission was one command and one event.
    assert counters == wire.Counters(batches=counters.batches, commands=1, events=1)
    assert counters.batches >= 1
    assert stats.lateness.count == 0
    assert stats.subscriptions == 0
    store = stats.store
    assert 0 < store.used_bytes <= store.file_bytes <= store.map_bytes
    assert 0 < store.limit_bytes <= store.map_bytes
    assert store.free_disk_bytes > 0
    assert (store.records, store.pending, store.arriving, store.delivered) == (0, 0, 0, 0)
    assert stats.queue.length == 0
    assert 0 < stats.queue.longest <= stats.queue.capacity


def test_it_counts_what_the_server_does(own_app: App) -> None:
    client = own_app.client
    own_app.add("now")
    own_app.call("AddBatch", requests=[request(f"{number}", 10 + number) for number in range(5)])
    client.advance(12)
    own_app.call("RemovePending", identifiers=["3"])
    own_app.call("RemoveDelivered", identifiers=["now", "unknown"])
    with own_app.subscribe() as subscription:
        subscription.until("caught_up")
        stats = client.call("GetStats")
    counters = stats.counters
    assert counters.adds == 6
    assert counters.removes == 2
    assert counters.fired == 3
    assert counters.delivered == 4
    assert (counters.suppressed, counters.missed) == (0, 0)
    assert counters.commands == 6
    assert counters.events == 1 + 4 + 2
    assert stats.lateness.count == 3
    assert wire.nanoseconds(stats.lateness.max) == 0
    assert (stats.store.pending, stats.store.delivered) == (1, 3)
    assert stats.subscriptions == 1


def test_what_is_held_and_what_arrives_is_not_pending(launch: Launcher) -> None:
    server = launch()

    def counts(client: Client) -> tuple[int, int, int]:
        store = client.call("GetStats").store
        return store.pending, store.arriving, store.delivered

    with Client(server.targets["unix"]) as client:
        app, other = client.app(), client.app()
        app.authorize()
        other.authorize()
        summary = wire.ScheduledSummary(enabled=True, times=[600], apps=[other.center.app_id])
        update(client, "summary", summary=summary)
        other.add("held")
        other.add("held too")
        other.add("later", after=60)
        with app.in_front() as front:
            front.started()
            assert app.add("asked").state == wire.REQUEST_STATE_ARRIVING
            assert counts(client) == (1, 1, 2)
        server.kill()
        server.wait()
    with Client(launch(server.home).targets["unix"]) as client:
        assert counts(client) == (1, 1, 2)
        client.call("Suspend", by=wire.seconds(5))
        assert counts(client) == (1, 0, 3)
        App(client, other.center).call("RemoveAllDelivered")
        assert counts(client) == (1, 0, 1)
