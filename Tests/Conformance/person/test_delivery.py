"""How a notification shows itself: its effects under the app's settings (§8)."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from harness import wire
from harness.client import Client, request
from harness.launcher import Launcher

ALERT = wire.AUTHORIZATION_OPTION_ALERT
SOUND_OPTION = wire.AUTHORIZATION_OPTION_SOUND
BADGE_OPTION = wire.AUTHORIZATION_OPTION_BADGE
PROVISIONAL = wire.AUTHORIZATION_OPTION_PROVISIONAL
EVERYTHING = (ALERT, SOUND_OPTION, BADGE_OPTION)

LIST = wire.PRESENTATION_OPTION_LIST
BANNER = wire.PRESENTATION_OPTION_BANNER
SOUND = wire.PRESENTATION_OPTION_SOUND
BADGE = wire.PRESENTATION_OPTION_BADGE


@dataclass(frozen=True)
class Case:
    name: str
    effects: list[int]
    options: tuple[int, ...] = EVERYTHING
    content: dict[str, Any] = field(default_factory=dict)


WHOLE = {"title": "A title", "sound": wire.Sound(), "badge": 1}

CASES = [
    Case("all of it", [BADGE, SOUND, LIST, BANNER], content=WHOLE),
    Case("text alone", [LIST, BANNER], content={"body": "Body"}),
    Case("a subtitle alone", [LIST, BANNER], content={"subtitle": "Subtitle"}),
    Case("a sound alone", [SOUND], content={"sound": wire.Sound()}),
    Case("a badge alone", [BADGE], content={"badge": 0}),
    Case("passive", [BADGE, LIST], content=WHOLE | {"interruption_level": 0}),
    Case("without sounds", [BADGE, LIST, BANNER], (ALERT, BADGE_OPTION), WHOLE),
    Case("without badges", [SOUND, LIST, BANNER], (ALERT, SOUND_OPTION), WHOLE),
    Case("without alerts", [BADGE, SOUND], (SOUND_OPTION, BADGE_OPTION), WHOLE),
    Case("provisional", [LIST], (*EVERYTHING, PROVISIONAL), WHOLE),
]


@pytest.mark.parametrize("after", [None, 10], ids=["now", "later"])
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_effects_are_cut_by_settings(client: Client, case: Case, after: float | None) -> None:
    app = client.app()
    app.authorize(*case.options)
    app.add("shown", after, **case.content)
    if after:
        client.advance(after)
    [delivered] = [event.delivered for event in app.events() if event.HasField("delivered")]
    assert delivered.presentation.options == case.effects
    assert not delivered.presentation.timed_out
    assert delivered.collapsed_count == 0
    assert not delivered.HasField("replaced_delivery")
    assert delivered.HasField("late_by") == (after is not None)
    assert app.delivered() == (["shown"] if LIST in case.effects else [])


def test_what_is_due_after_a_denial_is_suppressed(launch: Launcher, transport: str) -> None:
    with Client(launch(prompts="deny").targets[transport]) as client:
        app = client.app()
        app.authorize(ALERT, PROVISIONAL)
        app.add("shown")
        due_at = app.add("once", 60).next_trigger_date
        app.call("Add", request=request("tick", 60, repeats=True))
        assert not app.authorize(ALERT).granted
        assert app.pending() == ["once", "tick"]
        client.advance(60)
        suppressed = [event.suppressed for event in app.events() if event.HasField("suppressed")]
        assert {event.identifier for event in suppressed} == {"once", "tick"}
        for event in suppressed:
            assert event.reason == wire.SUPPRESSION_REASON_NOT_AUTHORIZED
            assert event.due_at == due_at
        assert (app.pending(), app.delivered()) == (["tick"], ["shown"])
        assert client.call("GetStats").counters.suppressed == 2
