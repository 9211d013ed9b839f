"""Idempotency keys."""

import os
import random
import time
import uuid


def new_key(seconds: float | None = None, choices: random.Random | None = None) -> str:
    """A version 7 UUID, made now or at a given time since 1970; the same from the same choices."""
    milliseconds = int((time.time() if seconds is None else seconds) * 1_000)
    octets = bytearray(milliseconds.to_bytes(6, "big"))
    octets += choices.randbytes(10) if choices else os.urandom(10)
    octets[6] = octets[6] & 0x0F | 0x70
    octets[8] = octets[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(octets)))
