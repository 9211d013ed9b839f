"""The facts of the machine, without the names of its paths or of itself."""

import os
import platform
import subprocess
import tempfile
import time
from pathlib import Path

from harness.figures import percentile

SYNCS = 200


def _first(path: str, key: str) -> str:
    for line in Path(path).read_text().splitlines():
        if line.startswith(key):
            return line.partition(":")[2].strip()
    return "unknown"


def file_system(directory: Path) -> str:
    """The kind of the file system that holds a directory."""
    command = ["stat", "--file-system", "--format=%T", str(directory)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def synced_write(directory: Path) -> str:
    """What a write of 4 KiB takes until it is on disk."""
    times = []
    with tempfile.NamedTemporaryFile(dir=directory) as file:
        until = time.monotonic() + 2
        for place in range(SYNCS):
            before = time.monotonic()
            os.pwrite(file.fileno(), bytes(4096), place * 4096)
            os.fdatasync(file.fileno())
            times.append((time.monotonic() - before) * 1e6)
            if time.monotonic() > until:
                break
    return f"{percentile(times, 0.5):.0f} us median, {percentile(times, 0.99):.0f} us p99"


def commit(root: Path) -> str:
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def facts(root: Path, directory: Path) -> dict[str, str]:
    """What a reader has to know to judge the figures."""
    memory = int(_first("/proc/meminfo", "MemTotal").split()[0]) / 1024 / 1024
    load = Path("/proc/loadavg").read_text().split()
    return {
        "commit": commit(root),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "processor": _first("/proc/cpuinfo", "model name"),
        "processors": str(os.cpu_count()),
        "memory": f"{memory:.0f} GiB",
        "kernel": platform.release(),
        "file system": file_system(directory),
        "synced write of 4 KiB": synced_write(directory),
        "load average at the start": " ".join(load[:3]),
    }
