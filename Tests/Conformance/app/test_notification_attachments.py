"""Attachments of notifications: who holds them, who is shown them, and when they go."""

from typing import Any

import grpc
import pytest

from harness import files, wire
from harness.client import App, Client, request
from harness.device import Watch, listed, update
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of, refusal_of_item

INVALID = grpc.StatusCode.INVALID_ARGUMENT
NOT_FOUND = grpc.StatusCode.NOT_FOUND
MISSING = "ATTACHMENT_NOT_IN_DATA_STORE"
BAD_TYPE = "ATTACHMENT_UNRECOGNIZED_TYPE"
DAY = 86_400


def reference(name: str, **fields: Any) -> wire.AttachmentReference:
    """A reference to a stored file."""
    return wire.AttachmentReference(attachment_id=name, **fields)


def is_stored(app: App, name: str) -> bool:
    """Whether a file is in the store."""
    try:
        files.get(app, name)
    except grpc.RpcError as error:
        assert error.code() == NOT_FOUND
        return False
    return True


def test_a_notification_has_its_attachments_with_their_options(app: App) -> None:
    picture = files.put(app, files.GIF, "a.gif").attachment_id
    film = files.put(app, files.MP4, "a.mp4").attachment_id
    sent = [
        reference(picture, identifier="one", thumbnail_hidden=True),
        reference(picture, thumbnail_frame=3),
        reference(
            film,
            identifier="three",
            thumbnail_clipping_rect=wire.UnitRect(x=0.25, y=0.5, width=0.75, height=0.5),
            thumbnail_offset=wire.seconds(1.5),
        ),
    ]
    app.add("later", 60, title="T", attachments=sent)
    pending = app.call("ListPending").requests[0].request.content.attachments
    names = [attachment.identifier for attachment in pending]
    # One that came without a name has one, which no other has.
    assert names[0::2] == ["one", "three"]
    assert len(names[1]) == 36
    for before, after in zip(sent, pending, strict=True):
        before.identifier = after.identifier
        before.type = "public.mpeg-4" if before.attachment_id == film else "com.compuserve.gif"
    assert list(pending) == sent
    app.client.advance(60)
    delivered = app.call("ListDelivered").notifications[0].request.content.attachments
    assert delivered == pending
    event = app.events()[-1].delivered.notification.request.content
    assert event.attachments == pending


# What a reference says, and the refusal; the file is a picture of the app.
REFUSED: dict[str, tuple[dict[str, Any], Expected]] = {
    "unknown": (
        {"attachment_id": "x"},
        Expected(NOT_FOUND, MISSING, ("attachment_id",), 103),
    ),
    "none": ({"attachment_id": ""}, Expected(NOT_FOUND, MISSING, ("attachment_id",), 103)),
    "a long name": (
        {"identifier": "a" * 257},
        Expected(INVALID, "IDENTIFIER_INVALID", ("identifier",)),
    ),
    "a rectangle beyond the edge": (
        {"thumbnail_clipping_rect": wire.UnitRect(x=0.5, width=0.6, height=1)},
        Expected(INVALID, "INVALID_FIELD", ("thumbnail_clipping_rect",)),
    ),
    "an empty rectangle": (
        {"thumbnail_clipping_rect": wire.UnitRect()},
        Expected(INVALID, "INVALID_FIELD", ("thumbnail_clipping_rect",)),
    ),
    "a frame of a still picture": (
        {"thumbnail_frame": 1},
        Expected(INVALID, "INVALID_FIELD", ("thumbnail_frame",)),
    ),
    "a second of a picture": (
        {"thumbnail_offset": wire.seconds(1)},
        Expected(INVALID, "INVALID_FIELD", ("thumbnail_offset",)),
    ),
    "before the beginning": (
        {"thumbnail_offset": wire.seconds(-1)},
        Expected(INVALID, "INVALID_FIELD", ("thumbnail_offset",)),
    ),
}


@pytest.mark.parametrize("said, expected", REFUSED.values(), ids=REFUSED.keys())
def test_a_bad_attachment_refuses_the_request(
    app: App, said: dict[str, Any], expected: Expected
) -> None:
    picture = files.put(app, files.JPEG, "a.jpg").attachment_id
    good = reference(picture)
    bad = wire.AttachmentReference(**{"attachment_id": picture, **said})
    add = request("one", 60, title="T", attachments=[good, bad])
    refusal = refusal_of(lambda: app.call("Add", request=add))
    expected.check(refusal, prefix="request.content.attachments[1].")
    results = app.call("AddBatch", requests=[request("two", 60), add]).results
    expected.check(
        refusal_of_item(results[1].error), prefix="requests[1].content.attachments[1]."
    )
    assert app.pending() == ["two"]


@pytest.mark.parametrize("purpose", [files.SOUND, files.ICON, files.RICH_PUSH])
def test_only_files_for_notifications_are_shown_by_them(app: App, purpose: int) -> None:
    name, data = ("a.wav", files.wave(1)) if purpose == files.SOUND else ("a.png", files.png())
    stored = files.put(app, data, name, purpose=purpose).attachment_id
    refusal = refusal_of(lambda: app.add("one", attachments=[reference(stored)]))
    Expected(
        INVALID, BAD_TYPE, ("request.content.attachments[0].attachment_id",), 101
    ).check(refusal)


def test_another_apps_file_cannot_be_shown(app: App) -> None:
    other = app.client.app()
    stored = files.put(other, files.png()).attachment_id
    refusal = refusal_of(lambda: app.add("one", attachments=[reference(stored)]))
    Expected(
        NOT_FOUND, MISSING, ("request.content.attachments[0].attachment_id",), 103
    ).check(refusal)


