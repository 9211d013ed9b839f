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
from typing import Any

import grpc

from belfry.v1 import category_pb2 as category
from belfry.v1 import delegate_service_pb2 as delegate
from belfry.v1 import delegate_service_pb2_grpc as delegate_rpcs
from belfry.v1 import extension_pb2 as extension
from belfry.v1 import extension_service_pb2 as serving
from belfry.v1 import extension_service_pb2_grpc as serving_rpcs
from belfry.v1 import notification_center_service_pb2 as center
from belfry.v1 import notification_center_service_pb2_grpc as center_rpcs
from belfry_connect import connect

APP = {"app_id": "org.example.red-green"}
ROTATE = category.NotificationAction(identifier="rotate-twenty-degrees-action", title="Rotate 20°")
RESET = category.NotificationAction(identifier="reset-rotation-action", title="Reset rotation")
TELL = category.NotificationAction(identifier="tell-app-action", title="Tell the app")
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

    def __init__(self, channel: grpc.Channel) -> None:
        self._rpcs = serving_rpcs.ExtensionServiceStub(channel)
        self._taps: dict[str, int] = {}
        self._category: dict[str, str] = {}

    def serve(self) -> Iterator[None]:
        """Serves until the call ends; yields after each frame."""
        described = extension.AppExtension(
            extension_id=f"{APP['app_id']}.view",
            kind="EXTENSION_KIND_CONTENT",
            categories=list(BUTTONS),
            handles_responses=True,
        )
        call = self._rpcs.Serve(serving.ServeRequest(app_id=APP["app_id"], extension=described))
        for response in call:
            for frame in response.frames:
                self._take(frame)
                yield

    def _take(self, frame: serving.ExtensionFrame) -> None:
        match frame.WhichOneof("kind"):
            case "started":
                self._serving = frame.started.serving_id
            case "content":
                self._content(frame.content)
            case "callback":
                self._act(frame.callback)

    def _content(self, frame: serving.ContentFrame) -> None:
        name = frame.presentation_id
        if frame.HasField("presented"):
            request = frame.presented.notification.request
            self._taps.setdefault(name, 0)
            self._category.setdefault(name, request.content.category_identifier)
            self._show(name)
        elif frame.HasField("closed"):
            self._taps.pop(name, None)
            self._category.pop(name, None)

    def _act(self, callback: serving.ExtensionCallback) -> None:
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
        self._rpcs.CompleteContentExtension(
            serving.CompleteContentExtensionRequest(
                app_id=APP["app_id"],
                serving_id=self._serving,
                callback_id=callback.callback_id,
                response_option=answer,
            )
        )

    def _show(self, name: str) -> None:
        data = picture(COLORS[self._category[name]], 20 * self._taps[name])
        view = extension.ContentView(media_type="image/png", data=data)
        self._about(name, "UpdateContentView", view=view)

    def _offer(self, name: str, *, can_reset: bool) -> None:
        buttons = BUTTONS[self._category[name]]
        buttons = [buttons[0], *([RESET] if can_reset else []), *buttons[1:]]
        self._about(name, "SetNotificationActions", actions=buttons)

    def _about(self, name: str, rpc: str, **fields: Any) -> None:
        request = getattr(serving, f"{rpc}Request")
        try:
            message = request(app_id=APP["app_id"], presentation_id=name, **fields)
            getattr(self._rpcs, rpc)(message)
        except grpc.RpcError as error:
            # The person closed it meanwhile.
            if error.code() != grpc.StatusCode.NOT_FOUND:
                raise


def listen(channel: grpc.Channel) -> None:
    """The app: takes what the person did and the extension sends on."""
    rpcs = delegate_rpcs.DelegateServiceStub(channel)
    request = delegate.SubscribeRequest(
        center=APP,
        role="SUBSCRIBER_ROLE_PRIMARY",
        capabilities=["DELEGATE_CAPABILITY_DID_RECEIVE"],
    )
    subscription = ""
    for message in rpcs.Subscribe(request):
        for frame in message.frames:
            if frame.HasField("started"):
                subscription = frame.started.subscription_id
            if frame.HasField("callback"):
                response = frame.callback.did_receive
                print("the app is told:", response.action_identifier, flush=True)
                answer = delegate.CompleteResponseRequest(
                    center=APP,
                    subscription_id=subscription,
                    answers=[{"callback_id": frame.callback.callback_id}],
                )
                rpcs.CompleteResponse(answer)


def main() -> None:
    """Sends both notifications, and serves until it is interrupted."""
    channel = connect(*sys.argv[1:2])
    rpcs = center_rpcs.NotificationCenterServiceStub(channel)
    options = ["ALERT", "SOUND", "PROVISIONAL", "PROVIDES_APP_NOTIFICATION_SETTINGS"]
    rpcs.RequestAuthorization(
        center.RequestAuthorizationRequest(
            center=APP, options=[f"AUTHORIZATION_OPTION_{option}" for option in options]
        )
    )
    categories = [
        category.NotificationCategory(
            identifier=name, actions=buttons, options=["CATEGORY_OPTION_CUSTOM_DISMISS_ACTION"]
        )
        for name, buttons in BUTTONS.items()
    ]
    rpcs.SetNotificationCategories(
        category.SetNotificationCategoriesRequest(center=APP, categories=categories)
    )
    threading.Thread(target=listen, args=[channel], daemon=True).start()
    frames = RedGreen(channel).serve()
    next(frames)
    for name in BUTTONS:
        content = {
            "title": name,
            "body": "Look closer.",
            "category_identifier": name,
            "thread_identifier": name,
        }
        request = {"identifier": name, "content": content}
        rpcs.Add(center.AddRequest(center=APP, request=request))
    print("ready: look with belfry center", flush=True)
    for _ in frames:
        pass


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
