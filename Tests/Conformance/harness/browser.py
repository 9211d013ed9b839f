"""A headless Chromium, driven over its pipe as a person drives it: by clicks and keys."""

import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Self

from harness.server import BOUND

BINARY = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))), None)

# What a page is watched for from its beginning: a policy's reports, and anything that an app ran.
_WATCH = """
window.reports = [];
document.addEventListener("securitypolicyviolation", (event) =>
  reports.push(`${event.violatedDirective} ${event.blockedURI}`));
window.alert = window.confirm = window.prompt = (text) => reports.push(`ran: ${text}`);
"""

_KEYS = {
    "Enter": ("Enter", 13, "\r"), "Escape": ("Escape", 27, ""), " ": ("Space", 32, " "),
    "ArrowDown": ("ArrowDown", 40, ""), "ArrowUp": ("ArrowUp", 38, ""), "Tab": ("Tab", 9, ""),
    "Home": ("Home", 36, ""), "End": ("End", 35, ""),
}  # fmt: skip


class Gone(Exception):
    """The page went elsewhere during the call."""


class Browser:
    """One process, which ends with the block."""

    def __init__(self, binary: str | None = BINARY) -> None:
        assert binary, "there is no browser (Debian: chromium-headless-shell)"
        self._profile = tempfile.mkdtemp(prefix="belfry-browser-")
        # The protocol's pipes are the descriptors 3 and 4.
        redirected = 'exec "$@" 3<&0 4>&1 >/dev/null'
        self._process = subprocess.Popen(
            [
                "sh", "-c", redirected, "sh", binary, "--headless", "--no-sandbox",
                "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
                "--disable-background-networking", "--no-proxy-server", "--hide-scrollbars",
                f"--user-data-dir={self._profile}", "--remote-debugging-pipe",
            ],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
        )  # fmt: skip
        assert self._process.stdin and self._process.stdout
        self._write, self._read = self._process.stdin, self._process.stdout
        self._numbers = itertools.count(1)
        self._changed = threading.Condition()
        self._answers: dict[int, dict[str, Any]] = {}
        self.events: list[dict[str, Any]] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # It ends when its pipe does.
        self._write.close()
        self._process.wait(BOUND)
        shutil.rmtree(self._profile, ignore_errors=True)

    def _listen(self) -> None:
        rest = b""
        while part := os.read(self._read.fileno(), 1 << 16):
            *messages, rest = (rest + part).split(b"\0")
            with self._changed:
                for message in map(json.loads, messages):
                    if "id" in message:
                        self._answers[message["id"]] = message
                    else:
                        self.events.append(message)
                self._changed.notify_all()

    def send(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:
        """Makes a call of the DevTools protocol."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self._write.write(json.dumps(message).encode() + b"\0")
        with self._changed:
            answered = self._changed.wait_for(lambda: number in self._answers, BOUND)
            assert answered, f"no answer to {method}"
            answer = self._answers.pop(number)
        if "navigated" in answer.get("error", {}).get("message", ""):
            raise Gone
        assert "error" not in answer, (method, answer["error"])
        return answer["result"]

    def person(self) -> "Person":
        """Somebody with a browser of their own: no cookie and no storage of another."""
        return Person(self, self.send("Target.createBrowserContext")["browserContextId"])


class Person:
    """Who has cookies and a storage, for any number of pages."""

    def __init__(self, browser: Browser, context: str) -> None:
        self._browser = browser
        self._context = context

    def grant(self, permission: str, origin: str) -> None:
        """Lets an origin do what the person is asked for."""
        self._browser.send(
            "Browser.grantPermissions",
            permissions=[permission], origin=origin, browserContextId=self._context,
        )  # fmt: skip

    def page(self, url: str = "about:blank", *, width: int = 1280, height: int = 900) -> "Page":
        """A new page."""
        page = Page(self._browser, self._context)
        page.resize(width, height)
        page.go(url)
        return page


class Page:
    """A page, by what a person sees and does."""

    def __init__(self, browser: Browser, context: str) -> None:
        self._browser = browser
        self._target = browser.send(
            "Target.createTarget", url="about:blank", browserContextId=context
        )["targetId"]
        attached = browser.send("Target.attachToTarget", targetId=self._target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Page.addScriptToEvaluateOnNewDocument", source=_WATCH)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Makes a call of the DevTools protocol about this page."""
        return self._browser.send(method, self._session, **parameters)

    def go(self, url: str) -> None:
        """Visits an address."""
        self.send("Page.navigate", url=url)

    def close(self) -> None:
        """Closes it as a person does."""
        self._browser.send("Target.closeTarget", targetId=self._target)

    def resize(
        self, width: int, height: int = 900, *, dark: bool = False, scale: float = 1
    ) -> None:
        """Gives it a size, and light or dark."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=scale, mobile=False,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def run(self, script: str) -> Any:
        """The value of a script, which may be a promise."""
        answer = self.send(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, script: str) -> None:
        """Waits until the value of a script is true."""
        end = time.monotonic() + BOUND
        # A page that is not there yet, or that goes, has no value.
        looks = f"(() => {{ try {{ return !!({script}); }} catch {{ return false; }} }})()"
        while not self._value(looks):
            if time.monotonic() > end:
                raise AssertionError(f"never: {script}\n{self.text()[:2_000]}\n{self.problems()}")
            time.sleep(0.02)

    def _value(self, script: str) -> Any:
        """The value of a script; none where the page goes meanwhile."""
        try:
            return self.run(script)
        except Gone:
            return None

    def see(self, text: str, where: str = "body") -> None:
        """Waits until a text is shown."""
        looks = f"[...document.querySelectorAll({json.dumps(where)})]"
        self.wait(f"{looks}.some((each) => each.innerText.includes({json.dumps(text)}))")

    def lose(self, text: str, where: str = "body") -> None:
        """Waits until a text is shown no more."""
        looks = f"[...document.querySelectorAll({json.dumps(where)})]"
        self.wait(f"{looks}.every((each) => !each.innerText.includes({json.dumps(text)}))")

    def text(self) -> str:
        """All that is shown."""
        return self.run("document.body?.innerText ?? ''")

    def click(self, selector: str, text: str = "") -> None:
        """Clicks on the first element of a selector, that has a text or a name."""
        found = (
            f"[...document.querySelectorAll({json.dumps(selector)})].find((each) => "
            f"each.checkVisibility() && (each.innerText || each.title || '')"
            f".includes({json.dumps(text)}))"
        )
        self.wait(f"!!{found}")
        place = self.run(
            f"""(() => {{
              const found = {found};
              found.scrollIntoView({{ block: "center", behavior: "instant" }});
              const {{ x, y, width, height }} = found.getBoundingClientRect();
              return [x + width / 2, y + height / 2];
            }})()"""
        )
        at = {"x": place[0], "y": place[1], "button": "left", "clickCount": 1}
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=at["x"], y=at["y"])
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, **at)

    def press(self, *keys: str) -> None:
        """Presses keys, one after the other."""
        for key in keys:
            code, number, text = _KEYS.get(key, ("", ord(key[0].upper()), key))
            pressed = {"key": key, "code": code, "windowsVirtualKeyCode": number}
            self.send("Input.dispatchKeyEvent", type="keyDown", text=text, **pressed)
            self.send("Input.dispatchKeyEvent", type="keyUp", **pressed)

    def write(self, text: str) -> None:
        """Types a text into what has the focus."""
        self.send("Input.insertText", text=text)

    def problems(self) -> list[str]:
        """What a policy reported, and what failed, in the page."""
        found = list(self.run("window.reports ?? []"))
        for event in self._browser.events:
            if event.get("sessionId") != self._session:
                continue
            told = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                details = told["exceptionDetails"]
                found.append(str(details.get("exception", {}).get("description", details)))
            elif event["method"] == "Log.entryAdded" and told["entry"]["source"] == "security":
                found.append(told["entry"]["text"])
        return found

    def picture(self, path: Path) -> None:
        """Keeps a picture of what is shown."""
        shot = self.send("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(shot["data"]))
