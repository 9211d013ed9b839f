"""The README and its pages are true: their blocks are run in order, and print what is said.

One reader follows all of it on a machine where Belfry never ran: `make run`, and then each program
and each command on the data directory that those before it left.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
import yaml
from grpc_health.v1 import health_pb2, health_pb2_grpc

from harness import wire
from harness.client import App, Client
from harness.examples import PACKAGE
from harness.launcher import Launcher
from harness.ports import free_port
from harness.readme import ADDRESS, HTTP_ADDRESS, Block, Command, blocks
from harness.server import BOUND

ROOT = Path(__file__).parents[3]

# The blocks that run a server in a terminal of its own.
SERVERS = ("make run\n", ".build/client/bin/belfry serve", "belfry serve")

# A release build on a machine that has none yet.
BUILD_BOUND = 1_200.0


def without_chance(text: str, home: Path) -> str:
    """What is printed, whoever runs it and whenever."""
    text = text.replace(str(home), "/home/me")
    text = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?", "TIME", text)
    text = re.sub(r"[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2}( \d{4})? \d\d:\d\d(:\d\d)?", "TIME", text)
    text = re.sub(r"\), in [\w ]+$", "), in a while", text, flags=re.MULTILINE)
    text = re.sub(r"\d{8}T\d{6}Z", "TIME", text)
    text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID", text)
    text = re.sub(r"(?<= )\d\d:\d\d:\d\d$", "TIME", text, flags=re.MULTILINE)
    text = re.sub(r"\b[0-9a-f]{8}\b", "ID", text)
    text = re.sub(r"\d+ (bytes|rows)", r"N \1", text)
    text = re.sub(r"\(in [^)]*\)", "(in a while)", text)
    return "\n".join(line.rstrip() for line in text.rstrip().splitlines())


class Reader:
    """Somebody who does what the README says, at a place like the repository."""

    def __init__(self, home: Path, binary: Path) -> None:
        self.home = home
        self.address = f"127.0.0.1:{free_port()}"
        self.http_address = f"127.0.0.1:{free_port()}"
        self._server: subprocess.Popen[bytes] | None = None
        self._log = home / "log"
        client, release = home / ".build/client", home / ".build/release"
        (client / "bin").mkdir(parents=True)
        release.mkdir()
        (home / "run").mkdir()
        for program in (release / "belfry", client / "bin/belfry"):
            program.symlink_to(binary.resolve())
        for name in ("Protos", "Examples", "Clients"):
            (home / name).symlink_to(ROOT / name)
        python = client / "bin/python"
        path = f'PYTHONPATH="{PACKAGE}"'
        python.write_text(f'#!/bin/sh\n{path} exec "{sys.executable}" "$@"\n')
        python.chmod(0o755)

    @property
    def target(self) -> str:
        """The server's socket, for programs that do not look for it."""
        return f"unix:{self.home / 'run/belfry/belfry.sock'}"

    @property
    def _environment(self) -> dict[str, str]:
        # What the machine's user has, but for where Belfry keeps its files.
        return os.environ | {
            "XDG_STATE_HOME": str(self.home / ".local/state"),
            "XDG_RUNTIME_DIR": str(self.home / "run"),
            "TZ": "UTC",
            "PYTHONUNBUFFERED": "1",
        }

    def serve(self, text: str) -> None:
        """Runs a server in a terminal of its own, in the place of the one that runs there."""
        self.stop()
        arguments = shlex.split(text)
        is_make = arguments[0] == "make"
        if is_make:
            arguments += [f"LISTEN=tcp:{self.address}", f"HTTP_LISTEN=tcp:{self.http_address}"]
        else:
            assert ADDRESS in text
            arguments = [self._here(argument) for argument in arguments]
            # The variables of the reader's first terminal lead to it.
            arguments[0] = str(self.home / ".build/client/bin/belfry")
        with self._log.open("wb") as log:
            self._server = subprocess.Popen(
                arguments,
                cwd=ROOT if is_make else self.home,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        end = time.monotonic() + (BUILD_BOUND if is_make else BOUND)
        while f"listening on {self.address}" not in self._log.read_text():
            # Real time: ends the wait for a server that never listens.
            assert self._server.poll() is None and time.monotonic() < end, self._log.read_text()
            time.sleep(0.05)

    def _here(self, text: str) -> str:
        """A text with this reader's addresses."""
        return text.replace(HTTP_ADDRESS, self.http_address).replace(ADDRESS, self.address)

    def stop(self) -> None:
        """Stops the server as Ctrl-C does."""
        if self._server is not None and self._server.poll() is None:
            os.killpg(self._server.pid, signal.SIGINT)
            self._server.wait(BOUND)

    def run(self, script: str) -> str:
        """Types a script into the shell, which keeps its variables; gives what it prints."""
        kept = shlex.quote(str(self.home / "variables"))
        lines = [
            f"[ ! -e {kept} ] || . {kept}",
            script,
            f"status=$?; declare -p BELFRY_APP BELFRY_TOKEN PATH cup bell token url >{kept} 2>/dev/null",
            "exit $status",
        ]
        done = subprocess.run(
            ["bash", "-c", "\n".join(lines)],
            cwd=self.home,
            env=self._environment | {"HOME": str(self.home)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=BOUND,
        )
        self._status = done.returncode
        return done.stdout

    def follow(self, command: Command) -> None:
        """Runs a command, which has to print what the README says, or else to end well."""
        if command.text == "belfry watch":
            # It goes on until it is left.
            self.run("timeout 1 belfry watch")
            assert self._status == 124
            return
        prints = self.run(self._here(command.text))
        if command.prints:
            assert without_chance(prints, self.home) == without_chance(command.prints, self.home)
        else:
            assert self._status == 0, f"{command.text}\n{prints}"

    def save(self, path: str, program: str) -> None:
        """Writes a program, which finds the server by itself."""
        assert "connect(" in program or "start(" in program
        (self.home / path).write_text(program)

    def verify(self, unit: str) -> None:
        """Lets systemd read a unit, whose first line has its name."""
        name = unit.splitlines()[0].removeprefix("# ")
        text = unit.replace("/usr/local/bin/belfry", str(self.home / ".build/release/belfry"))
        (self.home / name).write_text(text)
        if not name.endswith(".service") or shutil.which("systemd-analyze") is None:
            return
        # The socket is verified with the service that it starts.
        units = [self.home / one for one in ("belfry.socket", "belfry.service")]
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", *units],
            capture_output=True, text=True, check=False, timeout=BOUND,
            env=self._environment | {"SYSTEMD_UNIT_PATH": f"{self.home}:"},
        )
        assert "belfry" not in done.stderr.lower(), done.stderr
        assert done.returncode == 0, done.stderr


@pytest.fixture
def reader(pytestconfig: pytest.Config, launch: Launcher) -> Iterator[Reader]:
    reader = Reader(launch.new_home(), pytestconfig.getoption("--server"))
    yield reader
    reader.stop()


def test_every_block_is_true_in_its_order(reader: Reader, launch: Launcher) -> None:
    program = None
    for block in blocks():
        match block:
            case Block(language="python", path=str(path)):
                reader.save(path, block.text)
                program = path
            case Block(language="python"):
                keys_are_taken(reader, block.text)
            case Block(text=text) if text.startswith(SERVERS):
                reader.serve(text)
            case Block(text=text) if "pip install" in text:
                # Both are here already, and so is what they need; test_wheel.py runs it.
                subprocess.run(["make", "-n", "wheel"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            case Block() if block.commands:
                for command in block.commands:
                    reader.follow(command)
            case Block(language="yaml", text=text):
                pod_serves(reader, launch.binary, text)
            case Block(language="ini", text=text):
                reader.verify(text)
            case Block(text=text) if program and text.startswith(("may notify", "serving")):
                prints = reader.run(f".build/client/bin/python {program}")
                assert without_chance(prints, reader.home) == without_chance(text, reader.home)
            case Block(text=text) if text.startswith("make "):
                # They take long, and are for who changes Belfry: that they are there is enough.
                for line in text.splitlines():
                    target = ["make", "-n", line.split()[1]]
                    subprocess.run(target, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            case Block(text=text):
                # What shows how the source hangs together is nothing to run.
                assert text.startswith("wire bytes"), f"nothing runs this:\n{text}"


def pod_serves(reader: Reader, binary: Path, text: str) -> None:
    """The container of a pod serves its neighbour, and tells a probe."""
    spec = yaml.safe_load(text)["spec"]
    app, belfry = spec["containers"]
    port, probed = free_port(), free_port()
    assert belfry["readinessProbe"]["grpc"]["port"] == 50_062
    (mount,) = belfry["volumeMounts"]
    places = {mount["mountPath"]: str(reader.home / "pod"), "50061": f"{port}", "50062": f"{probed}"}
    arguments = []
    for argument in belfry["args"]:
        for old, new in places.items():
            argument = argument.replace(old, new)
        arguments.append(argument)
    assert app["env"] == belfry["env"]
    token = {belfry["env"][0]["name"]: "a secret of at least thirty-two bytes"}
    server = subprocess.Popen([binary, *arguments], env=reader._environment | token)
    try:
        with grpc.insecure_channel(f"127.0.0.1:{probed}") as channel:
            grpc.channel_ready_future(channel).result(BOUND)
            health = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
            assert health.status == health_pb2.HealthCheckResponse.SERVING
        status = [binary, "status", "--server", f"tcp:127.0.0.1:{port}"]
        subprocess.run(status, env=reader._environment | token, check=True, timeout=BOUND)
    finally:
        server.terminate()
        assert server.wait(BOUND) == 0


def keys_are_taken(reader: Reader, program: str) -> None:
    """A key that the README's lines make lets a retry act once."""
    names: dict[str, object] = {}
    exec(program, names)  # The README's own lines.
    key = names["new_key"]()  # type: ignore[operator]
    with Client(reader.target) as client:
        app = App(client, wire.Center(app_id="org.example.chat"))
        request = {"content": {"title": "Once"}}
        first, second = (
            client.call("Add", center=app.center, idempotency_key=key, request=request)
            for _ in range(2)
        )
        assert first.identifier == second.identifier != ""
