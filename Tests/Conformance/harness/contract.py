"""The contract as `protoc` reads it, and what one may not lose against an older one."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

PROTOS = Path(__file__).parents[3] / "Protos"
RELEASED = PROTOS / "released" / "belfry.v1.binpb"
FILES = sorted(path.relative_to(PROTOS).as_posix() for path in PROTOS.glob("belfry/**/*.proto"))


def protoc(*options: str) -> subprocess.CompletedProcess[str]:
    """Runs the machine's protoc on all files of the contract."""
    command = ["protoc", f"--proto_path={PROTOS}", *options, *FILES]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def current(directory: Path) -> FileDescriptorSet:
    """The contract as it is, with its comments."""
    path = directory / "current.binpb"
    result = protoc("--include_source_info", f"--descriptor_set_out={path}")
    assert result.returncode == 0, result.stderr
    return FileDescriptorSet.FromString(path.read_bytes())


def released() -> FileDescriptorSet:
    """The contract of the last release."""
    return FileDescriptorSet.FromString(RELEASED.read_bytes())


def breaks(old: FileDescriptorSet, new: FileDescriptorSet) -> list[str]:
    """What of the old contract the new one has lost or changed."""
    before, after = dict(_facts(old)), dict(_facts(new))
    lost = [f"{name} is gone" for name in before if name not in after]
    changed = [
        f"{name} was {facts} and is {after[name]}"
        for name, facts in before.items()
        if name in after and after[name] != facts
    ]
    return lost + changed


# Everything that a client may rely on: a name that stays, with facts that stay. What is told apart
# on the wire by its number is named by that, so that a new name for it is a change.
_Facts = Iterator[tuple[str, Any]]


def _facts(files: FileDescriptorSet) -> _Facts:
    for file in files.file:
        yield f"file {file.name}", (file.package, file.syntax, file.options.SerializeToString())
        for message in file.message_type:
            yield from _message(file.package, message, file)
        for enum in file.enum_type:
            yield from _enum(file.package, enum, file)
        for service in file.service:
            name = f"{file.package}.{service.name}"
            yield f"service {name}", file.name
            for method in service.method:
                yield (
                    f"rpc {name}/{method.name}",
                    (
                        method.input_type,
                        method.output_type,
                        method.client_streaming,
                        method.server_streaming,
                    ),
                )


def _message(scope: str, message: DescriptorProto, file: FileDescriptorProto) -> _Facts:
    name = f"{scope}.{message.name}"
    # Stubs of some languages are imported by file.
    yield f"message {name}", (file.name, message.options.map_entry)
    for field in message.field:
        yield f"field {field.number} of {name}", _field(field, message)
    for bounds in message.reserved_range:
        for number in range(bounds.start, bounds.end):
            yield f"reserved {number} of {name}", None
    for inner in message.nested_type:
        yield from _message(name, inner, file)
    for enum in message.enum_type:
        yield from _enum(name, enum, file)


def _field(field: FieldDescriptorProto, message: DescriptorProto) -> tuple[Any, ...]:
    oneof = None
    if field.HasField("oneof_index"):
        # The oneof that the compiler makes for an optional field is named after the field.
        oneof = message.oneof_decl[field.oneof_index].name
    return (
        field.name,
        FieldDescriptorProto.Type.Name(field.type),
        field.type_name,
        FieldDescriptorProto.Label.Name(field.label),
        oneof,
        field.proto3_optional,
        field.json_name,
        field.options.SerializeToString(),
    )


def _enum(scope: str, enum: EnumDescriptorProto, file: FileDescriptorProto) -> _Facts:
    name = f"{scope}.{enum.name}"
    yield f"enum {name}", (file.name, enum.options.SerializeToString())
    for value in enum.value:
        yield f"value {value.name} of {name}", value.number
