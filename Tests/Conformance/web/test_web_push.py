"""Web Push against a double of a push service: what is told, kept, tried again and refused."""

import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest

from access.serving import own_token, start, token_command
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import Server
from web.http_server import LISTEN, Reply, Web, url
from web.push_service import SILENT, Pushed, PushService, Subscription

APP = "org.example.tea"
CENTER = {"appId": APP}
ASKED = ["AUTHORIZATION_OPTION_ALERT", "AUTHORIZATION_OPTION_SOUND"]


class Person:
    """A server that tells browsers, and what calls it."""

    def __init__(self, launch: Launcher, service: PushService, server: Server | None = None) -> None:
        self.service = service
        self.server = server or start(launch, LISTEN, "--prompts=grant", *service.arguments)
        self.web = Web(url(self.server), own_token(self.server))
        self.call("RequestAuthorization", center=CENTER, options=ASKED)

    def ask(self, rpc: str, **message: Any) -> Reply:
        """Calls an rpc, whatever comes of it."""
        return self.web.call(rpc, message)

    def call(self, rpc: str, **message: Any) -> Any:
        """Calls an rpc, which has to succeed."""
        reply = self.ask(rpc, **message)
        assert reply.status == 200, (rpc, reply.body)
        return reply.json

    def add(self, identifier: str, **content: Any) -> None:
        """Delivers a notification."""
        content = {"title": identifier} | content
        self.call("Add", center=CENTER, request={"identifier": identifier, "content": content})

    def subscribe(self, browser: Subscription, **more: Any) -> str:
        """Lets a browser be told; gives the subscription's id."""
        made = self.call("CreateWebPushSubscription", **browser.fields, **more)
        return str(made["subscription"]["id"])

    def stop(self) -> None:
        """Stops the server in order."""
        self.server.terminate()
        assert self.server.wait() == 0

    def known(self) -> list[str]:
        """The ids of the device's browsers."""
        told = self.call("ListWebPushSubscriptions")
        return [each["id"] for each in told.get("subscriptions", [])]

    def key(self) -> str:
        """The server's public key."""
        return str(self.call("ListWebPushSubscriptions")["applicationServerKey"])


def read(browser: Subscription, pushed: Pushed) -> Any:
    """The notification of a message, in its declarative form, without marks of direction."""
    told = browser.read(pushed)
    assert told["web_push"] == 8030 and told["mutable"] is True
    plain = json.dumps(told["notification"], ensure_ascii=False)
    return json.loads(plain.replace("\u2068", "").replace("\u2069", ""))


@pytest.fixture
def service(launch: Launcher) -> Iterator[PushService]:
    """A push service."""
    with PushService(launch.new_home()) as made:
        yield made


@pytest.fixture
def person(launch: Launcher, service: PushService) -> Person:
    """A server that sends to it."""
    return Person(launch, service)


def test_an_alert_is_told_encrypted_and_signed(person: Person, service: PushService) -> None:
    browser = Subscription(service)
    person.subscribe(browser)
    actions = [{"identifier": "off", "title": "Turn off"}]
    person.add("kettle", title="It boils", body="Somebody has to go and look.", actions=actions)
    (pushed,) = service.wait(browser)
    told = read(browser, pushed)
    assert (told["title"], told["body"]) == (f"{APP} · It boils", "Somebody has to go and look.")
    assert told["data"]["center"] == {"appId": APP, "deviceId": "local"}
    assert told["data"]["identifier"] == "kettle"
    assert [each["action"] for each in told["actions"]] == ["off"]
    assert b"boils" not in pushed.body
    claims = browser.verify(pushed, person.key())
    assert claims["aud"] == service.origin and claims["sub"] == "mailto:tests@example.org"
    # Real time: it counts for half a day, and no longer than push services take.
    assert 0 < claims["exp"] - time.time() <= 86_400
    assert pushed.headers["ttl"] == "86400" and pushed.headers["urgency"] == "normal"
    assert len(pushed.headers["topic"]) == 32


