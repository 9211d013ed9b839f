"""Steps about requests and notifications, as the app makes them."""

import random
from typing import Any

from harness import wire
from harness.person_model import contents, observe
from harness.person_model.center import Center
from harness.person_model.presentation import has_text
from harness.person_model.records import Pending
from harness.person_model.refused import Refused
from harness.person_model.steps import any_center, kind
from harness.person_model.times import SECOND, duration, timestamp
from harness.person_model.walk import Walk


def _pick_add(walk: Walk, choices: random.Random) -> dict[str, Any]:
    request = wire.NotificationRequest(
        identifier=choices.choice(contents.IDENTIFIERS), content=contents.content(choices)
    )
    roll = choices.random()
    if roll > 0.6:
        repeats = roll > 0.95
        # Odd milliseconds, so that two things are seldom due at once.
        milliseconds = choices.randrange(1, 40_000)
        if repeats:
            milliseconds += choices.choice([60_000, 600_000, 7_200_000])
        interval = duration(milliseconds * SECOND // 1_000)
        request.trigger.repeats = repeats
        request.trigger.time_interval.interval.CopyFrom(interval)
    return {"center": any_center(walk, choices), "request": request}


def _judge(content: wire.NotificationContent) -> None:
    if content.HasField("badge") and content.badge < 0:
        raise Refused("BADGE_INPUT_INVALID")
    if content.HasField("sound") and content.sound.HasField("volume"):
        if not content.sound.critical:
            raise Refused("SOUND_VOLUME_INVALID")
    if content.HasField("summary_argument_count") and content.summary_argument_count == 0:
        raise Refused("SUMMARY_ARGUMENT_COUNT_INVALID")
    if content.relevance_score > 1:
        raise Refused("RELEVANCE_SCORE_INVALID")
    if not (has_text(content) or content.HasField("badge") or content.HasField("sound")):
        raise Refused("NOTIFICATION_INVALID_NO_CONTENT")


def _add(app: Center, request: wire.NotificationRequest) -> wire.AddResponse:
    app.calls()
    _judge(request.content)
    app.require_registered()
    if not app.permission.may_notify:
        raise Refused("NOTIFICATIONS_NOT_ALLOWED")
    response = wire.AddResponse(identifier=request.identifier)
    app.pending.pop(request.identifier, None)
    if request.HasField("trigger"):
        interval = request.trigger.time_interval.interval.ToNanoseconds()
        pending = Pending(request, app.now, app.now + interval, interval)
        app.pending[request.identifier] = pending
        response.state = wire.REQUEST_STATE_PENDING
        response.next_trigger_date.CopyFrom(timestamp(pending.due))
    else:
        response.state = app.arrive(request, None)
        if response.state == wire.REQUEST_STATE_DELIVERED:
            response.delivery = app.deliveries
    return response


@kind(30, _pick_add)
def add(walk: Walk, center: int, request: wire.NotificationRequest) -> None:
    """The app adds a request."""
    app = walk.centers[center]
    walk.make("Add", lambda: _add(app, request), center=app.wire, request=request)


def _pick_identifiers(walk: Walk, choices: random.Random) -> dict[str, Any]:
    names = choices.sample([*contents.IDENTIFIERS, "none"], choices.choice([1, 1, 2, 3]))
    return {"center": any_center(walk, choices), "identifiers": names}


@kind(2, _pick_identifiers)
def remove_pending(walk: Walk, center: int, identifiers: list[str]) -> None:
    """The app removes pending requests."""
    app = walk.centers[center]

    def act() -> wire.RemovePendingResponse:
        app.require_registered()
        app.calls()
        removed = [identifier for identifier in identifiers if identifier in app.pending]
        for identifier in removed:
            _remove_pending(app, identifier)
        return wire.RemovePendingResponse(removed_identifiers=removed)

    walk.make("RemovePending", act, center=app.wire, identifiers=identifiers)


def _remove_pending(app: Center, identifier: str) -> None:
    del app.pending[identifier]
    app.record(
        removed={
            "identifier": identifier,
            "state": wire.REQUEST_STATE_PENDING,
            "cause": wire.REMOVAL_CAUSE_APP,
        }
    )


@kind(3, _pick_identifiers)
def remove_delivered(walk: Walk, center: int, identifiers: list[str]) -> None:
    """The app removes notifications from the list, and what arrives."""
    app = walk.centers[center]

    def act() -> wire.RemoveDeliveredResponse:
        app.require_registered()
        app.calls()
        removed = []
        for identifier in identifiers:
            arriving = [q for q in app.questions if q.kind == "will_present"]
            if any(question.identifier == identifier for question in arriving):
                removed.append(identifier)
                app.withdraw(identifier)
            if entry := app.newest(identifier):
                removed.append(identifier)
                app.remove(entry, wire.REMOVAL_CAUSE_APP)
        return wire.RemoveDeliveredResponse(removed_identifiers=list(dict.fromkeys(removed)))

    walk.make("RemoveDelivered", act, center=app.wire, identifiers=identifiers)


def _pick_center(walk: Walk, choices: random.Random) -> dict[str, Any]:
    return {"center": any_center(walk, choices)}


@kind(0.5, _pick_center)
def remove_all_delivered(walk: Walk, center: int) -> None:
    """The app removes all notifications from the list."""
    app = walk.centers[center]

    def act() -> wire.RemoveAllDeliveredResponse:
        app.require_registered()
        app.calls()
        arriving = {q.identifier for q in app.questions if q.kind == "will_present"}
        listed = {entry.identifier: entry for entry in app.delivered}
        # By identifier, as RemoveDelivered names them.
        for identifier in sorted(arriving | listed.keys()):
            if identifier in arriving:
                app.withdraw(identifier)
            if identifier in listed:
                app.remove(listed[identifier], wire.REMOVAL_CAUSE_APP)
        return wire.RemoveAllDeliveredResponse(removed_count=len(arriving | listed.keys()))

    walk.make("RemoveAllDelivered", act, center=app.wire)


@kind(0.5, _pick_center)
def remove_all_pending(walk: Walk, center: int) -> None:
    """The app removes all pending requests."""
    app = walk.centers[center]

    def act() -> wire.RemoveAllPendingResponse:
        app.require_registered()
        app.calls()
        names = sorted(app.pending)
        for name in names:
            _remove_pending(app, name)
        return wire.RemoveAllPendingResponse(removed_count=len(names))

    walk.make("RemoveAllPending", act, center=app.wire)


def _pick_badge(walk: Walk, choices: random.Random) -> dict[str, Any]:
    return {"center": any_center(walk, choices), "count": choices.choice([0, 1, 5, -1])}


@kind(2, _pick_badge)
def set_badge(walk: Walk, center: int, count: int) -> None:
    """The app sets its badge."""
    app = walk.centers[center]

    def act() -> wire.SetBadgeCountResponse:
        app.calls()
        app.require_registered()
        if count < 0:
            raise Refused("BADGE_INPUT_INVALID")
        may = app.permission.may_notify
        if not may or app.settings.badge_setting != wire.NOTIFICATION_SETTING_ENABLED:
            raise Refused("NOTIFICATIONS_NOT_ALLOWED")
        app.set_badge(count)
        return wire.SetBadgeCountResponse(badge=count)

    walk.make("SetBadgeCount", act, center=app.wire, count=count)


@kind(3, _pick_center)
def look(walk: Walk, center: int) -> None:
    """The app reads its lists and settings."""
    observe.app_side(walk, walk.centers[center])


def _pick_categories(walk: Walk, choices: random.Random) -> dict[str, Any]:
    names = choices.sample(contents.CATEGORIES, choices.choice([1, 1, 2, 3]))
    made = [contents.category(choices, name) for name in names]
    return {"center": any_center(walk, choices), "categories": made}


def _set(app: Center, categories: list[wire.NotificationCategory]) -> None:
    for category in categories:
        app.categories[category.identifier] = category


def _warnings_are_not_modelled(expected: Any, actual: Any) -> None:
    expected.warnings.extend(actual.warnings)


@kind(3, _pick_categories)
def set_categories(
    walk: Walk, center: int, categories: list[wire.NotificationCategory]
) -> None:
    """The app sets all its categories."""
    app = walk.centers[center]

    def act() -> wire.SetNotificationCategoriesResponse:
        app.is_registered = True
        app.calls()
        app.categories = {}
        _set(app, categories)
        return wire.SetNotificationCategoriesResponse()

    walk.make(
        "SetNotificationCategories",
        act,
        adopt=_warnings_are_not_modelled,
        center=app.wire,
        categories=categories,
    )


@kind(2, _pick_categories)
def upsert_categories(
    walk: Walk, center: int, categories: list[wire.NotificationCategory]
) -> None:
    """The app adds or replaces categories."""
    app = walk.centers[center]

    def act() -> wire.UpsertNotificationCategoriesResponse:
        app.require_registered()
        app.calls()
        _set(app, categories)
        return wire.UpsertNotificationCategoriesResponse()

    walk.make(
        "UpsertNotificationCategories",
        act,
        adopt=_warnings_are_not_modelled,
        center=app.wire,
        categories=categories,
    )


def _pick_category_names(walk: Walk, choices: random.Random) -> dict[str, Any]:
    names = choices.sample([*contents.CATEGORIES, "none"], choices.choice([1, 2]))
    return {"center": any_center(walk, choices), "identifiers": names}


@kind(1, _pick_category_names)
def remove_categories(walk: Walk, center: int, identifiers: list[str]) -> None:
    """The app removes categories."""
    app = walk.centers[center]

    def act() -> wire.RemoveNotificationCategoriesResponse:
        app.require_registered()
        app.calls()
        removed = [name for name in identifiers if app.categories.pop(name, None)]
        return wire.RemoveNotificationCategoriesResponse(removed_identifiers=removed)

    walk.make("RemoveNotificationCategories", act, center=app.wire, identifiers=identifiers)
