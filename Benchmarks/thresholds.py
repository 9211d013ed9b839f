"""Counts each scenario's instructions and allocations, and compares them with the thresholds.

The counts of a program are the same in every run, but for the waits between its threads. Those of
another compiler or C library differ: after an upgrade of these, write the thresholds anew.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

THRESHOLDS = pathlib.Path(__file__).with_name("Thresholds.tsv")
HEADING = "scenario\tinstructions\tallocations"
# By how much a count may be over its threshold.
INSTRUCTIONS_OVER, ALLOCATIONS_OVER = 0.05, 0.02
# By how much a count is under its threshold before the threshold is to be lowered.
UNDER = 0.05
ALLOCATING = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign"}


def read_profile(text):
    """The instructions of a profile of callgrind, and the calls of what allocates memory."""
    names, called, allocations = {}, None, 0
    for line in text.splitlines():
        # A function has its name only where it comes first, and then its number.
        if found := re.match(r"(c?)fn=\((\d+)\)(?: (.+))?", line):
            is_call, number, name = found.groups()
            if name:
                names[number] = re.split("['@]", name)[0]
            if is_call:
                called = names[number]
        elif line.startswith("calls=") and called in ALLOCATING:
            allocations += int(line.removeprefix("calls=").split()[0])
    return int(re.search(r"^totals: (\d+)", text, re.MULTILINE)[1]), allocations


def count(program, scenario):
    """The instructions and the allocations of one item of a scenario."""
    with tempfile.TemporaryDirectory(prefix="belfry-") as directory:
        profile = pathlib.Path(directory, "profile")
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--instr-atstart=no"]
            + [f"--callgrind-out-file={profile}", program, scenario],
            # The tracer of crashes waits for ever where valgrind runs the program.
            env=os.environ
            | {
                "SWIFT_DETERMINISTIC_HASHING": "1",
                "SWIFT_BACKTRACE": "enable=no",
                "TMPDIR": directory,
            },
            capture_output=True,
            text=True,
            timeout=120,
        )
        if done.returncode != 0:
            sys.exit(f"{scenario} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        instructions, allocations = read_profile(profile.read_text())
    items = int(done.stdout)
    return round(instructions / items), round(allocations / items, 2)


def read_thresholds():
    """The thresholds of the instructions and of the allocations, by scenario."""
    heading, *rows = THRESHOLDS.read_text().splitlines()
    if heading != HEADING:
        sys.exit(f"{THRESHOLDS} has another heading than {HEADING}")
    return {
        name: (int(instructions), float(allocations))
        for name, instructions, allocations in (row.split("\t") for row in rows)
    }


def judge(found, threshold, tolerance):
    """Whether a count is too much, and what is said of the count."""
    text = f"{found:g} of {threshold:g}"
    if found > threshold * (1 + tolerance):
        return True, f"{text}: TOO MANY"
    if found < threshold * (1 - UNDER):
        return False, f"{text}: lower the threshold"
    return False, text


def compare(counts):
    """Prints all counts beside their thresholds, and tells whether one is over its threshold."""
    thresholds = read_thresholds()
    if counts.keys() != thresholds.keys():
        sys.exit(f"without a threshold or a scenario: {counts.keys() ^ thresholds.keys()}")
    is_over = False
    for scenario, (instructions, allocations) in counts.items():
        most_instructions, most_allocations = thresholds[scenario]
        over, text = judge(instructions, most_instructions, INSTRUCTIONS_OVER)
        also_over, also_text = judge(allocations, most_allocations, ALLOCATIONS_OVER)
        print(f"{scenario}: instructions {text}; allocations {also_text}")
        is_over = is_over or over or also_over
    return is_over


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the release build of Instructions")
    parser.add_argument("--update", action="store_true", help="write the counts as thresholds")
    options = parser.parse_args()
    listed = subprocess.run([options.program], check=True, capture_output=True, text=True)
    counts = {name: count(options.program, name) for name in listed.stdout.splitlines()}
    if options.update:
        rows = [f"{name}\t{one}\t{other:.2f}" for name, (one, other) in counts.items()]
        THRESHOLDS.write_text("\n".join([HEADING, *rows]) + "\n")
    return compare(counts)


if __name__ == "__main__":
    sys.exit(main())
