"""Devices with tags, and the rich pushes that they are sent."""

from typing import Any

from harness import files, wire
from harness.client import App, Client
from harness.eventually import eventually


def devices(client: Client, tags: dict[str, list[str]]) -> str:
    """Registers an app that is new on devices with tags, and gives the app."""
    app_id = client.app().center.app_id
    for device, its in tags.items():
        app = App(client, wire.Center(app_id=app_id, device_id=device))
        app.authorize()
        token = app.register_for_pushes()
        client.call("SetTags", app_id=app_id, token=token, tags=its)
    return app_id


def of(client: Client, app_id: str, device: str) -> App:
    return App(client, wire.Center(app_id=app_id, device_id=device))


def create(client: Client, app_id: str, **fields: Any) -> wire.CreateRichPushResponse:
    """Creates a rich push, of a picture for Ana unless told otherwise."""
    usual = {"tag_expression": "username:ana", "message": "Look!", "rich_type": "img"}
    if "attachment_id" not in fields:
        usual |= {"payload": files.png(), "media_type": "image/png"}
    return client.call("CreateRichPush", app_id=app_id, **(usual | fields))


def sent(client: Client, app_id: str, **fields: Any) -> int:
    """Creates a rich push, and waits until it has reached all."""
    created = create(client, app_id, **fields)

    def has_reached_all() -> bool:
        return client.call(
            "GetPushStatus", app_id=app_id, push_id=created.push_id
        ).totals.complete

    eventually(has_reached_all)
    return created.rich_id


def fetch(app: App, rich_id: int, offset: int = 0) -> tuple[wire.RichPush, bytes]:
    """Downloads a payload: what it is, and its bytes."""
    parts = list(app.call("DownloadRichPayload", rich_id=rich_id, offset=offset))
    return parts[0].rich_push, b"".join(part.chunk for part in parts[1:])
