"""Steps of the device: its lock, Focus and summary, time, and crashes."""

import random
from typing import Any

from harness import wire
from harness.person_model import contents, observe, screen
from harness.person_model.device import TAPPED
from harness.person_model.steps import any_center, kind
from harness.person_model.times import DAY, MINUTE, SECOND, duration, timestamp
from harness.person_model.walk import APPS, Walk

_APP_IDS = sorted({app_id for app_id, _, _ in APPS})


def _some(choices: random.Random, names: list[str]) -> list[str]:
    return choices.sample(names, choices.randrange(len(names) + 1))


def _focus(choices: random.Random) -> wire.Focus:
    focus = wire.Focus(
        name="Work",
        allowed_apps=sorted(_some(choices, _APP_IDS)),
        allowed_people=sorted(_some(choices, contents.PEOPLE)),
        allow_time_sensitive=choices.random() < 0.5,
    )
    for app_id in sorted(_some(choices, _APP_IDS)):
        values = sorted(_some(choices, contents.CRITERIA[1:]))
        focus.filters.add(app_id=app_id, mode=1 + choices.randrange(2), values=values)
    return focus


def _pick_device(walk: Walk, choices: random.Random) -> dict[str, Any]:
    state = wire.DeviceState()
    path = choices.choice(["locked", "locked", "locked", "focus", "summary", "summary", "muted"])
    if path == "locked":
        state.locked = choices.random() < 0.5
    elif path == "muted":
        state.muted = choices.random() < 0.5
    elif path == "focus" and choices.random() < 0.5:
        state.focus.CopyFrom(_focus(choices))
    elif path == "summary" and choices.random() < 0.6:
        state.summary.enabled = True
        state.summary.apps.extend(sorted(_some(choices, _APP_IDS)))
        state.summary.times.extend(sorted(choices.sample(range(1_440), choices.choice([1, 2, 12]))))
    return {"device": choices.choice(["local", "local", "tablet"]), "path": path, "state": state}


@kind(7, _pick_device)
def update_device(walk: Walk, device: str, path: str, state: wire.DeviceState) -> None:
    """The person changes what the device does."""
    model = walk.world.devices[device]

    def act() -> wire.UpdateDeviceStateResponse:
        before = {center.app_id: center.settings for center in model.centers}
        if state.HasField(path) if path in ("focus", "summary") else True:
            if path in ("focus", "summary"):
                getattr(model.state, path).CopyFrom(getattr(state, path))
            else:
                setattr(model.state, path, getattr(state, path))
        else:
            model.state.ClearField(path)
        # A Focus without a schedule is on for as long as it is there.
        model.state.ClearField("active_focus")
        if model.state.HasField("focus"):
            model.state.active_focus.name = model.state.focus.name
        for center in model.registered():
            if center.settings != before[center.app_id]:
                center.record(settings_changed={"settings": center.settings})
        model.present_what_left_the_summary()
        if path == "locked" and not state.locked:
            model.unlock()
        return wire.UpdateDeviceStateResponse(state=model.state)

    walk.make(
        "UpdateDeviceState",
        act,
        device_id=device,
        state=state,
        update_mask={"paths": [path]},
    )


def _pick_advance(walk: Walk, choices: random.Random) -> dict[str, Any]:
    roll = choices.random()
    if roll < 0.6:
        by = choices.randrange(1, 20_000) * SECOND // 1_000
    elif roll < 0.9:
        by = choices.randrange(20, 600) * SECOND
    elif roll < 0.98:
        by = choices.randrange(600, 20_000) * SECOND
    else:
        by = choices.choice([DAY, 2 * DAY, 7 * DAY + MINUTE])
    return {"by": by, "expire": choices.random() < 0.6}


@kind(14, _pick_advance)
def advance(walk: Walk, by: int, expire: bool) -> None:
    """Time passes."""

    def act() -> wire.AdvanceClockResponse:
        stopped_by = walk.world.advance(by, expire=expire)
        return wire.AdvanceClockResponse(stopped_by=stopped_by)

    def adopt(expected: Any, actual: Any) -> None:
        expected.clock.kind = wire.CLOCK_KIND_MANUAL
        expected.clock.now.CopyFrom(timestamp(walk.world.now))
        expected.clock.elapsed.CopyFrom(actual.clock.elapsed)
        expected.fired, expected.events = actual.fired, actual.events
        expected.positions.extend(actual.positions)
        if expected.stopped_by == wire.CLOCK_STOP_CALLBACK:
            expected.callback_id = actual.callback_id

    walk.make(
        "AdvanceClock", act, adopt=adopt, by=duration(by), expire_callbacks=expire
    )


