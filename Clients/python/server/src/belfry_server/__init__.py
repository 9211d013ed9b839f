"""The program of Belfry's server, which this package carries."""

from __future__ import annotations

import os
import sys


def program() -> str:
    """The path of the program.

    >>> subprocess.run([belfry_server.program(), "--version"])
    """
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "belfry")


def main() -> None:
    """Is the command `belfry`: the program takes the place of this process."""
    path = program()
    os.execv(path, [path, *sys.argv[1:]])
