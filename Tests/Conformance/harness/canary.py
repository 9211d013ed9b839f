"""A client that asks the server's health all the time, to tell when the server is silent.

It runs as a process of its own, so that no work of the test delays it, and writes its last and its
longest wait into a file that both processes map.
"""

import mmap
import struct
import subprocess
import sys
import tempfile
import time
from typing import Self

FORM = struct.Struct("dd")


class Canary:
    """A running canary; times are of the monotonic clock, which all processes share."""

    def __init__(self, target: str) -> None:
        self._file = tempfile.NamedTemporaryFile()
        self._file.write(bytes(FORM.size))
        self._file.flush()
        self._memory = mmap.mmap(self._file.fileno(), FORM.size)
        self._process = subprocess.Popen([sys.executable, __file__, target, self._file.name])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._memory.close()
        self._file.close()

    def begin(self) -> None:
        """Forgets the longest wait."""
        self._memory[8:16] = struct.pack("d", 0)

    def longest(self) -> float:
        """The longest wait since the beginning, that which goes on now too."""
        asked, longest = FORM.unpack(self._memory[:])
        return max(longest, time.monotonic() - asked if asked else 0)


def main(target: str, path: str) -> None:
    import grpc

    with open(path, "r+b") as file, grpc.insecure_channel(target) as channel:
        memory = mmap.mmap(file.fileno(), FORM.size)
        check = channel.unary_unary("/grpc.health.v1.Health/Check")
        while True:
            asked = time.monotonic()
            memory[:8] = struct.pack("d", asked)
            try:
                check(b"", timeout=60)
            except grpc.RpcError:
                # The test finds out that the server is gone.
                time.sleep(0.1)
            waited = time.monotonic() - asked
            memory[:8] = struct.pack("d", 0)
            if waited > struct.unpack("d", memory[8:16])[0]:
                memory[8:16] = struct.pack("d", waited)
            time.sleep(0.002)


if __name__ == "__main__":
    main(*sys.argv[1:])
