"""The server as the sidecar of another program: how that program learns where the server listens,
and how the server ends with it."""

import configparser
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from harness import wire
from harness.client import Client
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.readme import blocks
from harness.server import BOUND

CANNOT_START, USAGE = 73, 64
TCP = ["--no-default-socket", "--listen", "tcp:127.0.0.1:0", "--insecure"]


@contextmanager
def serving(
    launch: Launcher, home: Path, *arguments: str, **options: object
) -> Iterator[subprocess.Popen[bytes]]:
    """A server in a home of its own, whose log is in the file `log` there."""
    command = [launch.binary, "serve", f"--data={home / 'data'}", *arguments]
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(home), "HOME": str(home)}
    environment |= options.pop("environment", {})
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stderr=log, **options)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def first_address(line: str) -> str:
    """The address of a readiness line, as Python's gRPC takes it."""
    ready = json.loads(line)
    assert sorted(ready) == [
        "addresses", "health_addresses", "http_addresses", "pid", "version",
    ]
    address: str = ready["addresses"][0]
    return address.removeprefix("tcp:")


def test_a_descriptor_tells_the_port_that_was_free(launch: Launcher) -> None:
    home = launch.new_home()
    reading, writing = os.pipe()
    arguments = [*TCP, f"--ready-fd={writing}"]
    with serving(launch, home, *arguments, pass_fds=[writing]) as process:
        os.close(writing)
        with os.fdopen(reading) as lines:
            line = lines.read()
        # The server closed it after the one line, or the read would not have ended.
        assert line.count("\n") == 1
        assert json.loads(line)["pid"] == process.pid
        with Client(first_address(line)) as client:
            client.call("GetServerInfo")
        # --no-default-socket: none is made where the user's own would be.
        assert not (home / "belfry").exists()


def test_a_file_tells_it_and_goes_with_the_server(launch: Launcher) -> None:
    home = launch.new_home()
    ready = home / "ready"
    ready.write_text("of an earlier run")
    arguments = [*TCP, "--listen", f"unix:{home / 's'}", f"--ready-file={ready}"]
    with serving(launch, home, *arguments) as process:
        eventually(lambda: ready.exists() and ready.read_text().startswith("{"))
        line = json.loads(ready.read_text())
        assert [one.split(":")[0] for one in line["addresses"]] == ["tcp", "unix"]
        for address in line["addresses"]:
            status = [launch.binary, "status", "--json", "--server", address]
            told = subprocess.run(
                status, env={"HOME": str(home)}, capture_output=True, timeout=BOUND, check=True
            ).stdout
            assert json.loads(told)["version"] == line["version"]
        process.terminate()
        assert process.wait(BOUND) == 0
        assert not ready.exists()


@pytest.mark.parametrize(
    ("arguments", "status", "why"),
    [
        (["--ready-fd=977"], CANNOT_START, "--ready-fd 977: the descriptor is not open"),
        (["--ready-fd=2"], USAGE, "--ready-fd must be 3 or more"),
        (["--ready-file=/nowhere/at/all"], CANNOT_START, "--ready-file"),
        (["--no-default-socket"], USAGE, "--no-default-socket needs at least one --listen"),
    ],
)
def test_what_cannot_be_told_stops_the_start(
    launch: Launcher, arguments: list[str], status: int, why: str
) -> None:
    home = launch.new_home()
    with serving(launch, home, *arguments) as process:
        assert process.wait(BOUND) == status
    assert why in (home / "log").read_text()


@pytest.mark.parametrize("kind", ["directory", "pipe", "link"])
def test_what_is_no_file_is_not_taken_for_the_ready_file(launch: Launcher, kind: str) -> None:
    home = launch.new_home()
    ready = home / "ready"
    kept = home / "kept"
    kept.mkdir()
    (kept / "work").write_text("of years")
    match kind:
        case "directory":
            kept.rename(ready)
            kept = ready
        case "pipe":
            os.mkfifo(ready)
        case _:
            ready.symlink_to(kept)
    with serving(launch, home, *TCP, f"--ready-file={ready}") as process:
        assert process.wait(BOUND) == CANNOT_START
    assert "is there, and is no file" in (home / "log").read_text()
    assert ready.lstat()
    assert (kept / "work").read_text() == "of years"


def test_a_server_that_cannot_start_leaves_the_ready_file_of_the_one_that_did(
    launch: Launcher,
) -> None:
    home = launch.new_home()
    ready = home / "ready"
    arguments = [*TCP, f"--ready-file={ready}"]
    with serving(launch, home, *arguments):
        eventually(ready.exists)
        told = ready.read_text()
        with serving(launch, home, *arguments) as second:
            assert second.wait(BOUND) == CANNOT_START
        assert ready.read_text() == told


