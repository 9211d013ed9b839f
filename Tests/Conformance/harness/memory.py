"""What a process holds of memory and of descriptors."""

import os
import time
from pathlib import Path

MIB = 1024 * 1024


def anonymous_memory(pid: int) -> int:
    """The bytes that are resident and are no file's.

    Pages of the store's file are left out: they grow with what is kept, and the kernel takes them
    back as it likes.
    """
    return _field(pid, "RssAnon")


def resident_memory(pid: int) -> int:
    """The bytes that are resident, with those of mapped files."""
    return _field(pid, "VmRSS")


def _field(pid: int, name: str) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return int(value.split()[0]) * 1024
    raise LookupError(name)


def descriptors_at_rest(pid: int) -> int:
    """How many descriptors are open once none was opened or closed for half a second.

    A server that has just started may still open some, on a machine that is busy.
    """
    end = time.monotonic() + 30.0
    last, since = descriptors(pid), time.monotonic()
    while time.monotonic() - since < 0.5:
        # Real time: ends the wait for what never happens.
        assert time.monotonic() < end, "descriptors are opened and closed all the time"
        time.sleep(0.05)
        if (now := descriptors(pid)) != last:
            last, since = now, time.monotonic()
    return last


def descriptors(pid: int) -> int:
    """How many descriptors are open."""
    return len(os.listdir(f"/proc/{pid}/fd"))
