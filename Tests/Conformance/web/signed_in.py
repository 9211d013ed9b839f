"""Browsers that signed in at a server's page."""

import re
from urllib.parse import parse_qs, urlsplit

from access.serving import DONE, belfry
from harness.launcher import Launcher
from harness.server import Server
from web.http_server import Reply, Web

SESSION = "/belfry.page/session"


def link(launch: Launcher, server: Server, *arguments: str) -> str:
    """What `belfry open` prints."""
    opened = belfry(launch, server.home, "open", *arguments)
    assert opened.returncode == DONE, opened.stderr
    return opened.stdout.strip()


def code(link: str) -> str:
    """The code of a link."""
    (found,) = parse_qs(urlsplit(link).fragment)["sign-in"]
    return found


def show(web: Web, secret: str, **headers: str) -> Reply:
    """Signs in with a token or a code, whatever comes of it."""
    named = {"Authorization": f"Bearer {secret}", "Belfry_Session": "none"} | headers
    return web.bearing(None).send("POST", SESSION, **named)


class Session:
    """Who signed in: the cookie, and the key of the page."""

    def __init__(self, web: Web, secret: str) -> None:
        self.web = web.bearing(None)
        reply = show(web, secret)
        assert reply.status == 200, reply
        self.set_cookie = reply.headers["set-cookie"]
        found = re.match(r"(belfry-\d+=[0-9a-f]{64}); ", self.set_cookie)
        assert found, self.set_cookie
        self.cookie = found[1]
        self.key = reply.json["key"]

    @property
    def headers(self) -> dict[str, str]:
        """What the page sends with each call."""
        return {"Cookie": self.cookie, "Belfry_Session": self.key}

    def call(self, rpc: str, message: object = None, **headers: str) -> Reply:
        """Calls an rpc as the page does."""
        return self.web.call(rpc, message, **(self.headers | headers))

    def sign_out(self) -> Reply:
        """Ends it."""
        return self.web.send("DELETE", SESSION, **self.headers)
