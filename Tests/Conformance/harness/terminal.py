"""A program in a terminal of its own: what its screen shows, and keys for it."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import pyte

from harness.server import BOUND

UP, DOWN, ENTER, ESCAPE = "\x1b[A", "\x1b[B", "\r", "\x1b"


class Terminal:
    """A pseudo-terminal, the program in it, and what it has drawn."""

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        rows: int = 24,
        columns: int = 90,
        **environment: str,
    ) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.written = b""
        self._master, slave = pty.openpty()
        self.found = termios.tcgetattr(slave)
        self._size(rows, columns)
        self._process = subprocess.Popen(
            [str(part) for part in command],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm-256color", "TZ": "UTC", **environment},
            start_new_session=True,
        )
        # Stays open, so that what is written last can be read, and the modes can be looked at.
        self._slave = slave

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._slave)
        os.close(self._master)

    def _read(self, seconds: float) -> bool:
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        data = os.read(self._master, 65_536)
        self.written += data
        self._stream.feed(data)
        return True

    @property
    def text(self) -> str:
        """The lines that the screen shows, without spaces at their ends."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    @property
    def modes(self) -> list[Any]:
        """How the terminal treats what is typed."""
        return termios.tcgetattr(self._slave)

    def shows(self, *texts: str) -> None:
        """Waits until the screen shows each of the texts."""
        self.until(lambda text: all(part in text for part in texts), f"{texts} does not show")

    def hides(self, *texts: str) -> None:
        """Waits until the screen shows none of the texts."""
        self.until(lambda text: not any(part in text for part in texts), f"{texts} shows")

    def until(self, condition: Callable[[str], bool], otherwise: str) -> None:
        """Waits until a condition holds for the text of the screen."""
        end = time.monotonic() + BOUND
        while not condition(self.text):
            # Real time: ends the wait for what never happens.
            assert time.monotonic() < end, f"{otherwise} on:\n{self.text}"
            self._read(0.05)

    def type(self, keys: str) -> None:
        """Presses keys."""
        os.write(self._master, keys.encode())

    def resize(self, rows: int, columns: int) -> None:
        """Gives the terminal another size, and tells the program."""
        self._size(rows, columns)
        # The kernel tells only those whose controlling terminal it is. It is not this program's:
        # at its end, the kernel would set the modes back itself.
        self.send(signal.SIGWINCH)

    def _size(self, rows: int, columns: int) -> None:
        self._screen.resize(rows, columns)
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, size)

    def send(self, number: signal.Signals) -> None:
        """Sends the program a signal."""
        self._process.send_signal(number)

    def wait(self) -> int:
        """Waits until the program ends by itself, and gives its exit status."""
        end = time.monotonic() + BOUND
        while self._process.poll() is None:
            # Real time: ends the wait for what never happens.
            assert time.monotonic() < end, f"it does not end:\n{self.text}"
            self._read(0.05)
        while self._read(0):
            pass
        return self._process.returncode
