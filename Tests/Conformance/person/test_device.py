"""A person's device: its state, what it shows, and what the person does with it."""

from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.device import Watch, listed, reference, respond, update
from harness.keys import new_key
from harness.refusals import Expected, refusal_of

DEFAULT_ACTION = "com.apple.UNNotificationDefaultActionIdentifier"

REPLACED = Expected(grpc.StatusCode.FAILED_PRECONDITION, "NOTIFICATION_REPLACED")
NOT_FOUND = Expected(grpc.StatusCode.NOT_FOUND, "NOTIFICATION_NOT_FOUND")


def test_a_device_that_was_never_named_has_the_defaults(client: Client) -> None:
    state = client.call("GetDeviceState", device_id="never.named").state
    assert state == wire.DeviceState(device_id="never.named")


def test_only_what_the_mask_names_changes(own_device: App) -> None:
    client, device = own_device.client, own_device.center.device_id
    focus = wire.Focus(name="Work", allowed_apps=["org.example.a"], allow_time_sensitive=True)
    state = update(
        client, "locked", "focus", device=device, locked=True, focus=focus, muted=True
    )
    active = wire.ActiveFocus(name="Work")
    assert state == wire.DeviceState(
        device_id=device, locked=True, focus=focus, active_focus=active
    )
    update(client, "focus.allowed_people", device=device, focus={"allowed_people": ["Ann"]})
    state = update(client, "time_zone", "languages", device=device, time_zone="Europe/Lisbon")
    focus.allowed_people.append("Ann")
    expected = wire.DeviceState(
        device_id=device,
        locked=True,
        focus=focus,
        active_focus=active,
        time_zone="Europe/Lisbon",
    )
    assert state == expected
    assert client.call("GetDeviceState", device_id=device).state == expected
    state = update(client, "focus", "locked", device=device)
    assert state == wire.DeviceState(device_id=device, time_zone="Europe/Lisbon")


def test_a_focus_makes_it_quiet(own_device: App) -> None:
    update(own_device.client, "focus", device=own_device.center.device_id, focus={"name": "Work"})
    own_device.add("a")
    presentation = own_device.events()[-1].delivered.presentation
    assert presentation.quiet
    assert list(presentation.options) == [wire.PRESENTATION_OPTION_LIST]


def test_a_tap_reaches_an_app_that_was_down(own_device: App) -> None:
    app = own_device
    app.add("a")
    notification = app.call("ListDelivered").notifications[0]
    key = new_key()
    for _ in range(2):
        response = respond(app, reference(app, "a", 1), idempotency_key=key)
        assert response.outcome == wire.RESPOND_OUTCOME_SENT
    assert app.delivered() == []
    removed = app.events()[-1].removed
    assert (removed.identifier, removed.cause) == ("a", wire.REMOVAL_CAUSE_PERSON)
    capability = wire.DELEGATE_CAPABILITY_DID_RECEIVE
    with app.subscribe(role=wire.SUBSCRIBER_ROLE_PRIMARY, capabilities=[capability]) as front:
        subscription_id = front.started().subscription_id
        callback = front.callback()
        assert callback.did_receive.notification == notification
        assert callback.did_receive.action_identifier == DEFAULT_ACTION
        assert not callback.did_receive.HasField("user_text")
        answers = [wire.ResponseAnswer(callback_id=callback.callback_id)]
        for _ in range(2):
            response = app.call(
                "CompleteResponse", subscription_id=subscription_id, answers=answers
            )
            assert not response.refused
    completed = app.events()[-1].response_completed
    assert completed.notification == reference(app, "a", 1)
    assert completed.action_identifier == DEFAULT_ACTION


def test_a_tap_never_lands_on_another_notification(own_device: App) -> None:
    app = own_device
    app.add("a")
    app.add("a")
    REPLACED.check(refusal_of(lambda: respond(app, reference(app, "a", 1))))
    respond(app, reference(app, "a", 2))
    NOT_FOUND.check(refusal_of(lambda: respond(app, reference(app, "a", 2))))


