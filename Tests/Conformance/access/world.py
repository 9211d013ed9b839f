"""Two apps on two devices of a server, of which a caller has a right for one."""

from typing import Any

from access.serving import Caller
from harness import wire
from harness.client import request

OWN, OTHER = "org.example.tea", "org.example.teapot"
# An app whose identifier looks like a topic of the own app.
ENDING = "org.example.tea.voip"
PHONE, TABLET = "phone", "tablet"
APPS, DEVICES = (OWN, OTHER, ENDING), (PHONE, TABLET, "")

# What all that belongs to others has in it, and nothing else.
PRECIOUS = "precious"


class World:
    """What an admin has made, and sees of it."""

    def __init__(self, admin: Caller) -> None:
        self.admin = admin
        self.tokens: dict[tuple[str, str], str] = {}
        for app in APPS:
            for device in DEVICES:
                self._make(app, device)

    def _make(self, app: str, device: str) -> None:
        center = {"app_id": app, "device_id": device}
        mark = "mine" if app == OWN else PRECIOUS
        self.admin.call("RequestAuthorization", center=center, options=[1, 2, 4])
        category = wire.NotificationCategory(identifier=f"{mark}-category")
        self.admin.call("SetNotificationCategories", center=center, categories=[category])
        registered = self.admin.call("RegisterForRemoteNotifications", center=center)
        self.tokens[app, device] = registered.token
        for name, after in [("delivered", None), ("pending", 86_400)]:
            asked = request(f"{mark}-{name}", after, title=f"{mark} {name}")
            self.admin.call("Add", center=center, request=asked)

    def _center(self, app: str, device: str) -> dict[str, Any]:
        center = {"app_id": app, "device_id": device}
        asked = {
            "ListPending": {"page_size": 1_000},
            "ListDelivered": {"page_size": 1_000},
            "GetNotificationSettings": {},
            "GetNotificationCategories": {},
            "ListRichPushes": {},
        }
        return {rpc: self.admin.call(rpc, center=center, **more) for rpc, more in asked.items()}

    def of_others(self) -> dict[str, Any]:
        """All that there is of the apps that are not the own one."""
        seen: dict[str, Any] = {
            f"{app} on {device or 'local'}": self._center(app, device)
            for app in APPS[1:]
            for device in DEVICES
        }
        for app in APPS[1:]:
            seen[f"registrations of {app}"] = self.admin.call("ListRegistrations", app_id=app)
        seen["apps"] = {device: self.apps(device) for device in DEVICES}
        return seen

    def pending_of_others(self) -> list[Any]:
        """The requests of the apps that are not the own one, and which apps there are."""
        return [
            self.admin.call("ListPending", center={"app_id": app, "device_id": device})
            for app in (OTHER, ENDING)
            for device in (PHONE, "")
        ] + [self.apps(device) for device in (PHONE, "")]

    def of_other_devices(self) -> dict[str, Any]:
        """All that there is of the devices that are not the phone."""
        return {
            device or "local": {
                "state": self.admin.call("GetDeviceState", device_id=device),
                "shown": self.admin.call("ListNotificationCenter", device_id=device),
                "apps": self.admin.call("ListApps", device_id=device),
            }
            for device in DEVICES[1:]
        }

    def apps(self, device: str) -> list[str]:
        return [app.center.app_id for app in self.admin.call("ListApps", device_id=device).apps]
