"""Ports that have to be known before a program listens at them."""

import random
import socket


def free_port() -> int:
    """A port that no program is given by chance while nobody listens there."""
    # Below those that the kernel gives out.
    for port in random.SystemRandom().sample(range(20_000, 30_000), 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("there is no free port")
