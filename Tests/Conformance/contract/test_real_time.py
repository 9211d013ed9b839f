"""No test depends on how fast the machine is: what is compared with a clock says why it may be."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
CLOCKS = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "time", "time_ns"}
# In a comment beside the comparison or right before it, then why no slow machine fails it.
REASON = "Real time: "
# What the harness measures, by the names of its attributes.
SHARED = {"delays", "p99", "slowest", "quantile"}
SWIFT_CLOCK = (
    r"(?:ContinuousClock|SuspendingClock|SystemTime|Date\(\)|(?<!\.)\bclock\.(?:now|measure))"
)


def reads_clock(node: ast.AST, timed: set[str]) -> bool:
    """Whether an expression reads a clock, or a name that was computed from one."""
    match node:
        case ast.Call(func=ast.Name(id="len")):
            return False
        case ast.Call(func=ast.Attribute(value=ast.Name(id="time"), attr=name)) if name in CLOCKS:
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in timed:
            return True
    return any(reads_clock(part, timed) for part in ast.iter_child_nodes(node))


def named(target: ast.expr) -> set[str]:
    """The names that an assignment gives a value."""
    if isinstance(target, ast.Attribute):
        return {target.attr}
    return {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}


def timed_names(tree: ast.AST) -> set[str]:
    """The names and attributes that are computed from a clock, here or in what tests share."""
    timed = set(SHARED)
    before = -1
    while len(timed) > before:
        before = len(timed)
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=[ast.Tuple(names)], value=ast.Tuple(values)):
                    for name, value in zip(names, values, strict=True):
                        if reads_clock(value, timed):
                            timed.update(named(name))
                case ast.Assign(targets=targets, value=value) if reads_clock(value, timed):
                    for target in targets:
                        timed.update(named(target))
                case ast.Call(func=ast.Attribute(attr="append", value=target), args=[value]) if (
                    reads_clock(value, timed)
                ):
                    timed.update(named(target))
                case ast.FunctionDef(name=name) if any(
                    isinstance(one, ast.Return) and one.value and reads_clock(one.value, timed)
                    for one in ast.walk(node)
                ):
                    timed.add(name)
    return timed


def is_bound(comparison: ast.Compare, timed: set[str]) -> bool:
    """Whether a time has to be less than something; that it is more, no slow machine changes."""
    places = [comparison.left, *comparison.comparators]
    for left, order, right in zip(places, comparison.ops, places[1:], strict=False):
        match order:
            case ast.Lt() | ast.LtE() if reads_clock(left, timed):
                return True
            case ast.Gt() | ast.GtE() if reads_clock(right, timed) and not reads_clock(left, set()):
                return True
    return False


def in_python(text: str) -> Iterator[int]:
    """The lines with assertions of an upper bound of a time."""
    tree = ast.parse(text)
    timed = timed_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and any(
            isinstance(part, ast.Compare) and is_bound(part, timed)
            for part in ast.walk(node.test)
        ):
            yield node.lineno


def in_swift(text: str) -> Iterator[int]:
    """The lines with assertions of an upper bound of a time."""
    timed = re.findall(rf"\b(?:let|var) (\w+) = .*{SWIFT_CLOCK}", text)
    reading = "|".join([SWIFT_CLOCK, *(rf"\b{name}\b" for name in timed)])
    for number, line in enumerate(text.splitlines(), 1):
        bound = re.search(r"(?:#expect\(|#require\(|\bguard )(.*) ([<>])=? (.*)", line)
        if bound and re.search(reading, bound[1] if bound[2] == "<" else bound[3]):
            yield number


def without_reason(path: Path) -> list[str]:
    """The comparisons of a file that do not say why a slow machine may make them."""
    text = path.read_text()
    lines = text.splitlines()
    found = in_swift(text) if path.suffix == ".swift" else in_python(text)
    return [
        f"{path.relative_to(TESTS)}:{number}: {lines[number - 1].strip()}"
        for number in found
        if not any(REASON in line for line in lines[max(0, number - 3) : number])
    ]


def test_no_test_depends_on_the_speed_of_the_machine() -> None:
    paths = [path for kind in ("*.py", "*.swift") for path in sorted(TESTS.rglob(kind))]
    assert len(paths) > 300
    assert [line for path in paths for line in without_reason(path)] == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "assert time.monotonic() - began < 2"),
        ("b.py", "took = time.monotonic() - began\nassert limit >= max(took, 1)"),
        ("c.py", "def wait():\n    return time.time()\ntimes.append(wait())\nassert 2 > times[0]"),
        ("d.swift", "#expect(ContinuousClock.now - began < .seconds(1))"),
        ("e.swift", "let took = clock.measure { work() }\n#expect(took < .seconds(1))"),
    ],
)
def test_a_bound_without_a_reason_is_found(name: str, text: str) -> None:
    found = list((in_swift if name.endswith("swift") else in_python)(text))
    assert found == [len(text.splitlines())]
