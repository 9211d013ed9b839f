"""How often the tests of the promises repeat: a short form in every run, a long one in torture.

A row's letter and number are those of the reliability plan: R1 kills, R2 cuts the power, and so on.
"""

import platform
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One kind of trouble, and how often it is made."""

    what: str
    short: int
    full: int


ROWS = {
    "R1": Row("kill -9 under mixed load", 5, 1_000),
    "R2": Row("power cut", 5, 2_000),
    "R3": Row("crash at a system call (0 = at each)", 20, 0),
    "R4": Row("failed system call (0 = at each)", 20, 0),
    "R8": Row("malformed request", 20_000, 1_000_000),
    "R8-raw": Row("broken raw connection", 200, 5_000),
    "R9-descriptors": Row("descriptor exhaustion", 2, 50),
    "R9-reset": Row("rapid reset of a stream", 5_000, 100_000),
    "R9-flood": Row("second of a flood of frames", 1, 10),
    "R9-bomb": Row("compressed message that grows a thousandfold", 2, 100),
    "R9-unfinished": Row("message of 1 MiB that is never finished", 1_000, 4_000),
    "R9-idle": Row("idle connection", 4_200, 5_000),
    "R9-slow": Row("connection that sends a byte at a time", 50, 500),
    "R9-apps": Row("app of a device that is watched", 1_000, 100_000),
    "R9-lists": Row("list at once over many notifications", 200, 1_000),
    "R9-news": Row("firing of one call while a device is watched", 6_000, 100_000),
    "R9-upserts": Row("change of one of 4,095 categories, 64 in flight", 128, 4_096),
    "R9-batches": Row("call of one app with 1,000 requests, 64 in flight", 32, 1_024),
    "R9-deliveries": Row(
        "call of one app with 1,000 requests that are delivered at once, 64 in flight", 16, 512
    ),
    "R9-unread": Row("stream that is never read", 500, 10_000),
    "R9-unread-http": Row("stream over HTTP that is never read", 100, 250),
    "R9-unread-watches": Row("watch of a device that is never read", 200, 2_000),
    "R9-replies": Row("list whose reply is never read", 200, 10_000),
    "R9-kept": Row("batch with a key whose 1,000 items are refused", 200, 5_000),
    "R9-uploads": Row("upload that holds its place", 64, 64),
    "R10": Row("subscriber that comes and goes", 500, 50_000),
    "R12": Row("full disk", 2, 50),
    "R13": Row("backup under load", 2, 100),
    "R14": Row("request overdue at start", 20_000, 1_000_000),
    "R15": Row("SIGTERM under load", 3, 200),
    "R15-slices": Row("SIGTERM in a report of many borders, and a start", 2, 50),
    "R15-second": Row("second server on the same directory, port or socket", 3, 50),
    "mutations": Row("broken message to each rpc", 80, 2_000),
    "described": Row("request of each operation of the description", 24, 400),
    "fuzz": Row("hostile value in a field of a request", 800, 200_000),
    "R16": Row("damaged page of a file, and a start", 12, 500),
    "R17": Row("history of four clients", 5, 500),
    "rotations": Row("change of a certificate, half of them to a bad one", 4, 100),
    "recurrence": Row("random rule of a recurrence", 600, 100_000),
    "rule-scan": Row("random rule or crontab beside a scan of each day", 400, 100_000),
    "rule-dateutil": Row("random rule beside dateutil", 400, 200_000),
    "rule-croniter": Row("random crontab beside croniter", 300, 50_000),
    "page": Row("tenth of a second in which 20 notifications arrive at a page of 5,000", 60, 6_000),
    "person": Row("random walk beside a model of the person's side", 5, 500),
}


class Torture:
    """The counts of a run, and a line that tells how far a row is."""

    def __init__(self, *, is_full: bool, asked: dict[str, int], seed: int) -> None:
        self.seed = seed
        self.is_full = is_full
        self._counts = {
            name: asked.get(name, row.full if is_full else row.short) for name, row in ROWS.items()
        }
        self._is_watched = is_full or sys.stderr.isatty()

    def count(self, name: str) -> int:
        """How often a row's trouble is made."""
        return self._counts[name]

    def rounds(self, name: str, count: int | None = None) -> Iterator[int]:
        """Counts a row's rounds, with a line on standard error each few seconds."""
        total = self._counts[name] if count is None else count
        began = told = time.monotonic()
        for number in range(total):
            yield number
            now = time.monotonic()
            if self._is_watched and (now - told > 5 or number + 1 == total):
                told = now
                line = f"{name} {ROWS[name].what}: {number + 1} of {total}, {now - began:.0f} s"
                print(line, file=sys.stderr, flush=True)


def machine() -> str:
    """What the figures of a report were measured on."""
    processors = Path("/proc/cpuinfo").read_text().count("processor\t:")
    memory = int(Path("/proc/meminfo").read_text().split()[1]) // 1024
    return f"{platform.system()} {platform.release()}, {processors} processors, {memory} MiB"
