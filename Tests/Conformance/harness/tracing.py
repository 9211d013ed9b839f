"""The system calls of a server: listed, or made to fail, by strace."""

import re
import subprocess
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from harness.processor import thread_id
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
    # The thread's name; empty where one thread alone makes calls.
    thread: str = ""

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


def points_in(trace: Path, threads: Mapping[int, str] | None = None) -> list[Point]:
    """The calls of a trace in their order.

    `threads` are the names of those that may make them; without it all are one thread's.
    """
    counts: Counter[tuple[str, str]] = Counter()
    seen: set[str] = set()
    points: list[Point] = []
    for line in trace.read_text().splitlines():
        if match := _CALL.match(line):
            call = match["call"]
            thread = threads[int(match["thread"])] if threads else ""
            counts[thread, call] += 1
            seen.add(match["thread"])
            gives_blocks = bool(call == "pwrite64" and _BLOCKS.search(match["arguments"]))
            points.append(Point(call, counts[thread, call], gives_blocks, thread))
    # strace counts the calls of each thread by themselves.
    assert threads or len(seen) == 1, f"several threads write: {seen}"
    return points


class Tracer:
    """A strace of a server that runs already, or of one of its threads; its counts begin now."""

    def __init__(self, server: Server, output: Path, *options: str, thread: str = "") -> None:
        followed = [f"--attach={thread_id(server.pid, thread)}"] if thread else [
            "-f", f"--attach={server.pid}"
        ]
        command = ["strace", *followed, f"--output={output}", *options]
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
