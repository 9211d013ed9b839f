"""Files that attachments may be, and how an app stores and fetches them."""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness import wire
from harness.client import App

CHUNK = 256 * 1024

NOTIFICATION = wire.ATTACHMENT_PURPOSE_NOTIFICATION
SOUND = wire.ATTACHMENT_PURPOSE_SOUND
ICON = wire.ATTACHMENT_PURPOSE_ICON
RICH_PUSH = wire.ATTACHMENT_PURPOSE_RICH_PUSH

_PNG = (
    b"\x89PNG\r\n\x1a\n"
    + struct.pack(">I4sIIBBBBBI", 13, b"IHDR", 1, 1, 8, 0, 0, 0, 0, 0x3A7E9B55)
)

GIF = b"GIF89a" + bytes([1, 0, 1, 0, 0, 0, 0, 0x3B])
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01"
MP3 = b"ID3\x04" + bytes(6) + b"\xff\xfb\x90\x00"
MPEG = b"\x00\x00\x01\xba\x44\x00\x04\x00\x04\x01"
M2V = b"\x00\x00\x01\xb3\x14\x00\xf0\x13"
AVI = b"RIFF" + bytes(4) + b"AVI LIST" + bytes(4)
MP4 = b"\x00\x00\x00\x10ftypisom" + bytes(4)
M4A = b"\x00\x00\x00\x10ftypM4A " + bytes(4)
AIFF = b"FORM\x00\x00\x00\x04AIFFCOMM"


def png(size: int = len(_PNG), number: int = 0) -> bytes:
    """A picture of so many bytes; another number makes it another file."""
    rest = max(0, size - len(_PNG))
    return (_PNG + number.to_bytes(8, "big") * (rest // 8 + 1))[: len(_PNG) + rest]


def wave(seconds: float, *, tag: int = 1) -> bytes:
    """A sound that plays for so long, of 1,000 frames a second."""
    sound = bytes(2 * round(seconds * 1_000))
    head = struct.pack("<HHIIHH", tag, 1, 1_000, 2_000, 2, 16)
    chunks = b"WAVEfmt " + struct.pack("<I", 16) + head + b"data" + struct.pack("<I", len(sound))
    return b"RIFF" + struct.pack("<I", len(chunks) + len(sound)) + chunks + sound


def metadata(name: str = "a.png", **fields: Any) -> wire.AttachmentMetadata:
    """What is said of a file."""
    return wire.AttachmentMetadata(file_name=name, **fields)


def put(app: App, data: bytes, name: str = "a.png", **fields: Any) -> wire.Attachment:
    """Stores a file in one call."""
    response = app.client.call(
        "PutAttachment",
        app_id=app.center.app_id,
        metadata=metadata(name, **fields),
        data=data,
    )
    return response.attachment


def messages(
    app: App, data: bytes, name: str = "a.png", *, key: str = "", chunk: int = CHUNK, **fields: Any
) -> Iterator[wire.UploadAttachmentRequest]:
    """The messages of an upload."""
    yield wire.UploadAttachmentRequest(
        app_id=app.center.app_id, idempotency_key=key, metadata=metadata(name, **fields)
    )
    for begin in range(0, len(data), chunk):
        yield wire.UploadAttachmentRequest(chunk=data[begin : begin + chunk])


def upload(app: App, data: bytes, name: str = "a.png", **fields: Any) -> wire.Attachment:
    """Stores a file in parts."""
    return app.client.send("UploadAttachment", messages(app, data, name, **fields)).attachment


def get(app: App, identifier: str) -> wire.Attachment:
    """What a stored file is."""
    call = app.client.call
    return call("GetAttachment", app_id=app.center.app_id, attachment_id=identifier).attachment


def download(app: App, identifier: str, offset: int = 0) -> bytes:
    """A stored file from an offset on."""
    first, *rest = app.client.call(
        "DownloadAttachment",
        app_id=app.center.app_id,
        attachment_id=identifier,
        offset=offset,
    )
    assert first.attachment.attachment_id == identifier
    assert all(0 < len(message.chunk) <= CHUNK for message in rest)
    return b"".join(message.chunk for message in rest)


def names(home: Path) -> set[str]:
    """The files of attachments that a server has in its home."""
    directory = home / "data" / "attachments"
    return set(path.name for path in directory.iterdir()) if directory.exists() else set()
