"""The directory of a socket that a group shares, and users that the kernel cannot name (W-11)."""

import shutil
import subprocess
from pathlib import Path

import grpc
import pytest

from access.serving import CANNOT_START, DONE, environment, start
from access.users import GROUP, STRANGER, calling_as, needs_root, open_home, run_as
from harness import wire
from harness.launcher import Launcher
from harness.server import BOUND

pytestmark = needs_root


def serve(launch: Launcher, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a server that ends by itself, since it cannot start."""
    return subprocess.run(
        [launch.binary, "serve", f"--data={home / 'data'}", *arguments],
        env=environment(home), capture_output=True, text=True, timeout=BOUND, check=False,
    )  # fmt: skip


def test_a_directory_that_is_made_lets_the_group_in(launch: Launcher, binary: Path) -> None:
    home = open_home(launch)
    path = home / "new/belfry.sock"
    server = start(
        launch, f"--listen=unix:{path}", "--no-default-socket", f"--socket-group={GROUP}",
        f"--allow-uid={STRANGER}=admin", home=home,
    )  # fmt: skip
    while "serving" not in server.log or not path.exists():
        assert server.started_at
    directory = path.parent.stat()
    assert (directory.st_mode & 0o7777, directory.st_gid) == (0o710, GROUP)
    target = ["--server", f"unix:{path}"]
    assert run_as(home, binary, "clock", *target, gid=GROUP).returncode == DONE
    assert run_as(home, binary, "clock", *target).returncode != DONE


def test_a_directory_that_the_group_cannot_enter_is_told(launch: Launcher) -> None:
    home = launch.new_home()
    (home / "old").mkdir(mode=0o700)
    done = serve(launch, home, f"--listen=unix:{home / 'old/s'}", f"--socket-group={GROUP}")
    assert done.returncode == CANNOT_START
    assert f"chgrp {GROUP} {home / 'old'}" in done.stderr


def test_a_directory_in_which_another_group_could_replace_the_socket_is_refused(
    launch: Launcher,
) -> None:
    home = launch.new_home()
    shared = home / "shared"
    shared.mkdir()
    shutil.chown(shared, group=GROUP)
    shared.chmod(0o770)
    done = serve(launch, home, f"--listen=unix:{shared / 's'}")
    assert done.returncode == CANNOT_START
    assert f"the group {GROUP} may write into the directory" in done.stderr
    # With the sticky bit only the owner of a file replaces it.
    shared.chmod(0o1770)
    server = start(launch, f"--listen=unix:{shared / 's'}", home=home)
    while "serving" not in server.log:
        assert server.started_at


def test_users_outside_of_a_user_namespace_are_nobody(launch: Launcher, binary: Path) -> None:
    unshare = ["setpriv", "--reuid=60000", "--regid=60000", "--clear-groups", "unshare", "--user"]
    if subprocess.run([*unshare, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine lets no user make a namespace")
    home = open_home(launch)
    shutil.chown(home, 60_000, 60_000)
    # The server's own user has no number in the namespace, and neither has the one who calls.
    path = home / "belfry.sock"
    arguments = [f"--data={home / 'data'}", f"--listen=unix:{path}", "--socket-mode=0666",
                 "--allow-uid=65534=admin"]  # fmt: skip
    process = subprocess.Popen(
        [*unshare, binary, "serve", *arguments], env=environment(home), stderr=subprocess.DEVNULL
    )
    try:
        while not path.exists():
            assert process.poll() is None
        with calling_as(path) as client:
            refused = pytest.raises(grpc.RpcError)
            with refused as error:
                client.stub("GetServerInfo")(
                    wire.GetServerInfoRequest(), timeout=BOUND, wait_for_ready=True
                )
            assert error.value.code() == grpc.StatusCode.PERMISSION_DENIED
            assert "does not tell which user calls" in error.value.details()
    finally:
        process.kill()
        process.wait()
