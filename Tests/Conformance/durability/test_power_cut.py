"""What was acknowledged is there after a power cut: a real one, of one file system."""

import random
import time
from collections.abc import Callable

import pytest

from harness.client import Client
from harness.disk import Disk
from harness.launcher import Launcher
from harness.load import Load
from harness.torture import Torture

# So many cuts hit one data directory before a new one: a check reads all that is in it.
CUTS_OF_A_DIRECTORY = 4

# The first start of a debug build takes about this long; cuts fall before, in and behind it.
FIRST_START = 0.1


class Total:
    """What all loads were told."""

    def __init__(self) -> None:
        self.answered = 0
        self.events = 0


def check_and_cut(
    disk: Disk, launch: Launcher, total: Total, choices: random.Random, cuts: int
) -> None:
    """Cuts the power under load some times and holds one data directory against all replies.

    An answer that came was for something on the disk, even one that came while the power went.
    """
    home = disk.new_home()
    load = Load(choices.getrandbits(32))
    for cut in range(cuts + 1):
        server = launch(home, clock="system")
        with Client(server.targets["unix"]) as client:
            if cut == 0:
                load.register(client)
            events = load.check(client)
        if cut < cuts:
            load.start(server)
            load.wait_for(choices.randint(50, 150))
            disk.cut_power()
        server.kill()
        load.join()
        disk.remount()
    total.answered += load.answered
    total.events += events


@pytest.mark.torture
def test_a_power_cut_under_load_loses_and_repeats_nothing(
    disk: Disk, launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    cycles = torture.count("R2")
    directories = -(-cycles // CUTS_OF_A_DIRECTORY)
    choices = random.Random(torture.seed)
    total = Total()
    for number in torture.rounds("R2", directories):
        cuts = min(CUTS_OF_A_DIRECTORY, cycles - number * CUTS_OF_A_DIRECTORY)
        check_and_cut(disk, launch, total, choices, cuts)
    report(
        f"R2 power cut under load: {cycles} cycles, {directories} data directories,"
        f" {total.answered} acknowledged calls, {total.events} events, 0 lost, 0 twice"
        f" (seed {torture.seed})"
    )


@pytest.mark.torture
def test_a_power_cut_at_the_first_start_leaves_what_opens(
    disk: Disk, launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    """The data directory is being made: nothing was acknowledged, but the next start serves."""
    cycles = max(torture.count("R2") // 10, 2)
    choices = random.Random(torture.seed)
    for _ in torture.rounds("R2", cycles):
        home = disk.new_home()
        cut = launch(home)
        time.sleep(choices.uniform(0, 2 * FIRST_START))
        disk.cut_power()
        cut.kill()
        disk.remount()
        server = launch(home)
        with Client(server.targets["unix"]) as client:
            app = client.app()
            app.authorize()
            app.add("one")
            assert app.delivered() == ["one"]
        server.kill()
        disk.remount()
    report(f"R2 power cut at the first start: {cycles} cycles, 0 refused the next start")