def test_an_action_that_is_not_offered_is_refused(own_device: App) -> None:
    own_device.add("a")
    refusal = refusal_of(
        lambda: own_device.client.call(
            "Respond",
            device_id=own_device.center.device_id,
            notification=reference(own_device, "a", 1),
            action=wire.CustomAction(action_identifier="other"),
        )
    )
    Expected(
        grpc.StatusCode.INVALID_ARGUMENT, "ACTION_UNKNOWN", ("action.action_identifier",)
    ).check(refusal)
    assert own_device.delivered() == ["a"]


def identifiers(page: wire.ListNotificationCenterResponse) -> list[list[str]]:
    return [
        [shown.notification.identifier for shown in group.notifications] for group in page.groups
    ]


def test_a_device_lists_its_apps_in_groups(own_device: App) -> None:
    app = own_device
    other = app.client.app(device=app.center.device_id)
    other.authorize()
    app.add("a", title="A title", thread_identifier="t")
    other.add("b")
    app.add("c", title="A title", thread_identifier="t")
    page = listed(app)
    assert sorted(identifiers(page)) == [["b"], ["c", "a"]]
    group = next(group for group in page.groups if len(group.notifications) == 2)
    assert group.info.center == reference(app, "", 0).center
    assert (group.info.thread_identifier, group.info.count) == ("t", 2)
    assert group.info.summary == "1 more notification"
    assert group.info.as_of_event == app.events()[-1].number
    assert group.notifications[0].title == "A title"
    assert group.notifications[0].notification == reference(app, "c", 2)
    assert identifiers(listed(app, app_ids=[other.center.app_id])) == [["b"]]

    paged: list[str] = []
    token = ""
    while not paged or token:
        page = listed(app, page_size=1, page_token=token)
        paged += [name for names in identifiers(page) for name in names]
        token = page.next_page_token
    assert sorted(paged) == ["a", "b", "c"]

    dismissed = app.client.call(
        "Dismiss",
        device_id=app.center.device_id,
        group_id=group.info.group_id,
        kind=wire.DISMISS_KIND_CLEAR,
    )
    assert dismissed.count == 2
    assert identifiers(listed(app)) == [["b"]]


@pytest.mark.parametrize("token", ["next", "00" * 30])
def test_a_token_of_another_list_is_refused(own_device: App, token: str) -> None:
    Expected(grpc.StatusCode.INVALID_ARGUMENT, "PAGE_TOKEN_INVALID", ("page_token",)).check(
        refusal_of(lambda: listed(own_device, page_token=token))
    )


def test_a_swipe_leaves_it_and_clearing_removes_all(own_device: App) -> None:
    app, device = own_device, own_device.center.device_id
    for name in ("a", "b", "c"):
        app.add(name)
    before = app.events()[-1].number
    swiped = app.client.call(
        "Dismiss",
        device_id=device,
        notification=reference(app, "a", 1),
        kind=wire.DISMISS_KIND_SWIPE_AWAY,
    )
    assert swiped.count == 1
    assert app.events(after=before) == []
    cleared = app.client.call(
        "Dismiss", device_id=device, all={}, kind=wire.DISMISS_KIND_CLEAR
    )
    assert cleared.count == 3
    assert {ref.identifier for ref in cleared.dismissed} == {"a", "b", "c"}
    causes = [event.removed.cause for event in app.events(after=before)]
    assert causes == [wire.REMOVAL_CAUSE_PERSON] * 3


def test_those_that_the_person_saw_are_cleared_and_no_others(own_device: App) -> None:
    app, device = own_device, own_device.center.device_id
    for name in ("a", "b", "c", "b"):
        app.add(name)
    seen = [reference(app, name, delivery) for name, delivery in [("a", 1), ("b", 2), ("x", 9)]]
    kind = wire.DISMISS_KIND_CLEAR
    for gone in (["a"], []):
        cleared = app.client.call("Dismiss", device_id=device, notifications=seen, kind=kind)
        assert [ref.identifier for ref in cleared.dismissed] == gone
        assert cleared.count == len(gone)
        assert sorted(name for names in identifiers(listed(app)) for name in names) == ["b", "c"]


