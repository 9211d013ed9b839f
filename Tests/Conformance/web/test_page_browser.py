"""The person's page in a browser, driven by clicks and keys, and read back by other clients."""

import base64
import json
import struct
import zlib

import pytest

from access.serving import make_token, own_token, token_command
from harness import wire
from harness.browser import Browser, Page
from harness.client import App, Client
from harness.content import ContentExtension
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.qr import read_code
from web import attacks
from web.home import KEEP, Home, go
from web.http_server import serve

pytestmark = pytest.mark.full

NOTE = ".note"


def test_a_press_is_answered_to_the_app(home: Home) -> None:
    off = {"identifier": "off", "title": "Turn off"}
    added = home.add("kettle", title="It boils", actions=[off])
    page = home.open()
    page.click(".note button", "Turn off")
    assert home.answer("kettle", added)["actionIdentifier"] == "off"
    page.lose("It boils", NOTE)
    assert page.problems() == []


def test_a_reply_is_answered_with_its_text(home: Home) -> None:
    reply = {"identifier": "say", "title": "Reply", "textInput": {"placeholder": "Say something"}}
    added = home.add("jo", title="Jo", body="Are you there?", actions=[reply])
    page = home.open()
    page.click(".note button", "Reply")
    page.wait("document.activeElement.placeholder === 'Say something'")
    page.write("I am, <b>soon</b> x")
    page.press("Enter")
    answer = home.answer("jo", added)
    assert (answer["actionIdentifier"], answer["userText"]) == ("say", "I am, <b>soon</b> x")


def test_a_page_is_live_and_two_agree(home: Home) -> None:
    one, other = home.open(), home.open()
    home.add("kettle", title="It boils", badge=3)
    for page in (one, other):
        page.see("It boils", NOTE)
        page.wait("document.title === '(3) Belfry'")
    one.click(".note button[title=Dismiss]")
    one.lose("It boils", NOTE)
    # It can be taken back for five seconds.
    assert home.delivered() == ["kettle"]
    one.click(".toast button", "Undo")
    one.see("It boils", NOTE)
    one.click(".note button[title=Dismiss]")
    other.lose("It boils", NOTE)
    assert home.delivered() == []


def test_what_is_dismissed_as_the_page_closes_is_dismissed(home: Home) -> None:
    home.add("kettle")
    page = home.open()
    page.click(".note button[title=Dismiss]")
    page.go("about:blank")
    eventually(lambda: home.delivered() == [])


def test_a_group_opens_closes_and_is_cleared(home: Home) -> None:
    for place in range(5):
        home.add(f"mail {place}", threadIdentifier="inbox")
    page = home.open()
    page.wait("document.querySelectorAll('.note').length === 1")
    page.click(".more")
    page.wait("document.querySelectorAll('.note').length === 5")
    page.click(".grouphead button", "Show less")
    page.wait("document.querySelectorAll('.note').length === 1")
    page.click(".note button[title='Clear all 5']")
    page.see("Dismissed 5", ".toast")
    # What comes meanwhile was not seen, and stays.
    home.add("mail 5", threadIdentifier="inbox")
    page.see("mail 5", NOTE)
    eventually(lambda: home.delivered() == ["mail 5"])
    page.wait("document.querySelectorAll('.note').length === 1")


