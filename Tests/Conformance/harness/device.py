"""A person's device: its state, what it shows, and what the person does with it."""

from typing import Any

from harness import wire
from harness.client import App, Client


def update(client: Client, *paths: str, device: str = "", **state: Any) -> wire.DeviceState:
    """Changes the parts of a device's state that the paths name."""
    response = client.call(
        "UpdateDeviceState",
        device_id=device,
        state=wire.DeviceState(**state),
        update_mask={"paths": paths},
    )
    return response.state


def reference(app: App, identifier: str, delivery: int) -> wire.NotificationRef:
    """How the device names a delivery of an app."""
    center = wire.Center(app_id=app.center.app_id, device_id=app.center.device_id or "local")
    return wire.NotificationRef(center=center, identifier=identifier, delivery=delivery)


def respond(app: App, notification: wire.NotificationRef, **fields: Any) -> wire.RespondResponse:
    """The person opens a notification, or does the action that the fields tell."""
    act = {} if "action" in fields else {"default_action": wire.DefaultAction()}
    return app.client.call(
        "Respond", device_id=app.center.device_id, notification=notification, **act, **fields
    )


def dismiss(app: App, **fields: Any) -> wire.DismissResponse:
    """The person clears what the fields tell, or swipes it away."""
    fields = {"kind": wire.DISMISS_KIND_CLEAR} | fields
    return app.client.call("Dismiss", device_id=app.center.device_id, **fields)


def listed(app: App, **fields: Any) -> wire.ListNotificationCenterResponse:
    """One page of what the app's device shows of all its apps."""
    return app.client.call("ListNotificationCenter", device_id=app.center.device_id, **fields)


class Watch:
    """A WatchDevice stream, read frame by frame."""

    def __init__(self, app: App, **fields: Any) -> None:
        self._call = app.client.call("WatchDevice", device_id=app.center.device_id, **fields)
        self._frames: list[wire.DeviceFrame] = []

    def frame(self) -> wire.DeviceFrame:
        """The next frame."""
        while not self._frames:
            self._frames.extend(next(self._call).frames)
        return self._frames.pop(0)

    def frames(self, count: int) -> list[wire.DeviceFrame]:
        """The next frames."""
        return [self.frame() for _ in range(count)]

    def until(self, kind: str) -> list[wire.DeviceFrame]:
        """The next frames up to the first of a kind, which is the last of them."""
        frames = [self.frame()]
        while frames[-1].WhichOneof("kind") != kind:
            frames.append(self.frame())
        return frames

    def close(self) -> None:
        """Ends the stream."""
        self._call.cancel()
