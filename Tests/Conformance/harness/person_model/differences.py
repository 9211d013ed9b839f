"""Where the server and the model differ, told so that a person can judge who is right."""

import difflib
from typing import Any

from google.protobuf.message import Message


class Difference(Exception):
    """The server did what the model does not."""


def as_lines(value: Any) -> list[str]:
    """A message, or a list of them, as text."""
    if isinstance(value, Message):
        name = value.DESCRIPTOR.name
        return [f"{name}:", *(f"  {line}" for line in str(value).splitlines())]
    if isinstance(value, (list, tuple)):
        return [line for item in value for line in as_lines(item)] or ["nothing"]
    return [str(value)]


def check(what: str, expected: Any, actual: Any) -> None:
    """Fails with both where they are not equal."""
    if expected == actual:
        return
    lines = difflib.unified_diff(
        as_lines(expected), as_lines(actual), "the model", "the server", lineterm="", n=30
    )
    raise Difference("\n".join([what, *lines]))
