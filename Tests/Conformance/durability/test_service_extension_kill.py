"""Pushes that a service extension works on, when the server is killed in the middle (NSE-12)."""

import uuid

import pytest

from harness import wire
from harness.client import App, Client
from harness.extension import Serving, serve, text, told
from harness.keys import new_key
from harness.launcher import Launcher
from harness.server import Server

MODIFIED = wire.EXTENSION_OUTCOME_MODIFIED
BEST_ATTEMPT = wire.EXTENSION_OUTCOME_BEST_ATTEMPT
FALLBACK = wire.EXTENSION_OUTCOME_FALLBACK

# How far the extension is with the first push when the server is killed.
MOMENTS = ["asked", "kept", "answering", "answered"]
FIRST, SECOND = "first", "second"


class Provider:
    """Pushes by two names that let a retry act once: the push's own, and a key."""

    def __init__(self) -> None:
        self._names = {FIRST: {"apns_id": str(uuid.uuid4())}, SECOND: {"idempotency_key": new_key()}}

    def push(self, app: App) -> list[wire.PushResponse]:
        """Pushes both, or tries again, and gives what it is told."""
        return [
            app.push(aps={"alert": body, "mutable-content": 1}, collapse_id=body, **name)
            for body, name in self._names.items()
        ]


def work(serving: Serving, callback: wire.ExtensionCallback, moment: str) -> None:
    """Does the extension's work on a push up to a moment."""
    if moment == "kept":
        serving.answer(callback, text("kept"), best_attempt=True)
    elif moment == "answered":
        serving.answer(callback, text("changed"))
    elif moment == "answering":
        request = wire.CompleteServiceExtensionRequest(
            app_id=serving.app_id,
            serving_id=serving.serving_id,
            callback_id=callback.callback_id,
            content=text("changed"),
        )
        serving.client.stub("CompleteServiceExtension").future(request)


def killed(
    launch: Launcher, provider: Provider, moment: str
) -> tuple[Server, wire.Center, list[wire.PushResponse], wire.ExtensionCallback]:
    """Kills a server at a moment: its home starts again, with what was told before."""
    server = launch()
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        serving = serve(app)
        pushed = provider.push(app)
        assert [push.outcome for push in pushed] == [wire.PUSH_OUTCOME_ARRIVING] * 2
        callback = serving.callback()
        assert callback.service.request.identifier == FIRST
        client.advance(10)
        work(serving, callback, moment)
        server.kill()
    return launch(server.home), app.center, pushed, callback


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_extension_that_comes_back_goes_on(launch: Launcher, moment: str) -> None:
    provider = Provider()
    server, center, pushed, callback = killed(launch, provider, moment)
    with Client(server.targets["unix"]) as client:
        app = App(client, center)
        # The retries act once: both pushes have arrived already.
        assert provider.push(app) == pushed
        done = told(app)
        # An answer on its way may have arrived, or not; one that was told has, and no other.
        assert moment == "answering" or bool(done) == (moment == "answered")
        with serve(app) as serving:
            if not done:
                again = serving.callback()
                assert again == callback
                assert serving.answer(again, text("changed")) == MODIFIED
            second = serving.callback()
            assert second.service.request.identifier == SECOND
            assert serving.answer(second, text("changed, too")) == MODIFIED
            assert provider.push(app) == pushed
        assert told(app) == [("changed", MODIFIED), ("changed, too", MODIFIED)]
        assert app.delivered() == [FIRST, SECOND]


@pytest.mark.parametrize(
    "moment, first",
    [
        ("asked", (FIRST, FALLBACK)),
        ("kept", ("kept", BEST_ATTEMPT)),
        ("answered", ("changed", MODIFIED)),
    ],
)
def test_pushes_are_delivered_where_it_does_not_come_back(
    launch: Launcher, moment: str, first: tuple[str, int]
) -> None:
    provider = Provider()
    server, center, pushed, _ = killed(launch, provider, moment)
    with Client(server.targets["unix"]) as client:
        app = App(client, center)
        client.advance(40)
        assert told(app) == [first, (SECOND, FALLBACK)]
        assert provider.push(app) == pushed
        assert app.delivered() == [FIRST, SECOND]
        assert len(told(app)) == 2
