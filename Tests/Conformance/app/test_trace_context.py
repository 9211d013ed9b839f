"""The W3C trace context of a call is kept with what it schedules, and told at its firing (W-24)."""

from typing import Any

import pytest

from harness import wire
from harness.client import App, Client, request
from harness.extension import serve
from harness.keys import new_key
from harness.launcher import Launcher
from harness.subscription import Subscription

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = f"00-{TRACE}-b7ad6b7169203331-01"
OTHER = f"00-{TRACE}-00f067aa0ba902b7-00"
STATE = "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"

Metadata = list[tuple[str, str]]
TRACED: Metadata = [("traceparent", PARENT), ("tracestate", STATE)]
KEPT = wire.TraceContext(traceparent=PARENT, tracestate=STATE)
NONE = wire.TraceContext()


def traced(client: Client, rpc: str, metadata: Metadata = TRACED, /, **fields: Any) -> Any:
    """Calls an rpc with metadata."""
    message = getattr(wire, f"{rpc}Request")(**fields)
    return client.stub(rpc)(message, metadata=metadata, timeout=30)


def add(app: App, wanted: wire.NotificationRequest, metadata: Metadata = TRACED) -> None:
    traced(app.client, "Add", metadata, center=app.center, request=wanted)


def deliveries(app: App) -> dict[str, wire.TraceContext]:
    """The trace contexts of what was delivered, by identifiers, as the events tell them."""
    return {
        event.delivered.notification.request.identifier: event.delivered.notification.trace
        for event in app.events()
        if event.HasField("delivered")
    }


def listed(app: App) -> list[wire.TraceContext]:
    return [one.trace for one in app.call("ListDelivered").notifications]


@pytest.mark.parametrize(
    ("metadata", "kept"),
    [
        (TRACED, KEPT),
        ([("traceparent", PARENT)], wire.TraceContext(traceparent=PARENT)),
        ([("traceparent", f"cc{PARENT[2:]}-later")], wire.TraceContext(traceparent=PARENT)),
        # Several values of tracestate are one list. Of traceparent this client sends one alone.
        (
            [("tracestate", "b=2"), ("traceparent", OTHER), ("tracestate", "a=1")],
            wire.TraceContext(traceparent=OTHER, tracestate="b=2,a=1"),
        ),
        ([("traceparent", f"{PARENT},{PARENT}")], NONE),
        ([("traceparent", PARENT), ("tracestate", "a")], wire.TraceContext(traceparent=PARENT)),
        ([("tracestate", STATE)], NONE),
        ([("traceparent", "")], NONE),
        ([("traceparent", PARENT.upper()), ("tracestate", STATE)], NONE),
        ([("traceparent", f"00-{'0' * 32}-b7ad6b7169203331-01")], NONE),
        ([("traceparent", f"00-{TRACE}-{'0' * 16}-01")], NONE),
        ([("traceparent", f"ff{PARENT[2:]}")], NONE),
        ([("traceparent", "0" * 5_000)], NONE),
        ([], NONE),
    ],
)
def test_what_is_kept_of_metadata(app: App, metadata: Metadata, kept: wire.TraceContext) -> None:
    add(app, request("tea"), metadata)
    assert listed(app) == [kept]
    assert deliveries(app) == {"tea": kept}


def test_it_outlives_a_kill(launch: Launcher) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        add(app, request("once", 60))
        add(app, request("again", 60, repeats=True))
        batch = [request("first", 60), request("second", 60)]
        traced(
            client, "AddBatch", [("traceparent", OTHER)], center=app.center, requests=batch
        )
        app.add("untraced", 60)
        server.kill()
    other = wire.TraceContext(traceparent=OTHER)
    expected = {"once": KEPT, "again": KEPT, "first": other, "second": other, "untraced": NONE}
    again = launch(server.home)
    with Client(again.targets["unix"]) as client:
        app = App(client, app.center)
        client.advance(60)
        assert deliveries(app) == expected
        again.kill()
    # The next occurrence of the one that repeats has it too.
    with Client(launch(server.home).targets["unix"]) as client:
        app = App(client, app.center)
        client.advance(60)
        last = app.events()[-1].delivered.notification
        assert (last.request.identifier, last.trace) == ("again", KEPT)
        assert deliveries(app) == expected


