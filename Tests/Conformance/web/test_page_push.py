"""The page's switch, and its worker in Chromium, which is given what the server sends.

No test reaches the push service of a browser, for which the test stands. Debian's chromium shows the
notifications; where only its headless shell is, which shows none, the test stands for that too.
"""

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from harness.browser import Browser, Page
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import BOUND
from web.home import Home, go
from web.push_service import PushService, Subscription
from web.signed_in import link

pytestmark = pytest.mark.full

SWITCH = "[data-name=push]"

CHROMIUM = shutil.which("chromium")

# What a browser asks the person.
_PERSON = """
Object.defineProperty(Notification, "permission", { get: () => localStorage.getItem("test.permission") ?? "default" });
Notification.requestPermission = async () => {
  localStorage.setItem("test.permission", window.answer ?? "granted");
  return Notification.permission;
};
"""

# What it asks its push service.
_SERVICE = """
const subscribed = (options) => ({
  ...%(json)s, options: { ...options, applicationServerKey: null }, toJSON: () => (%(json)s),
  unsubscribe: async () => (localStorage.removeItem("test.subscribed"), true),
});
PushManager.prototype.subscribe = async (options) => {
  localStorage.setItem("test.subscribed", JSON.stringify(options));
  return subscribed(options);
};
PushManager.prototype.getSubscription = async () => {
  const kept = localStorage.getItem("test.subscribed");
  return kept && subscribed(JSON.parse(kept));
};
"""

# What a worker shows.
_WORKER = """
self.shown = [];
self.registration.showNotification = async (title, options) => {
  self.shown = self.shown.filter((each) => each.tag !== options.tag);
  const { actions, body, data, tag } = options;
  const close = () => (self.shown = self.shown.filter((each) => each.tag !== tag));
  self.shown.push({ title, actions, body, data, tag, close });
};
self.registration.getNotifications = async () => self.shown;
"""


class Worker:
    """The page's worker, without a page."""

    def __init__(self, browser: Browser, page: Page, origin: str) -> None:
        self._browser = browser
        self._origin = origin
        self._page = page
        page.send("ServiceWorker.enable")
        eventually(lambda: self._registration() is not None)
        eventually(lambda: self._target() is not None)
        attached = browser.send("Target.attachToTarget", targetId=self._target(), flatten=True)
        self._session = attached["sessionId"]
        if not CHROMIUM:
            self.run(_WORKER)

    def _registration(self) -> str | None:
        for event in reversed(self._browser.events):
            if event["method"] == "ServiceWorker.workerRegistrationUpdated":
                for each in event["params"]["registrations"]:
                    if each["scopeURL"].startswith(self._origin):
                        return str(each["registrationId"])
        return None

    def _target(self) -> str | None:
        targets = self._browser.send("Target.getTargets")["targetInfos"]
        return next(
            (
                each["targetId"]
                for each in targets
                if each["type"] == "service_worker" and each["url"].startswith(self._origin)
            ),
            None,
        )

    def run(self, script: str) -> Any:
        """The value of a script, which may be a promise."""
        answer = self._browser.send(
            "Runtime.evaluate", self._session,
            expression=script, awaitPromise=True, returnByValue=True,
        )  # fmt: skip
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def push(self, text: str) -> None:
        """Gives it what a push service gives a browser."""
        self._page.send(
            "ServiceWorker.deliverPushMessage",
            origin=self._origin, registrationId=self._registration(), data=text,
        )  # fmt: skip

    def tell(self, text: str) -> None:
        """Gives it a message until the browser shows it: a busy one can lose what a worker showed."""
        for _ in range(3):
            self.push(text)
            end = time.monotonic() + BOUND / 4
            # Real time: a browser is never this slow, and the last message decides.
            while time.monotonic() < end:
                if self.shown():
                    return
        raise AssertionError("it is not shown")

    def shown(self) -> list[dict[str, Any]]:
        """What it shows."""
        return list(
            self.run(
                """registration.getNotifications().then((all) => all.map(({ title, body, actions }) =>
                ({ title, body, actions: actions.map(({ action, title }) => ({ action, title })) })))"""
            )
        )

    def press(self, action: str = "", reply: str | None = None) -> None:
        """Presses a button of what it shows, or the whole."""
        # No script may keep a worker running that the browser did not start.
        self.run("ExtendableEvent.prototype.waitUntil = () => {}")
        pressed = f"{{ notification: all[0], action: {json.dumps(action)}, reply: {json.dumps(reply)} }}"
        event = (
            f'new NotificationEvent("notificationclick", {pressed})' if CHROMIUM
            else f'Object.assign(new ExtendableEvent("notificationclick"), {pressed})'
        )  # fmt: skip
        self.run(f"registration.getNotifications().then((all) => self.dispatchEvent({event}))")

    def opened(self, action: str = "") -> str:
        """The address that a press opens, which a browser does for a person alone."""
        self.run("clients.openWindow = async (address) => void (self.opened = address)")
        self.press(action)
        eventually(lambda: self.run("self.opened") is not None)
        return str(self.run("self.opened"))


