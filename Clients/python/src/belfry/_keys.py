"""Idempotency keys: a change that is sent again with its key is made once."""

from __future__ import annotations

import os
import threading
import time
import uuid

from google.protobuf.message import Message

_lock = threading.Lock()
# The milliseconds and the count of the last key, in whose order the keys of a process are.
_last = (0, 0)


def new_key() -> str:
    """A version 7 UUID that sorts behind all earlier ones of this process.

    Servers store ascending keys fastest.
    """
    global _last
    with _lock:
        now = time.time_ns() // 1_000_000
        milliseconds, count = _last
        if now > milliseconds:
            _last = (now, 0)
        elif count < 0xFFF:
            _last = (milliseconds, count + 1)
        else:
            _last = (milliseconds + 1, 0)
        milliseconds, count = _last
    random = int.from_bytes(os.urandom(8), "big") >> 2
    return str(uuid.UUID(int=milliseconds << 80 | 0x7 << 76 | count << 64 | 0b10 << 62 | random))


def give_key(request: Message) -> None:
    """Gives a request a key, where it takes one and has none."""
    if "idempotency_key" in request.DESCRIPTOR.fields_by_name:
        if not getattr(request, "idempotency_key"):
            setattr(request, "idempotency_key", new_key())
