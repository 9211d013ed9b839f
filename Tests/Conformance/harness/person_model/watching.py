"""A WatchDevice stream of each device: what the screen shows and the speaker plays."""

import threading
from typing import TYPE_CHECKING

import grpc

from harness import wire
from harness.client import Client
from harness.person_model import screen
from harness.person_model.center import Center
from harness.person_model.device import Device
from harness.person_model.differences import Difference, check
from harness.person_model.records import Delivered

if TYPE_CHECKING:
    from harness.person_model.walk import Walk

BOUND = 2.0

# The frames that are compared.
KINDS = (
    "banner",
    "sound",
    "vibrate",
    "unlock_requested",
    "unlock_ended",
    "launch_app",
    "badge",
)

# A banner has the first two buttons (K-2).
_ACTIONS_ON_A_BANNER = 2


class Watched:
    """An open stream: what it was told since it was looked at."""

    def __init__(self, client: Client, device: Device) -> None:
        self.device = device
        self.snapshot = wire.DeviceSnapshot()
        self.frames: list[wire.DeviceFrame] = []
        self.error: grpc.RpcError | None = None
        self.changed = threading.Condition()
        message = wire.WatchDeviceRequest(device_id=device.device_id)
        self._call = client.send("WatchDevice", message, timeout=None)
        threading.Thread(target=self._read, daemon=True).start()
        with self.changed:
            self.changed.wait_for(lambda: self.snapshot.complete or self.error, 10 * BOUND)

    def _read(self) -> None:
        try:
            for response in self._call:
                with self.changed:
                    for frame in response.frames:
                        self._take(frame)
                    self.changed.notify_all()
        except grpc.RpcError as error:
            self.error = error

    def _take(self, frame: wire.DeviceFrame) -> None:
        if frame.HasField("snapshot"):
            self.snapshot.MergeFrom(frame.snapshot)
        elif frame.WhichOneof("kind") in KINDS:
            self.frames.append(frame)

    def close(self) -> None:
        """Ends it."""
        self._call.cancel()


def check_snapshot(watched: Watched) -> None:
    """Compares what a new watch begins with."""
    device = watched.device
    check("the state in a snapshot", device.state, watched.snapshot.state)
    check("the apps in a snapshot", screen.apps_of(device), list(watched.snapshot.apps))
    shown = [rendered for group in screen.groups_of(device) for rendered in group.notifications]
    told = [rendered for group in watched.snapshot.groups for rendered in group.notifications]
    check("notifications in a snapshot", len(shown), len(told))
    prompts = sorted(watched.snapshot.prompts, key=lambda prompt: prompt.center.app_id)
    for center in device.registered():
        prompt = center.permission.prompt
        if prompt and not prompt.prompt_id:
            prompt.prompt_id = next(
                (p.prompt_id for p in prompts if p.center == center.wire), "no prompt"
            )
    check("the prompts in a snapshot", screen.prompts_of(device), prompts)


def look(walk: "Walk") -> None:
    """Compares what was told since the last look."""
    for watched in walk.watched:
        _look(watched)


def _look(watched: Watched) -> None:
    device = watched.device
    count = sum(len(device.frames[kind]) for kind in KINDS)
    with watched.changed:
        watched.changed.wait_for(lambda: len(watched.frames) >= count or watched.error, BOUND)
        frames, watched.frames = watched.frames, []
    if watched.error is not None:
        raise Difference(f"WatchDevice ended: {watched.error!r}")
    banners = [frame.banner for frame in frames if frame.HasField("banner")]
    wanted = device.frames["banner"]
    told = [banner.notification.notification for banner in banners]
    # A notification that is gone when a watcher is told need not be shown.
    names = [
        name
        for center, entry in wanted
        if (name := center.reference(entry.identifier, entry.delivery)) in told
        or center.newest_delivery(entry.identifier) == entry.delivery
    ]
    check("banners", sorted(names, key=_by_name), sorted(told, key=_by_name))
    if len(wanted) == 1 and banners:
        check("the banner", _banner(*wanted[0]), banners[0])
    for kind in ("sound", "vibrate"):
        told = [getattr(frame, kind).notification for frame in frames if frame.HasField(kind)]
        names = [
            name
            for center, entry in device.frames[kind]
            if (name := center.reference(entry.identifier, entry.delivery)) in told
            or _is_newest(center, entry)
        ]
        check(kind, sorted(names, key=_by_name), sorted(told, key=_by_name))
    told = [frame.unlock_requested for frame in frames if frame.HasField("unlock_requested")]
    check("unlock requests", device.frames["unlock_requested"], told)
    told = [frame.launch_app for frame in frames if frame.HasField("launch_app")]
    check("launches", device.frames["launch_app"], told)
    told = [frame.badge for frame in frames if frame.HasField("badge")]
    check("badges", device.frames["badge"], told)
    ended = [frame.unlock_ended for frame in frames if frame.HasField("unlock_ended")]
    for frame in ended:
        frame.ClearField("message")
    by_act = lambda frame: _by_name(frame.notification)  # noqa: E731
    wanted = sorted(device.frames["unlock_ended"], key=by_act)
    check("ends of what waited for the unlock", wanted, sorted(ended, key=by_act))
    device.frames.clear()


def _is_newest(center: Center, entry: Delivered) -> bool:
    """Whether a delivery was neither replaced nor removed."""
    return center.latest[entry.identifier] == entry.delivery and entry.delivery not in center.gone


def _by_name(reference: wire.NotificationRef) -> tuple[str, int]:
    return reference.center.app_id, reference.delivery


def _banner(center: Center, entry: Delivered) -> wire.BannerFrame:
    rendered = screen.render(center, entry)
    del rendered.actions[_ACTIONS_ON_A_BANNER:]
    # On the lock screen it stays.
    is_locked = center.device.state.locked
    style = wire.ALERT_STYLE_ALERT if is_locked else center.settings.alert_style
    return wire.BannerFrame(notification=rendered, style=style, wakes_display=True)
