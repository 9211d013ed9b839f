"""The history of the person's page: what became of notifications, and the life of each."""

import json

import pytest

from harness.browser import Page
from web import attacks
from web.home import Home, go

pytestmark = pytest.mark.full


def lines(page: Page) -> list[str]:
    """What the lines of the history say."""
    return page.run("[...document.querySelectorAll('.timeline .line')].map((each) => each.innerText)")


def opened(home: Home) -> Page:
    page = home.open()
    go(page, "History")
    page.wait("document.querySelector('.timeline[aria-busy=false]')")
    return page


def test_what_became_of_each_is_there_the_newest_first(home: Home) -> None:
    reply = {"identifier": "say", "title": "Reply", "textInput": {}}
    home.add("jo", title="Jo asks", actions=[reply])
    home.call("RequestAuthorization", center=home.center("org.example.mail"), options=["AUTHORIZATION_OPTION_ALERT"])
    home.call("AdvanceClock", by="60s")
    home.add("mail", app="org.example.mail", title="A letter")
    home.call("AdvanceClock", by="60s")
    page = home.open()
    page.click(".note button", "Reply")
    page.wait("document.activeElement.localName === 'textarea'")
    page.write("On my way")
    page.press("Enter")
    page.lose("Jo asks", ".note")
    page.click(".note button[title=Snooze]")
    page.click("[role=menu] button")
    page.see("Snoozed · 1")
    go(page, "History")
    page.see("A letter", ".timeline")
    page.wait("document.querySelectorAll('.timeline .line').length >= 3")
    shown = lines(page)
    assert "Snoozed" in shown[0] and "A letter" in shown[0]
    times = page.run("[...document.querySelectorAll('.timeline .line time')].map((each) => each.dateTime)")
    assert times == sorted(times, reverse=True)
    told = [line for line in shown if "Delivered" in line]
    assert ["A letter" in told[0], "Jo asks" in told[1], len(told)] == [True, True, 2]
    assert page.problems() == []


def test_the_life_of_one_is_a_line_of_events(home: Home) -> None:
    request = {
        "identifier": "tea", "content": {"title": "Tea", "body": "is ready"},
        "trigger": {"timeInterval": {"interval": "3600s"}},
    }  # fmt: skip
    home.call("Add", center=home.center(), request=request)
    home.call("AdvanceClock", by="3600s")
    home.add("other")
    home.call("RemoveDelivered", center=home.center(), identifiers=["tea"])
    page = opened(home)
    page.see("by the app", ".timeline")
    page.click(".timeline .line button[title='Its life']")
    page.wait("document.querySelectorAll('.life li').length === 4")
    told = page.run("[...document.querySelectorAll('.life li')].map((each) => each.innerText)")
    assert ["Added" in told[0], "Due" in told[1], "Delivered" in told[2], "Removed" in told[3]] == [True] * 4
    assert "by the app" in told[3]
    instants = page.run("[...document.querySelectorAll('.life time')].map((each) => each.dateTime)")
    start = "2026-01-01T00:00:00.000Z"
    assert instants == [start, *["2026-01-01T01:00:00.000Z"] * 3]
    page.press("Escape")
    page.wait("!document.querySelector('dialog')")
    assert page.problems() == []


