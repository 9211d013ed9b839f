"""An extension of an app that serves."""

from collections import deque
from typing import Any, Self

import grpc

from harness import wire
from harness.client import App, Client


def service(app_id: str, name: str = "service") -> wire.AppExtension:
    return wire.AppExtension(extension_id=f"{app_id}.{name}", kind=wire.EXTENSION_KIND_SERVICE)


def content(app_id: str, *categories: str, name: str = "content") -> wire.AppExtension:
    return wire.AppExtension(
        extension_id=f"{app_id}.{name}", kind=wire.EXTENSION_KIND_CONTENT, categories=categories
    )


class Serving:
    """A Serve stream, read frame by frame, and the answers to what it asks."""

    def __init__(self, client: Client, app_id: str, extension: wire.AppExtension) -> None:
        self.client = client
        self.app_id = app_id
        self._call = client.call("Serve", app_id=app_id, extension=extension)
        self._frames: deque[wire.ExtensionFrame] = deque()
        self.serving_id = self.frame().started.serving_id

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def frame(self) -> wire.ExtensionFrame:
        """The next frame."""
        while not self._frames:
            self._frames.extend(next(self._call).frames)
        return self._frames.popleft()

    def until(self, kind: str) -> wire.ExtensionFrame:
        """The next frame of a kind; those before it are passed."""
        while (frame := self.frame()).WhichOneof("kind") != kind:
            pass
        return frame

    def callback(self) -> wire.ExtensionCallback:
        """The next question."""
        return self.until("callback").callback

    def answer(
        self,
        callback: wire.ExtensionCallback,
        content: wire.NotificationContent | None = None,
        **fields: Any,
    ) -> int:
        """Answers what is delivered in place of a push, and gives what becomes of it."""
        fields = {"serving_id": self.serving_id, "callback_id": callback.callback_id} | fields
        return self.client.call(
            "CompleteServiceExtension", app_id=self.app_id, content=content, **fields
        ).outcome

    def status(self) -> grpc.RpcError:
        """Reads what is left and gives the error with which the stream ended."""
        try:
            for response in self._call:
                self._frames.extend(response.frames)
        except grpc.RpcError as error:
            return error
        raise AssertionError("the stream ended without an error")

    def close(self) -> None:
        """Ends the stream."""
        self._call.cancel()


def serve(app: App, client: Client | None = None) -> Serving:
    """The service extension of an app, which serves from now on."""
    return Serving(client or app.client, app.center.app_id, service(app.center.app_id))


def text(body: str, **fields: Any) -> wire.NotificationContent:
    """Content with a text, which a service extension gives."""
    return wire.NotificationContent(body=body, **fields)


def told(app: App) -> list[tuple[str, int]]:
    """The texts of what was delivered, in order, each with what the service extension did."""
    events = [event.delivered for event in app.events() if event.HasField("delivered")]
    return [
        (event.notification.request.content.body, event.extension_outcome) for event in events
    ]
