"""Whatever field of a request in JSON is wrong is named, with what was found and what would do.

The fields and their wrong values are those of the protos.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from harness import wire
from web.http_server import Web, path

UNARY = sorted(
    rpc
    for rpc, method in wire.METHODS.items()
    if not method.client_streaming and not method.server_streaming
)

WHOLE = {
    FieldDescriptor.TYPE_INT32: 32, FieldDescriptor.TYPE_UINT32: 33,
    FieldDescriptor.TYPE_INT64: 64, FieldDescriptor.TYPE_UINT64: 65,
}  # fmt: skip


def wrong(field: FieldDescriptor) -> list[Any]:
    """What a value of a field may not be."""
    if field.message_type is not None:
        match field.message_type.full_name:
            case "google.protobuf.Duration":
                return [5, "1 hour", "", "s", "1.5", "1e3s", "1.0000000001s", {}, [], True]
            case "google.protobuf.Timestamp":
                return [5, "tomorrow", "", "2026-13-01T00:00:00Z", "2026-01-01", {}, [], True]
            case "google.protobuf.FieldMask":
                return [5, {}, [], True, "a_b"]
            case _:
                return [5, "text", [], True]
    if field.enum_type is not None:
        return ["NOTHING", "", {}, [], True, 1.5, 2**31, -(2**31) - 1, 2**63]
    match field.type:
        case FieldDescriptor.TYPE_STRING:
            return [5, 1.5, True, {}, []]
        case FieldDescriptor.TYPE_BYTES:
            return [5, True, {}, [], "!"]
        case FieldDescriptor.TYPE_BOOL:
            return [5, "true", "", {}, []]
        case FieldDescriptor.TYPE_DOUBLE | FieldDescriptor.TYPE_FLOAT:
            return ["text", "", True, {}, []]
        case kind:
            return ["text", "", True, {}, [], 1.5, 2 ** WHOLE[kind], -(2 ** WHOLE[kind])]


def expected(field: FieldDescriptor) -> str:
    """What has to be told of a value that would do."""
    if field.message_type is not None:
        match field.message_type.full_name:
            case "google.protobuf.Duration":
                return '"90s"'
            case "google.protobuf.Timestamp":
                return '"2026-01-31T09:00:00Z"'
            case "google.protobuf.FieldMask":
                return "fields' names"
            case _:
                return "an object"
    if field.enum_type is not None:
        return field.enum_type.values[0].name
    match field.type:
        case FieldDescriptor.TYPE_STRING:
            return "a text"
        case FieldDescriptor.TYPE_BYTES:
            return "base64"
        case FieldDescriptor.TYPE_BOOL:
            return "true or false"
        case FieldDescriptor.TYPE_DOUBLE | FieldDescriptor.TYPE_FLOAT:
            return "a number"
        case _:
            return "a whole number"


Step = tuple[FieldDescriptor, ...]


def places(
    message: Descriptor, above: Step = (), seen: frozenset[str] = frozenset()
) -> Iterator[Step]:
    """The ways to the fields of a message and of those in it, each message once on a way."""
    for field in message.fields:
        yield (*above, field)
        inner = field.message_type
        if inner is not None and inner.file.package == "belfry.v1" and inner.full_name not in seen:
            yield from places(inner, (*above, field), seen | {inner.full_name})


def repeated(field: FieldDescriptor) -> bool:
    """Whether a field is a list."""
    return field.is_repeated if hasattr(field, "is_repeated") else (
        field.label == FieldDescriptor.LABEL_REPEATED
    )


def wrap(way: Step, value: Any) -> Any:
    """A request with a value at the end of a way."""
    for depth, field in enumerate(reversed(way)):
        if depth > 0 and repeated(field):
            value = [{}, value]
        value = {field.json_name if depth % 2 else field.name: value}
    return value


def name(way: Step) -> str:
    """The path of a field."""
    parts = [
        field.name + ("[1]" if repeated(field) and field is not way[-1] else "") for field in way
    ]
    return ".".join(parts)


def violation(web: Web, rpc: str, message: Any) -> tuple[str, str]:
    """The field that a refusal names, and what it says of it."""
    reply = web.call(rpc, message)
    assert (reply.status, reply.reason) == (400, "MALFORMED_MESSAGE"), (message, reply.body)
    (fields,) = [
        detail["debug"]["fieldViolations"]
        for detail in reply.json["details"]
        if detail["type"] == "google.rpc.BadRequest"
    ]
    (found,) = fields
    assert f"{found['field']}: {found['description']}" in reply.json["message"]
    return found["field"], found["description"]


@pytest.mark.parametrize("rpc", UNARY)
def test_a_wrong_field_is_named(web: Web, rpc: str) -> None:
    request = getattr(wire, f"{rpc}Request").DESCRIPTOR
    for way in places(request):
        field = way[-1]
        for value in wrong(field):
            if repeated(field):
                told = violation(web, rpc, wrap(way, [value]))
                assert told[0] == name(way) + "[0]", (way, value)
            else:
                told = violation(web, rpc, wrap(way, value))
                assert told[0] == name(way), (value, told)
            assert expected(field) in told[1], (value, told)
        if repeated(field):
            for value in (5, "text", {}, True):
                told = violation(web, rpc, wrap(way, value))
                assert told[0] == name(way)
                assert "a list" in told[1]
            assert violation(web, rpc, wrap(way, [None]))[0] == name(way) + "[0]"


@pytest.mark.parametrize("rpc", UNARY)
def test_an_unknown_field_is_named_with_those_that_there_are(web: Web, rpc: str) -> None:
    request = getattr(wire, f"{rpc}Request").DESCRIPTOR
    assert violation(web, rpc, {"nothing": 1})[0] == "nothing"
    for way in places(request):
        inner = way[-1].message_type
        if inner is None or inner.file.package != "belfry.v1" or repeated(way[-1]):
            continue
        told = violation(web, rpc, wrap(way, {"nothing": 1}))
        assert told[0] == name(way) + ".nothing"
        for field in inner.fields[:3]:
            assert field.json_name in told[1]


def test_two_of_a_choice_are_refused(web: Web) -> None:
    for rpc in UNARY:
        request = getattr(wire, f"{rpc}Request").DESCRIPTOR
        for oneof in request.oneofs:
            members = [field for field in oneof.fields if field.message_type is not None]
            if len(members) < 2:
                continue
            both = {field.name: value(field) for field in members[:2]}
            field, told = violation(web, rpc, both)
            assert field == members[1].name
            assert members[0].name in told


def value(field: FieldDescriptor) -> Any:
    """A value of a field that is a message."""
    instant = "2026-01-01T00:00:00Z"
    texts = {"google.protobuf.Duration": "1s", "google.protobuf.Timestamp": instant}
    return texts.get(field.message_type.full_name, {})


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b"{", "column 2"), (b'{"center":{}', "column 13"), (b'{"center":{}}x', "column 14"),
        (b'{\n "center": {\n  "appId" "x"\n }\n}', "line 3, column 11"), (b"{'a':1}", "column 2"),
        (b'{"center":{},}', "column 14"), (b'{"center":{"appId":tru}}', "column 23"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_told_with_its_place(web: Web, body: bytes, place: str) -> None:
    reply = web.send("POST", path("ListPending"), body, Content_Type="application/json")
    assert (reply.status, reply.reason) == (400, "MALFORMED_MESSAGE")
    assert reply.json["message"].endswith(place), reply.json


def test_what_a_notification_says_is_not_repeated(web: Web) -> None:
    for body in ("secret text", ["secret text"], {"secret": "secret text"}):
        message = {"request": {"content": {"body": body, "title": 4711}}}
        reply = web.call("Add", message)
        assert reply.status == 400
        assert b"secret text" not in reply.body
        assert b"4711" not in reply.body