def of_wrong_lists() -> Iterator[tuple[str, dict[str, Any], str, str]]:
    """What no call of Dismiss may name, with the reason and the field."""
    one = {"center": {"app_id": "org.example.tea"}, "identifier": "a"}
    other = {"center": {"app_id": "org.example.tea", "device_id": "other"}, "identifier": "a"}
    several = {"notifications": [one, one]}
    yield "beside one", several | {"notification": one}, "DISMISS_INVALID", "target"
    yield "beside all", several | {"all": {}}, "DISMISS_INVALID", "target"
    yield "too many", {"notifications": [one] * 257}, "DISMISS_INVALID", "notifications"
    swiped = several | {"kind": wire.DISMISS_KIND_SWIPE_AWAY}
    yield "swiped", swiped, "DISMISS_INVALID", "kind"
    yield "no kind", several | {"kind": 0}, "INVALID_FIELD", "kind"
    place = "notifications[1].center.device_id"
    yield "another device", {"notifications": [one, other]}, "INVALID_FIELD", place
    nameless = {"center": {"app_id": "org.example.tea"}}
    place = "notifications[1].identifier"
    yield "no identifier", {"notifications": [one, nameless]}, "IDENTIFIER_INVALID", place
    place = "notifications[0].center.app_id"
    yield "no app", {"notifications": [{"identifier": "a"}]}, "APP_ID_INVALID", place


@pytest.mark.parametrize("name, fields, reason, field", of_wrong_lists())
def test_a_wrong_list_is_refused(
    own_device: App, name: str, fields: dict[str, Any], reason: str, field: str
) -> None:
    request = {"kind": wire.DISMISS_KIND_CLEAR} | fields
    Expected(grpc.StatusCode.INVALID_ARGUMENT, reason, (field,)).check(
        refusal_of(lambda: own_device.client.call("Dismiss", **request))
    )


def test_a_device_is_told_what_to_show_and_play(own_device: App) -> None:
    app = own_device
    app.add("before")
    watch = Watch(app)
    snapshot = watch.frame().snapshot
    assert snapshot.complete
    assert snapshot.state.device_id == app.center.device_id
    assert [shown.name for shown in snapshot.apps] == [app.center.app_id]
    assert identifiers(snapshot) == [["before"]]

    app.add("a", title="A title", sound={}, badge=3)
    listed, banner, sound, badge = watch.frames(4)
    assert listed.list_changed.change == wire.LIST_CHANGE_ADDED
    assert listed.list_changed.rendered.title == "A title"
    assert listed.list_changed.group.count == 2
    assert banner.banner.notification.notification == reference(app, "a", 2)
    assert banner.banner.style == wire.ALERT_STYLE_BANNER
    assert sound.sound.notification == reference(app, "a", 2)
    assert badge.badge.badge == 3

    respond(app, reference(app, "a", 2))
    launch, removed = watch.frames(2)
    assert launch.launch_app.mode == wire.LAUNCH_MODE_FOREGROUND
    assert removed.list_changed.change == wire.LIST_CHANGE_REMOVED
    assert removed.list_changed.group.count == 1
    update(app.client, "locked", device=app.center.device_id, locked=True)
    assert watch.frame().changed.state.locked
    watch.close()


def test_a_watch_tells_only_of_its_apps(own_device: App) -> None:
    app = own_device
    other = app.client.app(device=app.center.device_id)
    other.authorize()
    watch = Watch(app, app_ids=[other.center.app_id])
    assert [shown.name for shown in watch.frame().snapshot.apps] == [other.center.app_id]
    app.add("a")
    other.add("b")
    assert watch.frame().list_changed.notification == reference(other, "b", 1)
    watch.close()