def test_a_retry_acts_once_and_keeps_the_first(app: App) -> None:
    fields = {"center": app.center, "request": request("tea"), "idempotency_key": new_key()}
    first = traced(app.client, "Add", **fields)
    assert traced(app.client, "Add", [("traceparent", OTHER)], **fields) == first
    assert deliveries(app) == {"tea": KEPT}


def test_what_is_suppressed_or_missed_tells_it(own_app: App) -> None:
    app, client = own_app, own_app.client
    late = request("late", 60)
    late.expires_after.seconds = 5
    add(app, late)
    client.call("Suspend", by=wire.seconds(120))
    assert [event.missed.trace for event in app.events() if event.HasField("missed")] == [KEPT]
    add(app, request("unwanted", 60))
    client.call(
        "UpdateSettings",
        center=app.center,
        settings={"authorization_status": wire.AUTHORIZATION_STATUS_DENIED},
        update_mask={"paths": ["authorization_status"]},
    )
    client.advance(60)
    suppressed = [event.suppressed for event in app.events() if event.HasField("suppressed")]
    assert [one.trace for one in suppressed] == [KEPT]


def test_pushes(app: App) -> None:
    traced(
        app.client, "Push", center=app.center, payload_json='{"aps": {"alert": "A push"}}'
    )
    assert listed(app) == [KEPT]


def test_a_push_to_many_through_a_kill(launch: Launcher) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        token = app.register_for_pushes()
        name = app.center.app_id
        client.call("SetTags", app_id=name, token=token, tags=["tea"])
        list(
            traced(
                client,
                "PushToTags",
                app_id=name,
                tag_expression="tea",
                payload_json='{"aps": {"alert": "Later"}}',
                deliver_at={"seconds": client.now() // 1_000_000_000 + 600},
                idempotency_key=new_key(),
            )
        )
        server.kill()
    with Client(launch(server.home).targets["unix"]) as client:
        client.advance(601)
        assert listed(App(client, app.center)) == [KEPT]


def attach(app: App) -> Subscription:
    return app.subscribe(
        role=wire.SUBSCRIBER_ROLE_PRIMARY,
        capabilities=[
            wire.DELEGATE_CAPABILITY_BACKGROUND_PUSH,
            wire.DELEGATE_CAPABILITY_DID_RECEIVE,
        ],
        app_state=wire.APP_STATE_BACKGROUND,
    )


def test_background_pushes_through_a_kill(launch: Launcher) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        payload = '{"aps": {"content-available": 1}}'
        traced(client, "Push", center=app.center, payload_json=payload)
        server.kill()
    with Client(launch(server.home).targets["unix"]) as client:
        with attach(App(client, app.center)) as subscription:
            assert subscription.callback().background_push.trace == KEPT


def test_a_rich_push_announces_itself_with_it(app: App) -> None:
    token = app.register_for_pushes()
    name = app.center.app_id
    app.client.call("SetTags", app_id=name, token=token, tags=["tea"])
    traced(
        app.client,
        "CreateRichPush",
        app_id=name,
        tag_expression="tea",
        message="More",
        rich_type="text",
        media_type="text/plain",
        payload=b"text",
        idempotency_key=new_key(),
    )
    with attach(app) as subscription:
        assert subscription.callback().background_push.trace == KEPT


def test_the_app_is_told_with_the_persons_act(app: App) -> None:
    add(app, request("tea"))
    (notification,) = app.call("ListDelivered").notifications
    with attach(app) as subscription:
        app.client.call(
            "Respond",
            notification={
                "center": app.center,
                "identifier": "tea",
                "delivery": notification.delivery,
            },
            default_action={},
        )
        assert subscription.callback().did_receive.notification.trace == KEPT


def test_the_app_in_front_is_asked_with_it(app: App) -> None:
    with app.in_front() as subscription:
        add(app, request("tea"))
        assert subscription.callback().will_present.notification.trace == KEPT


def test_a_service_extension_is_asked_with_it(app: App) -> None:
    serving = serve(app)
    payload = '{"aps": {"alert": "A push", "mutable-content": 1}}'
    traced(app.client, "Push", center=app.center, payload_json=payload)
    callback = serving.callback()
    assert callback.service.trace == KEPT
    serving.answer(callback, wire.NotificationContent(title="Changed"))
    assert listed(app) == [KEPT]