@pytest.mark.parametrize("is_taken", [False, True])
def test_the_ready_file_of_a_killed_server_goes_at_the_next_start(
    launch: Launcher, *, is_taken: bool
) -> None:
    home = launch.new_home()
    ready = home / "ready"
    with serving(launch, home, *TCP, f"--ready-file={ready}"):
        eventually(ready.exists)
    assert ready.exists()
    if is_taken:
        # Another program has the number of the killed server's process by now.
        ready.write_text(json.dumps({**json.loads(ready.read_text()), "pid": os.getpid()}))
    # A start that comes to nothing: nobody may take the file for that of a server which serves.
    (home / "file").write_text("no socket")
    arguments = ["--no-default-socket", f"--listen=unix:{home / 'file'}", f"--ready-file={ready}"]
    with serving(launch, home, *arguments) as process:
        assert process.wait(BOUND) == CANNOT_START
    assert not ready.exists()


def test_a_server_leaves_the_ready_file_of_the_one_that_followed_it(launch: Launcher) -> None:
    ready = launch.new_home() / "ready"
    with serving(launch, launch.new_home(), *TCP, f"--ready-file={ready}") as first:
        eventually(ready.exists)
        told = ready.read_text()
        with serving(launch, launch.new_home(), *TCP, f"--ready-file={ready}") as second:
            eventually(lambda: ready.read_text() != told)
            first.terminate()
            assert first.wait(BOUND) == 0
            assert json.loads(ready.read_text())["pid"] == second.pid
            second.terminate()
            assert second.wait(BOUND) == 0
    assert not ready.exists()


def test_the_socket_of_another_program_is_not_taken(launch: Launcher) -> None:
    home = launch.new_home()
    path = home / "other.sock"
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        other.listen()
        arguments = ["--no-default-socket", f"--listen=unix:{path}"]
        with serving(launch, home, *arguments) as process:
            assert process.wait(BOUND) == CANNOT_START
        assert "another program is listening" in (home / "log").read_text()
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(str(path))
    # It left its socket behind, which nobody needs.
    ready = home / "ready"
    with serving(launch, home, *arguments, f"--ready-file={ready}"):
        eventually(ready.exists)


def test_a_port_for_probes_answers_health_alone(launch: Launcher) -> None:
    home = launch.new_home()
    ready = home / "ready"
    # Reachable from other machines, which needs no --insecure.
    arguments = [
        "--listen", f"unix:{home / 's'}", "--health-listen", "tcp:0.0.0.0:0",
        f"--ready-file={ready}",
    ]
    with serving(launch, home, *arguments) as process:
        eventually(ready.exists)
        (address,) = json.loads(ready.read_text())["health_addresses"]
        port = address.rpartition(":")[2]
        with Client(f"127.0.0.1:{port}") as client:
            stub = health_pb2_grpc.HealthStub(client.channel)
            for service in ["", "belfry.v1.NotificationCenterService"]:
                asked = health_pb2.HealthCheckRequest(service=service)
                told = stub.Check(asked, timeout=BOUND).status
                assert told == health_pb2.HealthCheckResponse.SERVING
            for method in ["GetServerInfo", "ListPending", "GetStats"]:
                with pytest.raises(grpc.RpcError) as caught:
                    client.call(method)
                assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED
            process.terminate()
            assert process.wait(BOUND) == 0


PARENT = """
import subprocess, sys, threading
servers = []
def start(): servers.append(subprocess.Popen(sys.argv[1:]))
# Not on the main thread: the end of this thread is not the end of the parent.
thread = threading.Thread(target=start)
thread.start()
thread.join()
print(servers[0].pid, flush=True)
sys.stdin.read()
"""