def test_the_keys_do_all_of_it(home: Home) -> None:
    added = home.add("first", actions=[{"identifier": "one", "title": "One"}])
    home.add("second")
    home.add("third")
    page = home.open()
    page.press("ArrowDown")
    page.wait("document.activeElement.innerText.includes('third')")
    # The cursor stays on its notification, whatever comes before it.
    home.add("fourth")
    page.see("fourth", NOTE)
    page.wait("document.activeElement.innerText.includes('third')")
    page.press("x")
    page.wait("document.activeElement.innerText.includes('second')")
    page.press("u")
    page.see("third", NOTE)
    page.press("z")
    page.see("Snoozed · 1")
    page.wait("document.activeElement.innerText.includes('first')")
    page.press("v")
    page.see("first", "dialog")
    page.press("Escape")
    page.wait("!document.querySelector('dialog')")
    page.press("1")
    assert home.answer("first", added)["actionIdentifier"] == "one"
    page.press("l")
    page.see("Locked", "#strip")
    assert home.call("GetDeviceState")["state"]["locked"]
    page.press("l")
    page.lose("Locked", "#strip")
    page.press("?")
    page.see("Lock or unlock", "dialog")
    page.press("Escape")
    page.wait("!document.querySelector('dialog')")
    page.press("X")
    page.see("Nothing new")
    eventually(lambda: home.delivered() == [])


def test_a_prompt_is_answered(launch: Launcher, browser: Browser) -> None:
    home = _asking(launch, browser)
    page = home.open()
    page.see("wants to send you notifications", ".prompt")
    page.click(".prompt label", "Sounds")
    page.click(".prompt button", "Allow")
    page.lose("wants to send", "body")
    settings = home.call("GetNotificationSettings", center=home.center())["settings"]
    assert settings["alertSetting"] == "NOTIFICATION_SETTING_ENABLED"
    assert settings.get("soundSetting") == "NOTIFICATION_SETTING_DISABLED"


def _asking(launch: Launcher, browser: Browser) -> Home:
    """A server whose app waits for the person."""
    home = Home.__new__(Home)
    home.launch, home.browser, home.app = launch, browser, "org.example.tea"
    home.server, web = serve(launch, "--prompts=ask")
    home.web = web.bearing(own_token(home.server))
    question = {"center": home.center(), "options": KEEP, "wait": "0.1s"}
    asked = home.web.call("RequestAuthorization", question)
    assert asked.status in (200, 504), asked.body
    return home


def test_a_locked_device_hides_and_waits(home: Home) -> None:
    home.call(
        "UpdateSettings", center=home.center(), updateMask="showPreviewsSetting",
        settings={"showPreviewsSetting": "SHOW_PREVIEWS_SETTING_WHEN_AUTHENTICATED"},
    )  # fmt: skip
    home.add("secret", title="The code", body="1234")
    page = home.open()
    page.see("1234", NOTE)
    home.with_lock(locked=True)
    page.lose("1234")
    page.see("Notification", NOTE)
    page.click("#lock")
    page.see("1234", NOTE)


def test_a_page_comes_back_after_a_restart(home: Home) -> None:
    home.add("kettle")
    page = home.open()
    page.see("kettle", NOTE)
    home.server.terminate()
    home.server.wait()
    page.see("does not answer", "#strip")
    assert "kettle" in page.text()


def test_a_revoked_token_signs_out(launch: Launcher, home: Home) -> None:
    token = make_token(launch, home.server.home, "phone", "device:local")
    home.add("kettle")
    page = home.browser.person().page(home.web.url)
    page.see("Sign in to Belfry")
    page.write(token)
    page.press("Enter")
    page.see("kettle", NOTE)
    assert token_command(launch, home.server.home, "revoke", "phone").returncode == 0
    page.see("You were signed out")
    assert "kettle" not in page.text()


def test_a_long_list_is_shown_in_parts(home: Home) -> None:
    for start in range(0, 600, 100):
        requests = [
            {
                "identifier": f"n{place}",
                "content": {"title": f"note {place}", "threadIdentifier": f"t{place % 150}"},
            }
            for place in range(start, start + 100)
        ]
        home.call("AddBatch", center=home.center(), requests=requests)
    page = home.open()
    page.see("600 notifications")
    assert page.run("document.querySelectorAll('.note').length") == 60
    page.click(".wide", "Show")
    page.wait("document.querySelectorAll('.note').length === 120")


# What is upcoming, the settings, the operator's


