"""What gets through a Focus, and what waits for the summary (§16)."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from harness import wire
from harness.client import App
from harness.device import update

PASSIVE = wire.INTERRUPTION_LEVEL_PASSIVE
TIME_SENSITIVE = wire.INTERRUPTION_LEVEL_TIME_SENSITIVE
CRITICAL = wire.INTERRUPTION_LEVEL_CRITICAL

# Stands for the identifier of the app that notifies.
THE_APP = "the app"


def only(*values: str) -> dict[str, Any]:
    return {"mode": wire.FOCUS_FILTER_MODE_ONLY, "values": values}


def all_but(*values: str) -> dict[str, Any]:
    return {"mode": wire.FOCUS_FILTER_MODE_EXCEPT, "values": values}


@dataclass(frozen=True)
class Case:
    """A Focus, a content, and whether it is only listed."""

    name: str
    is_quiet: bool
    apps: tuple[str, ...] = ()
    allows_time_sensitive: bool = False
    filter: dict[str, Any] | None = None
    content: dict[str, Any] = field(default_factory=dict)


LISTED = (THE_APP,)

CASES = [
    Case("nothing allowed", True),
    Case("the app allowed", False, LISTED),
    Case("another app allowed", True, ("org.example.other",)),
    Case("time sensitive allowed", False, (), True, content={"interruption_level": TIME_SENSITIVE}),
    Case("time sensitive not allowed", True, content={"interruption_level": TIME_SENSITIVE}),
    Case("active where time sensitive is allowed", True, (), True),
    Case("critical", False, content={"interruption_level": CRITICAL}),
    Case("on the list", False, LISTED, filter=only("work"), content={"filter_criteria": "work"}),
    Case("not on the list", True, LISTED, filter=only("work"), content={"filter_criteria": "home"}),
    Case("case differs", True, LISTED, filter=only("work"), content={"filter_criteria": "Work"}),
    Case("shut out", True, LISTED, filter=all_but("home"), content={"filter_criteria": "home"}),
    Case("not shut out", False, LISTED, filter=all_but("home"), content={"filter_criteria": "x"}),
    Case("no criteria", False, LISTED, filter=only("work")),
    Case("a filter allows no app", True, filter=only("work"), content={"filter_criteria": "work"}),
]


@pytest.fixture
def urgent(own_device: App) -> App:
    """An app that may interrupt as it likes."""
    entitlements = wire.Entitlements(critical_alerts=True, time_sensitive=True)
    own_device.call("RegisterApp", manifest=wire.AppManifest(entitlements=entitlements))
    own_device.authorize(wire.AUTHORIZATION_OPTION_CRITICAL_ALERT)
    enabled = wire.NOTIFICATION_SETTING_ENABLED
    own_device.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(critical_alert_setting=enabled),
        update_mask={"paths": ["critical_alert_setting"]},
    )
    return own_device


def presentation(app: App, **content: Any) -> wire.Presentation:
    app.add("a", **({"title": "A title", "sound": {}} | content))
    assert app.delivered() == ["a"]
    return app.events()[-1].delivered.presentation


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_what_gets_through_a_focus(urgent: App, case: Case) -> None:
    app_id = urgent.center.app_id
    filters = [] if case.filter is None else [{"app_id": app_id, **case.filter}]
    focus = {
        "allowed_apps": [app_id if name == THE_APP else name for name in case.apps],
        "allow_time_sensitive": case.allows_time_sensitive,
        "filters": filters,
    }
    update(urgent.client, "focus", device=urgent.center.device_id, focus=focus)
    shown = presentation(urgent, **case.content)
    assert shown.quiet == case.is_quiet
    assert (wire.PRESENTATION_OPTION_BANNER in shown.options) == (not case.is_quiet)
    assert (wire.PRESENTATION_OPTION_SOUND in shown.options) == (not case.is_quiet)


@pytest.mark.parametrize(
    "level, is_held",
    [
        (PASSIVE, True),
        (wire.INTERRUPTION_LEVEL_ACTIVE, True),
        (TIME_SENSITIVE, False),
        (CRITICAL, False),
    ],
    ids=["passive", "active", "time sensitive", "critical"],
)
@pytest.mark.parametrize("is_in_it", [True, False], ids=["in it", "not in it"])
def test_what_waits_for_the_summary_is_listed(
    urgent: App, level: int, is_held: bool, is_in_it: bool
) -> None:
    app_id = urgent.center.app_id if is_in_it else "org.example.other"
    summary = {"enabled": True, "times": [8 * 60], "apps": [app_id]}
    update(urgent.client, "summary", device=urgent.center.device_id, summary=summary)
    shown = presentation(urgent, interruption_level=level)
    is_shown = not (is_held and is_in_it) and level != PASSIVE
    assert (wire.PRESENTATION_OPTION_BANNER in shown.options) == is_shown
    assert (wire.PRESENTATION_OPTION_SOUND in shown.options) == is_shown
