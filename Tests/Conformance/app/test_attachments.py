"""Attachments: stored, told and fetched; what is refused, and with which of Apple's numbers."""

import hashlib
import threading
from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from harness import files, wire
from harness.client import App, Client
from harness.eventually import eventually
from harness.keys import new_key
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of
from harness.server import START_SECONDS

INVALID = grpc.StatusCode.INVALID_ARGUMENT
DAY = 86_400

BAD_URL = "ATTACHMENT_INVALID_URL"
BAD_TYPE = "ATTACHMENT_UNRECOGNIZED_TYPE"
BAD_SIZE = "ATTACHMENT_INVALID_FILE_SIZE"
CORRUPT = "ATTACHMENT_CORRUPT"

MISSING = Expected(
    grpc.StatusCode.NOT_FOUND, "ATTACHMENT_NOT_IN_DATA_STORE", ("attachment_id",), 103
)

KINDS: dict[str, tuple[bytes, str, str]] = {
    "aif": (files.AIFF, "public.aiff-audio", "audio/aiff"),
    "wav": (files.wave(0.1), "com.microsoft.waveform-audio", "audio/wav"),
    "mp3": (files.MP3, "public.mp3", "audio/mpeg"),
    "m4a": (files.M4A, "public.mpeg-4-audio", "audio/mp4"),
    "jpg": (files.JPEG, "public.jpeg", "image/jpeg"),
    "gif": (files.GIF, "com.compuserve.gif", "image/gif"),
    "png": (files.png(), "public.png", "image/png"),
    "mpg": (files.MPEG, "public.mpeg", "video/mpeg"),
    "m2v": (files.M2V, "public.mpeg-2-video", "video/mpeg"),
    "mp4": (files.MP4, "public.mpeg-4", "video/mp4"),
    "avi": (files.AVI, "public.avi", "video/x-msvideo"),
}


@pytest.mark.parametrize("ending", KINDS)
def test_a_file_is_of_the_type_that_its_ending_and_its_bytes_tell(app: App, ending: str) -> None:
    data, kind, media = KINDS[ending]
    stored = files.put(app, data, f"A.{ending.upper()}")
    assert (stored.type, stored.media_type) == (kind, media)
    assert stored.file_name == f"A.{ending.upper()}"
    assert stored.app_id == app.center.app_id
    assert stored.size_bytes == len(data)
    assert stored.sha256 == hashlib.sha256(data).hexdigest()
    hinted = files.put(app, data, "another name", type_hint=kind)
    assert hinted == stored
    assert files.download(app, stored.attachment_id) == data


