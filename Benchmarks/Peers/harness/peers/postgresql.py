"""PostgreSQL: one statement adds, another fires, both from pgbench."""

import os
import pwd
import shutil
import signal
from pathlib import Path

from harness.figures import Sample, percentile
from harness.peers.peer import FILL_DEADLINE, Peer, Place, Window
from harness.process import Failed, Missing, Server, cpu_seconds, run

BINARIES = "usr/lib/postgresql/15/bin"
OPTIONS = {
    "synchronous_commit": "on", "fsync": "on", "full_page_writes": "on",
    "shared_buffers": "1GB", "max_wal_size": "8GB", "max_connections": "200",
}
# Every so many-th transaction is in the log from which the percentiles come.
SAMPLING = 10


class PostgreSQL(Peer):
    name = "PostgreSQL"
    does = (
        "one statement adds (row, primary key, index of due instants, unique idempotency key), "
        "one transaction fires 256 (DELETE with SKIP LOCKED, INSERT of the delivered and of the "
        "events, the last 1,000 delivered stay). Idempotency keys and events are never trimmed; "
        "nothing wakes at a due instant: a client has to ask; no settings of the person."
    )
    stop_signal = signal.SIGINT
    can_batch = False

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        fetched = place.build / "debian/root" / BINARIES
        self._binaries = fetched if fetched.exists() else Path("/") / BINARIES
        self._port = 5432

    def version(self) -> str:
        if not (self._binaries / "pgbench").exists():
            raise Missing("Debian's postgresql-15 is not there: Benchmarks/Peers/setup fetches it")
        return run([str(self._binaries / "postgres"), "--version"], 10).split()[2]

    @property
    def settings(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in OPTIONS.items()) + "; autovacuum on"

    def start(self, pending: int) -> None:
        directory = self.place.new_directory(self.name)
        self._as_user = _unprivileged(directory)
        data = directory / "data"
        command = ["initdb", "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8"]
        run([*self._as_user, *self._tool(*command, "--no-sync", "--locale", "C")], 120)
        command = ["postgres", "-D", str(data), "-k", str(directory)]
        if self.place.transport == "tcp":
            self._port = self.place.free_port()
            self._host = "127.0.0.1"
        else:
            self._host = str(directory)
        listen = "127.0.0.1" if self.place.transport == "tcp" else ""
        command += ["-p", str(self._port), "-c", f"listen_addresses={listen}"]
        for name, value in OPTIONS.items():
            command += ["-c", f"{name}={value}"]
        log = self.place.directory / "postgresql.log"
        self.server = Server([*self._as_user, *self._tool(*command)], log)
        self.server.wait_for_text("ready to accept connections")
        self._query(f"\\i {self.place.script('schema.sql')}")
        self._query(
            "INSERT INTO pending SELECT lpad(to_hex(n), 4, '0') || substr(md5(n::text), 1, 16), "
            "(extract(epoch FROM now()) + (1 + random()) * 31536000) * 1000, repeat('b', 330) "
            f"FROM generate_series(1, {pending}) n"
        )
        self._query("VACUUM ANALYZE")
        self._query("CHECKPOINT")

    def add(self, window: Window) -> Sample:
        # They were due in the past: all of them fire at the next call, and none before.
        options = ["-c", str(window.in_flight), *self._seconds(window.seconds)]
        return self._bench("add.sql", options, ["-D", "after=-3600000", "-D", "spread=1000000"])

    def fire(self) -> Sample:
        count = int(self._query("SELECT count(*) FROM pending WHERE due <= "
                                "extract(epoch FROM now()) * 1000"))
        turns = -(-count // 256)
        if turns == 0:
            return Sample(0, 0)
        sample = self._bench("fire.sql", ["-c", "1", "-t", str(turns)], ["-D", "rest=0"])
        sample.measured = count
        return sample

    def balance(self, seconds: float, in_flight: int, centers: int) -> Sample:
        # It has no centers: one table serves all.
        command = self._pgbench("fire.sql", ["-c", "1", *self._seconds(seconds + 1)],
                                ["-D", "rest=10"])
        firing = Server(command, self.place.directory / "pgbench.log")
        try:
            options = ["-c", str(in_flight), *self._seconds(seconds)]
            return self._bench("add.sql", options, ["-D", "after=1000", "-D", "spread=2000"])
        finally:
            firing.stop()

    def _tool(self, name: str, *arguments: str) -> list[str]:
        return [str(self._binaries / name), *arguments]

    def _seconds(self, seconds: float) -> list[str]:
        return ["-T", str(max(1, round(seconds)))]

    def _query(self, text: str) -> str:
        options = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self._host]
        return run(self._tool("psql", *options, "-p", str(self._port), "-U", "postgres", "-c",
                              text), FILL_DEADLINE).strip()

    def _pgbench(self, script: str, options: list[str], variables: list[str]) -> list[str]:
        jobs = ["-j", "2"] if "1" not in options[1:2] else []
        return self._tool(
            "pgbench", "-n", "-M", "prepared", "-h", self._host, "-p", str(self._port),
            "-U", "postgres", "-f", self.place.script(script), *options, *jobs, *variables,
            "postgres",
        )

    def _bench(self, script: str, options: list[str], variables: list[str]) -> Sample:
        """Runs pgbench, and reads what it prints and its log of transactions."""
        assert self.server is not None
        logs = self.place.directory / "pgbench"
        shutil.rmtree(logs, ignore_errors=True)
        logs.mkdir()
        sampling = "1" if options[1] == "1" else str(1 / SAMPLING)
        log = ["-l", "--log-prefix", str(logs / "log"), "--sampling-rate", sampling]
        before, own = cpu_seconds(self.server.pid), _children_seconds()
        text = run(self._pgbench(script, [*options, *log], variables), FILL_DEADLINE)
        sample = parse_pgbench(text)
        sample.client_cpu_seconds = _children_seconds() - own
        sample.server_cpu_seconds = cpu_seconds(self.server.pid) - before
        times = [
            float(line.split()[2]) for file in logs.iterdir() for line in file.open()
        ]
        if times:
            sample.p50_us, sample.p99_us = percentile(times, 0.5), percentile(times, 0.99)
        return sample


def parse_pgbench(text: str) -> Sample:
    """Reads the summary of pgbench."""
    count = tps = None
    for line in text.splitlines():
        if line.startswith("number of transactions actually processed:"):
            count = int(line.split(":")[1].split("/")[0])
        elif line.startswith("tps ="):
            tps = float(line.split()[2])
    if count is None or tps is None or tps <= 0:
        raise Failed("pgbench did not say how many transactions it made")
    return Sample(measured=count, seconds=count / tps, total=count)


def _children_seconds() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _unprivileged(directory: Path) -> list[str]:
    """What runs a program as another user where this is root, as PostgreSQL demands."""
    if os.getuid() != 0:
        return []
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(directory, user.pw_uid, user.pw_gid)
        return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}",
                "--clear-groups", "--pdeathsig", "KILL"]
    raise Missing("PostgreSQL does not run as root, and there is no user nobody")
