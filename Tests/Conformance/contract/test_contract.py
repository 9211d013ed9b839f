"""The contract of `belfry.v1`: it only grows, keeps its own rules, and every language takes it.

No server is needed: it is the `.proto` files that are tested.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pb2 import (
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    ServiceDescriptorProto,
)

from harness import contract, wire


@pytest.fixture(scope="module")
def current(tmp_path_factory: pytest.TempPathFactory) -> FileDescriptorSet:
    """The contract as it is."""
    return contract.current(tmp_path_factory.mktemp("contract"))


def test_nothing_that_was_released_is_lost_or_changed(current: FileDescriptorSet) -> None:
    assert contract.breaks(contract.released(), current) == []


def content(files: FileDescriptorSet) -> FileDescriptorProto:
    return next(file for file in files.file if file.name == "belfry/v1/content.proto")


def badge(files: FileDescriptorSet) -> FieldDescriptorProto:
    """A field that is optional."""
    return content(files).message_type[0].field[3]


def attachments(files: FileDescriptorSet) -> FieldDescriptorProto:
    """A field that is repeated."""
    return content(files).message_type[0].field[6]


def level(files: FileDescriptorSet) -> EnumDescriptorProto:
    return next(each for each in content(files).enum_type if each.name == "InterruptionLevel")


def center(files: FileDescriptorSet) -> ServiceDescriptorProto:
    return next(file for file in files.file if "notification_center" in file.name).service[0]


def add(files: FileDescriptorSet) -> MethodDescriptorProto:
    return next(method for method in center(files).method if method.name == "Add")


def become(get: Callable[[FileDescriptorSet], Any], **values: Any) -> Callable[..., None]:
    """A change of one place."""

    def change(files: FileDescriptorSet) -> None:
        for name, value in values.items():
            setattr(get(files), name, value)

    return change


def leave_oneof(files: FileDescriptorSet) -> None:
    trigger = next(file for file in files.file if file.name == "belfry/v1/trigger.proto")
    trigger.message_type[0].field[2].ClearField("oneof_index")


def move(files: FileDescriptorSet) -> None:
    moved = content(files).message_type.pop()
    files.file[0].message_type.append(moved)


# What a change of a released contract could be, each with what it is told as.
CHANGES: dict[str, tuple[Callable[[FileDescriptorSet], Any], str]] = {
    "a file is gone": (lambda files: files.file.pop(2), "is gone"),
    "a message is gone": (lambda files: content(files).message_type.pop(), "message .* is gone"),
    "a message is renamed": (
        become(lambda files: content(files).message_type[0], name="Content"),
        "message belfry.v1.NotificationContent is gone",
    ),
    "a message is moved": (move, "message belfry.v1.UnitRect was"),
    "a field is gone": (
        lambda files: content(files).message_type[0].field.pop(3),
        "field 4 of belfry.v1.NotificationContent is gone",
    ),
    "a field is renamed": (become(badge, name="count"), "field 4 .* was .*'badge'.*'count'"),
    "a field is renumbered": (become(badge, number=40), "field 4 .* is gone"),
    "a field is retyped": (
        become(badge, type=FieldDescriptorProto.TYPE_INT64),
        "field 4 .* was .*TYPE_INT32.*TYPE_INT64",
    ),
    "a field has another message": (
        become(attachments, type_name=".belfry.v1.Sound"),
        "field 7 .* was .*AttachmentReference.*Sound",
    ),
    "a field is no longer repeated": (
        become(attachments, label=FieldDescriptorProto.LABEL_OPTIONAL),
        "field 7 .* was .*LABEL_REPEATED.*LABEL_OPTIONAL",
    ),
    "a field is no longer optional": (
        lambda files: badge(files).ClearField("proto3_optional"),
        "field 4 .* was .*True.*False",
    ),
    "a field has another JSON name": (become(badge, json_name="b"), "field 4 .* was"),
    "a field leaves its oneof": (leave_oneof, "field 3 of belfry.v1.Trigger was .*'kind'.*None"),
    "an enum is gone": (
        lambda files: content(files).enum_type.remove(level(files)),
        "enum .* is gone",
    ),
    "a value is gone": (lambda files: level(files).value.pop(), "_CRITICAL of .* is gone"),
    "a value is renamed": (
        become(lambda files: level(files).value[1], name="INTERRUPTION_LEVEL_USUAL"),
        "_ACTIVE of .* is gone",
    ),
    "a value is renumbered": (
        become(lambda files: level(files).value[3], number=4),
        "_CRITICAL of .* was 3 and is 4",
    ),
    "a service is renamed": (become(center, name="CenterService"), "service .* is gone"),
    "an rpc is gone": (
        lambda files: center(files).method.remove(add(files)),
        "rpc .*/Add is gone",
    ),
    "an rpc has another request": (
        become(add, input_type=".belfry.v1.AddBatchRequest"),
        "rpc .*/Add was .*AddRequest.*AddBatchRequest",
    ),
    "an rpc has another response": (become(add, output_type=".belfry.v1.Event"), "rpc .*/Add was"),
    "an rpc becomes a stream": (become(add, server_streaming=True), "rpc .*/Add was .*True"),
    "a package is renamed": (
        become(lambda files: content(files).options, java_package="belfry"),
        "file belfry/v1/content.proto was",
    ),
}


@pytest.mark.parametrize("change, told", CHANGES.values(), ids=CHANGES.keys())
def test_a_change_of_what_was_released_is_told(
    change: Callable[[FileDescriptorSet], Any], told: str
) -> None:
    files = contract.released()
    change(files)
    assert any(re.search(told, each) for each in contract.breaks(contract.released(), files))


def test_growth_is_no_change() -> None:
    files = contract.released()
    content(files).message_type[0].field.add(name="more", number=99)
    content(files).message_type.add(name="More")
    level(files).value.add(name="INTERRUPTION_LEVEL_MORE", number=9)
    center(files).method.add(name="More")
    files.file.add(name="belfry/v1/more.proto").service.add(name="MoreService")
    assert contract.breaks(contract.released(), files) == []


# These change nothing, so that a retry needs no key.
READS = re.compile("(Get|List|Download|Watch|Await)[A-Z].*|Subscribe|Serve|Backup")


def test_each_rpc_has_messages_of_its_own(current: FileDescriptorSet) -> None:
    for name, method in rpcs(current):
        assert method.input_type == f".belfry.v1.{name}Request"
        assert method.output_type == f".belfry.v1.{name}Response"
    names = [name for name, _ in rpcs(current)]
    assert len(set(names)) == len(names)


def test_each_rpc_that_changes_something_takes_an_idempotency_key(
    current: FileDescriptorSet,
) -> None:
    requests = {message.name: message for file in current.file for message in file.message_type}
    for name, method in rpcs(current):
        fields = {field.name: field for field in requests[f"{name}Request"].field}
        if method.client_streaming and method.server_streaming:
            # Each message is the request of another rpc, with a key of its own.
            acts = {field.type_name.removeprefix(".belfry.v1.") for field in fields.values()}
            assert acts <= {f"{other}Request" for other, _ in rpcs(current) if other != name}, name
            continue
        assert ("idempotency_key" in fields) != bool(READS.fullmatch(name)), name
        if key := fields.get("idempotency_key"):
            assert (key.number, key.type) == (2, FieldDescriptorProto.TYPE_STRING), name
        if center := fields.get("center"):
            assert (center.number, center.type_name) == (1, ".belfry.v1.Center"), name


def test_an_enum_begins_with_zero_and_gives_its_values_its_name(
    current: FileDescriptorSet,
) -> None:
    for file in current.file:
        for enum in file.enum_type:
            prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", enum.name).upper() + "_"
            assert enum.value[0].number == 0, enum.name
            assert all(value.name.startswith(prefix) for value in enum.value), enum.name


# Sets of options, with Apple's bits and Belfry's own.
SETS = [
    "ActionOption",
    "AuthorizationOption",
    "CategoryOption",
    "DelegateCapability",
    "PresentationOption",
]


@pytest.mark.parametrize("name", SETS)
def test_a_set_has_bits_and_nothing_at_zero(current: FileDescriptorSet, name: str) -> None:
    [enum] = [enum for file in current.file for enum in file.enum_type if enum.name == name]
    assert enum.value[0].name.endswith("_UNSPECIFIED")
    assert all(value.number.bit_count() == 1 for value in enum.value[1:])


def test_each_file_sets_the_options_of_all_languages(current: FileDescriptorSet) -> None:
    for file in current.file:
        assert file.package == "belfry.v1"
        assert file.options.csharp_namespace == "Belfry.V1"
        assert file.options.go_package == "belfry.org/go/belfry/v1;belfryv1"
        assert file.options.java_package == "org.belfry.v1"
        assert file.options.java_multiple_files


def test_everything_has_a_comment(current: FileDescriptorSet) -> None:
    bare = [
        f"{file.name}:{location.span[0] + 1}"
        for file in current.file
        for location in file.source_code_info.location
        if is_declaration(list(location.path)) and not location.leading_comments.strip()
    ]
    assert bare == []


def test_each_text_of_a_request_says_how_many_bytes_it_may_have(
    current: FileDescriptorSet,
) -> None:
    asked = reachable([method.input_type for method in wire.METHODS.values()])
    silent = [
        f"{message.name}.{message.field[path[3]].name}"
        for file in current.file
        for location in file.source_code_info.location
        if tuple((path := list(location.path))[::2]) == (4, 2)
        and (message := file.message_type[path[1]]).name in asked
        and message.field[path[3]].type == FieldDescriptorProto.TYPE_STRING
        and not SAYS_BYTES.search(location.leading_comments.replace("\n", " "))
    ]
    assert not silent, "\n".join(silent)


# Names of apps and devices are said in Center; what is told alone is not read.
SAYS_BYTES = re.compile(r"\d\s+(bytes|of\s+A-Z|KiB|MiB)|in\s+Center|Set by the\s+server|Not changed by")


def reachable(messages: list[Descriptor]) -> set[str]:
    """The names of messages of the contract, and of those in them."""
    names: set[str] = set()
    left = list(messages)
    while left:
        message = left.pop()
        if message.name in names or message.file.package != "belfry.v1":
            continue
        names.add(message.name)
        left += [field.message_type for field in message.fields if field.message_type]
    return names


def is_declaration(path: list[int]) -> bool:
    """Whether a path is that of a message, field, oneof, enum, value, service or rpc."""
    # Numbers of fields of FileDescriptorProto and below, each followed by an index.
    return tuple(path[::2]) in {(4,), (5,), (6,), (4, 2), (4, 8), (5, 2), (6, 2)}


def rpcs(files: FileDescriptorSet) -> Iterator[tuple[str, MethodDescriptorProto]]:
    """The rpcs of all services by their names."""
    for file in files.file:
        for service in file.service:
            for method in service.method:
                yield method.name, method


LANGUAGES = ["cpp", "csharp", "java", "kotlin", "objc", "php", "pyi", "python", "ruby"]

# Debian's plugins. Left out is that of protobuf-c, which knows no optional field of proto3.
PLUGINS = [
    "grpc_cpp_plugin",
    "grpc_java_plugin",
    "grpc_php_plugin",
    "grpc_python_plugin",
    "grpc_ruby_plugin",
    "protoc-gen-go",
    "protoc-gen-go-grpc",
    "protoc-gen-mypy",
    "protoc-gen-mypy_grpc",
    "protoc-gen-nanopb",
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_takes_the_contract_without_a_word(language: str, tmp_path: Path) -> None:
    result = contract.protoc(f"--{language}_out={tmp_path}")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert len(generated(tmp_path)) >= len(contract.FILES)


@pytest.mark.full
@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_takes_the_contract(
    plugin: str, current: FileDescriptorSet, tmp_path: Path
) -> None:
    path = shutil.which(plugin)
    assert path, f"{plugin} is not installed"
    result = contract.protoc(f"--plugin=protoc-gen-tried={path}", f"--tried_out={tmp_path}")
    assert result.returncode == 0, result.stderr
    # Some plugins write nothing for a file without services.
    assert len(generated(tmp_path)) >= sum(bool(file.service) for file in current.file)


def generated(directory: Path) -> list[Path]:
    """What a generator wrote that is not empty."""
    return [path for path in directory.rglob("*") if path.is_file() and path.stat().st_size > 0]