def test_an_attachment_alone_is_content(app: App) -> None:
    stored = files.put(app, files.png()).attachment_id
    app.add("one", 60, attachments=[reference(stored)])
    assert app.pending() == ["one"]
    refusal = refusal_of(lambda: app.call("Add", request={"content": {}}))
    assert refusal.reason == "NOTIFICATION_INVALID_NO_CONTENT"


def test_it_is_kept_while_a_request_or_a_notification_holds_it(
    launch: Launcher, transport: str
) -> None:
    server = launch()
    with Client(server.targets[transport]) as client:
        app = client.app()
        app.authorize()
        stored = files.put(app, files.png(200_000))
        name = stored.attachment_id
        app.add("one", 3 * DAY, title="T", attachments=[reference(name)])
        assert stored.HasField("unreferenced_until")
        assert not files.get(app, name).HasField("unreferenced_until")
        client.advance(2 * DAY)
        assert files.download(app, name) == files.png(200_000)
        client.advance(2 * DAY)
        assert app.delivered() == ["one"]
        assert is_stored(app, name)
    server.kill()
    server = launch(server.home)
    with Client(server.targets[transport]) as client:
        app = App(client, app.center)
        assert files.download(app, name) == files.png(200_000)
        app.call("RemoveDelivered", identifiers=["one"])
        assert not is_stored(app, name)
        eventually(lambda: not files.names(server.home))
        # The event tells of it all the same.
        events = [event for event in app.events() if event.HasField("delivered")]
        content = events[0].delivered.notification.request.content
        assert content.attachments[0].attachment_id == name


def test_room_is_given_back_with_what_held_it(launch: Launcher, transport: str) -> None:
    with Client(launch().targets[transport]) as client:
        app = client.app()
        app.authorize()
        size = 10 * 1024 * 1024
        stored = [files.upload(app, files.png(size, number)) for number in range(20)]
        for attachment in stored:
            name = attachment.attachment_id
            app.add(name, 60, title="T", attachments=[reference(name)])
        client.advance(DAY)
        refusal = refusal_of(lambda: files.put(app, files.png()))
        assert refusal.metadata["code"] == "104"
        app.call("RemoveDelivered", identifiers=[stored[0].attachment_id])
        files.put(app, files.png())


@pytest.mark.parametrize(
    "previews, locked, shows",
    [
        (wire.SHOW_PREVIEWS_SETTING_ALWAYS, True, True),
        (wire.SHOW_PREVIEWS_SETTING_WHEN_AUTHENTICATED, True, False),
        (wire.SHOW_PREVIEWS_SETTING_WHEN_AUTHENTICATED, False, True),
        (wire.SHOW_PREVIEWS_SETTING_NEVER, False, False),
    ],
)
def test_attachments_show_where_text_does(
    own_device: App, previews: int, locked: bool, shows: bool
) -> None:
    app = own_device
    app.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(show_previews_setting=previews),
        update_mask={"paths": ["show_previews_setting"]},
    )
    update(app.client, "locked", device=app.center.device_id, locked=locked)
    picture = files.put(app, files.png()).attachment_id
    avatar = files.put(app, files.JPEG, "a.jpg", purpose=files.ICON).attachment_id
    talk = wire.Communication(
        kind=wire.COMMUNICATION_KIND_MESSAGE, sender="Ann", avatar_attachment_id=avatar
    )
    watch = Watch(app)
    watch.until("snapshot")
    app.add("one", title="T", attachments=[reference(picture)], communication=talk)
    banner = watch.until("banner")[-1].banner.notification
    watch.close()
    for shown in (banner, listed(app).groups[0].notifications[0]):
        names = [attachment.attachment_id for attachment in shown.attachments]
        assert names == ([picture] if shows else [])
        assert shown.communication.avatar_attachment_id == (avatar if shows else "")


def test_a_person_has_a_picture(app: App) -> None:
    film = files.put(app, files.MP4, "a.mp4").attachment_id
    path = ("request.content.communication.avatar_attachment_id",)
    for name, expected in {
        "x": Expected(NOT_FOUND, MISSING, path, 103),
        film: Expected(INVALID, BAD_TYPE, path, 101),
    }.items():
        talk = wire.Communication(
            kind=wire.COMMUNICATION_KIND_MESSAGE, sender="Ann", avatar_attachment_id=name
        )
        expected.check(refusal_of(lambda: app.add("one", title="T", communication=talk)))


def test_an_app_has_a_picture(own_device: App) -> None:
    app, device = own_device, own_device.center.device_id
    icon = files.put(app, files.png(), purpose=files.ICON).attachment_id
    manifest = wire.AppManifest(icon_attachment_id=icon)
    assert app.call("RegisterApp", manifest=manifest).app.manifest.icon_attachment_id == icon
    app.add("one", title="T")
    assert not files.get(app, icon).HasField("unreferenced_until")
    shown = listed(app).groups[0].notifications[0]
    assert shown.icon_attachment_id == icon
    apps = app.client.call("ListApps", device_id=device).apps
    assert [listed.icon_attachment_id for listed in apps] == [icon]
    path = ("manifest.icon_attachment_id",)
    film = files.put(app, files.MP4, "a.mp4").attachment_id
    for name, expected in {
        "x": Expected(NOT_FOUND, MISSING, path, 103),
        film: Expected(INVALID, BAD_TYPE, path, 101),
    }.items():
        bad = wire.AppManifest(icon_attachment_id=name)
        expected.check(refusal_of(lambda: app.call("RegisterApp", manifest=bad)))
    app.call("RegisterApp", manifest={})
    assert not is_stored(app, icon)
