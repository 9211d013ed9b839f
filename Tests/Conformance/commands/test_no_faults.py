"""The faults that the tests plant are in the debug build alone."""

import re
from pathlib import Path

import pytest

FAULTS = Path(__file__).parents[3] / "Sources/Faults/Fault.swift"


def test_a_release_build_holds_no_fault(pytestconfig: pytest.Config) -> None:
    """No fault is a string of it, as which a case is named and planted, nor is the variable.

    A debug build holds each of them: what is looked for is what a compiler makes of a fault.
    """
    binary: Path = pytestconfig.getoption("--server")
    cases = re.findall(r'case (\w+) = "([\w-]+)"', FAULTS.read_text())
    assert len(cases) > 100
    names = {"BELFRY_FAULT"}.union(*cases)
    strings = re.findall(rb"\0([A-Za-z_-]{5,})(?=\0)", binary.read_bytes())
    held = names & {string.decode() for string in strings}
    is_debug = binary.resolve().parent.name == "debug"
    assert held == (names if is_debug else set())
