"""Whether a message holds what a scenario expects of it: a part of it, in proto3 JSON."""

from collections.abc import Iterator
from typing import Any

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message


def shown(message: Message) -> dict[str, Any]:
    """A message in proto3 JSON, with all fields that cannot be absent."""
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)


def differences(expected: dict[str, Any], message: Message) -> list[str]:
    """Where a message is not as expected.

    What is not named may be anything. `null` expects a field to be absent; a list has as many items
    as are expected of it, and a map has at least the expected entries.
    """
    return list(_in_message(expected, shown(message), message.DESCRIPTOR, ""))


def _in_message(
    expected: dict[str, Any], found: dict[str, Any], descriptor: Descriptor, path: str
) -> Iterator[str]:
    fields = {field.json_name: field for field in descriptor.fields}
    for name, value in expected.items():
        inner = f"{path}.{name}" if path else name
        if name not in fields:
            yield f"{inner}: {descriptor.full_name} has no such field"
        elif value is None:
            if name in found:
                yield f"{inner}: should be absent, is {found[name]!r}"
        elif name not in found:
            yield f"{inner}: should be {value!r}, is absent"
        else:
            yield from _in_field(value, found[name], fields[name], inner)


def _in_field(expected: Any, found: Any, field: FieldDescriptor, path: str) -> Iterator[str]:
    if isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield f"{path}: should have {len(expected)} items, has {len(found)}: {found!r}"
            return
        for index, (item, found_item) in enumerate(zip(expected, found, strict=True)):
            yield from _in_field(item, found_item, field, f"{path}[{index}]")
    elif isinstance(expected, dict) and isinstance(found, dict):
        if field.message_type.GetOptions().map_entry:
            for key, value in expected.items():
                if not _is_equal(value, found.get(key)):
                    yield f"{path}[{key!r}]: should be {value!r}, is {found.get(key)!r}"
        else:
            yield from _in_message(expected, found, field.message_type, path)
    elif not _is_equal(expected, found):
        yield f"{path}: should be {expected!r}, is {found!r}"


def _is_equal(expected: Any, found: Any) -> bool:
    """64-bit integers are text in JSON, and may be written either way in a scenario."""
    if isinstance(found, float):
        return not isinstance(expected, str) and expected == found
    return type(expected) in (str, int, bool) and str(expected) == str(found)
