"""The person's page: what is served, who is signed in, and that nobody else is (W-23)."""

import json
import os
import pty
import re
import select
import subprocess
import time

import pytest

from access.serving import USAGE, belfry, environment, make_token, own_token, token_command
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import BOUND, Server
from web.http_server import LISTEN, Web, events, path, serve, url
from web.signed_in import SESSION, Session, code, link, show

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
FIRST_LOAD = 150_000


def loaded(web: Web) -> dict[str, bytes]:
    """All that a browser loads with the page, by its path."""
    found: dict[str, bytes] = {}
    wanted = ["/"]
    while wanted:
        where = wanted.pop()
        if where in found:
            continue
        reply = web.send("GET", where, **HTML)
        assert reply.status == 200, where
        found[where] = reply.body
        if reply.headers["content-type"].startswith("image/png"):
            continue
        text = reply.body.decode()
        wanted += re.findall(r'(?:src|href)="(/[^"]+)"', text)
        imported = re.findall(r'^import .*"\./(.+)"', text, re.MULTILINE)
        wanted += [f"/belfry.page/{name}" for name in imported]
    return found


def test_a_browser_gets_the_page_and_a_program_the_text(web: Web) -> None:
    page = web.send("GET", "/", **HTML)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert b"<!doctype html>" in page.body
    for accept in ({}, {"Accept": "*/*"}, {"Accept": "text/plain"}):
        text = web.send("GET", "/", **accept)
        assert text.headers["content-type"].startswith("text/plain")
        assert text.headers["vary"] == page.headers["vary"] == "Accept"


def test_the_page_is_small_and_asks_nobody_else(web: Web) -> None:
    found = loaded(web)
    assert {"/belfry.page/page.js", "/belfry.page/page.css", "/belfry.page/belfry.js"} < set(found)
    assert sum(map(len, found.values())) <= FIRST_LOAD
    for where, body in found.items():
        text = body.decode(errors="replace").replace("http://www.w3.org/2000/svg", "")
        if where != "/belfry.page/belfry.js":
            assert not re.search(r"https?://|innerHTML|outerHTML|insertAdjacent|document\.write|"
                                 r"\beval\b|srcdoc|new Function", text), where


def test_every_file_is_guarded(web: Web) -> None:
    for where in loaded(web):
        headers = web.send("GET", where, **HTML).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy and "http" not in policy and "data:" not in policy
        assert "require-trusted-types-for 'script'" in policy
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"


