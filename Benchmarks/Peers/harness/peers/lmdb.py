"""Plain C loops over LMDB: the room that there is."""

import itertools
import shutil

from harness.figures import Sample, parse_sample
from harness.peers.peer import Place
from harness.process import run

# The names that the tables show, with the loop of lmdb-loops and its batch.
ADDS = {"LMDB loop, adds": ("add", 64), "LMDB loop, adds merged": ("add-merged", 64)}
FIRINGS = {"LMDB loop, fires": ("fire", 256), "LMDB loop, fires merged": ("fire-merged", 256)}
DOES = {
    "LMDB loop, adds": "record appended, idempotency key, index by identifier and by due instant "
    "written at once; batches of 64. No server, no calls, nothing that reads.",
    "LMDB loop, adds merged": "the same, with both indexes kept in memory and merged in the order "
    "of their keys for each 50,000. What is in memory would have to be read back at a start.",
    "LMDB loop, fires": "due index from the front, delivered list of 1,000, events, the state by "
    "identifier written at once; batches of 256.",
    "LMDB loop, fires merged": "the same, with the state by identifier merged for each 50,000.",
}

_numbers = itertools.count()


def loop(place: Place, name: str, pending: int, batch: int, seconds: float) -> Sample:
    """Runs a loop in a directory of its own."""
    directory = place.new_directory(f"lmdb-{next(_numbers)}")
    try:
        command = [place.program("lmdb-loops"), name, str(directory), str(pending), str(batch),
                   str(seconds)]
        return parse_sample(run(command, seconds * 4 + 600))
    finally:
        shutil.rmtree(directory)


def commit(place: Place, seconds: float) -> Sample:
    """Synced commits of three pages, one after the other."""
    return loop(place, "commit", 0, 1, seconds)
