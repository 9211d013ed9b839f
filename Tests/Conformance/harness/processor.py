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


def thread_names(pid: int) -> dict[int, str]:
    """The names of the threads of a process, by their ids."""
    return {int(task.name): (task / "comm").read_text().strip()
            for task in Path(f"/proc/{pid}/task").iterdir()}


def thread_id(pid: int, name: str) -> int:
    """The id of the only thread of that name."""
    [thread] = (thread for thread, found in thread_names(pid).items() if found == name)
    return thread


def niceness(pid: int, thread: str) -> int:
    """How far the thread of that name stands back for others."""
    stat = Path(f"/proc/{pid}/task/{thread_id(pid, thread)}/stat").read_text()
    # The name, which may hold anything, ends with the last bracket: 16 fields are between.
    return int(stat.rpartition(")")[2].split()[16])
