"""What a process takes of the processors."""

from pathlib import Path


def processor_seconds(pid: int) -> float:
    """The processor time that the threads of a process took so far.

    Unlike a time between two instants, it is the same on a machine that is busy.
    """
    seconds = 0.0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            seconds += int((task / "schedstat").read_text().split()[0]) / 1e9
        except (FileNotFoundError, ProcessLookupError):
            # The thread has ended.
            continue
    return seconds


def niceness(pid: int, thread: str) -> int:
    """How far the thread of that name stands back for others."""
    [task] = (task for task in Path(f"/proc/{pid}/task").iterdir()
              if (task / "comm").read_text().strip() == thread)
    # The name, which may hold anything, ends with the last bracket: 16 fields are between.
    return int((task / "stat").read_text().rpartition(")")[2].split()[16])