def test_a_large_file_is_sent_and_fetched_in_parts(app: App) -> None:
    data = files.png(5_000_000)
    stored = files.upload(app, data, size_bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
    assert files.download(app, stored.attachment_id) == data
    for offset in (1, files.CHUNK, files.CHUNK + 1, len(data) - 1, len(data)):
        assert files.download(app, stored.attachment_id, offset) == data[offset:]
    refusal = refusal_of(lambda: files.download(app, stored.attachment_id, len(data) + 1))
    Expected(
        grpc.StatusCode.OUT_OF_RANGE, "ATTACHMENT_OFFSET_INVALID", ("offset",)
    ).check(refusal)


def test_the_same_bytes_are_stored_once(app: App) -> None:
    first = files.put(app, files.png(100))
    assert files.upload(app, files.png(100), "b.png", chunk=7) == first
    assert files.put(app, files.png(100), purpose=files.ICON) != first
    other = app.client.app()
    # Nobody has to be registered to store a file.
    assert files.put(other, files.png(100)).attachment_id != first.attachment_id


def test_another_apps_file_is_not_in_the_store(app: App) -> None:
    stored = files.put(app, files.png(101))
    other = app.client.app()
    for identifier in (stored.attachment_id, "", "x"):
        MISSING.check(refusal_of(lambda: files.get(other, identifier)))
        MISSING.check(refusal_of(lambda: files.download(other, identifier)))


def test_what_nothing_refers_to_goes_after_a_day(launch: Launcher, transport: str) -> None:
    server = launch()
    with Client(server.targets[transport]) as client:
        app = client.app()
        stored = files.put(app, files.png())
        assert stored.created_at.seconds == START_SECONDS
        assert stored.unreferenced_until.seconds == START_SECONDS + DAY
        client.advance(DAY - 1)
        assert files.get(app, stored.attachment_id) == stored
        assert files.names(server.home)
        client.advance(1)
        MISSING.check(refusal_of(lambda: files.get(app, stored.attachment_id)))
        eventually(lambda: not files.names(server.home))


LARGE = 10 * 1024 * 1024

# What is said of a file, its bytes, and Apple's number and the fields of the refusal.
REFUSED: dict[str, tuple[dict[str, Any], bytes, Expected]] = {
    "no name": (
        {"name": ""},
        files.png(),
        Expected(INVALID, BAD_URL, ("metadata.file_name",), 100),
    ),
    "a path": (
        {"name": "/etc/passwd.png"},
        files.png(),
        Expected(INVALID, BAD_URL, ("metadata.file_name",), 100),
    ),
    "a remote URL": (
        {"name": "https://example.org/a.png"},
        files.png(),
        Expected(INVALID, BAD_URL, ("metadata.file_name",), 100),
    ),
    "a name of 257 bytes": (
        {"name": "a" * 253 + ".png"},
        files.png(),
        Expected(INVALID, BAD_URL, ("metadata.file_name",), 100),
    ),
    "no ending": (
        {"name": "a"},
        files.png(),
        Expected(INVALID, BAD_TYPE, ("metadata.file_name",), 101),
    ),
    "an unknown hint": (
        {"type_hint": "public.text"},
        files.png(),
        Expected(INVALID, BAD_TYPE, ("metadata.type_hint",), 101),
    ),
    "bytes of another type": (
        {"name": "a.jpg"},
        files.png(),
        Expected(INVALID, BAD_TYPE, ("chunk",), 101),
    ),
    "a film for an icon": (
        {"name": "a.mp4", "purpose": files.ICON},
        files.MP4,
        Expected(INVALID, BAD_TYPE, ("metadata.file_name",), 101),
    ),
    "a sound that none plays": (
        {"name": "a.wav", "purpose": files.SOUND},
        files.wave(1, tag=0x55),
        Expected(INVALID, BAD_TYPE, ("chunk",), 101),
    ),
    "a byte too many": ({}, files.png(LARGE + 1), Expected(INVALID, BAD_SIZE, ("chunk",), 102)),
    "a size that is too large": (
        {"size_bytes": LARGE + 1},
        b"",
        Expected(INVALID, BAD_SIZE, ("metadata.size_bytes",), 102),
    ),
    "no bytes": ({}, b"", Expected(INVALID, CORRUPT, ("chunk",), 105)),
    "text": ({}, b"I am a picture", Expected(INVALID, CORRUPT, ("chunk",), 105)),
    "a cut picture": ({}, files.png()[:-1], Expected(INVALID, CORRUPT, ("chunk",), 105)),
    "another size": (
        {"size_bytes": 100},
        files.png(99),
        Expected(INVALID, CORRUPT, ("metadata.size_bytes",), 105),
    ),
    "another checksum": (
        {"sha256": "0" * 64},
        files.png(),
        Expected(INVALID, CORRUPT, ("metadata.sha256",), 105),
    ),
    "no checksum": (
        {"sha256": "0"},
        files.png(),
        Expected(INVALID, "INVALID_FIELD", ("metadata.sha256",)),
    ),
    "an unknown purpose": (
        {"purpose": 9},
        files.png(),
        Expected(INVALID, "INVALID_FIELD", ("metadata.purpose",)),
    ),
    "a media type": (
        {"media_type": "image/png"},
        files.png(),
        Expected(INVALID, "INVALID_FIELD", ("metadata.media_type",)),
    ),
}


@pytest.mark.parametrize("said, data, expected", REFUSED.values(), ids=REFUSED.keys())
def test_a_file_that_is_not_what_was_said_is_refused(
    app: App, server: Any, said: dict[str, Any], data: bytes, expected: Expected
) -> None:
    before = files.names(server.home)
    expected.check(refusal_of(lambda: files.upload(app, data, **said)))
    eventually(lambda: files.names(server.home) <= before)
    if len(data) > 768 * 1024:
        return
    fields = tuple("data" if path == "chunk" else path for path in expected.fields)
    in_one = Expected(expected.code, expected.reason, fields, expected.un_code)
    in_one.check(refusal_of(lambda: files.put(app, data, **said)))
    eventually(lambda: files.names(server.home) <= before)


def test_a_file_at_its_limit_is_stored(app: App) -> None:
    assert files.upload(app, files.png(LARGE), size_bytes=LARGE).size_bytes == LARGE
    assert files.put(app, files.png(768 * 1024)).size_bytes == 768 * 1024
    too_large = Expected(INVALID, BAD_SIZE, ("data",), 102)
    too_large.check(refusal_of(lambda: files.put(app, files.png(768 * 1024 + 1))))


def test_an_app_stores_200_mebibytes_and_no_more(own_client: Client) -> None:
    app = own_client.app()
    for number in range(20):
        files.upload(app, files.png(LARGE, number))
    refusal = refusal_of(lambda: files.put(app, files.png()))
    Expected(
        grpc.StatusCode.RESOURCE_EXHAUSTED, "ATTACHMENT_MOVE_INTO_DATA_STORE_FAILED", (), 104
    ).check(refusal)
    files.put(own_client.app(), files.png())
    # A day later there is room again.
    own_client.advance(DAY)
    files.put(app, files.png())


ORDERS: dict[str, list[dict[str, Any]]] = {
    "nothing": [],
    "an empty message": [{}],
    "a chunk first": [{"chunk": b"x"}],
    "metadata twice": [{"app_id": "a", "metadata": {"file_name": "a.png"}}] * 2,
    "an app later": [
        {"app_id": "a", "metadata": {"file_name": "a.png"}},
        {"app_id": "a", "chunk": files.png()},
    ],
}


@pytest.mark.parametrize("parts", ORDERS.values(), ids=ORDERS.keys())
def test_messages_come_in_their_order(client: Client, parts: list[dict[str, Any]]) -> None:
    sent = iter([wire.UploadAttachmentRequest(**part) for part in parts])
    refusal = refusal_of(lambda: client.send("UploadAttachment", sent))
    assert (refusal.code, refusal.reason) == (INVALID, "UPLOAD_ORDER_INVALID")


def test_a_chunk_has_256_kibibytes(app: App) -> None:
    data = files.png(files.CHUNK + 1)
    refusal = refusal_of(lambda: files.upload(app, data, chunk=files.CHUNK + 1))
    Expected(INVALID, "CHUNK_TOO_LARGE", ("chunk",)).check(refusal)


@pytest.mark.parametrize("identifier", ["", "a b", "a" * 156])
def test_an_app_has_a_name(client: Client, identifier: str) -> None:
    app = client.app()
    app.center.app_id = identifier
    expected = Expected(INVALID, "APP_ID_INVALID", ("app_id",))
    calls = [files.put, files.upload]
    for call in calls:
        expected.check(refusal_of(lambda: call(app, files.png())))
    expected.check(refusal_of(lambda: files.get(app, "a")))
    expected.check(refusal_of(lambda: files.download(app, "a")))


def test_a_retry_is_told_the_first_reply(app: App) -> None:
    for store in (files.upload, _put_with_key):
        key, data = new_key(), files.png(300)
        first = store(app, data, key=key)
        app.client.advance(5)
        assert store(app, data, key=key) == first
        refusal = refusal_of(lambda: store(app, files.png(301), key=key))
        Expected(INVALID, "IDEMPOTENCY_KEY_REUSED", ("idempotency_key",)).check(refusal)
        refusal = refusal_of(lambda: store(app, data, key="x"))
        Expected(INVALID, "INVALID_FIELD", ("idempotency_key",)).check(refusal)


def _put_with_key(app: App, data: bytes, *, key: str) -> wire.Attachment:
    response = app.client.call(
        "PutAttachment",
        app_id=app.center.app_id,
        idempotency_key=key,
        metadata=files.metadata(),
        data=data,
    )
    return response.attachment


def test_a_cut_upload_leaves_nothing(launch: Launcher, transport: str) -> None:
    server = launch()
    with Client(server.targets[transport]) as client:
        app = client.app()
        going = threading.Event()

        def endless() -> Iterator[wire.UploadAttachmentRequest]:
            yield from files.messages(app, files.png(2_000_000))
            going.wait()

        for _ in range(20):
            call = client._stubs["belfry.v1.AttachmentService"].UploadAttachment.future(endless())
            eventually(lambda: bool(files.names(server.home)))
            call.cancel()
            eventually(lambda: not files.names(server.home))
        going.set()
        # Their places are free again, and so is their room.
        files.upload(app, files.png(LARGE))


def test_a_connection_has_eight_files_on_their_way(launch: Launcher, transport: str) -> None:
    server = launch()
    with Client(server.targets[transport]) as client, Client(server.targets[transport]) as other:
        app = client.app()
        going = threading.Event()

        def waiting() -> Iterator[wire.UploadAttachmentRequest]:
            yield from files.messages(app, files.png())
            going.wait()

        stub = client._stubs["belfry.v1.AttachmentService"]
        calls = [stub.UploadAttachment.future(waiting()) for _ in range(8)]
        eventually(lambda: len(files.names(server.home)) == 8)
        refusal = refusal_of(lambda: files.upload(app, files.png()))
        assert (refusal.code, refusal.reason) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "OVERLOADED",
        )
        assert refusal.retry_after
        # Other connections go on.
        files.upload(App(other, app.center), files.png(50))
        going.set()
        for call in calls:
            assert call.result().attachment.size_bytes
        # The copies of a file that is stored already are removed after their replies.
        eventually(lambda: len(files.names(server.home)) == 2)


def test_a_reader_that_takes_nothing_holds_no_more_than_a_part_back(app: App) -> None:
    stored = files.upload(app, files.png(5_000_000))
    call = app.client.call(
        "DownloadAttachment",
        app_id=app.center.app_id,
        attachment_id=stored.attachment_id,
    )
    assert next(call).attachment == stored
    call.cancel()
    assert files.get(app, stored.attachment_id) == stored
