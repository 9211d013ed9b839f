"""Small ext4 file systems in an image file, which can be filled and whose power can be cut.

They need root and loop devices. Where BELFRY_REQUIRE_POWER_CUT is 1 a test that cannot have one
fails; elsewhere it is skipped.
"""

import errno
import fcntl
import os
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

import pytest

REQUIRED = "BELFRY_REQUIRE_POWER_CUT"

# EXT4_IOC_SHUTDOWN, and its flag that drops what the journal has not written yet.
_SHUTDOWN = 0x8004587D
_WITHOUT_FLUSH = 2

_BLOCK = 4_096


class Disk:
    """One mounted file system of its own device."""

    def __init__(self, mebibytes: int) -> None:
        self._directory = Path(tempfile.mkdtemp(prefix="belfry-disk-"))
        self.root = self._directory / "root"
        self._device = ""
        self._is_mounted = False
        try:
            self.root.mkdir()
            image = self._directory / "image"
            with image.open("wb") as file:
                file.truncate(mebibytes << 20)
            _run("mkfs.ext4", "-q", "-F", "-m", "0", str(image))
            self._device = _run("losetup", "--find", "--show", str(image)).strip()
            self.mount()
        except BaseException:
            self.close()
            raise

    def mount(self) -> None:
        """Makes it reachable, after the file system has repaired itself from its journal."""
        _run("mount", "-t", "ext4", "-o", "noatime", self._device, str(self.root))
        self._is_mounted = True

    def unmount(self) -> None:
        """Takes it away; nobody may use it."""
        _run("umount", str(self.root))
        self._is_mounted = False

    def remount(self) -> None:
        """Takes it away and back: what is in memory alone is lost after a power cut."""
        self.unmount()
        self.mount()

    def cut_power(self) -> None:
        """From now on nothing reaches the device, nor does what was not synced before."""
        directory = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.ioctl(directory, _SHUTDOWN, struct.pack("I", _WITHOUT_FLUSH))
        finally:
            os.close(directory)

    def new_home(self, name: str = "home") -> Path:
        """An empty directory in place of an earlier one, on the device for good."""
        home = self.root / name
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        self.remount()
        return home

    @property
    def free_bytes(self) -> int:
        """What files can still take."""
        figures = os.statvfs(self.root)
        return figures.f_bavail * figures.f_frsize

    def fill(self, leave: int = 0) -> None:
        """Takes all space but so many bytes with a file of somebody else's."""
        with (self.root / "ballast").open("ab") as file:
            step = self.free_bytes - leave
            while step >= _BLOCK:
                try:
                    os.posix_fallocate(file.fileno(), os.fstat(file.fileno()).st_size, step)
                    step = self.free_bytes - leave
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
                    step //= 2

    def relieve(self) -> None:
        """Gives back what `fill` took."""
        (self.root / "ballast").unlink(missing_ok=True)

    def close(self) -> None:
        """Leaves no mount, no device and no file behind."""
        if self._is_mounted:
            # Detach it even where a failed test left a process that uses it.
            subprocess.run(["umount", "--lazy", str(self.root)], check=False)
        if self._device:
            subprocess.run(["losetup", "--detach", self._device], check=False)
        shutil.rmtree(self._directory, ignore_errors=True)


def require_disks() -> None:
    """Skips the test where there are no disks to break, or fails it where there have to be."""
    try:
        disk = Disk(16)
        try:
            disk.cut_power()
        finally:
            disk.close()
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", None) or error
        reason = f"needs root, loop devices and ext4: {said}"
        if os.environ.get(REQUIRED) == "1":
            pytest.fail(reason)
        pytest.skip(reason)


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