def test_what_is_upcoming_is_skipped_and_removed(home: Home) -> None:
    daily = {"repeats": True, "timeInterval": {"interval": "86400s"}}
    for name, trigger in [("boiler", daily), ("plants", {"timeInterval": {"interval": "7200s"}})]:
        request = {"identifier": name, "content": {"title": name}, "trigger": trigger}
        home.call("Add", center=home.center(), request=request)
    page = home.open()
    go(page, "Upcoming")
    page.see("plants", ".timeline")
    shown = "[...document.querySelectorAll('.what')]"
    count = f"{shown}.filter((each) => each.innerText === 'boiler').length"
    page.wait(f"{count} === 7")
    page.click(".timeline button", "Skip")
    page.wait(f"{count} === 6")
    page.click(".timeline button[title=Remove]")
    page.lose("plants", ".timeline")
    page.click(".choose button", "A month")
    page.wait(f"{count} === 30")
    pending = home.call("ListPending", center=home.center())["requests"]
    assert [each["request"]["identifier"] for each in pending] == ["boiler"]


def test_the_settings_are_what_the_person_chose(home: Home) -> None:
    page = home.open()
    go(page, "Settings")
    page.click("summary", "org.example.tea")
    page.click("[data-name='soundSetting-org.example.tea']")
    settings = lambda: home.call("GetNotificationSettings", center=home.center())["settings"]
    eventually(lambda: settings()["soundSetting"] == "NOTIFICATION_SETTING_DISABLED")
    page.click("[data-name='allow-org.example.tea']")
    eventually(lambda: settings()["authorizationStatus"] == "AUTHORIZATION_STATUS_DENIED")
    page.see("Off", "details.app summary")
    state = lambda: home.call("GetDeviceState")["state"]
    page.click("[data-name=mute]")
    eventually(lambda: state().get("muted", False))
    page.see("Muted", "#strip")
    page.click("[data-name=focus]")
    page.see("Do not disturb", "#strip")
    page.click("[data-name=focus-add]")
    page.click("button.day", "Sat")
    page.wait("document.querySelector('button.day[aria-pressed=true]')?.innerText === 'Sat'")
    window = {"weekdays": ["WEEKDAY_SATURDAY"], "from": 1320, "to": 420}
    eventually(lambda: state().get("focus", {}).get("schedule") == [window])
    page.click("[data-name=focus]")
    eventually(lambda: "focus" not in state())
    page.click("[data-name=summary]")
    eventually(lambda: state().get("summary") == {"enabled": True, "times": [480, 1080]})
    page.click("[data-name=zone]")
    page.write("Nowhere/Town")
    page.press("Enter", "Tab")
    page.see("TIME_ZONE_INVALID", ".toast")
    assert page.problems() == []


def test_the_operator_sees_what_the_server_does(home: Home) -> None:
    home.add("kettle")
    page = home.open()
    go(page, "Server")
    page.see("All is well", ".operator")
    page.see("1 added", ".operator")
    page.wait("document.querySelectorAll('.plot path[d]').length === 8")
    home.web.bearing("0" * 64).call("GetStats")
    page.see("TOKEN_INVALID", ".operator")
    page.click(".operator button", "Back up now")
    page.see(".mdb", ".operator")
    # The clock of a trial is moved here.
    request = {
        "identifier": "later", "content": {"title": "later"},
        "trigger": {"timeInterval": {"interval": "3600s"}},
    }  # fmt: skip
    home.call("Add", center=home.center(), request=request)
    page.click(".operator button", "To what is due next")
    page.see("1 fired", ".toast")
    go(page, "Notifications")
    page.see("later", NOTE)
    assert page.problems() == []


