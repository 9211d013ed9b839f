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