def _pick_suspend(walk: Walk, choices: random.Random) -> dict[str, Any]:
    by = choices.choice([3, 20, 20, 3_600, 3_600, 40_000, 90_000])
    return {"by": choices.randrange(1, by * 1_000) * SECOND // 1_000}


@kind(1.5, _pick_suspend)
def suspend(walk: Walk, by: int) -> None:
    """Time passes as if the server were down."""

    def act() -> wire.SuspendResponse:
        walk.world.suspend(by)
        return wire.SuspendResponse()

    def adopt(expected: Any, actual: Any) -> None:
        expected.clock.kind = wire.CLOCK_KIND_MANUAL
        expected.clock.now.CopyFrom(timestamp(walk.world.now))
        expected.clock.elapsed.CopyFrom(actual.clock.elapsed)
        expected.fired, expected.events = actual.fired, actual.events
        expected.positions.extend(actual.positions)

    walk.make("Suspend", act, adopt=adopt, by=duration(by))


def _nothing(walk: Walk, choices: random.Random) -> dict[str, Any]:
    return {}


@kind(1, _nothing)
def crash(walk: Walk) -> None:
    """The server is killed and starts again."""
    walk.crash()


def _pick_act(walk: Walk, choices: random.Random) -> dict[str, Any] | None:
    center = any_center(walk, choices)
    app = walk.centers[center]
    known = [(entry.identifier, entry.delivery) for entry in app.delivered]
    known += [(shown[0].request.identifier, number) for number, shown in app.banners.items()]
    known.append((choices.choice(contents.IDENTIFIERS), choices.randrange(1, app.deliveries + 2)))
    identifier, delivery = choices.choice(known)
    category = ""
    if entry := app.newest(identifier):
        category = entry.content.category_identifier
    actions = app.categories[category].actions if category in app.categories else []
    action = ""
    if actions and choices.random() < 0.7:
        action = choices.choice(actions).identifier
    elif choices.random() < 0.05:
        action = choices.choice(contents.ACTIONS)
    text = choices.choice([None, None, "On my way"]) if action else None
    fields = {"center": center, "identifier": identifier, "delivery": delivery}
    return fields | {"action": action, "text": text}


@kind(8, _pick_act)
def respond(
    walk: Walk, center: int, identifier: str, delivery: int, action: str, text: str | None
) -> None:
    """The person taps a notification, or presses a button of it."""
    app = walk.centers[center]
    reference = app.reference(identifier, delivery)
    named = {"action": {"action_identifier": action, "user_text": text}}
    act_fields = named if action else {"default_action": wire.DefaultAction()}

    def act() -> wire.RespondResponse:
        outcome = app.device.respond(app, reference, action or TAPPED, text)
        return wire.RespondResponse(outcome=outcome)

    walk.make(
        "Respond", act, device_id=app.device.device_id, notification=reference, **act_fields
    )


def _pick_dismiss(walk: Walk, choices: random.Random) -> dict[str, Any] | None:
    fields = _pick_act(walk, choices)
    assert fields
    del fields["action"], fields["text"]
    return fields | {"swipes": choices.random() < 0.3}


@kind(4, _pick_dismiss)
def dismiss(walk: Walk, center: int, identifier: str, delivery: int, swipes: bool) -> None:
    """The person clears a notification, or swipes its banner away."""
    app = walk.centers[center]
    reference = app.reference(identifier, delivery)
    how = wire.DISMISS_KIND_SWIPE_AWAY if swipes else wire.DISMISS_KIND_CLEAR

    def act() -> wire.DismissResponse:
        app.device.dismiss(app, reference, how)
        return wire.DismissResponse(dismissed=[reference], count=1)

    walk.make("Dismiss", act, device_id=app.device.device_id, notification=reference, kind=how)


def _pick_screen(walk: Walk, choices: random.Random) -> dict[str, Any]:
    return {"device": choices.choice(["local", "local", "tablet"])}


@kind(0.7, _pick_screen)
def dismiss_all(walk: Walk, device: str) -> None:
    """The person clears the whole screen."""
    model = walk.world.devices[device]
    shown = [(center, entry) for center in model.registered() for entry in center.delivered]

    def act() -> wire.DismissResponse:
        for center, entry in shown:
            model.clear(center, entry.notification)
        references = [center.reference(e.identifier, e.delivery) for center, e in shown]
        return wire.DismissResponse(dismissed=references, count=len(shown))

    def in_one_order(expected: Any, actual: Any) -> None:
        for response in (expected, actual):
            ordered = sorted(response.dismissed, key=lambda r: (r.center.app_id, r.delivery))
            del response.dismissed[:]
            response.dismissed.extend(ordered)

    walk.make(
        "Dismiss", act, adopt=in_one_order, device_id=device, all={}, kind=wire.DISMISS_KIND_CLEAR
    )


def _pick_group(walk: Walk, choices: random.Random) -> dict[str, Any] | None:
    center = any_center(walk, choices)
    app = walk.centers[center]
    if not app.delivered:
        return None
    return {"center": center, "place": choices.randrange(len(app.delivered))}


@kind(1.5, _pick_group)
def dismiss_group(walk: Walk, center: int, place: int) -> None:
    """The person clears a whole group (NC-5)."""
    app = walk.centers[center]
    if place >= len(app.delivered):
        return
    named = app.delivered[place]
    members = [e for e in app.delivered if screen.key(app, e) == screen.key(app, named)]
    group_id = observe.group_of(walk, app, named)

    def act() -> wire.DismissResponse:
        for entry in members:
            app.device.clear(app, entry.notification)
        references = [app.reference(e.identifier, e.delivery) for e in members]
        return wire.DismissResponse(dismissed=references, count=len(members))

    walk.make(
        "Dismiss",
        act,
        device_id=app.device.device_id,
        group_id=group_id,
        kind=wire.DISMISS_KIND_CLEAR,
    )
