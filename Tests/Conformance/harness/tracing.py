"""The system calls of a server: listed, or made to fail, by strace."""

import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from harness.server import BOUND, Server

# All that LMDB, the log and the server do with the data directory and its files.
OPENING_CALLS = "mkdir,openat,flock,fcntl,ftruncate,pread64,lseek,pwrite64,writev,fdatasync,fsync"
# What they do once it is open.
WRITING_CALLS = "pwrite64,writev,fdatasync,fsync,ftruncate"

_CALL = re.compile(r"^(?P<thread>\d+) +(?P<call>\w+)\((?P<arguments>.*)")
# The log gives a segment its blocks a few hundred KiB at a time: zeros behind a frame.
_BLOCKS = re.compile(r'/log/\d>, "(?:\\0)+"\.\.\., (?P<count>\d{6,}), ')


@dataclass(frozen=True)
class Point:
    """The n-th time that a thread makes a system call."""

    call: str
    number: int
    gives_blocks: bool = False

    def inject(self, what: str) -> list[str]:
        """The options of strace that do something to this one."""
        return [f"--trace={self.call}", f"--inject={self.call}:{what}:when={self.number}"]


def data_files(home: Path) -> list[str]:
    """The options of strace that leave all out but the files of a data directory."""
    data = home / "data"
    names = ("data.mdb", "lock.mdb", "lock", "log")
    segments = (data / "log" / f"{number}{end}" for number in range(3) for end in ("", ".unfinished"))
    return [
        f"--trace-path={path}" for path in (home, data, *(data / name for name in names), *segments)
    ]


def under_strace(output: Path, *options: str) -> list[str]:
    """A command that a server is started under: its process is still the one that was started.

    Without --seccomp-bpf, with which strace 6.1 loses the signals that it should inject.
    """
    return ["strace", "-D", "-f", "-y", f"--output={output}", *options]


def points_in(trace: Path) -> list[Point]:
    """The calls of a trace in their order; one thread made them all, or counts would differ."""
    counts: Counter[str] = Counter()
    threads: set[str] = set()
    points: list[Point] = []
    for line in trace.read_text().splitlines():
        if match := _CALL.match(line):
            call = match["call"]
            counts[call] += 1
            threads.add(match["thread"])
            gives_blocks = bool(call == "pwrite64" and _BLOCKS.search(match["arguments"]))
            points.append(Point(call, counts[call], gives_blocks))
    assert len(threads) == 1, f"several threads write: {threads}"
    return points


class Tracer:
    """A strace of a server that runs already; its counts begin now."""

    def __init__(self, server: Server, output: Path, *options: str) -> None:
        command = ["strace", "-f", f"--attach={server.pid}", f"--output={output}", *options]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self._process.stderr is not None
        said = self._process.stderr.readline()
        if "attached" not in said:
            self._process.wait(BOUND)
            raise OSError(f"strace cannot follow the server: {said}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Lets the server go on, or end: asked in order, strace may wait for a dead thread."""
        self._process.kill()
        self._process.communicate(timeout=BOUND)

    def wait(self) -> None:
        """Waits until the trace of a server that has ended is complete."""
        self._process.communicate(timeout=BOUND)
