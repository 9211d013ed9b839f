"""Comments of the protos as CommonMark."""

import re

# A line that is set in further than text: a table, whose columns stay as they are.
_SET_IN = "   "


def markdown(comment: str) -> str:
    """A comment without the line breaks that only keep its lines short."""
    parts = [_block(part) for part in re.split(r"\n\s*\n", comment.strip("\n"))]
    return "\n\n".join(part for part in parts if part)


def one_line(comment: str) -> str:
    """A comment as one line."""
    return " ".join(comment.split())


def first_sentence(comment: str) -> str:
    """The sentence that a comment begins with, without its period."""
    return re.split(r"\.(?= |$)", one_line(comment), maxsplit=1)[0]


def _block(part: str) -> str:
    lines = part.split("\n")
    if all(line.startswith(_SET_IN) for line in lines):
        return "\n".join("    " + line.strip() for line in lines)
    return one_line(part)