def test_a_person_sees_no_view_of_the_operator(launch: Launcher, home: Home) -> None:
    token = make_token(launch, home.server.home, "mine", "device:local")
    page = home.browser.person().page(home.web.url)
    page.see("Sign in to Belfry")
    page.write(token)
    page.press("Enter")
    page.wait("document.querySelector('.groups[aria-busy=false]')")
    names = page.run("[...document.querySelectorAll('.bar nav a')].map((each) => each.innerText)")
    assert names == ["Notifications", "History", "Settings"]
    page.run("location.hash = '#operator'")
    page.wait("document.querySelector('.bar nav [aria-current]').innerText === 'Notifications'")


@pytest.mark.parametrize("name", ["phone", "<img src=x onerror=document.title='hit'>"])
def test_a_token_is_made_used_and_revoked_by_clicks(home: Home, name: str) -> None:
    home.add("kettle")
    page = home.open()
    go(page, "Server")
    # The form is below the list, and has its place when that is there.
    page.see("There are none", ".operator")
    page.click("#token-name")
    page.write(name)
    page.run("document.getElementById('token-role').value = 'device'")
    page.run("document.getElementById('token-role').dispatchEvent(new Event('change'))")
    page.see("For the device", ".maketoken")
    page.click("#token-scope")
    page.write("local")
    page.click(".maketoken button", "Make a token")
    page.wait("document.querySelector('dialog .secret input')")
    secret = page.run("document.querySelector('dialog .secret input').value")
    assert secret.startswith("belfry_")
    page.wait("document.querySelector('dialog .code')")
    scanned = read_code(page, "dialog .code")
    assert scanned == f"{home.web.url}/#sign-in={secret}&device=local"
    page.click("dialog button", "Done")
    page.wait("!document.querySelector('dialog')")
    page.see(name, ".operator")
    page.see("device:local", ".operator")
    # Nothing has it any more.
    assert secret not in page.run("document.documentElement.outerHTML")
    assert not page.run(f"[...document.querySelectorAll('input')].some((each) => each.value.includes('{secret}'))")
    (told,) = home.call("ListTokens")["tokens"]
    assert (told["name"], told["roles"]) == (name, ["device:local"]) and "expiresAt" in told
    # Another person's browser signs in with the code, and sees no tokens.
    other = home.browser.person().page(scanned)
    other.see("kettle", NOTE)
    assert "Server" not in other.run("document.querySelector('.bar nav').innerText")
    page.click(".operator button", "Revoke")
    page.click("dialog button", "Revoke it")
    page.see("There are none", ".operator")
    other.see("You were signed out")
    assert "kettle" not in other.text()
    assert page.problems() == []


# For everybody

NAMED = {
    "button", "link", "checkbox", "switch", "textbox", "combobox", "article", "dialog", "feed",
    "navigation", "menuitem", "progressbar", "image", "Date", "InputTime",
}  # fmt: skip


def unnamed(page: Page) -> list[str]:
    """What a screen reader meets and cannot name."""
    found = []
    for node in page.send("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value", "")
        if not node.get("ignored") and role in NAMED and not node.get("name", {}).get("value"):
            number = node["backendDOMNodeId"]
            described = page.send("DOM.describeNode", backendNodeId=number)["node"]
            # The picture of an app is beside its name.
            if described.get("attributes", [])[:2] != ["alt", ""]:
                found.append(f"{role} {described['nodeName']} {described.get('attributes')}")
    return found


def test_a_screen_reader_finds_a_name_for_all(home: Home) -> None:
    reply = {"identifier": "say", "title": "Reply", "textInput": {}}
    home.add("kettle", actions=[reply], progress=0.5)
    request = {
        "identifier": "later", "content": {"title": "later"},
        "trigger": {"repeats": True, "timeInterval": {"interval": "86400s"}},
    }  # fmt: skip
    home.call("Add", center=home.center(), request=request)
    home.call(
        "UpdateDeviceState", updateMask="focus,summary",
        state={
            "focus": {"name": "Work", "schedule": [{"from": 60, "to": 120}]},
            "summary": {"enabled": True, "times": [480]},
        },
    )  # fmt: skip
    page = home.open()
    page.press("ArrowDown", "r")
    page.wait("document.activeElement.localName === 'textarea'")
    assert unnamed(page) == []
    page.press("Escape", "v")
    page.see("kettle", "dialog")
    assert unnamed(page) == []
    page.press("Escape")
    page.wait("!document.querySelector('dialog')")
    for view, there in [
        ("Upcoming", ".when"), ("History", ".when"), ("Settings", ".card"), ("Server", ".plot"),
    ]:  # fmt: skip
        go(page, view)
        page.wait(f"document.querySelector({json.dumps(there)})")
        page.run("for (const each of document.querySelectorAll('details')) each.open = true")
        assert unnamed(page) == [], view


