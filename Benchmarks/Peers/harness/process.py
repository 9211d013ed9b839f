"""Child processes: each has a deadline, and is ended whatever happens."""

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def _end_with_parent() -> None:
    """Where the harness is killed and can stop nothing, the kernel does."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


class Failed(Exception):
    """What was to be measured could not be: the reason, for people."""


class Missing(Exception):
    """A peer that is not on this machine: the reason, for people."""


def run(command: Sequence[str], deadline: float, env: Mapping[str, str] | None = None) -> str:
    """Runs a program to its end, and gives what it printed."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=deadline, check=False,
            env=None if env is None else {**os.environ, **env},
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"{Path(command[0]).name} did not end in {deadline:.0f} s") from None
    if done.returncode != 0:
        words = (done.stderr or done.stdout).strip().splitlines()[-3:]
        raise Failed(f"{Path(command[0]).name} ended with {done.returncode}: {' '.join(words)}")
    return done.stdout


class Server:
    """A process that serves until it is stopped; its output goes to a file."""

    def __init__(
        self, command: Sequence[str], log: Path, env: Mapping[str, str] | None = None,
        passed: Sequence[int] = (),
    ) -> None:
        self.name = Path(command[0]).name
        self.log = log
        self.started = time.monotonic()
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env=None if env is None else {**os.environ, **env},
                # Ctrl-C ends the harness, which then stops its servers in order.
                start_new_session=True, pass_fds=passed, preexec_fn=_end_with_parent,
            )
        self.pid = self._process.pid

    def check(self) -> None:
        """Raises where it has ended."""
        if self._process.poll() is not None:
            words = self.log.read_text(errors="replace").strip().splitlines()[-3:]
            raise Failed(f"{self.name} ended by itself: {' '.join(words)}")

    def wait_for(self, ready: Callable[[], bool], deadline: float = 60) -> float:
        """Waits until `ready` says so; gives the seconds since the start of the process."""
        while not ready():
            self.check()
            if time.monotonic() - self.started > deadline:
                raise Failed(f"{self.name} does not serve after {deadline:.0f} s")
            time.sleep(0.0005)
        return time.monotonic() - self.started

    def wait_for_text(self, text: str, deadline: float = 60) -> float:
        """Waits until it logs the text; gives the seconds since the start of the process."""
        return self.wait_for(lambda: text in self.log.read_text(errors="replace"), deadline)

    def stop(self, how: signal.Signals = signal.SIGTERM, deadline: float = 60) -> None:
        """Asks it to end, and kills it where it does not."""
        resume(self.pid)
        if self._process.poll() is None:
            self._process.send_signal(how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(deadline)
            return
        for pid in family(self.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()


def family(pid: int) -> list[int]:
    """A process and all that descend from it."""
    parents: dict[int, list[int]] = {}
    for child, fields in _all_processes():
        parents.setdefault(int(fields[1]), []).append(child)
    found = [pid]
    for one in found:
        found += parents.get(one, [])
    return found


def pause(pid: int) -> None:
    """Stops a process and its descendants, so that they take nothing from what is measured."""
    _send(family(pid), signal.SIGSTOP)


def resume(pid: int) -> None:
    """Lets them go on."""
    _send(family(pid), signal.SIGCONT)


def cpu_seconds(pid: int) -> float:
    """The CPU time of a process, its descendants and those of them that have ended."""
    members = set(family(pid))
    ticks = 0
    for child, fields in _all_processes():
        if child in members:
            ticks += sum(int(field) for field in fields[11:15])
    return ticks / TICKS


def anonymous_mebibytes(pid: int) -> float:
    """The memory of a process that no file backs."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    raise Failed("the kernel does not tell RssAnon")


def _send(pids: Sequence[int], which: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, which)


def _all_processes() -> Iterator[tuple[int, list[str]]]:
    """Each process, with the fields of its stat after the name, which may hold spaces."""
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                text = Path(f"/proc/{entry}/stat").read_text()
                yield int(entry), text.rpartition(")")[2].split()
