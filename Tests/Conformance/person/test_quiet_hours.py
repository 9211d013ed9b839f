"""A Focus that a schedule turns on and off (QH-1 to QH-3)."""

from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import Client
from harness.device import Watch, listed, update
from harness.refusals import Expected, refusal_of

HOUR = 3_600


def at_night(**fields: Any) -> wire.Focus:
    window = {"from": 22 * 60, "to": 7 * 60} | fields
    focus = wire.Focus(name="Sleep")
    entry = focus.schedule.add()
    entry.weekdays.extend(window.get("weekdays", []))
    # A word of the language, so that the field has to be set by its name.
    setattr(entry, "from", window["from"])
    entry.to = window["to"]
    return focus


def test_it_is_quiet_within_the_hours_and_says_so(own_client: Client) -> None:
    app = own_client.app()
    app.authorize()
    state = update(own_client, "focus", focus=at_night())
    # The manual clock starts at midnight.
    assert state.active_focus.name == "Sleep"
    assert (wire.nanoseconds(state.active_focus.until) - own_client.now()) == 7 * HOUR * 10**9
    app.add("a")
    presentation = app.events()[-1].delivered.presentation
    assert presentation.quiet
    assert presentation.silenced_by_focus == "Sleep"
    assert listed(app).groups[0].notifications[0].silenced_by_focus == "Sleep"
    own_client.advance(7 * HOUR)
    state = own_client.call("GetDeviceState").state
    assert not state.HasField("active_focus")
    assert state.HasField("focus")
    app.add("b")
    presentation = app.events()[-1].delivered.presentation
    assert not presentation.HasField("silenced_by_focus")
    assert wire.PRESENTATION_OPTION_BANNER in presentation.options


def test_a_watcher_is_told_when_it_turns_on_and_off(own_client: Client) -> None:
    app = own_client.app()
    app.authorize()
    update(own_client, "focus", focus=at_night())
    watch = Watch(app)
    while not (part := watch.frame().snapshot).complete:
        pass
    assert part.state.active_focus.name == "Sleep"
    own_client.advance(24 * HOUR)
    states = [watch.frame().changed.state for _ in range(2)]
    assert [state.HasField("active_focus") for state in states] == [False, True]


@pytest.mark.parametrize(
    ("window", "path"),
    [
        ({"from": -1}, "state.focus.schedule[0].from"),
        ({"from": 1_440}, "state.focus.schedule[0].from"),
        ({"to": 1_441}, "state.focus.schedule[0].to"),
        ({"to": -1}, "state.focus.schedule[0].to"),
        ({"weekdays": [0]}, "state.focus.schedule[0].weekdays"),
        ({"weekdays": [8]}, "state.focus.schedule[0].weekdays"),
    ],
)
def test_what_is_wrong_is_refused_by_name(
    client: Client, window: dict[str, Any], path: str
) -> None:
    refusal = refusal_of(
        lambda: update(client, "focus", device="quiet.refused", focus=at_night(**window))
    )
    Expected(grpc.StatusCode.INVALID_ARGUMENT, "FOCUS_SCHEDULE_INVALID", (path,)).check(refusal)
