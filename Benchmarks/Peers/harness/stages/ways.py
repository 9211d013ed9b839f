"""`Add` in the ways that a program may call it: what a token, TLS and HTTP cost.

Each way has a server and a store of its own, so that its turns come as those of peers do.
"""

import contextlib

from harness.peers.ways import WAYS, ByWay
from harness.stages import stores
from harness.stages.stage import Run, rotated

ONE, MANY = "add by way, 1 in flight", "add by way, 64 in flight"


def measure(run: Run) -> None:
    if not run.wants("ways-1", "ways-64"):
        return
    with contextlib.ExitStack() as stack:
        every = [ByWay(run.place, way) for way in WAYS]
        ways = stores.start(run, stack, every, MANY)
        if run.wants("ways-1"):
            for round_, way in rotated(ways, run.rounds):
                stores.turn(run, way, ONE, round_, stores.one_at_a_time)
        if run.wants("ways-64"):
            for round_, way in rotated(ways, run.rounds):
                stores.turn(run, way, MANY, round_, stores.add)