def test_what_the_lock_hides_is_not_told_while_unlocked(person: Person, service: PushService) -> None:
    browser = Subscription(service)
    person.subscribe(browser)
    settings = {"showPreviewsSetting": "SHOW_PREVIEWS_SETTING_WHEN_AUTHENTICATED"}
    person.call("UpdateSettings", center=CENTER, settings=settings, updateMask="showPreviewsSetting")
    person.add("kettle", title="Secret", body="Very secret", subtitle="So secret")
    (pushed,) = service.wait(browser)
    told = read(browser, pushed)
    assert (told["title"], told["body"]) == (APP, "Notification")
    # What the lock screen does not have is told to no browser, and what follows is.
    settings = {"lockScreenSetting": "NOTIFICATION_SETTING_DISABLED"}
    person.call("UpdateSettings", center=CENTER, settings=settings, updateMask="lockScreenSetting")
    person.add("pot")
    settings = {"lockScreenSetting": "NOTIFICATION_SETTING_ENABLED"}
    person.call("UpdateSettings", center=CENTER, settings=settings, updateMask="lockScreenSetting")
    person.add("pan")
    service.wait(browser, 2)
    told = [read(browser, each)["data"]["identifier"] for each in service.of(browser)]
    assert told == ["kettle", "pan"]


def test_a_browser_without_the_worker_can_show_it(person: Person, service: PushService) -> None:
    browser = Subscription(service)
    person.subscribe(browser)
    actions = [
        {"identifier": "off", "title": "Turn off"},
        {"identifier": "say/it", "title": "Say", "textInput": {"placeholder": "What?"}},
    ]
    person.add("a kettle & more", title="It boils", actions=actions)
    told = read(browser, service.wait(browser)[0])

    def named(address: str) -> dict[str, str]:
        # The standard reads it from where the worker is.
        found = urlsplit(urljoin("https://a.example.org/belfry.page/", address))
        assert (found.netloc, found.path) == ("a.example.org", "/")
        return dict(parse_qsl(found.fragment, strict_parsing=True))

    shown = {"app": APP, "notification": "a kettle & more"}
    assert named(told["navigate"]) == shown
    off, say = told["actions"]
    assert (off["title"], named(off["navigate"])) == ("Turn off", shown) and "type" not in off
    assert (say["type"], say["placeholder"]) == ("text", "What?")
    assert named(say["navigate"]) == shown | {"action": "say/it"}
    # The manual clock begins with the year.
    assert told["timestamp"] == 1_767_225_600_000 and "kettle" in told["tag"]


def test_texts_that_need_more_room_are_told_shorter(person: Person, service: PushService) -> None:
    browser = Subscription(service)
    person.subscribe(browser)
    # JSON writes each of these as six characters.
    person.add("kettle", title="It boils", body="\x01" * 2_000)
    told = read(browser, service.wait(browser)[0])
    assert told["title"].endswith("It boils")
    assert 100 < len(told["body"]) <= 200


def test_a_focus_keeps_it_quiet(person: Person, service: PushService) -> None:
    browser = Subscription(service)
    person.subscribe(browser)
    person.call("UpdateDeviceState", state={"focus": {"name": "Sleep"}}, updateMask="focus")
    person.add("kettle")
    person.call("UpdateDeviceState", state={}, updateMask="focus")
    person.add("pan")
    service.wait(browser)
    assert [read(browser, each)["data"]["identifier"] for each in service.of(browser)] == ["pan"]


