"""The README and its pages as they are run: their blocks in order, programs, and what is printed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]

# The pages in the order in which a newcomer reads them.
PAGES = [ROOT / "README.md"] + [
    ROOT / "Documentation" / f"{name}.md"
    for name in (
        "Sidecar", "Scheduling", "Answering", "Security", "HTTP", "Operating", "Promises",
        "Performance",
    )
]  # fmt: skip

# The port of the README's server.
ADDRESS = "127.0.0.1:50061"

# The port at which it answers HTTP.
HTTP_ADDRESS = "127.0.0.1:50080"

_BLOCK = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
_PATH = re.compile(r"\.build/client/\w+\.py")


@dataclass(frozen=True)
class Command:
    """A command of a terminal, and the lines that it prints there; none may be any."""

    text: str
    prints: str


@dataclass(frozen=True)
class Block:
    """A block of the README, and the last path of a program in the text above it."""

    language: str
    text: str
    path: str | None

    @property
    def commands(self) -> list[Command]:
        """The commands of a terminal: a line after `$`, with those after `>` below it."""
        commands = []
        for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            first, *lines = part.splitlines()
            more = [line[2:] for line in lines if line.startswith("> ")]
            prints = [line for line in lines if not line.startswith("> ")]
            commands.append(Command("\n".join([first, *more]), "\n".join(prints)))
        return commands


def blocks() -> Iterator[Block]:
    """All blocks, from the first to the last."""
    end, text = 0, "\n".join(page.read_text() for page in PAGES)
    for found in _BLOCK.finditer(text):
        if found["language"] == "mermaid":
            continue
        paths = _PATH.findall(text[end : found.start()])
        yield Block(found["language"], found["text"], paths[-1] if paths else None)
        end = found.end()
