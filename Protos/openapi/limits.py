"""The limits of a field that its comment states, as keywords of JSON Schema.

The protos say limits in few forms, which the expressions here know. Texts are limited in bytes, of
which a text has at least as many as characters: `maxLength`, in characters, lets more through.
"""

import re
from typing import Any

from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Proto

from contract import PACKAGE, Field
from texts import one_line

_N = r"(\d{1,3}(?:,\d{3})+|\d+)"
_UNIT = r"(bytes|KiB|MiB)"
_UNITS = {"bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20}
_END = r"(?=[.;,](?:\s|$))"

_REQUIRED = re.compile(r"\bRequired[.;]|\bEmpty is INVALID_ARGUMENT\b")
# Without a center there is no name of an app, which is required.
_CENTER = f".{PACKAGE}.Center"

# Lists.
_ITEMS = re.compile(rf"[Aa]t most {_N}(?={_END}| and[ ,]| \()")
_ITEMS_BETWEEN = re.compile(rf"\b{_N} to {_N}{_END}")
_ITEMS_SOME = re.compile(r"(?:^|\. )At least one\.")

# Texts and bytes.
_BYTES_BETWEEN = re.compile(rf"\b{_N} to {_N} bytes")
_BYTES = [
    re.compile(rf"\b[Aa]t most {_N} {_UNIT}"),
    re.compile(rf"(?:\bis|:) {_N} {_UNIT}"),
    re.compile(rf"\bamong the {_N} {_UNIT}"),
    # "At most 4,096 bytes, or 5,120 for VOIP."
    re.compile(rf"\b[Aa]t most [\d,]+ {_UNIT}, or {_N} for"),
]
_LETTERS = re.compile(rf"(?:\b{_N} to|At most) {_N} of ((?:(?:\w-\w|\S) )+and \S)(?= |$)")
_APP_ID = "APP_ID_INVALID as in Center"
_DEVICE_ID = "DEVICE_ID_INVALID as in Center"
_HEXADECIMAL = re.compile(r"\bin (?:lowercase )?hexadecimal\b")
_UUID = re.compile(r"\b(version 7 )?UUID\b.*\b36 bytes\b")
_HEX = "[0-9A-Fa-f]"

# Numbers.
_BETWEEN = re.compile(rf"(?<![\d-])(-?){_N} to (-?){_N}{_END}")
_MORE_THAN_0 = re.compile(r"\b[Mm]ore than 0\b")
_AT_MOST = re.compile(rf"\bat most {_N}{_END}")
_NOT_BELOW_0 = re.compile(r"\bat least 0\b|\bBelow 0 is (?:INVALID_ARGUMENT|refused)\b")
_NOT_0 = re.compile(r"; 0 is INVALID_ARGUMENT\b")
_0_IS_USUAL = re.compile(r"\b0 is \d")
_NAMED_BOUNDS = re.compile(rf"^{_N} is [A-Z]\w+, {_N} is [A-Z]\w+\.")

_NUMBERS = {Proto.TYPE_INT32, Proto.TYPE_UINT32, Proto.TYPE_DOUBLE, Proto.TYPE_FLOAT}
_TEXTS = {Proto.TYPE_STRING, Proto.TYPE_BYTES}


class Limits:
    """What a comment says of a field and, where that is a list, of each item."""

    def __init__(self, field: Field, center: dict[str, str]) -> None:
        """`center` has the patterns of the names of apps and devices, which Center says."""
        text = one_line(field.text)
        is_number = field.proto.type in _NUMBERS
        self.of_list: dict[str, Any] = _of_list(text, is_number) if field.is_repeated else {}
        self.of_value: dict[str, Any] = {}
        if field.proto.type in _TEXTS:
            is_required = bool(_REQUIRED.search(text))
            self.of_value = _of_text(text, field, is_required, center)
        elif is_number:
            self.of_value = _of_number(text)
        self.is_required = bool(_REQUIRED.search(text)) or self._refuses_nothing(field)

    def _refuses_nothing(self, field: Field) -> bool:
        """Whether the value that an absent field stands for is refused."""
        if field.is_repeated:
            return self.of_list.get("minItems", 0) > 0
        if field.has_presence:
            is_choice = field.proto.HasField("oneof_index")
            return field.proto.type_name == _CENTER and not is_choice
        value = self.of_value
        return (
            value.get("minLength", 0) > 0
            or value.get("minimum", 0) > 0
            or value.get("exclusiveMinimum", -1) >= 0
            or ("pattern" in value and not re.search(value["pattern"], ""))
        )


def center_patterns(fields: list[Field]) -> dict[str, str]:
    """The patterns of the names of apps and devices, from the fields of Center."""
    patterns = {}
    for field, key in zip(fields, (_APP_ID, _DEVICE_ID), strict=True):
        pattern = _letters(one_line(field.text))
        assert pattern, f"Center.{field.proto.name} says no letters"
        patterns[key] = pattern
    return patterns


def _of_list(text: str, of_numbers: bool) -> dict[str, Any]:
    # Among numbers it is each of them that lies between two.
    if not of_numbers and (found := _ITEMS_BETWEEN.search(text)):
        return {"minItems": _number(found[1]), "maxItems": _number(found[2])}
    limits = {}
    if _ITEMS_SOME.search(text):
        limits["minItems"] = 1
    if found := _ITEMS.search(text):
        limits["maxItems"] = _number(found[1])
    return limits


def _of_text(
    text: str, field: Field, is_required: bool, center: dict[str, str]
) -> dict[str, Any]:
    if pattern := _letters(text) or next((center[key] for key in center if key in text), None):
        return {"pattern": pattern}
    if found := _UUID.search(text):
        third = f"7{_HEX}{{3}}" if found[1] else f"{_HEX}{{4}}"
        pattern = f"{_HEX}{{8}}-{_HEX}{{4}}-{third}-{_HEX}{{4}}-{_HEX}{{12}}"
        return {"pattern": f"^{pattern}$" if is_required else f"^({pattern})?$"}
    limits: dict[str, Any] = {}
    between = _BYTES_BETWEEN.search(text)
    if between or is_required:
        limits["minLength"] = _number(between[1]) if between else 1
    most = [_number(between[2])] if between else []
    for expression in _BYTES:
        for number, unit in (_in_order(found) for found in expression.findall(text)):
            most.append(_number(number) * _UNITS[unit])
    if most:
        # Four characters of base64 are three bytes.
        is_text = field.proto.type == Proto.TYPE_STRING
        limits["maxLength"] = max(most) if is_text else -(-max(most) // 3) * 4
    if _HEXADECIMAL.search(text):
        limits["pattern"] = f"^{_HEX}*$"
    return limits


def _in_order(found: tuple[str, str]) -> tuple[str, str]:
    """A number and its unit, whichever came first."""
    first, second = found
    return (second, first) if first in _UNITS else (first, second)


def _letters(text: str) -> str | None:
    """A pattern for "1 to 155 of A-Z a-z 0-9 . _ and -"."""
    found = _LETTERS.search(text)
    if not found:
        return None
    least, most = _number(found[1] or "0"), _number(found[2])
    letters = found[3].replace(" and ", " ").split(" ")
    # A hyphen at the end of a class is itself.
    letters.sort(key=lambda letter: letter == "-")
    return f"^[{''.join(letters)}]{{{least},{most}}}$"


def _of_number(text: str) -> dict[str, Any]:
    limits: dict[str, Any] = {}
    if found := _BETWEEN.search(text):
        least, most = _number(found[1] + found[2]), _number(found[3] + found[4])
        limits = {"minimum": 0 if _0_IS_USUAL.search(text) else least, "maximum": most}
    elif found := _NAMED_BOUNDS.search(text):
        limits = {"minimum": _number(found[1]), "maximum": _number(found[2])}
    elif _MORE_THAN_0.search(text):
        limits["exclusiveMinimum"] = 0
        if found := _AT_MOST.search(text):
            limits["maximum"] = _number(found[1])
    elif _NOT_BELOW_0.search(text):
        limits["minimum"] = 0
    elif _NOT_0.search(text):
        limits["minimum"] = 1
    return limits


def _number(text: str) -> int:
    return int(text.replace(",", ""))
