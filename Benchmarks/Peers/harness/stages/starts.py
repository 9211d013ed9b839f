"""From the start of a process until it serves: Belfry beside Redis, both with an empty store.

Belfry tells it through `--ready-fd`; Redis, with an append-only file, has answered its first PING.
The first start makes the files of the store, a later one finds them.
"""

import os
import shutil
import socket
import statistics
from collections.abc import Callable
from pathlib import Path

from harness.peers.redis import Redis
from harness.process import Missing, Server
from harness.stages.stage import Run, rotated

# In each round, of which the median counts.
STARTS = 5

KINDS = ("first start", "later start")


def measure(run: Run) -> None:
    if not run.wants("ready"):
        return
    peers: dict[str, Callable[[Run, Path], float]] = {"Belfry": _belfry, "Redis": _redis}
    for kind in KINDS:
        times: dict[tuple[str, int], list[float]] = {}
        lacking: set[str] = set()
        for turn, (name, start) in rotated(list(peers.items()), run.rounds * STARTS):
            def once(name: str = name, turn: int = turn,
                     start: Callable[[Run, Path], float] = start) -> None:
                seconds = _start(run, f"{name} started", start, kind)
                times.setdefault((name, turn // STARTS), []).append(seconds * 1e3)
            # One reason is enough for each.
            if name not in lacking and not run.attempt(name, f"{kind}, ms", once):
                lacking.add(name)
        for (name, round_), values in times.items():
            run.figures.add(name, f"{kind}, ms", round_, statistics.median(values))
        for name in peers:
            if found := run.figures.spread(name, f"{kind}, ms"):
                run.say(f"{name}, {kind}: {found.median:.1f} ms")


def _start(run: Run, name: str, start: Callable[[Run, Path], float], kind: str) -> float:
    """Starts a server, and stops it in order; gives the seconds until it served."""
    directory = run.place.new_directory(name)
    try:
        if kind == "later start":
            start(run, directory)
        return start(run, directory)
    finally:
        shutil.rmtree(directory)


def _belfry(run: Run, directory: Path) -> float:
    if not run.place.belfry.exists():
        raise Missing("no release build of Belfry is there: make build")
    is_unix = run.place.transport == "unix"
    listen = f"unix:{directory / 'socket'}" if is_unix else "tcp:127.0.0.1:0"
    reading, writing = os.pipe()
    try:
        server = Server(
            [str(run.place.belfry), "serve", "--data", str(directory / "store"),
             "--no-default-socket", "--listen", listen, "--ready-fd", str(writing)],
            run.place.directory / "belfry-start.log", passed=[writing],
        )
    finally:
        os.close(writing)
    try:
        os.set_blocking(reading, False)
        return server.wait_for(lambda: _has_line(reading))
    finally:
        os.close(reading)
        server.stop()


def _has_line(descriptor: int) -> bool:
    try:
        return os.read(descriptor, 4_096).startswith(b"{")
    except BlockingIOError:
        return False


def _redis(run: Run, directory: Path) -> float:
    redis = Redis(run.place)
    redis.version()
    command = [*redis.command, "--dir", str(directory), "--appendonly", "yes", "--save", ""]
    address: str | tuple[str, int]
    if run.place.transport == "unix":
        address = str(directory / "socket")
        command += ["--port", "0", "--unixsocket", address]
    else:
        address = ("127.0.0.1", run.place.free_port())
        command += ["--bind", address[0], "--port", str(address[1])]
    log = run.place.directory / "redis-start.log"
    server = Server(command, log, redis.environment)
    try:
        return server.wait_for(lambda: _answers(address))
    finally:
        server.stop()


def _answers(address: str | tuple[str, int]) -> bool:
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    with socket.socket(family) as connection:
        connection.settimeout(10)
        if connection.connect_ex(address) != 0:
            return False
        connection.sendall(b"PING\r\n")
        return connection.recv(64).startswith(b"+PONG")
