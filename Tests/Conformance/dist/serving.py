"""A server in a bare Debian."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.bare_root import BareRoot


@contextmanager
def serving(
    root: BareRoot, *command: str, user: int, env: dict[str, str], log: Path
) -> Iterator[None]:
    """A server that has to stop in order."""
    with log.open("w") as file:
        process = root.start(*command, user=user, env=env, stderr=file)
    try:
        yield
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0, log.read_text()
    finally:
        process.kill()
        process.wait()
