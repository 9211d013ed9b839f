"""No test gives a program a port that the kernel may give to another one meanwhile."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.ports import free_port

ROOT = Path(__file__).parents[3]


def let_go(text: str) -> Iterator[int]:
    """The lines that give a port whose socket is closed by then."""
    for block in ast.walk(ast.parse(text)):
        if isinstance(block, ast.With) and "socket" in ast.unparse(block.items[0]):
            for node in ast.walk(block):
                if isinstance(node, ast.Return) and node.value:
                    if "getsockname" in ast.unparse(node.value):
                        yield node.lineno


def test_no_port_is_chosen_and_let_go() -> None:
    paths = [path for part in ("Tests", "Clients") for path in (ROOT / part).rglob("*.py")]
    assert len(paths) > 200
    found = [f"{path}:{line}" for path in paths for line in let_go(path.read_text())]
    assert found == [], "harness/ports.py has a port that is kept"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("def port():\n with socket.socket() as a:\n  a.bind(x)\n  return a.getsockname()[1]", [4]),
        ("with socket.socket() as a:\n print(a.getsockname()[1])", []),
    ],
)
def test_a_port_that_is_let_go_is_found(text: str, lines: list[int]) -> None:
    assert list(let_go(text)) == lines


def test_a_port_is_given_once() -> None:
    ports = [free_port() for _ in range(50)]
    low = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    assert len(set(ports)) == 50 and max(ports) < low
