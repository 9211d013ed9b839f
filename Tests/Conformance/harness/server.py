"""A server process of a test: how it is started, known to listen, and ended."""

import re
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from harness.certificates import Authority, place

START = "2026-01-01T00:00:00Z"
START_SECONDS = 1_767_225_600

# Long enough for a loaded machine; no test waits for it unless the server is broken.
BOUND = 30.0

_LISTENING = re.compile(r"listening on (?P<address>\S+)")


def _encrypted(home: Path) -> list[str]:
    """The options of a listener with TLS."""
    certificate, key = place(home, Authority().pair())
    listen = "--listen=tls:127.0.0.1:0"
    return [listen, f"--tls-certificate={certificate}", f"--tls-key={key}"]


class ServerFailed(Exception):
    """The process ended, or said nothing in time."""


class Server:
    """A running `belfry serve` on a unix socket and a free TCP port.

    `home` holds its data directory and its socket, so that a later server can take both over.
    With `tls` it listens on another port, too, with a certificate of an authority of its own.
    With `tokens`, calls over TCP need one. `under` is a command that becomes the server, such as a
    tracer that steps aside.
    """

    def __init__(
        self,
        binary: Path,
        home: Path,
        *,
        clock: str = f"manual={START}",
        prompts: str = "grant",
        tls: bool = False,
        tokens: bool = False,
        arguments: Sequence[str] = (),
        under: Sequence[str] = (),
    ) -> None:
        self.home = home
        self.socket = home / "belfry.sock"
        self.started_at = time.monotonic()
        self._transports = ["unix", "tcp", *(["tls"] if tls else [])]
        self._process = subprocess.Popen(
            [
                *under,
                str(binary),
                "serve",
                f"--data={home / 'data'}",
                f"--listen=unix:{self.socket}",
                "--listen=tcp:127.0.0.1:0",
                *([] if tokens else ["--insecure"]),
                f"--clock={clock}",
                f"--prompts={prompts}",
                *(_encrypted(home) if tls else []),
                *arguments,
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            # gRPC's own lines repeat what a client sent, whatever it is.
            errors="backslashreplace",
        )
        self._lines: list[str] = []
        self._changed = threading.Condition()
        self._has_ended = False
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()

    def _read_log(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as log:
            for line in log:
                with self._changed:
                    self._lines.append(line)
                    self._changed.notify_all()
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    @property
    def log(self) -> str:
        """What it has logged so far."""
        with self._changed:
            return "".join(self._lines)

    @property
    def targets(self) -> dict[str, str]:
        """The target of each transport, once it listens on all."""
        with self._changed:
            listens = self._changed.wait_for(
                lambda: self._has_ended or len(self._addresses()) == len(self._transports), BOUND
            )
            addresses = self._addresses()
        if not listens or len(addresses) < len(self._transports):
            raise ServerFailed(f"the server does not listen:\n{self.log}")
        addresses.sort(key=lambda address: not address.startswith("unix:"))
        targets = dict(zip(self._transports, addresses, strict=True))
        return targets | {"tls": f"tls:{targets['tls']}"} if "tls" in targets else targets

    def _addresses(self) -> list[str]:
        return [match["address"] for line in self._lines if (match := _LISTENING.search(line))]

    def terminate(self) -> None:
        """Asks it to stop in order."""
        self._process.terminate()

    def kill(self) -> None:
        """Ends it at once, as a crash would, and waits until it is gone."""
        self._process.kill()
        self.wait()

    def wait(self, bound: float = BOUND) -> int:
        """Waits for its end and gives its exit status."""
        status = self._process.wait(bound)
        self._reader.join(bound)
        # A library's own complaint, such as of work on a thread that has ended.
        stray = [line for line in self._lines if line.startswith(("ERROR", "Fatal error"))]
        if stray:
            raise ServerFailed("".join(stray))
        return status

    def close(self) -> None:
        """Ends it if it still runs."""
        if self._process.poll() is None:
            self.kill()
