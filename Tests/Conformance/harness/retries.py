"""What a retry with a key is told: the first reply, but for the words of items that were refused."""

from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message

_WORDS = {"message", "description"}


def as_told_again(reply: Message) -> Any:
    """A reply without the words of its refused items, of which the reasons and fields are kept."""
    return _without_words(json_format.MessageToDict(reply), is_error=False)


def _without_words(value: Any, *, is_error: bool) -> Any:
    if isinstance(value, list):
        return [_without_words(item, is_error=is_error) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _without_words(item, is_error=is_error or name == "error")
        for name, item in value.items()
        if not (is_error and name in _WORDS)
    }
