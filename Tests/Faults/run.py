#!/usr/bin/env python3
"""Shows that the tests have teeth: plants known faults, one at a time, and demands that the test
that is named for each of them fails.

Tests/Faults/run.py [NAME...] runs the rows of faults.tsv, or those of the named faults, two at a
time with the debug build that is there, and ends with 1 if a fault is not caught.

A row is the fault, which is a case of Sources/Faults/Fault.swift; what runs the test that has to
catch it (swift, pytest or races); that test (of pytest, below Tests/Conformance); and "hang" where
it catches the fault by never ending. A fault that several tests have to catch has a row for each.
"""

import csv
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LOGS = ROOT / ".build/fault-logs"
SWIFT = ".build/debug/belfryPackageTests.xctest --testing-library swift-testing --no-parallel"
PYTEST = ".build/python/bin/python -m pytest -rfs -p no:cacheprovider --server .build/debug/belfry"

# Ten times what the slowest test takes, and what the test takes that a fault keeps from ending.
LIMIT = 300
HANG_LIMIT = 60

# What a test writes that failed: a crash, or a fixture that cannot begin, does not write it.
FAILURE = {
    "swift": "recorded an issue",
    "pytest": r"(?m)^FAILED",
    "races": "SUMMARY: ThreadSanitizer",
}


def command(kind: str, tests: list[str]) -> list[str]:
    if kind == "swift":
        names = [test.replace(".", "[.]") for test in tests]
        return SWIFT.split() + [word for name in names for word in ("--filter", f"^{name}[(]")]
    if kind == "pytest":
        return PYTEST.split() + [f"Tests/Conformance/{test}" for test in tests]
    return [".build/thread/debug/Races"]


def run(kind: str, tests: list[str], name: str, limit: float, fault: str = "") -> tuple[int, str]:
    """Gives the exit status of tests, and what they wrote; they are killed at the limit."""
    environment = {**os.environ, "TSAN_OPTIONS": "halt_on_error=1"}
    if fault:
        environment["BELFRY_FAULT"] = fault
    log = LOGS / f"{name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command(kind, tests),
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
    return process.wait(), log.read_text(errors="replace")


def require_sound(kind: str, tests: list[str]) -> None:
    """A test that fails, is skipped or is not there without any fault catches nothing."""
    status, text = run(kind, tests, f"sound-{kind}", 5 * LIMIT)
    passed = re.search(r"Test run with (\d+) tests? in .* passed", text)
    ran_all = kind != "swift" or (passed is not None and int(passed[1]) == len(tests))
    if status != 0 or not ran_all or "\nSKIPPED" in text:
        end = "\n".join(text.splitlines()[-20:])
        sys.exit(f"run.py: not all of {len(tests)} tests pass without a fault\n{end}")
    print(f"without a fault: {len(tests)} tests ({kind}) pass", flush=True)


def is_caught(number: int, row: list[str]) -> bool:
    name, kind, test, *hangs = row
    began = time.monotonic()
    status, text = run(kind, [test], f"{name}-{number}", HANG_LIMIT if hangs else LIMIT, name)
    is_killed = status == -signal.SIGKILL
    failed = status > 0 and re.search(FAILURE[kind], text) is not None
    caught = failed or (is_killed and hangs == ["hang"])
    how = "caught by" if caught else f"NOT CAUGHT ({status}) by"
    print(f"{name}: {how} {test} in {time.monotonic() - began:.0f} s", flush=True)
    return caught


def main(names: list[str]) -> None:
    with Path(__file__).with_name("faults.tsv").open() as file:
        rows = list(csv.reader(file, delimiter="\t"))
    for name in {*names} - {row[0] for row in rows}:
        sys.exit(f"run.py: there is no fault {name}")
    rows = [row for row in rows if not names or row[0] in names]
    LOGS.mkdir(parents=True, exist_ok=True)
    kinds = sorted({row[1] for row in rows})
    if "races" in kinds:
        subprocess.run(["make", "--no-print-directory", "build-races"], cwd=ROOT, check=True)
    tests = [sorted({row[2] for row in rows if row[1] == kind}) for kind in kinds]
    with ThreadPoolExecutor(2) as pool:
        sound = pool.map(require_sound, kinds, tests)
        outcomes = pool.map(is_caught, range(len(rows)), rows)
        try:
            list(sound)
            caught = sum(outcomes)
        finally:
            pool.shutdown(cancel_futures=True)
    print(f"{caught} of {len(rows)} faults caught")
    sys.exit(caught < len(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
