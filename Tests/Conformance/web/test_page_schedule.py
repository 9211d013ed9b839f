"""The form of the person's page that schedules: what it says is what fires, however it is sent."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from access.serving import environment, own_token
from harness.browser import Page
from harness.server import BOUND
from web import attacks
from web.home import Home, go

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[3]
TYPED = ("text", "title", "body", "app", "zone", "amount", "times")

# What a person fills in, and what the form then says.
CASES: dict[str, tuple[str, dict[str, Any], str]] = {
    "in": ("After a time", {"amount": "90", "unit": "minutes"}, "After 90 minutes"),
    "at": (
        "At a time", {"start": "2026-03-29T18:30", "zone": "Europe/Lisbon"},
        "Once on 29 March 2026 at 18:30 in Lisbon",
    ),
    "minutes": (
        "Every so often", {"amount": "90", "unit-every": "minutes", "times": "4"},
        "Every 90 minutes, 4 times",
    ),
    "weeks": (
        "Every so often",
        {
            "amount": "2", "unit-every": "weeks", "start": "2026-03-24T10:00",
            "zone": "Europe/Lisbon",
        },
        "Every 2 weeks from 24 March 2026 at 10:00 in Lisbon",
    ),
    "months": (
        "Every so often",
        {
            "amount": "1", "unit-every": "months", "start": "2026-01-31T10:00",
            "zone": "America/New_York",
        },
        "Every month from 31 January 2026 at 10:00 in New York",
    ),
    "day": ("On days", {"which": "day", "time": "07:05", "zone": "UTC"}, "Every day at 7:05 in UTC"),
    "weekdays": (
        "On days", {"which": "week", "zone": "Asia/Tokyo"},
        "Every Monday, Tuesday, Wednesday, Thursday and Friday at 9:00 in Tokyo",
    ),
    "month": (
        "On days", {"which": "month", "day": "31", "zone": "Europe/Berlin"},
        "Every month on the 31st at 9:00 in Berlin",
    ),
    "ordinal": (
        "On days", {"which": "ordinal", "zone": "Europe/Lisbon", "until": "2026-03-27"},
        "Every last Friday at 9:00 in Lisbon, until its end",
    ),
    "year": (
        "On days", {"which": "year", "day": "24", "month": "12", "zone": "Europe/Lisbon"},
        "Every year on 24 December at 9:00 in Lisbon",
    ),
    "cron": (
        "Crontab", {"text": "0 9 * * 1-5", "zone": "Europe/Lisbon", "times": "7"},
        "By the crontab “0 9 * * 1-5” in Lisbon, 7 times",
    ),
    "rrule": (
        "Calendar rule",
        {"text": "FREQ=MONTHLY;BYDAY=-1FR", "start": "2026-02-01T09:00", "zone": "Europe/Lisbon"},
        "By the rule FREQ=MONTHLY;BYDAY=-1FR from 1 February 2026 at 9:00 in Lisbon",
    ),
}  # fmt: skip


def fill(page: Page, name: str, value: str) -> None:
    """Fills in a field: what is text by keys."""
    found = f"document.getElementById('new-{name}')"
    page.wait(f"{found}?.checkVisibility()")
    if name in TYPED:
        page.run(f"{found}.focus(); {found}.select()")
        page.write(value)
    else:
        event = "new Event('input', { bubbles: true })"
        page.run(f"{found}.value = {json.dumps(value)}; {found}.dispatchEvent({event})")


def form(home: Home, title: str = "Tea") -> Page:
    """A page with the form open."""
    page = home.open()
    go(page, "Upcoming")
    page.click(".viewbar button", "Schedule")
    fill(page, "title", title)
    return page


def foretold(page: Page) -> list[str]:
    """The dates that the form shows."""
    found = page.run("[...document.querySelectorAll('.dates time')].map((each) => each.dateTime)")
    return [text.replace(".000Z", "Z") for text in found]


def firing(home: Home) -> list[tuple[str, str, list[str]]]:
    """The title, the text and the first dates of what is pending, as another client has them."""
    page = home.call(
        "ListUpcoming", center=home.center(), window="31622400s", datesPerRequest=5
    )
    return [
        (
            each["request"]["content"].get("title", ""),
            each["request"]["content"].get("body", ""), each["dates"],
        )
        for each in page.get("requests", [])
    ]  # fmt: skip


def written(page: Page, kind: str) -> str:
    """The text to copy."""
    page.click(".copied .choose button", kind)
    return page.run("document.querySelector('.written').textContent")


def run(home: Home, kind: str, text: str) -> None:
    """Does what somebody does with a text that they copied."""
    variables = environment(home.server.home, BELFRY_TOKEN=own_token(home.server))
    variables["BELFRY_SERVER"] = home.server.targets["unix"]
    binary = home.launch.binary.resolve()
    variables["PATH"] = f"{binary.parent}:{os.environ['PATH']}"
    variables["PYTHONPATH"] = str(ROOT / "Clients/python/src")
    command = [sys.executable, "-"] if kind == "Python" else ["bash", "-s"]
    done = subprocess.run(
        command, input=text, env=variables, capture_output=True, text=True, timeout=BOUND,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, (text, done.stderr)
    assert kind != "curl" or "identifier" in done.stdout, done.stdout


@pytest.mark.parametrize("case", CASES)
def test_what_the_form_foretells_fires_however_it_is_sent(home: Home, case: str) -> None:
    kind, fields, says = CASES[case]
    page = form(home)
    fill(page, "body", "It has drawn.\nIt's \"hot\" \\ $HOME")
    page.click("label.kind", kind)
    for name, value in fields.items():
        fill(page, name, value)
    page.wait(f"document.querySelector('.said').textContent === {json.dumps(says)}")
    page.wait("document.querySelector('.dates time')")
    # The dates are those of the last text.
    page.wait("document.querySelector('.problem').hidden")
    texts = {each: written(page, each) for each in ("curl", "belfry", "Python")}
    page.click("button[type=submit]")
    page.see("Scheduled", ".toast")
    for each, text in texts.items():
        run(home, each, text)
    found = firing(home)
    assert len(found) == 4
    assert {(title, body) for title, body, _ in found} == {
        ("Tea", "It has drawn.\nIt's \"hot\" \\ $HOME")
    }
    assert all(dates == found[0][2] for *_, dates in found), found
    assert page.problems() == []


def test_the_dates_shown_are_those_that_fire(home: Home) -> None:
    page = form(home)
    page.click("label.kind", "On days")
    fill(page, "which", "ordinal")
    fill(page, "zone", "Europe/Lisbon")
    page.wait("document.querySelectorAll('.dates time').length === 5")
    page.wait("document.querySelectorAll('.dates time')[3].dateTime.startsWith('2026-04-24T08:')")
    shown = foretold(page)
    page.press("Enter")
    page.see("Scheduled", ".toast")
    page.click(".choose button", "A month")
    page.see("Every last Friday at 9:00 in Lisbon", ".timeline")
    assert [dates for *_, dates in firing(home)] == [shown]


@pytest.mark.parametrize(
    ("kind", "name", "value", "says"),
    [
        ("Crontab", "text", "0 25 * * *", "column"),
        ("Calendar rule", "text", "FREQ=SOMETIMES", "column"),
        ("On days", "zone", "Nowhere/Town", "zone"),
        ("At a time", "start", "2020-01-01T00:00", "date"),
        ("After a time", "amount", "", "Say after how long"),
        ("Crontab", "text", "", "Say a line of a crontab"),
    ],
)
def test_what_is_wrong_is_said_as_it_is_typed(
    home: Home, kind: str, name: str, value: str, says: str
) -> None:
    page = form(home)
    page.click("label.kind", kind)
    page.wait(f"document.getElementById('new-{name}').checkVisibility()")
    event = "dispatchEvent(new Event('input', { bubbles: true }))"
    field = f"document.getElementById('new-{name}')"
    page.run(f"{field}.value = {json.dumps(value)}; {field}.{event}")
    page.see(says, ".preview .problem")
    page.wait("!document.querySelector('.dates time')")
    page.click("button[type=submit]")
    page.see(says, ".preview .problem")
    assert firing(home) == []


def test_an_app_that_may_not_is_told(home: Home) -> None:
    page = form(home)
    fill(page, "app", "org.example.stranger")
    page.wait("document.querySelector('.dates time')")
    page.click("button[type=submit]")
    page.see("org.example.stranger", ".preview .problem")


def test_what_fires_once_is_moved(home: Home) -> None:
    content = {"title": "plants", "body": "water them", "userInfoJson": '{"a":[1,"b"]}'}
    trigger = {"timeInterval": {"interval": "7200s"}}
    request = {"identifier": "plants", "content": content, "trigger": trigger}
    home.call("Add", center=home.center(), request=request)
    daily = {"repeats": True, "timeInterval": {"interval": "86400s"}}
    request = {"identifier": "boiler", "content": {"title": "boiler"}, "trigger": daily}
    home.call("Add", center=home.center(), request=request)
    page = home.open()
    go(page, "Upcoming")
    # What repeats has no date of its own to move.
    page.see("boiler", ".timeline")
    moves = "[...document.querySelectorAll('.tools button')].filter((each) => each.innerText === 'Move')"
    page.wait(f"{moves}.length === 1")
    page.click(".timeline button", "Move")
    page.wait("document.getElementById('new-to')")
    zone = page.run("Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert zone == "UTC"
    fill(page, "to", "2026-01-03T12:15")
    page.click("dialog button[type=submit]")
    page.see("Moved", ".toast")
    page.see("Saturday, January 3", ".timeline")
    (moved,) = [
        each for each in home.call("ListPending", center=home.center())["requests"]
        if each["request"]["identifier"] == "plants"
    ]  # fmt: skip
    assert moved["nextTriggerDate"] == "2026-01-03T12:15:00Z"
    assert moved["request"]["content"] == content
    assert page.problems() == []


def test_each_text_is_one_word_of_what_is_copied(home: Home) -> None:
    texts = [*attacks.TEXTS, "-x", "--help", "$(touch x)`touch y`!!", "a\x1b]0;x\x07b", "'", "\\"]
    page = form(home)
    scripts: dict[str, list[str]] = {"belfry": [], "curl": [], "Python": []}
    titles = set()
    for text in texts:
        fill(page, "title", text)
        # An input keeps what a person can type.
        titles.add(page.run("document.getElementById('new-title').value"))
        for kind, script in scripts.items():
            script.append(written(page, kind))
    assert len(titles) == len(texts)
    for kind, script in scripts.items():
        lines = "\n".join(script)
        run(home, kind, lines if kind == "Python" else f"set -e\n{lines}")
        assert {title for title, *_ in firing(home)} == titles, kind
        home.call("RemoveAllPending", center=home.center())
    assert page.problems() == []