def test_a_file_that_a_browser_has_is_not_sent_again(web: Web) -> None:
    where = "/belfry.page/page.js"
    first = web.send("GET", where)
    assert first.headers["cache-control"] == "no-cache"
    again = web.send("GET", where, If_None_Match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert web.send("GET", where, If_None_Match='"other"').status == 200
    head = web.send("HEAD", where)
    assert (head.headers["content-length"], head.body) == (str(len(first.body)), b"")


@pytest.mark.parametrize(
    ("method", "where", "status"),
    [
        ("GET", "/belfry.page/", 404), ("GET", "/belfry.page/other.js", 404),
        ("GET", "/belfry.page/../page.js", 404), ("GET", "/belfry.page/index.html", 200),
        ("POST", "/belfry.page/page.js", 405), ("PUT", "/belfry.page/session", 405),
        ("GET", "/belfry.page/session", 405), ("POST", "/belfry.page/none", 404),
    ],
)  # fmt: skip
def test_nothing_else_is_there(web: Web, method: str, where: str, status: int) -> None:
    assert web.send(method, where).status == status


# Who signs in


def test_a_link_signs_in_once(shared_launch: Launcher, served: Server, web: Web) -> None:
    printed = link(shared_launch, served, "--device", "phone")
    assert printed.startswith(f"{url(served)}/#sign-in=")
    assert printed.endswith("&device=phone")
    session = Session(web, code(printed))
    for part in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="):
        assert part in session.set_cookie
    assert session.call("GetStats").status == 200
    again = show(web, code(printed))
    assert (again.status, again.reason) == (401, "TOKEN_INVALID")
    assert "set-cookie" not in again.headers


def test_an_old_link_signs_nobody_in(shared_launch: Launcher, served: Server, web: Web) -> None:
    secret = code(link(shared_launch, served))
    (kept,) = (served.home / "belfry" / "sign-in").iterdir()
    assert secret not in kept.name and kept.stat().st_mode & 0o077 == 0
    old = time.time() - 601
    os.utime(kept, (old, old))
    assert show(web, secret).status == 401
    link(shared_launch, served)
    assert kept not in (served.home / "belfry" / "sign-in").iterdir()


def test_a_terminal_shows_a_link_and_a_log_does_not(
    shared_launch: Launcher, served: Server
) -> None:
    home = shared_launch.new_home()
    master, slave = pty.openpty()
    command = [shared_launch.binary, "serve", f"--data={home / 'data'}", LISTEN]
    with subprocess.Popen(command, env=environment(home), stderr=slave) as process:
        os.close(slave)
        try:
            shown = b""
            while not (found := re.search(rb"open (http://\S+)#sign-in=([0-9a-f]{32})", shown)):
                assert select.select([master], [], [], BOUND)[0], shown
                shown += os.read(master, 4_096)
            web = Web(found[1].decode().rstrip("/"))
            assert Session(web, found[2].decode()).call("GetStats").status == 200
        finally:
            process.terminate()
            os.close(master)
    assert "sign-in=" not in served.log and "'belfry open' prints a link" in served.log


def test_a_link_needs_a_server(shared_launch: Launcher) -> None:
    opened = belfry(shared_launch, shared_launch.new_home(), "open")
    assert opened.returncode != 0
    assert "--http-listen" in opened.stderr


@pytest.mark.parametrize("secret", ["", "0" * 32, "0" * 64, "../token", "x" * 5_000, "é" * 20])
def test_a_wrong_secret_signs_nobody_in(web: Web, secret: str) -> None:
    reply = show(web, secret.encode().decode("latin-1"))
    assert reply.status == 401
    assert "set-cookie" not in reply.headers
    # A browser would ask the person for a name and a password.
    assert "www-authenticate" not in reply.headers


def test_a_cookie_alone_is_nobody(served: Server, web: Web) -> None:
    """Every port of this machine gets the cookie."""
    session = Session(web, own_token(served))
    assert session.call("GetStats").status == 200
    other = Session(web, own_token(served))
    for key in ("none", "", "0" * 64, other.key, session.key[:-1], session.key + "0"):
        reply = session.call("GetStats", Belfry_Session=key)
        assert (reply.status, reply.reason) == (401, "TOKEN_REQUIRED"), key
    without = session.web.call("GetStats", Cookie=session.cookie)
    assert without.reason == "TOKEN_REQUIRED"
    # So is the key, and a cookie of another port.
    assert session.web.call("GetStats", Belfry_Session=session.key).reason == "TOKEN_REQUIRED"
    renamed = "belfry-1=" + session.cookie.split("=")[1]
    assert session.call("GetStats", Cookie=renamed).reason == "TOKEN_REQUIRED"
    assert session.call("GetStats", Cookie=f"a=b; {session.cookie}; c=d").status == 200


def test_a_cookie_publishes_nothing(served: Server, web: Web) -> None:
    """What a form or a picture can ask for is not the page's."""
    session = Session(web, own_token(served))
    for method, where in [("POST", "/org.example.tea"), ("GET", "/org.example.tea/publish")]:
        assert session.web.send(method, where, b"x", **session.headers).status == 401
    assert session.web.send("GET", "/metrics", **session.headers).status == 401


def test_the_page_calls_from_its_own_origin(served: Server, web: Web) -> None:
    session = Session(web, own_token(served))
    own = {"Origin": url(served), "Sec_Fetch_Site": "same-origin"}
    reply = session.call("GetStats", **own)
    assert reply.status == 200
    assert "access-control-allow-origin" not in reply.headers
    assert show(web, own_token(served), **own).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"}, {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"}, {"Origin": "http://localhost"},
        {"Origin": "http://127.0.0.1"}, {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)  # fmt: skip
def test_no_other_page_is_signed_in(
    served: Server, web: Web, headers: dict[str, str]
) -> None:
    session = Session(web, own_token(served))
    assert session.call("GetStats", **headers).status == 403
    assert show(web, own_token(served), **headers).status == 403
    assert session.web.send("DELETE", SESSION, **(session.headers | headers)).status == 403
    assert session.call("GetStats").status == 200


def test_an_origin_of_this_address_in_another_site_is_refused(served: Server, web: Web) -> None:
    session = Session(web, own_token(served))
    for site in ("same-site", "cross-site"):
        reply = session.call("GetStats", Origin=url(served), Sec_Fetch_Site=site)
        assert reply.status == 403


def test_a_link_on_another_site_leads_here(web: Web) -> None:
    visit = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"} | HTML
    assert web.send("GET", "/", Sec_Fetch_Dest="document", **visit).status == 200
    # A frame is none, and nothing else is visited.
    assert web.send("GET", "/", Sec_Fetch_Dest="iframe", **visit).status == 403
    for where in ("/?x", "/metrics", "/belfry.page/page.js", "/org.example.tea/publish"):
        assert web.send("GET", where, Sec_Fetch_Dest="document", **visit).status == 403


