"""A content extension of an app: what it is told, and its answers."""

from collections import deque
from typing import Any, Self

from harness import wire
from harness.client import App

STAYS = wire.CONTENT_EXTENSION_RESPONSE_OPTION_DO_NOT_DISMISS
CLOSES = wire.CONTENT_EXTENSION_RESPONSE_OPTION_DISMISS
FORWARDS = wire.CONTENT_EXTENSION_RESPONSE_OPTION_DISMISS_AND_FORWARD_ACTION


class ContentExtension:
    """A Serve stream of kind CONTENT, read frame by frame."""

    def __init__(
        self, app: App, *categories: str, name: str = "view", handles: bool = True, **fields: Any
    ) -> None:
        self._app = app
        self._call = app.client.call(
            "Serve",
            app_id=app.center.app_id,
            extension=wire.AppExtension(
                extension_id=f"{app.center.app_id}.{name}",
                kind=wire.EXTENSION_KIND_CONTENT,
                categories=categories,
                handles_responses=handles,
                **fields,
            ),
        )
        self._frames: deque[wire.ExtensionFrame] = deque()
        self.serving = self.until("started").started.serving_id

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the stream, and waits until the server knows."""
        self._call.cancel()

    def until(self, kind: str) -> wire.ExtensionFrame:
        """The next frame of a kind."""
        while True:
            while not self._frames:
                self._frames.extend(next(self._call).frames)
            frame = self._frames.popleft()
            if frame.WhichOneof("kind") == kind:
                return frame

    def content(self, kind: str) -> wire.ContentFrame:
        """The next frame about a presentation, which is of a kind."""
        frame = self.until("content").content
        assert frame.WhichOneof("kind") == kind, frame
        return frame

    def question(self) -> wire.ExtensionCallback:
        """The next question."""
        return self.until("callback").callback

    def complete(self, callback: wire.ExtensionCallback, option: int, **fields: Any) -> None:
        """Answers a question."""
        self.call(
            "CompleteContentExtension",
            serving_id=self.serving,
            callback_id=callback.callback_id,
            response_option=option,
            **fields,
        )

    def call(self, rpc: str, **fields: Any) -> Any:
        """Calls an rpc of the extension with the other fields of its request."""
        return self._app.client.call(rpc, app_id=self._app.center.app_id, **fields)

    def show(self, presentation: str, media_type: str, data: bytes, **media: Any) -> None:
        """Shows something in a presentation."""
        view = wire.ContentView(media_type=media_type, data=data)
        if media:
            view.media.CopyFrom(wire.MediaState(**media))
        self.call("UpdateContentView", presentation_id=presentation, view=view)


def open_notification(app: App, notification: wire.NotificationRef) -> wire.OpenPresentation:
    """The person looks closer at a notification."""
    return app.client.call("OpenNotification", notification=notification).presentation


def press(app: App, presentation: str, action: str, **fields: Any) -> int:
    """The person presses a button of an open notification."""
    return app.client.call(
        "Respond",
        device_id=app.center.device_id,
        presentation_id=presentation,
        action=wire.CustomAction(action_identifier=action, **fields),
    ).outcome


def close(app: App, presentation: str) -> None:
    """The person goes back to the list."""
    app.client.call(
        "CloseNotification", device_id=app.center.device_id, presentation_id=presentation
    )
