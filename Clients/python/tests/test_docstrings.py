"""Each public name has a docstring with an example, and the examples do what they say."""

import ast
import asyncio
import contextlib
import doctest
import inspect
import io
import threading
import time as clocks
from collections.abc import Iterator
from datetime import datetime, time, timedelta, timezone
from types import CodeType
from typing import Any

import pytest

import belfry
from belfry import Action, App, Client, Device, Reply, rpc, v1

CLASSES = ["Admin", "App", "Client", "Clock", "Device", "Provider"]
FUNCTIONS = ["connect", "start"]
ASKING = "org.example.todo"
DONE = [Action("done", "Done"), Reply("note", "Note")]
PICTURE = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55")


def examples_of(module: Any) -> dict[str, list[doctest.Example]]:
    """The examples of all public names of `belfry` or `belfry.aio`."""
    found = {}
    for name in CLASSES + FUNCTIONS:
        value = getattr(module, name)
        members = [(name, value)]
        if inspect.isclass(value):
            members += [
                (f"{name}.{key}", member.fget if isinstance(member, property) else member)
                for key, member in vars(value).items()
                if not key.startswith("_") and (callable(member) or isinstance(member, property))
            ]
        for key, member in members:
            found[key] = doctest.DocTestParser().get_examples(inspect.getdoc(member) or "")
    return found


class Stage:
    """What the names of an example are, and what is there before it."""

    def __init__(self, server: Client, app: App, person: Device, module: Any) -> None:
        self.server, self.app, self.person = server, app, person
        self.module = module
        self.client = module.connect(server.address)
        self.names: dict[str, Any] = {
            "belfry": belfry, "rpc": rpc, "v1": v1, "Action": Action, "Reply": Reply,
            "datetime": datetime, "time": time, "timedelta": timedelta, "timezone": timezone,
            "client": self.client, "app": self.client.app(app.id, device=app.device),
            "person": self.client.device(person.name), "provider": self.client.provider(app.id),
            "picture": PICTURE, "token": "",
        }  # fmt: skip

    def prepare(self, name: str) -> None:
        """Makes what an example needs."""
        if name in ("App.events", "App.delivered", "App.remove", "App.remove_all"):
            self.app.add("Milk", id="milk", thread="errands")
        elif name == "App.pending":
            self.app.add("Milk", id="milk", in_="1 day")
        elif name == "Client.call":
            self.app.add("Milk", id="milk", every="day", at=time(9))
        elif name in ("App.on", "App.run", "App.answers"):
            self.app.add("Milk", id="milk", actions=DONE)
            self.person.press("milk", "done")
            if name == "App.run":
                self.names["app"].on("done")(lambda answer: print(answer.id, "is done"))
        elif name in ("App.add", "App.wait"):
            threading.Thread(target=self._press_when_shown, daemon=True).start()
        elif name.startswith("Device."):
            self.app.add("Milk", id="milk", actions=DONE)
            if name in ("Device.allow", "Device.deny"):
                self.server.app(ASKING, device=self.person.name).authorize(wait=timedelta())
        elif name in ("Clock.advance", "Clock.sleep"):
            self.app.add("Milk", in_="1 hour")
        elif name.startswith("Provider."):
            register = v1.RegisterForRemoteNotificationsRequest(center=self.app.center)
            registered = self.server.call(rpc.RegisterForRemoteNotifications, register)
            self.names["token"] = registered.token
            provider = self.server.provider(self.app.id)
            if name != "Provider.set_tags":
                provider.set_tags(self.names["token"], ["news"])
            if name == "Provider.withdraw":
                provider.push("Tea", id="tea", token=self.names["token"])
        elif name == "Admin.stats":
            self.server.clock.advance("1000 days")
        elif name == "Admin.unregister":
            self.server.admin.register(ASKING, "To do")

    def _press_when_shown(self) -> None:
        while True:
            shown = [each for each in self.person.screen() if "yes" in each.actions]
            if shown:
                return self.person.press(shown[0], "yes")
            clocks.sleep(0.01)

    async def run(self, source: str) -> str:
        """Runs an example, which may wait, and gives what it prints."""
        mode = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        code: CodeType = compile(source, "<example>", "single", mode)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            waits = eval(code, self.names)
            if inspect.isawaitable(waits):
                await waits
        return output.getvalue()

    async def close(self) -> None:
        closing = self.client.close()
        if inspect.isawaitable(closing):
            await closing


def cases() -> Iterator[Any]:
    for module in (belfry, belfry.aio):
        for name in examples_of(module):
            yield pytest.param(module, name, id=f"{module.__name__}-{name}")


# The classes are described by their members.
WITHOUT = set(CLASSES)


@pytest.mark.parametrize(("module", "name"), list(cases()))
def test_an_example(
    module: Any, name: str, belfry_server: Client, app: App, person: Device,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    examples = examples_of(module)[name]
    if name in WITHOUT:
        return
    assert examples, f"{name} has no example"
    assert belfry_server.server is not None
    monkeypatch.setenv("BELFRY_BINARY", belfry_server.server.binary)

    async def play() -> None:
        stage = Stage(belfry_server, app, person, module)
        await asyncio.to_thread(stage.prepare, name)
        for example in examples:
            printed = await stage.run(example.source)
            options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
            assert doctest.OutputChecker().check_output(example.want, printed, options), (
                f"{example.source}prints\n{printed}and not\n{example.want}"
            )
        await stage.close()

    try:
        asyncio.run(play())
    finally:
        if ASKING in {each.center.app_id for each in _apps(belfry_server, person.name)}:
            belfry_server.admin.unregister(ASKING, device=person.name)


def _apps(server: Client, device: str) -> list[v1.DeviceApp]:
    return list(server.call(rpc.ListApps, v1.ListAppsRequest(device_id=device)).apps)
