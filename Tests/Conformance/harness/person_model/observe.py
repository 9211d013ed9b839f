"""Compares what can be seen of the server with the model."""

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from harness import wire
from harness.person_model import screen
from harness.person_model.center import Center
from harness.person_model.device import Device
from harness.person_model.differences import Difference, check
from harness.person_model.live import Live
from harness.person_model.records import Delivered, Question, Stream
from harness.person_model.times import timestamp

if TYPE_CHECKING:
    from harness.person_model.walk import Walk

# How long the server may take to tell what it has recorded.
BOUND = 2.0


def streams(walk: "Walk") -> None:
    """Each stream was told each event, and its questions in order."""
    for live in walk.live:
        if live.model is None or live.model.is_open:
            _stream(live)


def _stream(live: Live) -> None:
    center, model = live.center, live.model
    expected = model.expected if model else []
    surely = [entry for entry in expected if not (entry[1] and entry[1].may_be_untold)]
    events = center.events[live.after :]

    def has_all() -> bool:
        return len(live.events) >= len(events) and len(live.frames) >= len(surely)

    live.wait(has_all, BOUND)
    name = f"the stream {model.name if model else 'observer'} of {center.app_id}"
    if live.error is not None:
        raise Difference(f"{name} ended: {live.error.code()} {live.error.details()}")
    _check_from_the_first("events", name, events, live.events)
    if model:
        _forget_untold(model, live)
        _check_questions(model, live, name)


def _check_questions(model: Stream, live: Live, name: str) -> None:
    """Questions come in order; each ends after it came; a role is lost once."""
    told = [frame for frame in live.frames if frame.HasField("callback")]
    asked = [entry for entry in model.expected if entry[0] == "callback"]
    wanted = [_wanted(*entry, frame) for entry, frame in zip_longest(asked, told) if entry]
    _check_from_the_first("questions", name, wanted, told)
    ended = [frame for frame in live.frames if frame.HasField("callback_ended")]
    wanted = [_wanted(*entry, None) for entry in model.expected if entry[0] == "callback_ended"]
    check(f"ends of questions of {name}", _by_id(wanted), _by_id(ended))
    demoted = sum(frame.HasField("demoted") for frame in live.frames)
    check(f"demoted of {name}", sum(entry[0] == "demoted" for entry in model.expected), demoted)
    for place, frame in enumerate(live.frames):
        identifier = frame.callback_ended.callback_id
        later = [other.callback.callback_id for other in live.frames[place:]]
        if identifier and identifier in later:
            raise Difference(f"{name} was told that {identifier} ended before it was asked")


def _by_id(frames: list[wire.SubscriptionFrame]) -> list[wire.SubscriptionFrame]:
    return sorted(frames, key=lambda frame: frame.callback_ended.callback_id)


def _check_from_the_first(what: str, name: str, expected: list[Any], actual: list[Any]) -> None:
    """Compares, and tells only of what follows the first difference."""
    pairs = zip(expected, actual, strict=False)
    equal = next((n for n, (one, other) in enumerate(pairs) if one != other), None)
    if equal is None:
        equal = min(len(expected), len(actual))
    check(f"{what} of {name}", expected[equal:], actual[equal:])


def _forget_untold(model: Stream, live: Live) -> None:
    """Drops what was asked and ended so quickly that the server did not tell of it."""
    told = [frame for frame in live.frames if frame.HasField("callback")]
    place = 0
    for entry in [entry for entry in model.expected if entry[0] == "callback"]:
        question = entry[1]
        assert question
        if question.may_be_untold and not question.callback_id:
            frame = told[place] if place < len(told) else None
            is_told = frame is not None and frame == _wanted("callback", question, 0, frame)
            if not is_told:
                question.callback_id = ""
                model.expected = [e for e in model.expected if e[1] is not question]
                continue
        place += 1


def _wanted(
    kind: str, question: Question | None, outcome: int, frame: wire.SubscriptionFrame | None
) -> wire.SubscriptionFrame:
    if question is None:
        return wire.SubscriptionFrame(**{kind: {}})
    if kind == "callback" and not question.callback_id and frame is not None:
        question.callback_id = frame.callback.callback_id
    if kind == "callback_ended":
        ended = {"callback_id": question.callback_id, "outcome": outcome}
        return wire.SubscriptionFrame(callback_ended=ended)
    callback = wire.Callback(
        callback_id=question.callback_id, deadline=timestamp(question.deadline)
    )
    if question.kind == "will_present":
        callback.will_present.notification.CopyFrom(question.notification)
    else:
        callback.did_receive.notification.CopyFrom(question.notification)
        callback.did_receive.action_identifier = question.action
        if question.text is not None:
            callback.did_receive.user_text = question.text
    return wire.SubscriptionFrame(callback=callback)


