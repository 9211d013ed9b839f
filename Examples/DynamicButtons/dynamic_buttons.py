"""Buttons that change while a notification is open: a content extension that turns a picture.

It is the app, which sends a red and a green notification and is told what the extension sends on,
and the extension, which shows a square and turns it by 20 degrees for each press of the button.
"""

import math
import struct
import sys
import threading
import zlib
from collections.abc import Iterator
from contextlib import suppress

from belfry import App, Client, NotFound, connect, rpc, v1

APP = "org.example.red-green"
ROTATE = v1.NotificationAction(identifier="rotate-twenty-degrees-action", title="Rotate 20°")
RESET = v1.NotificationAction(identifier="reset-rotation-action", title="Reset rotation")
TELL = v1.NotificationAction(identifier="tell-app-action", title="Tell the app")
# The buttons that a notification of each category begins with.
BUTTONS = {"red-category": [ROTATE], "green-category": [ROTATE, TELL]}
COLORS = {"red-category": (220, 60, 50), "green-category": (60, 170, 80)}
SIDE = 48


def picture(color: tuple[int, int, int], degrees: int) -> bytes:
    """A PNG of a square that is turned; one corner is white, so that one sees how far."""
    turn = math.radians(degrees)
    rows = bytearray()
    for y in range(SIDE):
        rows.append(0)
        for x in range(SIDE):
            dx, dy = x - SIDE / 2 + 0.5, y - SIDE / 2 + 0.5
            across = dx * math.cos(turn) + dy * math.sin(turn)
            down = dy * math.cos(turn) - dx * math.sin(turn)
            inside = max(abs(across), abs(down)) < SIDE * 0.33
            corner = across < -SIDE * 0.1 and down < -SIDE * 0.1
            rows += bytes((255, 255, 255) if inside and corner else color if inside else (0, 0, 0))

    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    data = zlib.compress(bytes(rows))
    start = b"\x89PNG\r\n\x1a\n"
    return start + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


class RedGreen:
    """The extension: for each open notification, how often its picture was turned."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._taps: dict[str, int] = {}
        self._category: dict[str, str] = {}

    def serve(self) -> Iterator[None]:
        """Serves until the call ends; yields after each frame."""
        described = v1.AppExtension(
            extension_id=f"{APP}.view",
            kind="EXTENSION_KIND_CONTENT",
            categories=list(BUTTONS),
            handles_responses=True,
        )
        request = v1.ServeRequest(app_id=APP, extension=described)
        for response in self._client.stream(rpc.Serve, request):
            for frame in response.frames:
                self._take(frame)
                yield

    def _take(self, frame: v1.ExtensionFrame) -> None:
        match frame.WhichOneof("kind"):
            case "started":
                self._serving = frame.started.serving_id
            case "content":
                self._content(frame.content)
            case "callback":
                self._act(frame.callback)

    def _content(self, frame: v1.ContentFrame) -> None:
        name = frame.presentation_id
        if frame.HasField("presented"):
            request = frame.presented.notification.request
            self._taps.setdefault(name, 0)
            self._category.setdefault(name, request.content.category_identifier)
            self._show(name)
        elif frame.HasField("closed"):
            self._taps.pop(name, None)
            self._category.pop(name, None)

    def _act(self, callback: v1.ExtensionCallback) -> None:
        name, action = callback.content.presentation_id, callback.content.response.action_identifier
        answer = "CONTENT_EXTENSION_RESPONSE_OPTION_DO_NOT_DISMISS"
        if name not in self._taps or action == TELL.identifier:
            answer = "CONTENT_EXTENSION_RESPONSE_OPTION_DISMISS_AND_FORWARD_ACTION"
        elif action == ROTATE.identifier:
            self._taps[name] += 1
            self._show(name)
            if self._taps[name] % 9 == 0:
                self._offer(name, can_reset=False)
            elif self._taps[name] % 9 == 1:
                self._offer(name, can_reset=True)
        elif action == RESET.identifier:
            self._taps[name] = 0
            self._show(name)
            self._offer(name, can_reset=False)
        self._client.call(
            rpc.CompleteContentExtension,
            v1.CompleteContentExtensionRequest(
                app_id=APP,
                serving_id=self._serving,
                callback_id=callback.callback_id,
                response_option=answer,
            ),
        )

    def _show(self, name: str) -> None:
        data = picture(COLORS[self._category[name]], 20 * self._taps[name])
        view = v1.ContentView(media_type="image/png", data=data)
        request = v1.UpdateContentViewRequest(app_id=APP, presentation_id=name, view=view)
        # The person may close it meanwhile.
        with suppress(NotFound):
            self._client.call(rpc.UpdateContentView, request)

    def _offer(self, name: str, *, can_reset: bool) -> None:
        buttons = BUTTONS[self._category[name]]
        buttons = [buttons[0], *([RESET] if can_reset else []), *buttons[1:]]
        request = v1.SetNotificationActionsRequest(
            app_id=APP, presentation_id=name, actions=buttons
        )
        with suppress(NotFound):
            self._client.call(rpc.SetNotificationActions, request)


def listen(app: App) -> None:
    """The app: takes what the person did and the extension sends on."""
    for answer in app.answers():
        print("the app is told:", answer.raw.action_identifier, flush=True)


def main() -> None:
    """Sends both notifications, and serves until it is interrupted."""
    client = connect(*sys.argv[1:2])
    app = client.app(APP)
    options = ["ALERT", "SOUND", "PROVISIONAL", "PROVIDES_APP_NOTIFICATION_SETTINGS"]
    client.call(
        rpc.RequestAuthorization,
        v1.RequestAuthorizationRequest(
            center=app.center, options=[f"AUTHORIZATION_OPTION_{option}" for option in options]
        ),
    )
    categories = [
        v1.NotificationCategory(
            identifier=name, actions=buttons, options=["CATEGORY_OPTION_CUSTOM_DISMISS_ACTION"]
        )
        for name, buttons in BUTTONS.items()
    ]
    client.call(
        rpc.SetNotificationCategories,
        v1.SetNotificationCategoriesRequest(center=app.center, categories=categories),
    )
    threading.Thread(target=listen, args=[app], daemon=True).start()
    frames = RedGreen(client).serve()
    next(frames)
    for name in BUTTONS:
        app.add(name, "Look closer.", id=name, category=name, thread=name)
    print("ready: look with belfry center", flush=True)
    for _ in frames:
        pass


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
