"""A server, an app of it, and the page of its person."""

import base64
import json
from typing import Any

from access.serving import own_token
from harness.browser import Browser, Page
from harness.launcher import Launcher
from web.http_server import events, serve
from web.signed_in import link

KEEP = ["AUTHORIZATION_OPTION_ALERT", "AUTHORIZATION_OPTION_BADGE", "AUTHORIZATION_OPTION_SOUND"]


class Home:
    """A server, an app of it, and the page of its person."""

    def __init__(self, launch: Launcher, browser: Browser, *arguments: str) -> None:
        self.launch = launch
        self.server, web = serve(launch, "--prompts=grant", *arguments)
        self.web = web.bearing(own_token(self.server))
        self.browser = browser
        self.app = "org.example.tea"
        self.call("RequestAuthorization", center=self.center(), options=KEEP)

    def center(self, app: str = "") -> dict[str, str]:
        """The center of an app."""
        return {"appId": app or self.app}

    def call(self, rpc: str, **message: Any) -> Any:
        """Calls a unary rpc, which has to succeed."""
        reply = self.web.call(rpc, message)
        assert reply.status == 200, (rpc, reply.body)
        return reply.json

    def add(self, identifier: str, *, app: str = "", **content: Any) -> Any:
        """Delivers a notification."""
        content = {"title": identifier} | content
        request = {"identifier": identifier, "content": content}
        return self.call("Add", center=self.center(app), request=request)

    def put(self, name: str, data: bytes) -> str:
        """Stores a file."""
        stored = self.call(
            "PutAttachment", appId=self.app, metadata={"fileName": name},
            data=base64.b64encode(data).decode(),
        )  # fmt: skip
        return stored["attachment"]["attachmentId"]

    def answer(self, identifier: str, added: Any) -> Any:
        """What the person answered."""
        asked = {
            "center": self.center(), "identifier": identifier,
            "requestNumber": added["requestNumber"], "after": added["asOfEvent"],
        }  # fmt: skip
        headers = {"Content_Type": "application/json", "Accept": "text/event-stream"}
        with self.web.stream("AwaitAnswer", json.dumps(asked).encode(), **headers) as response:
            for event in events(response):
                if "data" in event and event["data"] != "{}":
                    return json.loads(event["data"])["answer"]
        raise AssertionError("no answer")

    def delivered(self) -> list[str]:
        """The identifiers in the app's list, the newest first."""
        found = self.call("ListDelivered", center=self.center()).get("notifications", [])
        return [each["request"]["identifier"] for each in found]

    def open(self, **size: Any) -> Page:
        """The page of somebody who has just signed in."""
        page = self.browser.person().page(link(self.launch, self.server), **size)
        page.wait("document.querySelector('.groups[aria-busy=false]')")
        return page

    def with_lock(self, *, locked: bool) -> None:
        """Locks the device or unlocks it."""
        self.call("UpdateDeviceState", state={"locked": locked}, updateMask="locked")


def go(page: Page, view: str) -> None:
    """Opens a view."""
    page.click(".bar nav a", view)
    page.wait(f"document.querySelector('.bar nav [aria-current]').innerText === {json.dumps(view)}")
