"""Subscribe as an observer: where it begins, what it tells, and how it goes on."""

import grpc
import pytest

from harness import wire
from harness.client import App, Client, request
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of
from harness.subscription import Subscription


def kinds(frames: list[wire.SubscriptionFrame]) -> list[str]:
    return [frame.WhichOneof("kind") for frame in frames]


def numbers(events: list[wire.Event]) -> list[int]:
    return [event.number for event in events]


def add_many(app: App, count: int, **content: object) -> None:
    for start in range(0, count, 500):
        names = range(start, min(start + 500, count))
        app.call("AddBatch", requests=[request(f"{name}", **content) for name in names])


def test_the_first_frame_says_that_it_stands(app: App) -> None:
    app.add()
    with app.subscribe() as first, app.subscribe() as second:
        frames = [subscription.frame() for subscription in (first, second)]
    assert kinds(frames) == ["started", "started"]
    assert all(frame.started.role == wire.SUBSCRIBER_ROLE_OBSERVER for frame in frames)
    assert all(frame.started.last_event_number == 2 for frame in frames)
    assert len({frame.started.subscription_id for frame in frames}) == 2
    assert all(frame.started.subscription_id for frame in frames)


def test_without_a_position_it_tells_what_is_new(app: App) -> None:
    app.add("before")
    with app.subscribe() as subscription:
        assert subscription.events_until_caught_up() == []
        app.add("after")
        event = subscription.event()
    assert event.number == 3
    assert event.delivered.notification.request.identifier == "after"


def test_after_0_it_tells_everything_and_follows(app: App) -> None:
    app.add("first")
    app.call("SetBadgeCount", count=1)
    with app.subscribe(after=0) as subscription:
        frames = subscription.until("caught_up")
        assert kinds(frames) == ["started", "event", "event", "event", "caught_up"]
        assert frames[-1].caught_up.last_event_number == 3
        assert subscription.bookmark == 3
        events = [frame.event for frame in frames[1:-1]]
        assert [event.WhichOneof("kind") for event in events] == [
            "settings_changed",
            "delivered",
            "badge_changed",
        ]
        assert numbers(events) == [1, 2, 3]
        app.add("new")
        assert subscription.event().number == 4


def test_it_goes_on_after_a_bookmark(app: App) -> None:
    add_many(app, 10)
    with app.subscribe(after=0) as subscription:
        subscription.until("caught_up")
        bookmark = subscription.bookmark
    app.add("missed")
    assert bookmark == 11
    assert numbers(app.events(after=bookmark)) == [12]
    assert app.events(after=12) == []


def test_events_tell_when_they_were_recorded(app: App) -> None:
    app.client.advance(7)
    app.add("now")
    assert wire.nanoseconds(app.events()[-1].recorded_at) == app.client.now()


def test_a_long_log_comes_in_parts_with_a_bookmark_each(app: App) -> None:
    add_many(app, 900)
    told: list[int] = []
    with app.subscribe(after=0) as subscription:
        while len(told) < 901:
            frames = subscription.message().frames
            assert len(frames) <= 256
            told += [frame.event.number for frame in frames if frame.HasField("event")]
            assert subscription.bookmark == (told[-1] if told else 0)
    assert told == list(range(1, 902))


def test_large_events_come_in_parts_of_about_256_kib(app: App) -> None:
    for number in range(20):
        app.add(f"{number}", body="b" * 60_000)
    told: list[int] = []
    with app.subscribe(after=0) as subscription:
        while len(told) < 21:
            response = subscription.message()
            assert response.ByteSize() < 256 * 1024 + 65_536
            told += [frame.event.number for frame in response.frames if frame.HasField("event")]
    assert told == list(range(1, 22))


def test_a_snapshot_tells_the_state_and_follows_from_there(app: App) -> None:
    app.add("gone")
    app.add("shown", title="A title", badge=4)
    app.add("waits", 60)
    app.call("RemoveDelivered", identifiers=["gone"])
    with app.subscribe(snapshot=True) as subscription:
        frames = subscription.until("caught_up")
        assert kinds(frames) == ["started", "snapshot", "caught_up"]
        snapshot = frames[1].snapshot
        assert snapshot.complete
        assert snapshot.as_of_event == app.events()[-1].number
        assert subscription.bookmark == snapshot.as_of_event
        assert snapshot.delivered == app.call("ListDelivered").notifications
        assert (snapshot.pending_count, snapshot.badge) == (1, 4)
        assert snapshot.settings == app.call("GetNotificationSettings").settings
        app.add("new")
        assert subscription.event().number == snapshot.as_of_event + 1