def test_the_page_fits_a_narrow_window_in_both_directions(home: Home) -> None:
    home.add("long", title="x" * 300, body="Rindfleischetikettierungsüberwachung" * 20)
    home.add("right", title="سارة", body="هل يناسبك؟ " * 60)
    page = home.open(width=360, height=800)
    for view in ("Notifications", "Upcoming", "History", "Settings", "Server"):
        go(page, view)
        page.wait("document.querySelector('main')")
        for direction in ("ltr", "rtl"):
            page.run(f"document.documentElement.dir = '{direction}'")
            assert page.run("document.documentElement.scrollWidth") <= 360, (view, direction)
            # So do the names of the views, of which none is beyond the edge.
            links = "[...document.querySelectorAll('.bar nav a')].map((each) => each.getBoundingClientRect())"
            assert page.run(f"{links}.every(({{ left, right }}) => left >= 0 && right <= 360)")


# Attacks


def _picture() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0\1\2\3")) + chunk(b"IEND", b"")
    )  # fmt: skip


@pytest.fixture(scope="module")
def attacked(shared_launch: Launcher, browser: Browser) -> Home:
    """A server of which an app has all attacks delivered."""
    home = Home(shared_launch, browser)
    for place, text in enumerate(attacks.TEXTS):
        name = f"org.example.attack{place}"
        names = [{"language": "en", "name": text}]
        home.call("RegisterApp", center=home.center(name), manifest={"names": names})
        home.call("RequestAuthorization", center=home.center(name), options=KEEP)
        action = {
            "identifier": text, "title": text,
            "textInput": {"placeholder": text, "buttonTitle": text},
        }  # fmt: skip
        home.add(
            text, app=name, title=text, subtitle=text, body=text, threadIdentifier=text,
            actions=[action], summaryArgument=text, targetContentIdentifier=text,
            launchImageName=text,
        )  # fmt: skip
    for name, data in attacks.FILES.items():
        encoded = base64.b64encode(data).decode()
        file = {"appId": home.app, "metadata": {"fileName": name}, "data": encoded}
        stored = home.web.call("PutAttachment", file)
        if stored.status == 200:
            file = {"attachmentId": stored.json["attachment"]["attachmentId"]}
            content = {"title": name, "attachments": [file]}
            request = {"identifier": name, "content": content}
            # A file that shows nothing is refused.
            home.web.call("Add", {"center": home.center(), "request": request})
    return home


def test_nothing_that_an_app_writes_runs_in_the_center(attacked: Home) -> None:
    page = attacked.open()
    while page.run("!!document.querySelector('.wide')"):
        page.click(".wide")
    shown = page.run("[...document.querySelectorAll('.note h3')].map((each) => each.textContent)")
    for text in attacks.TEXTS:
        assert text in shown
    made = "iframe, object, embed, form, base, script[src*=evil]"
    assert page.run(f"document.querySelectorAll('{made}').length") == 0
    assert page.problems() == []


