"""The servers of a test, and the directories that they live in."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from harness.server import Server


class Launcher:
    """Starts servers and ends those that are left."""

    def __init__(self, binary: Path) -> None:
        self.binary = binary
        self.servers: list[Server] = []
        self._homes: list[Path] = []

    def __call__(self, home: Path | None = None, **options: Any) -> Server:
        """Starts a server in a home, or in a new one; `options` are those of `Server`."""
        server = Server(self.binary, home or self.new_home(), **options)
        self.servers.append(server)
        return server

    def new_home(self) -> Path:
        """An empty directory with a path that is short enough for a unix socket."""
        home = Path(tempfile.mkdtemp(prefix="belfry-"))
        self._homes.append(home)
        return home

    def close(self) -> None:
        """Ends what still runs and removes all homes."""
        for server in self.servers:
            server.close()
        for home in self._homes:
            shutil.rmtree(home, ignore_errors=True)