def test_a_text_an_app_and_a_time_are_searched_for(home: Home) -> None:
    home.call("RequestAuthorization", center=home.center("org.example.mail"), options=["AUTHORIZATION_OPTION_ALERT"])
    home.add("old", title="Old tea")
    home.call("AdvanceClock", by="90000s")
    home.add("tea", title="Green tea", body="with Lemon")
    home.add("mail", app="org.example.mail", title="A letter")
    page = opened(home)
    page.wait("document.querySelectorAll('.timeline .line').length === 3")
    page.run("document.querySelector('[type=search]').focus()")
    page.write("lemon")
    page.wait("document.querySelectorAll('.timeline .line').length === 1")
    page.see("Green tea", ".timeline")
    clear = "(found) => { found.value = ''; found.dispatchEvent(new Event('input')); }"
    page.run(f"({clear})(document.querySelector('[type=search]'))")
    choose = "(name, value) => { const found = document.querySelector(`[aria-label=${name}]`); found.value = value; found.dispatchEvent(new Event('change')); }"
    page.run(f"({choose})('App', 'org.example.mail')")
    page.wait("document.querySelectorAll('.timeline .line').length === 1")
    page.see("A letter", ".timeline")
    page.run(f"({choose})('App', '')")
    page.run(f"({choose})('Time', 'day')")
    page.wait("document.querySelectorAll('.timeline .line').length === 2")
    page.lose("Old tea", ".timeline")
    # What happens now is there at once.
    home.add("news", title="News")
    page.see("News", ".timeline")
    assert page.problems() == []


def test_it_goes_on_page_by_page(home: Home) -> None:
    for place in range(4):
        requests = [
            {"identifier": f"{place} {each}", "content": {"title": f"Note {place * 50 + each}"}}
            for each in range(50)
        ]
        home.call("AddBatch", center=home.center(), requests=requests)
    page = opened(home)
    for count in (60, 120, 180):
        page.wait(f"document.querySelectorAll('.timeline .line').length === {count}")
        page.click(".history .wide")
    page.wait("document.querySelectorAll('.timeline .line').length === 200")
    page.wait("!document.querySelector('.history .wide')")
    titles = page.run("[...document.querySelectorAll('.timeline .what')].map((each) => each.textContent)")
    assert titles == [f"Note {number}" for number in reversed(range(200))]


def test_nothing_runs_in_the_life_of_an_attack(home: Home) -> None:
    for text in attacks.TEXTS:
        home.add(text, title=text, body=text)
    page = opened(home)
    page.wait(f"document.querySelectorAll('.timeline .line').length === {len(attacks.TEXTS)}")
    for place, text in enumerate(reversed(attacks.TEXTS)):
        page.run(f"document.querySelectorAll('.timeline .line button')[{place}].click()")
        page.wait("document.querySelector('dialog .life li')")
        assert page.run("document.querySelector('dialog h2').textContent") == text
        page.press("Escape")
        page.wait("!document.querySelector('dialog')")
    page.run("document.querySelector('[type=search]').focus()")
    page.write(attacks.TEXTS[0])
    page.see(attacks.TEXTS[0], ".timeline")
    assert page.run("document.querySelectorAll('main :is(iframe, object, embed, script, base)').length") == 0
    assert page.problems() == []


def test_the_person_of_a_locked_device_reads_what_the_lock_shows(home: Home) -> None:
    home.call(
        "UpdateSettings", center=home.center(), updateMask="showPreviewsSetting",
        settings={"showPreviewsSetting": "SHOW_PREVIEWS_SETTING_NEVER"},
    )  # fmt: skip
    home.add("code", title="The code", body="4711")
    page = opened(home)
    page.wait("document.querySelector('.timeline .line')")
    page.click(".timeline .line button[title='Its life']")
    page.wait("document.querySelector('dialog .life li')")
    assert "4711" not in page.run("document.documentElement.outerHTML")


def test_the_operator_pushes_and_sees_who_has_what(home: Home) -> None:
    page = home.open()
    go(page, "Server")
    for name, text in [("app", home.app), ("title", "Pushed"), ("text", "from the page"), ("id", "it")]:
        page.run(f"document.getElementById('push-{name}').focus()")
        page.write(text)
    page.press("Enter")
    page.see("it is delivered", ".toast")
    assert home.delivered() == ["it"]
    page.run("document.getElementById('push-app').select()")
    page.write("org.example.stranger")
    page.press("Enter")
    page.see("org.example.stranger", ".toast.error")
    go(page, "Notifications")
    page.see("from the page", ".note")
    assert json.dumps(page.problems()) == "[]"
