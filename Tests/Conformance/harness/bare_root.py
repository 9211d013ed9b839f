"""A bare Debian in a directory, in which programs run by chroot, without Swift and gRPC.

It needs root and debootstrap. Where BELFRY_REQUIRE_DIST is 1 a test that cannot have one, or has
nothing to install, fails; elsewhere it is skipped.
"""

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

REQUIRED = "BELFRY_REQUIRE_DIST"
ROOT = Path(__file__).parents[3]

# Each is made once and then copied, since packages come over the network.
_CACHE = ROOT / ".build/bare-root"

_MAKING = 900.0
_COMMAND = 60.0


class BareRoot:
    """A copy of the bare Debian, with /proc, by which a program finds the libraries beside it."""

    def __init__(self, original: Path) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="belfry-root-"))
        try:
            # A directory that only root may enter would be nobody else's root.
            self.path.chmod(0o755)
            _run("cp", "-a", f"{original}/.", str(self.path))
            _run("mount", "-t", "proc", "proc", str(self.path / "proc"))
        except BaseException:
            self.close()
            raise

    def start(
        self, *command: str, user: int = 0, env: dict[str, str] | None = None, **options: object
    ) -> subprocess.Popen[str]:
        """Starts a program as a user, with no variables but these; its id is the program's."""
        words = ["/usr/sbin/chroot", f"--userspec={user}:{user}", str(self.path), *command]
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **(env or {})}
        return subprocess.Popen(words, env=environment, text=True, **options)

    def run(
        self,
        *command: str,
        user: int = 0,
        env: dict[str, str] | None = None,
        status: int = 0,
    ) -> str:
        """Runs a program to its end, within a minute, and gives what it printed."""
        pipe = subprocess.PIPE
        process = self.start(
            *command, user=user, env=env, stdout=pipe, stderr=pipe, stdin=subprocess.DEVNULL
        )
        try:
            printed, complained = process.communicate(timeout=_COMMAND)
        finally:
            process.kill()
        assert process.returncode == status, f"{command}: {process.returncode}\n{complained}"
        return printed

    def directory(self, path: str, owner: int) -> None:
        """Makes a directory that only its owner may enter."""
        made = self.path / path.lstrip("/")
        made.mkdir(parents=True)
        made.chmod(0o700)
        os.chown(made, owner, owner)

    def close(self) -> None:
        """Leaves no mount and no file behind."""
        proc = self.path / "proc"
        if proc.is_mount():
            # Detach it even where a failed test left a process that uses it.
            _run("umount", "--lazy", str(proc))
        # Never a file of what is mounted there.
        assert not proc.is_mount()
        shutil.rmtree(self.path)


def bare_debian(*packages: str) -> Path:
    """The directory to copy, with such packages; skips the test where there is none, or fails it
    where it has to be."""
    if os.geteuid() != 0:
        _refuse("needs root")
    if shutil.which("debootstrap") is None:
        _refuse("needs debootstrap: .ci/setup dist")
    cache = _CACHE.with_name("-".join([_CACHE.name, *packages]))
    cache.parent.mkdir(exist_ok=True)
    # Tests run in several processes.
    with cache.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not cache.exists():
            try:
                _make(cache, packages)
            except (OSError, subprocess.SubprocessError) as error:
                said = getattr(error, "stderr", None) or error
                _refuse(f"debootstrap cannot make a bare Debian: {said}")
    return cache


def _make(cache: Path, packages: tuple[str, ...]) -> None:
    partial = cache.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    include = [f"--include={','.join(packages)}"] if packages else []
    _run("debootstrap", "--variant=minbase", *include, "bookworm", str(partial), bound=_MAKING)
    # What was fetched is unpacked, and each copy would have it again.
    for package in (partial / "var/cache/apt/archives").glob("*.deb"):
        package.unlink()
    partial.rename(cache)


def distributed(pattern: str) -> Path:
    """What `make dist` and `make wheel` made: one file of a name like this."""
    found = sorted((ROOT / ".dist").glob(pattern))
    if len(found) != 1:
        _refuse(f"needs one file .dist/{pattern} of make dist and make wheel: there are {len(found)}")
    return found[0]


def _refuse(reason: str) -> None:
    if os.environ.get(REQUIRED) == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def _run(*command: str, bound: float = _COMMAND) -> str:
    done: subprocess.CompletedProcess[str] = subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=bound
    )
    return done.stdout