def devices(walk: "Walk") -> None:
    """What each device shows: groups, badges and settings; and how much is stored."""
    store = walk.client.call("GetStats").store
    centers = walk.centers
    arriving = [q for c in centers for q in c.questions if q.kind == "will_present"]
    counted = {
        "pending": sum(len(center.pending) for center in centers),
        "arriving": len(arriving),
        "delivered": sum(len(center.delivered) for center in centers),
    }
    check("GetStats", counted, {name: getattr(store, name) for name in counted})
    for device in walk.world.devices.values():
        apps = walk.client.call("ListApps", device_id=device.device_id).apps
        check(f"ListApps of {device.device_id}", screen.apps_of(device), list(apps))
        state = walk.client.call("GetDeviceState", device_id=device.device_id).state
        check("GetDeviceState", device.state, state)
        groups(walk, device)


def groups(walk: "Walk", device: Device) -> None:
    """The groups that a device shows."""
    page = walk.client.call(
        "ListNotificationCenter", device_id=device.device_id, page_size=1_000
    )
    assert not page.next_page_token
    actual = list(page.groups)
    adopt_prompts(device, actual)
    for group in actual:
        group.info.ClearField("group_id")
    expected = screen.groups_of(device)
    # Which of two groups of one instant comes first is left open.
    order = sorted(
        range(len(actual)), key=lambda i: -actual[i].info.date.ToNanoseconds()
    )
    check("the order of groups", list(range(len(actual))), order)
    check(f"ListNotificationCenter of {device.device_id}", _by_name(expected), _by_name(actual))


def group_of(walk: "Walk", center: Center, entry: Delivered) -> str:
    """The name of the group that has a notification."""
    page = walk.client.call(
        "ListNotificationCenter", device_id=center.device.device_id, page_size=1_000
    )
    wanted = center.reference(entry.identifier, entry.delivery)
    for group in page.groups:
        if any(rendered.notification == wanted for rendered in group.notifications):
            return group.info.group_id
    raise Difference(f"no group has {wanted}")


def _by_name(found: list[wire.NotificationGroup]) -> list[wire.NotificationGroup]:
    def key(group: wire.NotificationGroup) -> tuple[int, str, str, int]:
        info = group.info
        newest = group.notifications[0].notification.delivery
        return -info.date.ToNanoseconds(), info.center.app_id, info.thread_identifier, newest

    return sorted(found, key=key)


def adopt_prompts(device: Device, found: list[wire.NotificationGroup]) -> None:
    """Learns the names of the questions beside quiet notifications."""
    for group in found:
        center = next(c for c in device.centers if c.app_id == group.info.center.app_id)
        prompt = center.permission.prompt
        if prompt and not prompt.prompt_id:
            prompt.prompt_id = group.notifications[0].prompt_id


def app_side(walk: "Walk", center: Center) -> None:
    """What the app itself is told, each with a call of the app."""
    if not center.is_registered:
        return
    center.calls()
    client, number = walk.client, len(center.events)
    settings = client.call("GetNotificationSettings", center=center.wire)
    expected = wire.GetNotificationSettingsResponse(settings=center.settings, as_of_event=number)
    check("GetNotificationSettings", expected, settings)
    page = client.call(
        "ListDelivered",
        center=center.wire,
        page_size=1_000,
        order=wire.DELIVERED_ORDER_NEWEST_FIRST,
    )
    notifications = [entry.notification for entry in reversed(center.delivered)]
    check("ListDelivered", notifications, list(page.notifications))
    pending = client.call("ListPending", center=center.wire, page_size=1_000)
    wanted = [
        wire.PendingRequest(
            request=request.request,
            next_trigger_date=timestamp(request.due),
            added_at=timestamp(request.added_at),
        )
        for _, request in sorted(center.pending.items())
    ]
    check("ListPending", wanted, list(pending.requests))
    categories = client.call("GetNotificationCategories", center=center.wire)
    sorted_categories = [category for _, category in sorted(center.categories.items())]
    check("GetNotificationCategories", sorted_categories, list(categories.categories))