def is_alive(pid: int) -> bool:
    """Whether a process runs: one that nobody waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.parametrize("ends", [True, False])
def test_a_server_ends_with_the_process_that_started_it(launch: Launcher, *, ends: bool) -> None:
    home = launch.new_home()
    target = f"unix:{home / 's'}"
    command = [
        sys.executable, "-c", PARENT,
        launch.binary, "serve", f"--data={home / 'data'}", f"--listen={target}",
        *(["--exit-with-parent"] if ends else []),
    ]
    with (home / "log").open("wb") as log:
        parent = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
        )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    try:
        with Client(target) as client:
            client.wait_until_ready()
        parent.kill()
        parent.wait()
        if ends:
            eventually(lambda: not is_alive(pid))
            assert "the process that started the server has ended" in (home / "log").read_text()
            # In order: the socket is gone.
            assert not (home / "s").exists()
        else:
            with Client(target) as client:
                client.call("GetServerInfo")
    finally:
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("is_abstract", [False, True])
def test_the_service_manager_is_told(launch: Launcher, *, is_abstract: bool) -> None:
    home = launch.new_home()
    name = f"\0belfry-test-{os.getpid()}" if is_abstract else str(home / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(name)
        manager.settimeout(BOUND)
        environment = {
            "NOTIFY_SOCKET": name.replace("\0", "@"), "WATCHDOG_USEC": "200000",
        }
        arguments = ["--listen", f"unix:{home / 's'}"]
        with serving(launch, home, *arguments, environment=environment) as process:
            assert manager.recv(1024) == b"READY=1\nSTATUS=serving"
            with Client(f"unix:{home / 's'}") as client:
                client.call("GetServerInfo")
            assert [manager.recv(1024) for _ in range(3)] == [b"WATCHDOG=1"] * 3
            # A writer that stands still gives no sign of life.
            os.kill(process.pid, signal.SIGSTOP)
            manager.settimeout(1)
            with pytest.raises(TimeoutError):
                while manager.recv(1024):
                    pass
            os.kill(process.pid, signal.SIGCONT)
            manager.settimeout(BOUND)
            assert manager.recv(1024) == b"WATCHDOG=1"
            process.terminate()
            told = b"WATCHDOG=1"
            while told == b"WATCHDOG=1":
                told = manager.recv(1024)
            assert told == b"STOPPING=1\nSTATUS=stopping"
            assert process.wait(BOUND) == 0


def test_a_watchdog_that_is_anothers_is_not_fed(launch: Launcher) -> None:
    home = launch.new_home()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(home / "notify"))
        manager.settimeout(BOUND)
        environment = {
            "NOTIFY_SOCKET": str(home / "notify"), "WATCHDOG_USEC": "100000", "WATCHDOG_PID": "1",
        }
        arguments = ["--listen", f"unix:{home / 's'}"]
        with serving(launch, home, *arguments, environment=environment):
            assert manager.recv(1024).startswith(b"READY=1")
            time.sleep(0.5)
            manager.setblocking(False)
            with pytest.raises(BlockingIOError):
                manager.recv(1024)


# Puts a descriptor where a service manager puts its first one, and becomes the server.
ACTIVATE = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_PID": sys.argv[2] or str(os.getpid()), "LISTEN_FDS": "1"}
os.execv(sys.argv[3], sys.argv[3:])
"""


def activated(
    launch: Launcher, home: Path, descriptor: int, *, process: str = ""
) -> subprocess.Popen[bytes]:
    """A server that a service manager passes a descriptor to."""
    command = [
        sys.executable, "-c", ACTIVATE, str(descriptor), process,
        launch.binary, "serve", f"--data={home / 'data'}", "--prompts=grant",
    ]
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(home)}
    with (home / "log").open("wb") as log:
        return subprocess.Popen(command, pass_fds=[descriptor], env=environment, stderr=log)


def test_a_socket_of_the_service_manager_outlives_the_server(launch: Launcher) -> None:
    home = launch.new_home()
    path = home / "of-the-manager"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        # Calls wait in the socket while there is no server, and while one follows another.
        for _ in range(2):
            with Client(f"unix:{path}") as client:
                process = activated(launch, home, listening.fileno())
                try:
                    client.wait_until_ready()
                    client.call("GetServerInfo")
                    process.terminate()
                    assert process.wait(BOUND) == 0
                finally:
                    process.kill()
                    process.wait()
            assert path.is_socket()
        # It is listened on instead of the user's own socket.
        assert not (home / "belfry").exists()


def readme_unit(name: str) -> configparser.ConfigParser:
    (text,) = [
        block.text for block in blocks()
        if block.language == "ini" and block.text.startswith(f"# {name}\n")
    ]  # fmt: skip
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(text)
    return unit


