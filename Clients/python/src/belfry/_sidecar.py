"""A server of one's own, beside the program."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import weakref
from datetime import datetime, timezone
from pathlib import Path
from typing import Optional, Union

from ._times import aware
from .errors import Unavailable

Binary = Optional[Union[str, os.PathLike[str]]]
Data = Optional[Union[str, os.PathLike[str]]]

# A server that does not serve by then does not start.
_START_BOUND = 60.0
_STOP_BOUND = 30.0


class Sidecar:
    """The process of a server. It ends with the program, however that ends."""

    def __init__(
        self,
        *,
        clock: Optional[datetime] = None,
        data: Data = None,
        prompts: str = "grant",
        binary: Binary = None,
        arguments: tuple[str, ...] = (),
    ) -> None:
        self.binary = find_binary(binary)
        """The program."""
        # A path of a socket has at most 107 bytes, which that of `data` may pass.
        self._home = tempfile.mkdtemp(prefix="belfry-")
        self.data = Path(data) if data is not None else Path(self._home, "data")
        """The directory of the store."""
        self.address = f"unix:{self._home}/belfry.sock"
        """Where it listens: the same after each restart."""
        self.log = Path(self._home, "log")
        """What it logs."""
        self._arguments = [
            f"--data={self.data}", f"--listen={self.address}", "--no-default-socket",
            "--exit-with-parent", f"--prompts={prompts}", *arguments,
        ]  # fmt: skip
        if clock is not None:
            start = aware("clock", clock).astimezone(timezone.utc)
            self._arguments.append(f"--clock=manual={start:%Y-%m-%dT%H:%M:%SZ}")
        self._clean = weakref.finalize(self, shutil.rmtree, self._home, ignore_errors=True)
        self._process: Optional[subprocess.Popen[bytes]] = None
        self.start()

    @property
    def pid(self) -> int:
        """Its process; 0 while it does not run."""
        return self._process.pid if self._process is not None else 0

    def start(self, *arguments: str) -> None:
        """Starts it again with what it has stored, with further arguments, once it has ended."""
        reading, writing = os.pipe()
        command = [self.binary, "serve", *self._arguments, *arguments, f"--ready-fd={writing}"]
        with open(self.log, "ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[writing]
            )
        os.close(writing)
        with open(reading, "rb") as ready:
            line = _read_line(ready.fileno())
        if not line:
            status = self._end(self._process)
            lines = self.log.read_text(errors="replace").splitlines()[-5:]
            raise Unavailable(
                "\n  ".join([f"the server does not start, and ends with {status}:", *lines])
            )

    def stop(self) -> None:
        """Stops it in order."""
        if self._process is not None:
            self._process.terminate()
            self._end(self._process)
        self._clean()

    def kill(self) -> None:
        """Ends it at once, as a crash does; `start` starts it again."""
        if self._process is not None:
            self._process.kill()
            self._end(self._process)

    def _end(self, process: subprocess.Popen[bytes]) -> int:
        """Waits for its end."""
        self._process = None
        try:
            return process.wait(_STOP_BOUND)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


def find_binary(named: Binary = None) -> str:
    """The program of the server."""
    beside = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent)]
    candidates = [
        os.fspath(named) if named is not None else None,
        os.environ.get("BELFRY_BINARY"),
        _packaged(),
        *(shutil.which("belfry", path=directory) for directory in beside),
        shutil.which("belfry"),
    ]
    for candidate in candidates:
        if candidate:
            # The program may go to another directory before it starts the server again.
            return os.path.abspath(candidate)
    raise FileNotFoundError(
        "there is no program of the server: install the wheel belfry-server, write"
        " start(binary='/path/to/belfry'), set $BELFRY_BINARY, or put `belfry` on the PATH"
    )


def _packaged() -> Optional[str]:
    """The program of the wheel `belfry-server`."""
    try:
        import belfry_server
    except ImportError:
        return None
    path = belfry_server.program()
    # A wheel has it; the sources of the package do not.
    return path if os.path.exists(path) else None


def _read_line(descriptor: int) -> bytes:
    """What the server tells when it serves; nothing where it ends, or takes too long."""
    line = b""
    deadline = time.monotonic() + _START_BOUND
    while not line.endswith(b"\n"):
        remaining = deadline - time.monotonic()
        if remaining <= 0 or not select.select([descriptor], [], [], remaining)[0]:
            return b""
        part = os.read(descriptor, 4_096)
        if not part:
            return b""
        line += part
    return line
