"""Messages and enums as schemas, by protobuf's rules for JSON."""

from typing import Any

from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Proto

from contract import PACKAGE, Contract, Enum, Field, Message, Oneof
from limits import Limits, center_patterns
from texts import markdown, one_line

Schema = dict[str, Any]

_INT_32 = 1 << 31
_BASE64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"

# 64-bit numbers are texts in JSON, since programs read its numbers as doubles.
_SCALARS: dict[int, Schema] = {
    Proto.TYPE_BOOL: {"type": "boolean"},
    Proto.TYPE_STRING: {"type": "string"},
    Proto.TYPE_BYTES: {"type": "string", "contentEncoding": "base64", "pattern": _BASE64},
    Proto.TYPE_DOUBLE: {"type": "number", "format": "double"},
    Proto.TYPE_INT32: {
        "type": "integer", "format": "int32", "minimum": -_INT_32, "maximum": _INT_32 - 1,
    },
    Proto.TYPE_UINT32: {
        "type": "integer", "format": "uint32", "minimum": 0, "maximum": 2 * _INT_32 - 1,
    },
    Proto.TYPE_UINT64: {
        "type": "string", "format": "uint64", "pattern": "^(0|[1-9][0-9]{0,19})$",
    },
}  # fmt: skip

_WELL_KNOWN: dict[str, Schema] = {
    "Duration": {
        "type": "string",
        "pattern": r"^-?[0-9]{1,11}(\.[0-9]{1,9})?s$",
        "description": "Seconds, with at most nine decimals: `90s`, `0.5s`.",
        "examples": ["90s"],
    },
    "FieldMask": {
        "type": "string",
        "pattern": r"^([A-Za-z0-9.]+(,[A-Za-z0-9.]+)*)?$",
        "description": "Fields by their names in JSON: `locked,summary.times`.",
        "examples": ["locked,summary.times"],
    },
    "Timestamp": {
        "type": "string",
        "format": "date-time",
        "pattern": r"^[0-9-]{10}T[0-9:]{8}(\.[0-9]{1,9})?(Z|[+-](0[0-9]|1[0-3]):[0-5][0-9])$",
        "description": "An instant, with at most nine decimals. The server writes UTC; it takes "
        "an offset of less than 14 hours, too, and the years 1678 to 2261.",
        "examples": ["2026-01-01T09:00:00Z"],
    },
}

_EXACTLY_ONE = "Exactly one"

# What the comment of a value begins with that is in no message.
_NEVER = ("Refused in a request.", "Never sent.", "Never told.")


class Schemas:
    """The schemas of all that rpcs by HTTP take and answer."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._center = center_patterns(contract.messages[f".{PACKAGE}.Center"].fields)
        self._asked = self._reachable(rpc.proto.input_type for rpc in contract.rpcs)

    def all(self, types: list[str]) -> dict[str, Schema]:
        """The schemas of these messages and of all in them, in the order of their names."""
        found: dict[str, Schema] = {}
        for name in sorted(self._reachable(types)):
            if name in self._contract.enums:
                found[self.name(name)] = _of_enum(self._contract.enums[name])
            elif name in self._contract.messages:
                found[self.name(name)] = self._of_message(name)
            else:
                found[self.name(name)] = _WELL_KNOWN[self.name(name)]
        return found

    @staticmethod
    def name(full_name: str) -> str:
        """The name of a schema."""
        return full_name.rsplit(".", 1)[-1]

    @staticmethod
    def reference(full_name: str) -> Schema:
        """A reference to a schema."""
        return {"$ref": f"#/components/schemas/{Schemas.name(full_name)}"}

    def has_required(self, full_name: str) -> bool:
        """Whether a message is refused where it is empty."""
        return "required" in self._of_message(full_name)

    def texts(self, full_name: str) -> list[str]:
        """All comments on a message and on what is in it."""
        messages = self._contract.messages
        return [
            text
            for name in self._reachable([full_name])
            if name in messages
            for text in [messages[name].text, *(field.text for field in messages[name].fields)]
        ]

    def _reachable(self, types: Any) -> set[str]:
        """The messages and enums of some messages, without those that stand for maps."""
        found: set[str] = set()
        left = list(types)
        while left:
            name = left.pop()
            if name in found:
                continue
            message = self._contract.messages.get(name)
            if message is None or not message.proto.options.map_entry:
                found.add(name)
            if message is not None:
                left += [field.proto.type_name for field in message.fields
                         if field.proto.type_name]  # fmt: skip
        return found

    def _of_message(self, name: str) -> Schema:
        message = self._contract.messages[name]
        limits = {field.name: Limits(field, self._center) for field in message.fields}
        schema: Schema = {"type": "object"}
        if message.text:
            schema["description"] = self._contract.in_json(markdown(message.text))
        if message.fields:
            schema["properties"] = {
                field.name: self._of_field(field, limits[field.name]) for field in message.fields
            }
        required = [field.name for field in message.fields if limits[field.name].is_required]
        if required:
            schema["required"] = required
        choices = [_of_oneof(oneof) for oneof in message.oneofs]
        if len(choices) == 1:
            schema |= choices[0]
        elif choices:
            schema["allOf"] = choices
        # The server refuses fields that it does not know; its own messages may grow.
        if name in self._asked:
            schema["additionalProperties"] = False
        return schema

    def _of_field(self, field: Field, limits: Limits) -> Schema:
        entry = self._contract.messages.get(field.proto.type_name)
        if entry is not None and entry.proto.options.map_entry:
            return self._of_map(field, entry)
        value = self._of_value(field) | limits.of_value
        schema = {"type": "array", "items": value} | limits.of_list if field.is_repeated else value
        if field.text:
            schema["description"] = self._contract.in_json(markdown(field.text))
        return schema

    def _of_map(self, field: Field, entry: Message) -> Schema:
        key, value = entry.fields
        assert key.proto.type == Proto.TYPE_STRING, "JSON's keys are texts"
        return {
            "type": "object",
            "additionalProperties": self._of_value(value),
            "description": self._contract.in_json(markdown(field.text)),
        }

    def _of_value(self, field: Field) -> Schema:
        if field.proto.type_name:
            return self.reference(field.proto.type_name)
        return dict(_SCALARS[field.proto.type])


def _of_enum(enum: Enum) -> Schema:
    values = {
        name: one_line(text)
        for name, text in enum.values.items()
        if not one_line(text).startswith(_NEVER)
    }
    listed = [f"- `{name}`: {text}" for name, text in values.items()]
    return {
        "type": "string",
        "description": "\n".join([markdown(enum.text), "", *listed]),
        "enum": list(values),
    }


def _of_oneof(oneof: Oneof) -> Schema:
    """One at most of some fields, or exactly one where the comment says so."""
    choices: list[Schema] = [{"required": [field.name]} for field in oneof.fields]
    if _EXACTLY_ONE not in oneof.text:
        choices.append({"not": {"anyOf": [dict(choice) for choice in choices]}})
    return {"oneOf": choices}