def test_a_restart_loses_no_subscription(launch: Launcher, person: Person, service: PushService) -> None:
    browser = Subscription(service)
    kept = person.subscribe(browser)
    key = person.key()
    person.stop()
    home = person.server.home
    server = start(launch, LISTEN, "--prompts=grant", *service.arguments, home=home)
    again = Person(launch, service, server)
    assert again.known() == [kept] and again.key() == key
    again.add("kettle")
    service.wait(browser)


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(person: Person, service: PushService, status: int) -> None:
    gone, other = Subscription(service, "gone"), Subscription(service, "other")
    service.answers[gone.path] = [(status, {})]
    person.subscribe(gone)
    kept = person.subscribe(other)
    person.add("kettle")
    eventually(lambda: person.known() == [kept])
    person.add("pan")
    service.wait(other, 2)
    assert len(service.of(gone)) == 1


def test_what_is_too_long_is_told_shorter(person: Person, service: PushService) -> None:
    browser = Subscription(service)
    service.answers[browser.path] = [(413, {})]
    person.subscribe(browser)
    person.add("kettle", title="It boils", body="\u00fc" * 3_000)
    first, second = service.wait(browser, 2)
    assert len(second.body) < len(first.body) <= 4_096
    assert read(browser, first)["body"].endswith("…")
    assert read(browser, second)["title"].endswith("It boils")


def test_a_busy_service_is_asked_again_when_it_says(person: Person, service: PushService) -> None:
    browser = Subscription(service)
    service.answers[browser.path] = [(429, {"Retry-After": "7"})]
    person.subscribe(browser)
    person.add("kettle")
    first, second = service.wait(browser, 2)
    # Real time: a retry is never early.
    assert second.at - first.at >= 6.9
    assert read(browser, second)["data"]["identifier"] == "kettle"


def test_silence_delays_nobody_else_and_no_stop(person: Person, service: PushService) -> None:
    silent, other = Subscription(service, "silent"), Subscription(service, "other")
    service.answers[silent.path] = [(SILENT, {})]
    person.subscribe(silent)
    person.subscribe(other)
    person.add("kettle")
    service.wait(silent)
    person.add("pan")
    service.wait(other, 2)
    assert len(service.of(silent)) == 1
    began = time.monotonic()
    person.stop()
    # Real time: the service is silent for much longer.
    assert time.monotonic() - began < 10


def test_a_newer_one_replaces_what_waits(person: Person, service: PushService) -> None:
    browser = Subscription(service)
    service.answers[browser.path] = [(500, {})]
    person.subscribe(browser)
    person.add("kettle", title="It warms")
    service.wait(browser)
    person.add("kettle", title="It boils")
    first, second = service.wait(browser, 2)
    assert read(browser, second)["title"].endswith("It boils")
    assert first.headers["topic"] == second.headers["topic"]


def test_a_browser_is_told_no_more(person: Person, service: PushService) -> None:
    one, other = Subscription(service, "one"), Subscription(service, "other")
    identifier = person.subscribe(one)
    person.subscribe(other)
    for _ in range(2):
        person.call("DeleteWebPushSubscription", id=identifier)
    person.add("kettle")
    service.wait(other)
    assert service.of(one) == []


def test_a_subscription_ends_with_the_token_that_made_it(
    launch: Launcher, person: Person, service: PushService
) -> None:
    own, lost, late = (Subscription(service, name) for name in ("own", "lost", "late"))
    kept = person.subscribe(own)
    ended = []
    for name, browser in [("lost", lost), ("late", late)]:
        made = person.call("CreateToken", name=name, roles=["device:local"])
        by_token = person.web.bearing(made["text"]).call("CreateWebPushSubscription", browser.fields)
        assert by_token.status == 200, by_token.body
        ended.append((made["token"]["id"], by_token.json["subscription"]["id"]))
    person.add("kettle")
    for browser in (own, lost, late):
        service.wait(browser)
    person.call("RevokeToken", id=ended[0][0])
    eventually(lambda: person.known() == [kept, ended[1][1]])
    person.add("pot")
    service.wait(own, 2)
    service.wait(late, 2)
    assert len(service.of(lost)) == 1
    # Revoked while the server is down, it ends with the start.
    person.stop()
    home = person.server.home
    assert token_command(launch, home, "revoke", ended[1][0]).returncode == 0
    server = start(launch, LISTEN, "--prompts=grant", *service.arguments, home=home)
    again = Person(launch, service, server)
    eventually(lambda: again.known() == [kept])