@pytest.mark.parametrize("view", ["Upcoming", "History", "Settings", "Server"])
def test_nothing_that_an_app_writes_runs_in_another_view(attacked: Home, view: str) -> None:
    for place, text in enumerate(attacks.TEXTS):
        request = {
            "identifier": f"later {place}", "content": {"title": text, "body": text},
            "trigger": {"timeInterval": {"interval": "3600s"}},
        }  # fmt: skip
        attacked.call("Add", center=attacked.center(f"org.example.attack{place}"), request=request)
    attacked.call(
        "UpdateDeviceState", updateMask="focus",
        state={"focus": {"name": attacks.TEXTS[0], "allowedApps": ["org.example.attack0"]}},
    )  # fmt: skip
    page = attacked.open()
    go(page, view)
    while page.run("!!document.querySelector('.history .wide')"):
        page.click(".history .wide")
    if view != "Server":
        for text in attacks.TEXTS:
            page.wait(f"document.getElementById('view').textContent.includes({json.dumps(text)})")
    page.see(attacks.TEXTS[0], "#strip")
    if view == "Upcoming":
        page.click(".viewbar button", "Schedule")
        page.wait("document.querySelectorAll('#new-apps option').length > 40")
        page.wait("document.querySelector('.dates time')")
    assert page.problems() == []
    page.close()
    attacked.call("UpdateDeviceState", updateMask="focus", state={})


VIEWS = [
    ("text/html", attacks.HTML), ("image/svg+xml", attacks.SVG), ("image/png", attacks.SVG),
    ("application/xhtml+xml", attacks.SVG), ("text/plain", attacks.HTML),
    ("image/png; x=<img src=x onerror=alert()>", attacks.HTML), ("TEXT/HTML", attacks.HTML),
    ("text/javascript", attacks.SCRIPT), ("image/png;base64,", attacks.SVG),
]  # fmt: skip


def test_what_an_extension_shows_does_not_run(home: Home) -> None:
    added = wire.Center(app_id=home.app)
    with (
        Client(home.server.targets["unix"]) as client,
        ContentExtension(App(client, added), "kind") as extension,
    ):
        home.add("shown", body="the body", categoryIdentifier="kind")
        page = home.open()
        page.press("ArrowDown", "v")
        presentation = extension.content("presented").presentation_id
        page.see("the body", "dialog")
        for kind, text in VIEWS:
            extension.show(presentation, kind, text.encode())
            sign = f"{kind} {len(text)}"
            extension.call(
                "SetNotificationActions", presentation_id=presentation,
                actions=[wire.NotificationAction(identifier="a", title=sign)],
            )  # fmt: skip
            page.see(sign, "dialog .actions")
            made = "dialog :is(iframe, object, embed, script)"
            assert page.run(f"document.querySelectorAll('{made}').length") == 0
        # A picture is shown, and its buttons are live.
        extension.show(presentation, "image/png", _picture())
        page.wait("document.querySelector('dialog .media img')?.naturalWidth === 1")
        page.click("dialog .actions button")
        extension.complete(extension.question(), wire.CONTENT_EXTENSION_RESPONSE_OPTION_DISMISS)
        page.wait("!document.querySelector('dialog')")
        page.see("Nothing new")
        assert page.problems() == []


@pytest.mark.parametrize("place", range(len(attacks.TEXTS)))
def test_an_attack_that_is_opened_and_answered(attacked: Home, place: int) -> None:
    text = attacks.TEXTS[place]
    page = attacked.open()
    name = json.dumps(f"org.example.attack{place}\n")
    notes = "[...document.querySelectorAll('.note')]"
    found = f"{notes}.find((each) => each.dataset.key.startsWith({name}))"
    page.wait(f"{found} || (document.querySelector('.wide')?.click(), false)")
    page.run(f"{found}.focus()")
    page.press("v")
    page.wait("document.querySelector('dialog .whole')")
    assert page.run("document.querySelector('dialog .whole').textContent") == text
    page.press("Escape")
    page.wait("!document.querySelector('dialog')")
    page.press("r")
    page.wait("document.querySelector('.reply textarea')")
    assert page.run("document.querySelector('.reply textarea').placeholder") == text
    page.press("Escape")
    assert page.problems() == []
    page.close()
