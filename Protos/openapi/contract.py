"""The contract as protoc describes it: messages, enums and services with their comments."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
)

PACKAGE = "belfry.v1"

# The last line of the comment of a service or an rpc that says who may call.
_CALLERS = re.compile(r"^ *Callers: (.*)\.$", re.MULTILINE)
_ANY_ROLE = "any role"

# A name of a field in the text of a comment; what stands in quotation marks is quoted as it is.
_NAME = re.compile(r'"[^"\n]*"|\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b')


@dataclass(frozen=True)
class Field:
    """A field of a message."""

    proto: FieldDescriptorProto
    text: str

    @property
    def name(self) -> str:
        """The field's name in JSON."""
        return self.proto.json_name

    @property
    def is_repeated(self) -> bool:
        """Whether it is a list; a map is one, too."""
        return self.proto.label == FieldDescriptorProto.LABEL_REPEATED

    @property
    def has_presence(self) -> bool:
        """Whether a value of zero differs from none."""
        is_message = self.proto.type == FieldDescriptorProto.TYPE_MESSAGE
        return is_message or self.proto.HasField("oneof_index")


@dataclass(frozen=True)
class Oneof:
    """Fields of which one at most is set."""

    fields: list[Field]
    text: str


@dataclass(frozen=True)
class Message:
    """A message."""

    proto: DescriptorProto
    text: str
    fields: list[Field]
    oneofs: list[Oneof]


@dataclass(frozen=True)
class Enum:
    """An enum, with the comment of each value by its name."""

    proto: EnumDescriptorProto
    text: str
    values: dict[str, str]


@dataclass(frozen=True)
class Rpc:
    """A method of a service."""

    service: str
    proto: MethodDescriptorProto
    text: str
    # Who may call; nobody named is everybody.
    roles: list[str]

    @property
    def path(self) -> str:
        """The path of its url."""
        return f"/{PACKAGE}.{self.service}/{self.proto.name}"


@dataclass
class Contract:
    """All of it, by full names."""

    messages: dict[str, Message] = field(default_factory=dict)
    enums: dict[str, Enum] = field(default_factory=dict)
    # The comment of each service.
    services: dict[str, str] = field(default_factory=dict)
    rpcs: list[Rpc] = field(default_factory=list)
    # The names of fields in the protos, with their names in JSON.
    json_names: dict[str, str] = field(default_factory=dict)

    def in_json(self, text: str) -> str:
        """A comment with the names of fields as JSON has them."""
        return _NAME.sub(lambda found: self.json_names.get(found[0], found[0]), text)


def read(path: Path) -> Contract:
    """Reads a FileDescriptorSet that has comments."""
    contract = Contract()
    files = FileDescriptorSet.FromString(path.read_bytes()).file
    for file in sorted(files, key=lambda file: file.name):
        if file.package == PACKAGE:
            _read_file(file, contract)
    return contract


def _read_file(file: FileDescriptorProto, contract: Contract) -> None:
    comments = {
        tuple(location.path): location.leading_comments.rstrip()
        for location in file.source_code_info.location
    }
    # The numbers are those of the fields of FileDescriptorProto and below.
    for index, message in enumerate(file.message_type):
        _read_message((4, index), f".{PACKAGE}.{message.name}", message, comments, contract)
    for index, enum in enumerate(file.enum_type):
        values = {
            value.name: comments.get((5, index, 2, place), "")
            for place, value in enumerate(enum.value)
        }
        name = f".{PACKAGE}.{enum.name}"
        contract.enums[name] = Enum(enum, comments.get((5, index), ""), values)
    for index, service in enumerate(file.service):
        text, callers = _split_callers(comments.get((6, index), ""))
        contract.services[service.name] = text
        for place, method in enumerate(service.method):
            said, own = _split_callers(comments.get((6, index, 2, place), ""))
            roles = own or callers
            assert roles, f"{file.name}: who calls {service.name}/{method.name}?"
            named = [] if roles == _ANY_ROLE else roles.split(", ")
            contract.rpcs.append(Rpc(service.name, method, said, named))


def _read_message(
    path: tuple[int, ...],
    name: str,
    proto: DescriptorProto,
    comments: dict[tuple[int, ...], str],
    contract: Contract,
) -> None:
    fields = [
        Field(each, comments.get((*path, 2, index), "")) for index, each in enumerate(proto.field)
    ]
    oneofs = [
        Oneof(members, comments.get((*path, 8, index), ""))
        for index in range(len(proto.oneof_decl))
        if (members := list(_members(fields, index)))
    ]
    contract.messages[name] = Message(proto, comments.get(path, ""), fields, oneofs)
    contract.json_names |= {each.name: each.json_name for each in proto.field}
    for index, nested in enumerate(proto.nested_type):
        _read_message((*path, 3, index), f"{name}.{nested.name}", nested, comments, contract)


def _members(fields: list[Field], index: int) -> Iterator[Field]:
    """The fields of a oneof; what protoc makes of an optional field is none."""
    for each in fields:
        is_member = each.proto.HasField("oneof_index") and each.proto.oneof_index == index
        if is_member and not each.proto.proto3_optional:
            yield each


def _split_callers(text: str) -> tuple[str, str]:
    """A comment without its line of callers, and the callers."""
    found = _CALLERS.search(text)
    return (_CALLERS.sub("", text).rstrip(), found[1]) if found else (text, "")