def test_what_became_of_the_messages_is_counted(person: Person, service: PushService) -> None:
    taken, refused = Subscription(service, "taken"), Subscription(service, "refused")
    for browser in (taken, refused):
        person.subscribe(browser)
    service.answers[refused.path] = [(400, {})]
    person.add("kettle")
    service.wait(taken)
    service.wait(refused)
    eventually(lambda: person.call("GetStats")["counters"].get("webPushesSent") == "1")
    eventually(lambda: person.call("GetStats")["counters"].get("webPushesFailed") == "1")
    assert b"belfry_web_pushes_sent_total 1" in person.web.send("GET", "/metrics").body


ENDPOINTS = [
    "", "http://localhost/push", "https://example.org/push", "https://127.0.0.1/push",
    "https://[::1]/push", "https://localhost/push", "https://user@fcm.googleapis.com/push",
    "https://fcm.googleapis.com:8443/push", "https://fcm.googleapis.com.example.org/",
    "https://fcm.googleapis.com/" + "a" * 2_048, "https://fcm.googleapis.com/#a",
    "https://fcm.googleapis.com/\n", "file:///etc/passwd",
]  # fmt: skip


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_another_endpoint_is_refused(person: Person, service: PushService, endpoint: str) -> None:
    fields = Subscription(service).fields | {"endpoint": endpoint}
    refused = person.ask("CreateWebPushSubscription", **fields)
    assert refused.status == 400 and refused.reason == "INVALID_FIELD", refused.body
    assert person.known() == []


def test_wrong_keys_are_refused_by_their_name(person: Person, service: PushService) -> None:
    fields = Subscription(service).fields
    for name, value in [("p256dh", ""), ("p256dh", "BAAA"), ("p256dh", "BA" + "A" * 85 + "="), ("auth", ""), ("auth", "AAAA")]:
        refused = person.ask("CreateWebPushSubscription", **(fields | {name: value}))
        assert refused.status == 400 and refused.reason == "INVALID_FIELD", refused.body
        assert name in json.dumps(refused.json)
    refused = person.ask("DeleteWebPushSubscription", id="0" * 17)
    assert refused.status == 400 and refused.reason == "INVALID_FIELD", refused.body


def test_a_device_has_eight(person: Person, service: PushService) -> None:
    known = [person.subscribe(Subscription(service, str(number))) for number in range(8)]
    refused = person.ask("CreateWebPushSubscription", **Subscription(service, "9").fields)
    assert refused.status == 429 and refused.reason == "WEB_PUSH_LIMIT", refused.body
    # One that is known gets the new keys.
    person.subscribe(Subscription(service, "3"))
    assert person.known() == known


def test_a_server_tells_nobody_by_default(launch: Launcher, service: PushService) -> None:
    server = start(launch, LISTEN)
    web = Web(url(server), own_token(server))
    for rpc, fields in [
        ("ListWebPushSubscriptions", {}), ("CreateWebPushSubscription", Subscription(service).fields),
        ("DeleteWebPushSubscription", {"id": "0"}),
    ]:  # fmt: skip
        refused = web.call(rpc, fields)
        assert refused.status == 400 and refused.reason == "WEB_PUSH_OFF", refused.body


def test_a_service_with_another_certificate_gets_nothing(launch: Launcher, service: PushService) -> None:
    with PushService(launch.new_home()) as other:
        arguments = [
            "--web-push=mailto:tests@example.org",
            f"--web-push-test=localhost:{service.port}={other.roots}",
        ]
        server = start(launch, LISTEN, "--prompts=grant", *arguments)
        person = Person(launch, service, server)
        person.subscribe(Subscription(service))
        person.add("kettle")
        eventually(lambda: service.failed > 0)
    assert service.pushed == []
