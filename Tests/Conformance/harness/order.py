"""The order of a server's writes, syncs and messages, out of a trace of its system calls."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TRACE = (
    "-tt",
    "--decode-fds=path",
    "--strings-in-hex=non-ascii-chars",
    "--string-limit=65536",
    "--trace=pwrite64,writev,fdatasync,sendmsg,sendto,write",
)

_LINE = re.compile(r"^(?P<thread>\d+) +(?P<time>[\d:.]+) (?P<rest>.*)$")
_START = re.compile(r"^(?P<call>\w+)\((?P<fd>\d+)<(?P<file>[^>]*)>(?P<arguments>.*)")
_RESUMED = re.compile(r"^<\.\.\. \w+ resumed>.* = (?P<result>-?\d+)")
_RESULT = re.compile(r"\) += (?P<result>-?\d+)")
_PIECE = re.compile(r'iov_base="(?P<bytes>(?:[^"\\]|\\.)*)"')

_DATA, _HEADERS = 0, 1
_FRAME_HEADER = 9


@dataclass(frozen=True)
class Step:
    """Something that a server did: a write or a sync when it was finished, a message when begun."""

    kind: str
    time: str
    call: str
    fd: str
    file: str
    result: str

    def __str__(self) -> str:
        what = f"{self.call}({self.fd}<{Path(self.file).name}>)"
        return f"{self.time} {self.kind:5} {what} = {self.result}"


class Order:
    """Reads a trace made with `TRACE`."""

    def __init__(self, trace: Path) -> None:
        # The connection and stream of each reply, which unlike a stream of events has a head.
        self._replies: set[tuple[str, int]] = set()
        self.steps = list(self._read(trace))

    def batches(self) -> list[list[str]]:
        """The kinds of the steps, a list for each batch, which begins with writing its frame."""
        batches: list[list[str]] = []
        for step in self.steps:
            if step.kind == "frame" and (not batches or batches[-1][-1] != "frame"):
                batches.append([])
            assert batches, f"before the first batch: {step}"
            if not batches[-1] or batches[-1][-1] != step.kind:
                batches[-1].append(step.kind)
        return batches

    def _read(self, trace: Path) -> Iterator[Step]:
        unfinished: dict[str, tuple[str, re.Match[str]]] = {}
        for line in trace.read_text().splitlines():
            if not (parts := _LINE.match(line)):
                continue
            thread, time, rest = parts["thread"], parts["time"], parts["rest"]
            if start := _START.match(rest):
                result = _RESULT.search(rest)
                if start["call"].startswith("send"):
                    yield from self._message(time, start, result and result["result"])
                elif result:
                    yield from self._write(time, start, result["result"])
                else:
                    unfinished[thread] = (time, start)
            elif (end := _RESUMED.match(rest)) and thread in unfinished:
                _, start = unfinished.pop(thread)
                yield from self._write(time, start, end["result"])

    def _write(self, time: str, start: re.Match[str], result: str) -> Iterator[Step]:
        if "/data/log/" not in start["file"]:
            return
        assert not result.startswith("-"), f"{start['call']} failed"
        kind = "sync" if start["call"] == "fdatasync" else "frame"
        yield Step(kind, time, start["call"], start["fd"], start["file"], result)

    def _message(self, time: str, start: re.Match[str], result: str | None) -> Iterator[Step]:
        sent = b"".join(_bytes(piece["bytes"]) for piece in _PIECE.finditer(start["arguments"]))
        assert result is None or int(result) == len(sent), "a message was sent in parts"
        kinds = set()
        for frame, stream in _frames(sent):
            if frame == _HEADERS:
                self._replies.add((start["fd"], stream))
            if frame in (_DATA, _HEADERS):
                kinds.add("reply" if (start["fd"], stream) in self._replies else "event")
        for kind in sorted(kinds):
            yield Step(kind, time, start["call"], start["fd"], start["file"], result or "?")


def _bytes(text: str) -> bytes:
    """What strace wrote as a C string."""
    return text.encode("ascii").decode("unicode_escape").encode("latin-1")


def _frames(sent: bytes) -> Iterator[tuple[int, int]]:
    """The type and the stream of each HTTP/2 frame."""
    position = 0
    while position < len(sent):
        header = sent[position : position + _FRAME_HEADER]
        assert len(header) == _FRAME_HEADER, "a frame was sent in parts"
        yield header[3], int.from_bytes(header[5:9], "big") & 0x7FFFFFFF
        position += _FRAME_HEADER + int.from_bytes(header[:3], "big")
    assert position == len(sent), "a frame was sent in parts"