class Closed:
    """A person whose browser was switched on, and whose page is closed."""

    def __init__(self, launch: Launcher, browser: Browser, service: PushService) -> None:
        self.home = Home(launch, browser, *service.arguments)
        self.service = service
        self.subscription = Subscription(service)
        person = browser.person()
        if CHROMIUM:
            person.grant("notifications", self.home.web.url)
        self.page = person.page(link(launch, self.home.server))
        self.page.wait("document.querySelector('.groups[aria-busy=false]')")
        self.stand_in(_SERVICE % {"json": json.dumps(self.subscription.json)})
        if not CHROMIUM:
            self.stand_in(_PERSON)

    def stand_in(self, script: str) -> None:
        """Opens the page with a part of the browser that the test stands for."""
        self.page.send("Page.addScriptToEvaluateOnNewDocument", source=script)
        self.page.send("Page.reload")
        self.page.wait("document.querySelector('.groups[aria-busy=false]')")

    def switch_on(self) -> Worker:
        """Presses the switch, and closes the page."""
        go(self.page, "Settings")
        self.page.wait(f"document.querySelector({json.dumps(SWITCH)})?.disabled === false")
        self.page.click(SWITCH)
        eventually(lambda: len(self.known()) == 1)
        worker = Worker(self.home.browser, self.page, self.home.web.url)
        assert self.page.problems() == []
        self.page.go("about:blank")
        pages = "clients.matchAll({ type: 'window', includeUncontrolled: true }).then((all) => all.length)"
        eventually(lambda: worker.run(pages) == 0)
        return worker

    def known(self) -> list[Any]:
        """The browsers that the server tells."""
        return list(self.home.call("ListWebPushSubscriptions").get("subscriptions", []))

    def told(self, count: int = 1) -> str:
        """What the push service gives the browser."""
        pushed = self.service.wait(self.subscription, count)[count - 1]
        return json.dumps(self.subscription.read(pushed))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser that shows notifications, where there is one."""
    with Browser(CHROMIUM) if CHROMIUM else Browser() as found:
        yield found


@pytest.fixture
def closed(launch: Launcher, browser: Browser) -> Iterator[Closed]:
    """Somebody whose page can be told while it is closed."""
    with PushService(launch.new_home()) as service:
        yield Closed(launch, browser, service)


def test_a_press_in_a_closed_page_is_answered_to_the_app(closed: Closed) -> None:
    worker = closed.switch_on()
    off = {"identifier": "off", "title": "Turn off"}
    added = closed.home.add("kettle", title="It boils", body="Go and look", actions=[off])
    worker.tell(closed.told())
    (shown,) = worker.shown()
    assert "It boils" in shown["title"] and "Go and look" in shown["body"]
    assert shown["actions"] == [{"action": "off", "title": "Turn off"}]
    worker.press("off")
    assert closed.home.answer("kettle", added)["actionIdentifier"] == "off"
    eventually(lambda: worker.shown() == [])


REPLY = {"identifier": "reply", "title": "Reply", "textInput": {"placeholder": "Say"}}


def test_a_text_in_a_closed_page_is_answered_to_the_app(closed: Closed) -> None:
    worker = closed.switch_on()
    added = closed.home.add("kettle", title="It boils", actions=[REPLY])
    worker.tell(closed.told())
    assert worker.shown()[0]["actions"] == [{"action": "reply", "title": "Reply"}]
    worker.press("reply", "I come")
    answer = closed.home.answer("kettle", added)
    assert (answer["actionIdentifier"], answer["userText"]) == ("reply", "I come")


def test_where_no_text_can_be_written_the_page_has_its_field(closed: Closed) -> None:
    worker = closed.switch_on()
    closed.home.add("pan", title="Another")
    added = closed.home.add("kettle", title="It boils", actions=[REPLY])
    worker.tell(closed.told(2))
    address = worker.opened("reply")
    assert parse_qs(urlsplit(address).fragment)["notification"] == ["kettle"]
    closed.page.go(closed.home.web.url + address)
    closed.page.wait("document.activeElement.matches('.note textarea')")
    assert closed.page.run("location.hash") == ""
    closed.page.write("I come")
    closed.page.press("Enter")
    answer = closed.home.answer("kettle", added)
    assert (answer["actionIdentifier"], answer["userText"]) == ("reply", "I come")
    assert closed.page.problems() == []


def test_a_press_brings_the_page_to_the_notification(closed: Closed) -> None:
    worker = closed.switch_on()
    off = {"identifier": "off", "title": "Turn off"}
    for name in ["pan", "kettle", "pot"]:
        closed.home.add(name, title=name, actions=[off])
    worker.tell(closed.told(2))
    address = worker.opened()
    # Whoever writes an address has pressed nothing.
    closed.page.go(closed.home.web.url + address + "&action=off")
    chosen = "document.activeElement.closest('.note')?.dataset.key.split('\\n')[1]"
    closed.page.wait(f"{chosen} === 'kettle'")
    # A page that is open is told by the worker.
    page = "clients.matchAll({ type: 'window', includeUncontrolled: true }).then(([page]) => page.postMessage"
    worker.run(f"{page}({{ reveal: {{ app: {json.dumps(closed.home.center()['appId'])}, notification: 'pan' }} }}))")
    closed.page.wait(f"{chosen} === 'pan'")
    closed.page.run("location.hash = 'app=a&notification=gone'")
    closed.page.see("is not here any more", ".toast")
    assert sorted(closed.home.delivered()) == ["kettle", "pan", "pot"]


def test_a_press_that_fails_is_told(closed: Closed) -> None:
    worker = closed.switch_on()
    closed.home.add("kettle", title="It boils", actions=[{"identifier": "off", "title": "Turn off"}])
    worker.tell(closed.told())
    closed.home.call("RemoveDelivered", center=closed.home.center(), identifiers=["kettle"])
    worker.press("off")
    eventually(lambda: any("was not told" in each["body"] for each in worker.shown()))
    # It can be pressed again.
    assert worker.shown()[0]["actions"] == [{"action": "off", "title": "Turn off"}]


def test_what_is_no_message_is_shown_as_nothing_more(closed: Closed) -> None:
    worker = closed.switch_on()
    for text in ["", "{", "<script>alert(1)</script>"]:
        worker.push(text)
    eventually(lambda: [each["title"] for each in worker.shown()] == ["Belfry"])


def test_the_switch_turns_it_off(closed: Closed) -> None:
    closed.switch_on()
    closed.page.go(closed.home.web.url)
    closed.page.wait("document.querySelector('.groups[aria-busy=false]')")
    go(closed.page, "Settings")
    closed.page.wait(f"document.querySelector({json.dumps(SWITCH)})?.checked")
    closed.page.click(SWITCH)
    eventually(lambda: closed.known() == [])
    closed.home.add("kettle")
    closed.page.wait(f"!document.querySelector({json.dumps(SWITCH)}).checked")


def test_signing_out_turns_it_off(closed: Closed) -> None:
    closed.switch_on()
    closed.page.go(closed.home.web.url)
    closed.page.wait("document.querySelector('.groups[aria-busy=false]')")
    closed.page.click("button[title='Sign out']")
    closed.page.see("Sign in to Belfry")
    assert closed.known() == []


def test_what_is_not_possible_is_said(closed: Closed) -> None:
    closed.stand_in(_PERSON)
    closed.page.run("localStorage.setItem('test.permission', 'denied')")
    go(closed.page, "Settings")
    closed.page.see("its settings can allow them", ".settings")
    assert closed.page.run(f"document.querySelector({json.dumps(SWITCH)}).disabled")
    # A person that says no leaves the switch off.
    closed.page.run("localStorage.removeItem('test.permission'); window.answer = 'denied'")
    go(closed.page, "Notifications")
    go(closed.page, "Settings")
    closed.page.wait(f"document.querySelector({json.dumps(SWITCH)})?.disabled === false")
    closed.page.click(SWITCH)
    closed.page.see("shows no notifications", ".toast")
    assert closed.known() == []


def test_it_is_installable(closed: Closed) -> None:
    found = closed.page.send("Page.getAppManifest")
    assert found["errors"] == [] and found["url"].endswith("/manifest.webmanifest")
    told = json.loads(found["data"])
    for icon in told["icons"]:
        reply = closed.home.web.send("GET", icon["src"])
        assert reply.status == 200 and reply.headers["content-type"] == icon["type"]
    root = Path(__file__).parents[3] / "Clients/page"
    assert {each.name for each in root.iterdir()} >= {"worker.js", "push.js"}
