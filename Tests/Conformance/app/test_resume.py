"""A subscription whose connection was lost is taken up again (FG-8, W-16)."""

from collections.abc import Iterator

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of
from harness.relay import Relay
from harness.server import Server
from harness.subscription import Subscription

PRIMARY = wire.SUBSCRIBER_ROLE_PRIMARY
OBSERVER = wire.SUBSCRIBER_ROLE_OBSERVER
ARRIVING = wire.REQUEST_STATE_ARRIVING
DELIVERED = wire.REQUEST_STATE_DELIVERED

NOTHING_KEPT = Expected(
    grpc.StatusCode.NOT_FOUND, "SUBSCRIPTION_UNKNOWN", ("resume_subscription_id",)
)


@pytest.fixture
def own_server(launch: Launcher) -> Server:
    return launch()


@pytest.fixture
def app(own_server: Server, transport: str) -> Iterator[App]:
    """The app as others see it, whose connection is never cut."""
    with Client(own_server.targets[transport]) as client:
        app = client.app()
        app.authorize()
        yield app


@pytest.fixture
def relay(own_server: Server, transport: str) -> Iterator[Relay]:
    with Relay(own_server.targets[transport]) as relay:
        yield relay


@pytest.fixture
def far(app: App, relay: Relay) -> Iterator[App]:
    """The same app over a connection that can be cut."""
    with Client(relay.target) as client:
        yield App(client, app.center)


def lose(relay: Relay, app: App, *, resets: bool = False) -> None:
    """Cuts the connection and waits until the server knows."""
    relay.cut(resets=resets)
    eventually(lambda: subscription_count(app) == 0)


def subscription_count(app: App) -> int:
    return app.client.call("GetStats").subscriptions


def resume(app: App, identifier: str, **fields: object) -> Subscription:
    return app.subscribe(resume_subscription_id=identifier, **fields)


@pytest.mark.parametrize("resets", [False, True], ids=["closed", "reset"])
def test_a_cut_keeps_the_role_and_the_state(
    app: App, far: App, relay: Relay, resets: bool
) -> None:
    front = far.in_front()
    before = front.started()
    lose(relay, app, resets=resets)
    assert app.add("asked").state == ARRIVING
    app.client.advance(4.9)
    with resume(app, before.subscription_id) as again:
        started = again.started()
        assert started.subscription_id == before.subscription_id
        assert started.role == PRIMARY
        callback = again.callback()
        assert callback.will_present.notification.request.identifier == "asked"
        app.present(started.subscription_id, callback, wire.PRESENTATION_OPTION_LIST)
        assert app.delivered() == ["asked"]
        app.client.advance(10)
        assert app.add("kept").state == ARRIVING


def test_after_five_seconds_nothing_is_kept(app: App, far: App, relay: Relay) -> None:
    front = far.in_front()
    identifier = front.started().subscription_id
    lose(relay, app)
    app.client.advance(5)
    assert app.add("late").state == DELIVERED
    with resume(app, identifier) as again:
        NOTHING_KEPT.check(refusal_of(again.started))


def test_a_cancellation_drops_all_at_once(app: App, far: App) -> None:
    with far.in_front() as front:
        identifier = front.started().subscription_id
        assert app.add("asked").state == ARRIVING
    eventually(lambda: subscription_count(app) == 0)
    assert app.add("after").state == DELIVERED
    with resume(app, identifier) as again:
        NOTHING_KEPT.check(refusal_of(again.started))


def test_a_deadline_drops_all_at_once(app: App, far: App) -> None:
    request = wire.SubscribeRequest(
        center=far.center, role=PRIMARY, app_state=wire.APP_STATE_FOREGROUND
    )
    front = Subscription(far.client.send("Subscribe", request, timeout=1))
    identifier = front.started().subscription_id
    assert front.status() == grpc.StatusCode.DEADLINE_EXCEEDED
    eventually(lambda: subscription_count(app) == 0)
    with resume(app, identifier) as again:
        NOTHING_KEPT.check(refusal_of(again.started))


def test_the_state_is_what_was_said_last(app: App, far: App, relay: Relay) -> None:
    front = far.in_front()
    identifier = front.started().subscription_id
    far.call(
        "UpdateAppState", subscription_id=identifier, app_state=wire.APP_STATE_BACKGROUND
    )
    lose(relay, app)
    with resume(app, identifier) as again:
        assert again.started().role == PRIMARY
        assert app.add("behind").state == DELIVERED


def test_another_primary_that_came_meanwhile_stays(app: App, far: App, relay: Relay) -> None:
    front = far.in_front()
    identifier = front.started().subscription_id
    lose(relay, app)
    with app.in_front() as other, resume(app, identifier) as again:
        other.started()
        assert again.started().role == OBSERVER
        assert app.add("asked").state == ARRIVING
        assert other.callback().will_present.notification.request.identifier == "asked"


def test_events_go_on_at_the_bookmark(app: App, far: App, relay: Relay) -> None:
    front = far.in_front(standing_presentation={"options": [wire.PRESENTATION_OPTION_LIST]})
    identifier = front.started().subscription_id
    app.add("told")
    told = front.event()
    lose(relay, app)
    app.add("missed")
    with resume(app, identifier, after=told.number) as again:
        missed = again.event()
        assert missed.number == told.number + 1
        assert missed.delivered.notification.request.identifier == "missed"
        presentation = missed.delivered.presentation
        assert list(presentation.options) == [wire.PRESENTATION_OPTION_LIST]


def test_a_client_may_know_of_the_cut_before_the_server(app: App) -> None:
    with app.in_front() as front:
        identifier = front.started().subscription_id
        with resume(app, identifier) as again:
            assert again.started().role == PRIMARY
            assert front.status() == grpc.StatusCode.ABORTED
            assert app.add("asked").state == ARRIVING
            assert again.callback().callback_id


def test_an_observer_without_a_state_has_nothing_to_keep(
    app: App, far: App, relay: Relay
) -> None:
    observer = far.subscribe()
    identifier = observer.started().subscription_id
    lose(relay, app)
    with resume(app, identifier) as again:
        NOTHING_KEPT.check(refusal_of(again.started))


@pytest.mark.parametrize(
    "field, value",
    [
        ("role", PRIMARY),
        ("capabilities", [wire.DELEGATE_CAPABILITY_WILL_PRESENT]),
        ("app_state", wire.APP_STATE_FOREGROUND),
        ("standing_presentation", {"options": []}),
    ],
)
def test_what_is_kept_is_not_said_again(app: App, field: str, value: object) -> None:
    with app.in_front() as front:
        identifier = front.started().subscription_id
        fields = {field: value}
        if field in ("capabilities", "standing_presentation"):
            fields["role"] = PRIMARY
        path = "role" if "role" in fields else field
        expected = Expected(grpc.StatusCode.INVALID_ARGUMENT, "RESUME_WITH_ROLE", (path,))
        with resume(app, identifier, **fields) as again:
            expected.check(refusal_of(again.started))
        assert app.add("asked").state == ARRIVING


def test_a_subscription_of_another_app_is_not_there(app: App) -> None:
    other = app.client.app()
    other.authorize()
    with app.in_front() as front, resume(other, front.started().subscription_id) as again:
        NOTHING_KEPT.check(refusal_of(again.started))