def test_the_units_of_the_readme_serve_at_the_first_call(launch: Launcher) -> None:
    """With a service manager's part played: its socket, its notices, its watchdog and its stop."""
    home = launch.new_home()
    socket_unit, service = readme_unit("belfry.socket"), readme_unit("belfry.service")["Service"]
    path = Path(socket_unit["Socket"]["ListenStream"].replace("%t", str(home)))
    path.parent.mkdir(mode=0o700)
    program, *arguments = shlex.split(service["ExecStart"])
    assert Path(program).name == "belfry" and service["Type"] == "notify"
    with (
        socket.socket(socket.AF_UNIX) as listening,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager,
        Client(f"unix:{path}") as client,
    ):
        listening.bind(str(path))
        path.chmod(int(socket_unit["Socket"]["SocketMode"], 8))
        listening.listen()
        manager.bind(str(home / "notify"))
        manager.settimeout(BOUND)
        # The first call is there before the server is.
        first = client.stub("GetServerInfo").future(wire.GetServerInfoRequest(), timeout=BOUND)
        watchdog = int(service["WatchdogSec"]) * 1_000_000
        environment = os.environ | {
            "XDG_RUNTIME_DIR": str(home), "XDG_STATE_HOME": str(home / "state"), "HOME": str(home),
            "NOTIFY_SOCKET": str(home / "notify"), "WATCHDOG_USEC": str(watchdog),
        }  # fmt: skip
        command = [
            sys.executable, "-c", ACTIVATE, str(listening.fileno()), "",
            launch.binary, *arguments,
        ]  # fmt: skip
        with (home / "log").open("wb") as log:
            server = subprocess.Popen(
                command, pass_fds=[listening.fileno()], env=environment, stderr=log
            )
        try:
            assert manager.recv(1024) == b"READY=1\nSTATUS=serving"
            assert first.result().version
            # It is told in time: a manager ends who is silent for so long.
            manager.settimeout(watchdog / 1_000_000)
            assert manager.recv(1024) == b"WATCHDOG=1"
            server.terminate()
            told = b"WATCHDOG=1"
            while told == b"WATCHDOG=1":
                told = manager.recv(1024)
            assert told == b"STOPPING=1\nSTATUS=stopping"
            assert server.wait(BOUND) == 0
        finally:
            server.kill()
            server.wait()
        # The socket is the manager's, and stays for the next call.
        assert path.is_socket()


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("file", "is not a stream socket that listens"),
        ("connected", "is not a stream socket that listens"),
        ("tcp", "is not a unix socket"),
    ],
)
def test_only_unix_sockets_that_listen_are_inherited(
    launch: Launcher, kind: str, why: str
) -> None:
    home = launch.new_home()
    one, other = socket.socketpair()
    with one, other, socket.create_server(("127.0.0.1", 0)) as tcp, (home / "f").open("w") as file:
        descriptors = {"file": file.fileno(), "connected": one.fileno(), "tcp": tcp.fileno()}
        process = activated(launch, home, descriptors[kind])
        assert process.wait(BOUND) == CANNOT_START
    assert why in (home / "log").read_text()


def test_the_sockets_of_another_process_are_left_alone(launch: Launcher) -> None:
    home = launch.new_home()
    with socket.create_server(("127.0.0.1", 0)) as tcp:
        process = activated(launch, home, tcp.fileno(), process="1")
        try:
            with Client(f"unix:{home / 'belfry' / 'belfry.sock'}") as client:
                client.wait_until_ready()
        finally:
            process.kill()
            process.wait()


def test_a_server_ends_when_nobody_needs_it(launch: Launcher) -> None:
    """Without a client and with nothing pending, and not before."""
    home = launch.new_home()
    arguments = [
        *TCP, "--http-listen=tcp:127.0.0.1:0", "--clock=manual", "--prompts=grant",
        "--exit-when-idle=700ms", f"--ready-file={home / 'ready'}",
    ]  # fmt: skip
    # The length of this time decides nothing; a server that ends early fails.
    some_time = 1.5
    with serving(launch, home, *arguments) as process:
        eventually((home / "ready").exists)
        ready = json.loads((home / "ready").read_text())
        host, port = ready["http_addresses"][0].removeprefix("http://").rsplit(":", 1)
        with (
            Client(ready["addresses"][0].removeprefix("tcp:")) as client,
            socket.create_connection((host, int(port)), BOUND),
        ):
            app = client.app()
            app.authorize()
            app.add("later", after=60)
            client.channel.close()
            time.sleep(some_time)
            assert process.poll() is None, "a client of HTTP is connected"
        time.sleep(some_time)
        assert process.poll() is None, "a notification is pending"
        with Client(ready["addresses"][0].removeprefix("tcp:")) as client:
            client.advance(61)
            time.sleep(some_time)
            assert process.poll() is None, "a client is connected"
        assert process.wait(BOUND) == 0
        assert "nobody is connected and nothing is pending" in (home / "log").read_text()