def test_a_session_has_the_roles_of_its_token(
    shared_launch: Launcher, served: Server, web: Web
) -> None:
    token = make_token(shared_launch, served.home, "phone", "device:phone")
    session = Session(web, token)
    assert session.call("GetDeviceState", {"deviceId": "phone"}).status == 200
    assert session.call("GetDeviceState", {"deviceId": "other"}).reason == "DEVICE_REFUSED"
    assert session.call("GetDeviceState").reason == "DEVICE_REFUSED"
    assert session.call("GetStats").reason == "ROLE_REQUIRED"
    # A token that a request shows itself counts, whoever signed in.
    named = session.call("GetStats", Authorization=f"Bearer {own_token(served)}")
    assert named.status == 200


def test_a_link_for_a_person_shows_their_device_alone(
    shared_launch: Launcher, served: Server, web: Web
) -> None:
    data = f"--data={served.home / 'data'}"
    made = belfry(shared_launch, served.home, "link", "--device=tablet", "--expires=1h", data)
    assert made.returncode == 0, made.stderr
    printed = made.stdout.strip()
    assert printed.startswith(url(served)) and printed.endswith("&device=tablet")
    session = Session(web, code(printed))
    assert session.call("GetDeviceState", {"deviceId": "tablet"}).status == 200
    for device in ({}, {"deviceId": "phone"}, {"deviceId": "tablet2"}):
        assert session.call("GetDeviceState", device).reason == "DEVICE_REFUSED"
    assert session.call("ListPending", {"center": {"appId": "a.b"}}).reason == "ROLE_REQUIRED"
    assert token_command(shared_launch, served.home, "revoke", "page of tablet").returncode == 0
    eventually(lambda: session.call("GetDeviceState", {"deviceId": "tablet"}).status == 401)
    for wrong in ("*", "tab*", "", "a b"):
        refused = belfry(shared_launch, served.home, "link", f"--device={wrong}", data)
        assert refused.returncode == USAGE


def test_a_revoked_token_ends_its_sessions_and_their_streams(
    shared_launch: Launcher, served: Server, web: Web
) -> None:
    token = make_token(shared_launch, served.home, "lent", "device:lent")
    session = Session(web, token)
    message = json.dumps({"deviceId": "lent"}).encode()
    headers = session.headers | {"Content_Type": "application/json", "Accept": "text/event-stream"}
    with session.web.stream("WatchDevice", message, **headers) as response:
        told = events(response)
        assert "snapshot" in next(told)["data"]
        assert token_command(shared_launch, served.home, "revoke", "lent").returncode == 0
        *_, last = told
    assert (last["event"], json.loads(last["data"])["code"]) == ("error", "unauthenticated")
    assert session.call("GetDeviceState", {"deviceId": "lent"}).reason == "TOKEN_INVALID"
    assert show(web, token).status == 401


def test_signing_out_ends_a_session_and_its_streams(served: Server, web: Web) -> None:
    session, other = (Session(web, own_token(served)) for _ in range(2))
    headers = {"Content_Type": "application/json", "Accept": "text/event-stream"}
    with (
        session.web.stream("WatchDevice", b"{}", **session.headers, **headers) as response,
        other.web.stream("WatchDevice", b"{}", **other.headers, **headers) as going_on,
    ):
        told = events(response)
        next(told)
        next(events(going_on))
        left = session.sign_out()
        assert (left.status, "Max-Age=0" in left.headers["set-cookie"]) == (200, True)
        *_, last = told
        assert json.loads(last["data"])["code"] == "unauthenticated"
    assert session.call("GetStats").status == 401
    assert other.call("GetStats").status == 200


def test_a_token_has_eight_sessions(shared_launch: Launcher, served: Server, web: Web) -> None:
    token = make_token(shared_launch, served.home, "many", "device:many")
    sessions = [Session(web, token) for _ in range(9)]
    states = [each.call("GetDeviceState", {"deviceId": "many"}).status for each in sessions]
    assert states == [401] + [200] * 8


def test_a_restart_ends_sessions(shared_launch: Launcher) -> None:
    server, web = serve(shared_launch)
    session = Session(web, own_token(server))
    server.terminate()
    server.wait()
    _, again = serve(shared_launch, home=server.home)
    session.web = again
    assert session.call("GetStats").status == 401


def test_the_page_of_a_server_without_tokens_needs_no_sign_in(shared_launch: Launcher) -> None:
    server, web = serve(shared_launch, "--insecure", tokens=False)
    own = {"Origin": url(server), "Sec_Fetch_Site": "same-origin", "Belfry_Session": "none"}
    assert web.call("GetStats", **own).status == 200
    assert web.call("GetStats", Origin="https://evil.example").status == 403


def test_the_text_of_no_secret_is_logged(
    shared_launch: Launcher, served: Server, web: Web
) -> None:
    secret = code(link(shared_launch, served))
    session = Session(web, secret)
    show(web, secret)
    eventually(lambda: "TOKEN_INVALID" in served.log)
    for text in (secret, session.key, session.cookie.split("=")[1], own_token(served)):
        assert text not in served.log
