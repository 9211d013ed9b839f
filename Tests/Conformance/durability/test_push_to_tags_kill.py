"""A push to 10,000 devices, and a fetch of a rich push, when the server is killed in the middle."""

import grpc

from harness import files, wire
from harness.client import App, Client
from harness.keys import new_key
from harness.launcher import Launcher
from harness.pushes import devices, fetch, of, sent
from harness.server import Server

DEVICES = 10_000
# These show the push, each once; the others were never asked for permission.
ALLOWED = 40
KILLS = 4
APP = "org.example.broadcast"


def register(client: Client) -> None:
    """Registers all devices, with many calls on their way at a time."""
    for number in range(ALLOWED):
        App(client, wire.Center(app_id=APP, device_id=f"d{number * 250}")).authorize()
    stub = client.stub("RegisterForRemoteNotifications")
    for first in range(0, DEVICES, 500):
        calls = [
            stub.future(
                wire.RegisterForRemoteNotificationsRequest(
                    center=wire.Center(app_id=APP, device_id=f"d{number}")
                )
            )
            for number in range(first, first + 500)
        ]
        for call in calls:
            assert call.result().token


def follow(
    server: Server, key: str, found: list[wire.DeviceOutcome], *, until: int
) -> wire.PushTotals | None:
    """Follows the push behind what was found, until it ends or has so many outcomes."""
    with Client(server.targets["unix"]) as client:
        stream = client.call(
            "PushToTags",
            app_id=APP,
            idempotency_key=key,
            payload_json='{"aps":{"alert":"News"}}',
            after_outcome=len(found),
        )
        try:
            for response in stream:
                found += response.outcomes.outcomes
                if response.HasField("totals"):
                    return response.totals
                if len(found) >= until:
                    server.kill()
                    # What it had sent may be all, and the next server sends that again.
                    return None
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.UNAVAILABLE
    return None


def test_a_push_to_10_000_goes_on_after_kills_and_reaches_each_once(launch: Launcher) -> None:
    home = launch.new_home()
    server = launch(home, clock="system")
    with Client(server.targets["unix"]) as client:
        register(client)
    key = new_key()
    found: list[wire.DeviceOutcome] = []
    totals = None
    for kill in range(KILLS):
        assert totals is None, "the push was over before it was interrupted"
        totals = follow(server, key, found, until=(kill + 1) * 1_500)
        server = launch(home, clock="system")
    totals = follow(server, key, found, until=DEVICES + 1)
    assert totals and totals.complete and totals.devices == DEVICES
    assert [outcome.number for outcome in found] == list(range(1, DEVICES + 1))
    assert len({outcome.center.device_id for outcome in found}) == DEVICES
    assert len({outcome.apns_id for outcome in found}) == DEVICES
    with Client(server.targets["unix"]) as client:
        for number in range(ALLOWED):
            app = App(client, wire.Center(app_id=APP, device_id=f"d{number * 250}"))
            events = [event.WhichOneof("kind") for event in app.events()]
            assert events.count("delivered") == 1
            assert len(app.delivered()) == 1


def test_a_fetch_that_a_kill_cut_goes_on_where_it_was(launch: Launcher) -> None:
    home = launch.new_home()
    server = launch(home, clock="system")
    data = files.png(16 << 20)
    with Client(server.targets["unix"]) as client:
        app_id = devices(client, {"ana": ["username:ana"]})
        ana = of(client, app_id, "ana")
        stored = files.upload(ana, data, "a.png", purpose=wire.ATTACHMENT_PURPOSE_RICH_PUSH)
        rich_id = sent(client, app_id, attachment_id=stored.attachment_id)
        parts = ana.call("DownloadRichPayload", rich_id=rich_id)
        begun = b""
        try:
            for part in parts:
                begun += part.chunk
                if begun:
                    server.kill()
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.UNAVAILABLE
    assert 0 < len(begun) < len(data)
    server = launch(home, clock="system")
    with Client(server.targets["unix"]) as client:
        ana = of(client, app_id, "ana")
        assert not ana.call("GetRichPush", rich_id=rich_id).rich_push.HasField("read_at")
        assert begun + fetch(ana, rich_id, offset=len(begun))[1] == data
        first = ana.call("MarkRichPushRead", rich_id=rich_id).read_at
    server.kill()
    server = launch(home, clock="system")
    with Client(server.targets["unix"]) as client:
        assert of(client, app_id, "ana").call("MarkRichPushRead", rich_id=rich_id).read_at == first
