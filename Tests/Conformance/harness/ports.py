"""Ports that have to be known before a program listens at them."""

import random
import socket

# Keep each number from the other processes of the tests for as long as this one lives.
_kept: list[socket.socket] = []


def free_port() -> int:
    """A TCP port that no program is given by chance, and no other test takes."""
    # Below those that the kernel gives out.
    for port in random.SystemRandom().sample(range(20_000, 30_000), 100):
        keeper = socket.socket(type=socket.SOCK_DGRAM)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                # The UDP port of the same number is in nobody's way, and is given out once.
                keeper.bind(("127.0.0.1", port))
                probe.bind(("0.0.0.0", port))
            except OSError:
                keeper.close()
                continue
        _kept.append(keeper)
        return port
    raise AssertionError("there is no free port")
