"""The README as it is run: its programs, and its commands with what they print."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

README = Path(__file__).parents[3] / "README.md"

# Where the programs find their server.
ADDRESS = "127.0.0.1:50061"

_BLOCK = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
_PATH = re.compile(r"\.build/client/\w+\.py")


@dataclass(frozen=True)
class Command:
    """A command of a terminal, and the lines that it prints there; none may be any."""

    text: str
    prints: str


class Section:
    """What the README has under one heading."""

    def __init__(self, title: str) -> None:
        _, found, rest = README.read_text().partition(f"\n## {title}\n")
        assert found, f"the README has no section {title}"
        self._text = re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0]
        self._blocks = list(_BLOCK.finditer(self._text))

    @cached_property
    def programs(self) -> dict[str, str]:
        """The Python programs, by the path that the text above each says."""
        return {
            _PATH.findall(self._text[: block.start()])[-1]: block["text"]
            for block in self._blocks
            if block["language"] == "python"
        }

    @cached_property
    def commands(self) -> list[Command]:
        """The commands of all terminals: a line after `$`, with those after `>` below it."""
        return [command for text in self.plain if "$ " in text for command in _commands(text)]

    @cached_property
    def plain(self) -> list[str]:
        """The blocks that are in no language."""
        return [block["text"] for block in self._blocks if not block["language"]]


def _commands(terminal: str) -> list[Command]:
    commands = []
    for part in re.split(r"^\$ ", terminal, flags=re.MULTILINE)[1:]:
        first, *lines = part.splitlines()
        more = [line[2:] for line in lines if line.startswith("> ")]
        prints = [line for line in lines if not line.startswith("> ")]
        commands.append(Command("\n".join([first, *more]), "\n".join(prints)))
    return commands