def test_a_large_snapshot_comes_in_parts(app: App) -> None:
    add_many(app, 700)
    app.add("waits", 60)
    with app.subscribe(snapshot=True) as subscription:
        parts: list[wire.Snapshot] = []
        while not parts or not parts[-1].complete:
            frames = subscription.message().frames
            parts += [frame.snapshot for frame in frames if frame.HasField("snapshot")]
            is_complete = bool(parts) and parts[-1].complete
            assert (subscription.bookmark is not None) == is_complete
    assert len(parts) > 1
    delivered = [notification.delivery for part in parts for notification in part.delivered]
    assert delivered == list(range(1, 701))
    assert {(part.as_of_event, part.pending_count) for part in parts} == {(701, 1)}


def test_an_empty_snapshot_is_complete(app: App) -> None:
    with app.subscribe(snapshot=True) as subscription:
        snapshot = subscription.until("snapshot")[-1].snapshot
    assert snapshot.complete
    assert len(snapshot.delivered) == snapshot.pending_count == 0


def test_every_subscriber_is_told_everything_of_its_center_alone(client: Client) -> None:
    app, other = client.app(), client.app()
    app.authorize()
    other.authorize()
    subscriptions = [app.subscribe(after=0) for _ in range(5)]
    other.add("of the other")
    add_many(app, 600)
    for subscription in subscriptions:
        with subscription:
            events = [subscription.event() for _ in range(601)]
            assert numbers(events) == list(range(1, 602))
            assert {
                event.delivered.notification.request.identifier
                for event in events
                if event.HasField("delivered")
            } == {f"{number}" for number in range(600)}


def test_a_slow_subscriber_misses_nothing(app: App) -> None:
    with app.subscribe(after=0) as slow:
        slow.until("caught_up")
        for number in range(100):
            app.add(f"{number}", body="b" * 60_000)
        assert numbers([slow.event() for _ in range(100)]) == list(range(2, 102))


def open_subscriptions(client: Client) -> int:
    return client.call("GetStats").subscriptions


def test_a_subscription_ends_with_its_call(own_client: Client, own_app: App) -> None:
    subscriptions = [own_app.subscribe() for _ in range(10)]
    for subscription in subscriptions:
        subscription.until("caught_up")
    assert open_subscriptions(own_client) == 10
    for subscription in subscriptions:
        with subscription:
            pass
    eventually(lambda: open_subscriptions(own_client) == 0)


def test_a_subscription_ends_at_its_deadline(own_client: Client, own_app: App) -> None:
    call = own_client.send("Subscribe", wire.SubscribeRequest(center=own_app.center), timeout=0.2)
    assert Subscription(call).status() == grpc.StatusCode.DEADLINE_EXCEEDED
    eventually(lambda: open_subscriptions(own_client) == 0)


def test_a_subscription_ends_with_its_connection(launch: Launcher, transport: str) -> None:
    target = launch().targets[transport]
    with Client(target) as observer:
        with Client(target) as client:
            app = client.app()
            app.authorize()
            subscription = app.subscribe()
            subscription.until("caught_up")
            assert open_subscriptions(observer) == 1
        eventually(lambda: open_subscriptions(observer) == 0)


def test_a_quiet_stream_says_that_the_server_is_there(client: Client) -> None:
    app = client.app()
    app.authorize()
    with app.subscribe() as subscription:
        subscription.until("caught_up")
        heartbeat = subscription.frame()
    assert heartbeat.WhichOneof("kind") == "heartbeat"
    assert wire.nanoseconds(heartbeat.heartbeat.now) == client.now()


def test_what_is_older_than_a_week_is_gone_and_said_to_be(own_app: App) -> None:
    for count in (1, 2):
        own_app.call("SetBadgeCount", count=count)
    own_app.client.advance(86_400)
    own_app.call("SetBadgeCount", count=3)
    own_app.client.advance(6 * 86_400)
    with own_app.subscribe(after=1) as subscription:
        Expected(grpc.StatusCode.OUT_OF_RANGE, "EVENTS_TRIMMED", ("after",)).check(
            refusal_of(subscription.frame)
        )
    assert numbers(own_app.events()) == [4]
