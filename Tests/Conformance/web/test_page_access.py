"""The person's page for everybody: axe-core finds nothing, and the keys reach all of it."""

import json
from collections.abc import Callable
from importlib.resources import files

import pytest

from harness.browser import Page
from web.home import Home, go

pytestmark = pytest.mark.full

AXE = (files("axe_core_python") / "axe.min.js").read_text()
VIEWS = {
    "Notifications": ".note", "Upcoming": ".when", "History": ".when", "Settings": ".card",
    "Server": ".plot",
}  # fmt: skip


@pytest.fixture
def furnished(home: Home) -> Home:
    """A home in which each view has something."""
    reply = {"identifier": "say", "title": "Reply", "textInput": {}}
    for place in range(3):
        home.add(f"kettle {place}", body="It boils", actions=[reply], progress=0.5, threadIdentifier="a")
    home.add(
        "سارة", body="هل يناسبك؟", interruptionLevel="INTERRUPTION_LEVEL_TIME_SENSITIVE",
        actions=[reply],
    )  # fmt: skip
    for name, trigger in [
        ("later", {"repeats": True, "timeInterval": {"interval": "86400s"}}),
        ("once", {"timeInterval": {"interval": "7200s"}}),
    ]:
        request = {"identifier": name, "content": {"title": name}, "trigger": trigger}
        home.call("Add", center=home.center(), request=request)
    home.call(
        "UpdateDeviceState", updateMask="focus,summary",
        state={
            "focus": {"name": "Work", "schedule": [{"from": 60, "to": 120}]},
            "summary": {"enabled": True, "times": [480]},
        },
    )  # fmt: skip
    return home


def violations(page: Page) -> list[str]:
    """What axe-core finds, with where."""
    # Colors are judged when they no longer move.
    page.wait("document.getAnimations().every((each) => each.playState === 'finished')")
    if not page.run("typeof axe === 'object'"):
        page.run(AXE + ";0")
    found = page.run("axe.run(document, { resultTypes: ['violations'] }).then((found) => JSON.stringify(found.violations))")
    return [
        f"{each['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for each in json.loads(found) for node in each["nodes"]
    ]  # fmt: skip


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing(furnished: Home, width: int, is_dark: bool) -> None:
    page = furnished.open(width=width)
    page.resize(width, 900, dark=is_dark)
    windows: dict[str, list[Callable[[], None]]] = {
        "Notifications": [
            lambda: page.press("ArrowDown", "r"), lambda: page.press("v"), lambda: page.press("?"),
        ],
        "Upcoming": [
            lambda: page.click(".viewbar button", "Schedule"),
            lambda: page.click(".timeline button", "Move"),
        ],
        "History": [lambda: page.click(".timeline .line button")],
    }  # fmt: skip
    for view, there in VIEWS.items():
        go(page, view)
        page.wait(f"document.querySelector({json.dumps(there)})")
        page.run("for (const each of document.querySelectorAll('details')) each.open = true")
        assert violations(page) == [], view
        for open_window in windows.get(view, []):
            open_window()
            page.wait("document.querySelector('dialog, .reply')")
            page.wait("document.querySelector('dialog, .reply').checkVisibility()")
            assert violations(page) == [], view
            page.press("Escape")
            page.wait("!document.querySelector('dialog, .reply')")


def test_axe_would_find_something(home: Home) -> None:
    page = home.open()
    page.run("document.body.append(document.createElement('button'))")
    assert any("button-name" in each for each in violations(page))


def reached(page: Page, wanted: str) -> bool:
    """Whether the tab key comes to what is wanted, from the beginning of the page."""
    page.run("document.activeElement?.blur(); window.scrollTo(0, 0)")
    for _ in range(200):
        page.press("Tab")
        if page.run(f"!!document.activeElement?.matches({json.dumps(wanted)})"):
            return True
    return False


def test_all_of_it_is_done_by_keys_alone(furnished: Home) -> None:
    page = furnished.open()
    # To another view, by the tab key and enter.
    assert reached(page, ".bar nav a[data-view=upcoming]")
    page.press("Enter")
    page.see("once", ".timeline")
    # The form, from its opening to its end.
    assert reached(page, ".viewbar .primary")
    page.press("Enter")
    page.wait("document.activeElement.id === 'new-title'")
    page.write("By keys")
    assert reached(page, ".kind input")
    page.press("ArrowDown", "ArrowDown")
    page.wait("document.querySelector('.kind input:checked').value === 'every'")
    assert reached(page, "#new-unit-every")
    page.press("ArrowUp", "ArrowUp")
    page.wait("document.getElementById('new-unit-every').value === 'minutes'")
    page.wait("document.querySelector('.said').textContent === 'Every 10 minutes'")
    assert reached(page, ".copied .choose button")
    page.press("Enter")
    page.wait("document.querySelector('.written').textContent.startsWith('curl ')")
    assert reached(page, "form.schedule .primary")
    page.press("Enter")
    page.see("Scheduled", ".toast")
    titles = [each["request"]["content"]["title"] for each in furnished.call("ListPending", center=furnished.center())["requests"]]
    assert "By keys" in titles
    # What is upcoming is removed, and the history read.
    assert reached(page, ".timeline .tools button[title=Remove]")
    assert reached(page, ".bar nav a[data-view=history]")
    page.press("Enter")
    page.see("kettle", ".timeline")
    assert reached(page, ".search input")
    page.write("kettle 1")
    page.wait("document.querySelectorAll('.timeline .line').length === 1")
    assert reached(page, ".timeline .line button")
    page.press("Enter")
    page.wait("document.querySelector('dialog .life')")
    page.press("Escape")
    page.wait("!document.querySelector('dialog')")
    # The settings and the operator's view.
    assert reached(page, ".bar nav a[data-view=settings]")
    page.press("Enter")
    page.wait("document.querySelector('[data-name=mute]')")
    assert reached(page, "[data-name=mute]")
    page.press(" ")
    page.see("Muted", "#strip")
    assert reached(page, ".bar nav a[data-view=operator]")
    page.press("Enter")
    page.wait("document.querySelector('#push-app')")
    assert reached(page, "#push-app")
    assert page.problems() == []
