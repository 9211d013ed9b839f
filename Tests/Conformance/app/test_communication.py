"""A message or a call from a person (§22)."""

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.device import update
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of

ANNA = wire.Communication(
    kind=wire.COMMUNICATION_KIND_MESSAGE,
    sender="Anna",
    recipients=["Bo"],
    conversation_id="chess",
    group_name="Chess",
)


def shown(app: App) -> list[wire.NotificationGroup]:
    device = app.center.device_id
    return list(app.client.call("ListNotificationCenter", device_id=device).groups)


def test_com_1_it_is_kept_and_shown(own_device: App) -> None:
    own_device.add("a", title="A title", communication=ANNA)
    [notification] = own_device.call("ListDelivered").notifications
    assert notification.request.content.communication == ANNA
    [group] = shown(own_device)
    assert group.notifications[0].communication == ANNA


def test_com_3_its_conversation_is_its_thread_where_it_has_none(own_device: App) -> None:
    own_device.add("a", title="A", communication=ANNA)
    own_device.add("b", title="B", communication=ANNA)
    own_device.add("c", title="C", communication=ANNA, thread_identifier="elsewhere")
    assert sorted(group.info.thread_identifier for group in shown(own_device)) == [
        "chess",
        "elsewhere",
    ]


def test_com_2_a_person_who_is_allowed_gets_through_a_focus(own_device: App) -> None:
    device = own_device.center.device_id
    focus = {"allowed_people": ["Anna"]}
    update(own_device.client, "focus", device=device, focus=focus)
    own_device.add("a", title="A", communication=ANNA)
    assert not own_device.events()[-1].delivered.presentation.quiet
    stranger = wire.Communication(kind=wire.COMMUNICATION_KIND_CALL, sender="Cy")
    own_device.add("b", title="B", communication=stranger)
    assert own_device.events()[-1].delivered.presentation.quiet


@pytest.mark.parametrize("is_entitled", [True, False])
def test_com_2_apples_system_asks_for_an_entitlement(
    launch: Launcher, transport: str, is_entitled: bool
) -> None:
    with Client(launch(arguments=["--profile=ios"]).targets[transport]) as client:
        app = client.app()
        manifest = {"entitlements": {"communication": is_entitled}}
        registered = app.call("RegisterApp", manifest=manifest).app.manifest
        assert registered.entitlements.communication == is_entitled
        app.authorize()
        app.add("plain", title="A title")
        if is_entitled:
            app.add("a", title="A title", communication=ANNA)
        else:
            expected = Expected(
                grpc.StatusCode.INVALID_ARGUMENT,
                "CONTENT_PROVIDING_OBJECT_NOT_ALLOWED",
                ("request.content.communication",),
                1500,
            )
            expected.check(
                refusal_of(lambda: app.add("a", title="A title", communication=ANNA))
            )
        assert len(app.delivered()) == 1 + is_entitled


def test_com_2_it_does_not_wait_for_the_summary(own_device: App) -> None:
    summary = {"enabled": True, "times": [480], "apps": [own_device.center.app_id]}
    device = own_device.center.device_id
    update(own_device.client, "summary", device=device, summary=summary)
    own_device.add("a", title="A", communication=ANNA)
    assert own_device.events()[-1].HasField("delivered")
    own_device.add("b", title="B")
    held = own_device.events()[-1].held
    assert held.notification.request.identifier == "b"
    assert held.until.seconds > held.notification.date.seconds
    [_, waiting] = sorted(
        (one for group in shown(own_device) for one in group.notifications),
        key=lambda one: one.notification.identifier,
    )
    assert waiting.held
