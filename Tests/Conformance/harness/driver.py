"""A client in another language: a process that makes calls and tells how they went.

`languages/clients/README.md` has the lines that are exchanged.
"""

import base64
import fcntl
import hashlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self

import grpc
from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import status_pb2

from harness import wire
from harness.refusals import Refusal, refusal_with
from harness.server import BOUND

ROOT = Path(__file__).parents[3]
CLIENTS = ROOT / "Tests/Conformance/languages/clients"

# Each directory with a `build` is a client.
LANGUAGES = sorted(path.parent.name for path in CLIENTS.glob("*/build"))

CODES = {code.value[0]: code for code in grpc.StatusCode}


class DriverFailed(Exception):
    """A driver ended, said nothing in time, or said what it should not."""


def build(language: str) -> Path:
    """Builds a driver, unless it is of the sources as they are now."""
    directory = ROOT / ".build/clients" / language
    directory.mkdir(parents=True, exist_ok=True)
    # Tests run in several processes: the first builds, the others wait for it.
    with (directory / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _build(language, directory)


def _build(language: str, directory: Path) -> Path:
    sources, built = _digest(language), directory / "sources.sha256"
    program = directory / "driver"
    if not (program.exists() and built.exists() and built.read_text() == sources):
        command = [CLIENTS / language / "build", directory]
        environment = os.environ | {"PYTHON": sys.executable}
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode != 0:
            raise DriverFailed(f"the driver in {language} cannot be built:\n{done.stdout}")
        built.write_text(sources)
    return program


def _digest(language: str) -> str:
    """One hash of all that a driver is built of here."""
    digest = hashlib.sha256(sys.executable.encode())
    directories = [
        CLIENTS / language,
        ROOT / "Clients" / language,
        ROOT / "Protos",
        ROOT / "Sources/NotificationProtocol",
    ]
    files = [file for directory in directories for file in sorted(directory.rglob("*"))]
    for file in files:
        # What the build of the Swift client leaves beside it.
        if not file.is_file() or file.name == "Package.resolved":
            continue
        content = file.read_bytes()
        digest.update(f"{file.relative_to(ROOT)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


class Call:
    """A call that a driver makes."""

    def __init__(self, method: MethodDescriptor) -> None:
        self._response = GetMessageClass(method.output_type)
        self._reports: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._end: Refusal | None = None

    def put(self, report: dict[str, Any] | None) -> None:
        """Takes what the driver tells of it; nothing where the driver ended."""
        self._reports.put(report)

    def message(self, bound: float = BOUND) -> Message | None:
        """The next message, or none where the call has ended. TimeoutError where nothing comes."""
        if self._end:
            return None
        try:
            report = self._reports.get(timeout=bound)
        except queue.Empty:
            raise TimeoutError(f"nothing came for {bound} seconds") from None
        if report is None:
            raise DriverFailed("the driver ended during a call")
        if "message" in report:
            return json_format.Parse(report["message"], self._response())
        self._end = _end(report)
        return None

    def end(self) -> Refusal:
        """How the call ended, once all its messages are read."""
        while self._end is None:
            if (message := self.message()) is not None:
                raise DriverFailed(f"a message comes that nobody expects: {message}")
        return self._end


def _end(report: dict[str, Any]) -> Refusal:
    """Reads how a call ended, which is OK too."""
    code, text = CODES[report["code"]], report.get("text") or ""
    status = status_pb2.Status()
    if details := base64.b64decode(report.get("details") or ""):
        status.ParseFromString(details)
        if (status.code, status.message) != (report["code"], text):
            raise DriverFailed(f"the details are of another status: {report}, {status}")
    return refusal_with(code, text, status.details)


class Driver:
    """A running driver, connected to a server."""

    def __init__(self, program: Path, target: str, **variables: str) -> None:
        self._errors = tempfile.TemporaryFile("w+", errors="backslashreplace")
        self._process = subprocess.Popen(
            [program, target],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env=os.environ | variables,
        )
        self._calls: list[Call] = []
        self._lock = threading.Lock()
        self._has_ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        """Ends the driver, which has to go when it is told nothing more."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
            status = self._process.wait(BOUND)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            status = self._process.wait()
        self._reader.join(BOUND)
        if error is None and status != 0:
            raise DriverFailed(f"the driver ended with {status}:\n{self.errors}")
        if error is not None and self.errors:
            error.add_note(f"the driver said:\n{self.errors}")

    @property
    def errors(self) -> str:
        """What it has said on standard error."""
        self._errors.seek(0)
        return self._errors.read()

    def start(
        self, method: MethodDescriptor, request: dict[str, Any], *, timeout: float, path: str = ""
    ) -> Call:
        """Begins a call; `path` names another method with the same messages."""
        call = Call(method)
        with self._lock:
            self._calls.append(call)
            if self._has_ended:
                call.put(None)
        self._write(
            id=len(self._calls) - 1,
            method=path or wire.path(method),
            input=method.input_type.full_name,
            output=method.output_type.full_name,
            streams=method.server_streaming,
            timeout=timeout,
            request=json.dumps(request, ensure_ascii=False),
        )
        return call

    def cancel(self, call: Call) -> None:
        self._write(id=self._calls.index(call), cancel=True)

    def _write(self, **line: Any) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(line) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise DriverFailed(f"the driver is gone:\n{self.errors}") from None

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                report = json.loads(line)
                self._calls[report["id"]].put(report)
        with self._lock:
            self._has_ended = True
            for call in self._calls:
                call.put(None)


if __name__ == "__main__":
    # Builds all, as a test that is the first to use one would.
    with ThreadPoolExecutor() as pool:
        list(pool.map(build, LANGUAGES))
