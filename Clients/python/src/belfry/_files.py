"""Files that notifications show: from paths to what stores them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Union

from . import v1
from .errors import invalid

Paths = Union[str, os.PathLike[str], Iterable[Union[str, os.PathLike[str]]]]

_CHUNK = 256 * 1_024


def paths_of(attach: Paths) -> list[Path]:
    """The files that are named: one, or several."""
    if isinstance(attach, (str, os.PathLike)):
        return [Path(attach)]
    return [Path(each) for each in attach]


def upload_of(app_id: str, path: Path) -> Iterator[v1.UploadAttachmentRequest]:
    """What stores a file: first what it is, then its bytes."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise invalid("attach", f"{path}: {error.strerror}") from error
    metadata = v1.AttachmentMetadata(file_name=path.name, size_bytes=len(data))
    yield v1.UploadAttachmentRequest(app_id=app_id, metadata=metadata)
    for start in range(0, len(data), _CHUNK):
        yield v1.UploadAttachmentRequest(chunk=data[start : start + _CHUNK])
