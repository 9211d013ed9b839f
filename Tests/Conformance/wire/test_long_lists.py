"""What is too long is refused before its elements are read."""

import pytest
from google.protobuf.descriptor import FieldDescriptor

from harness import wire
from harness.client import Client
from harness.refusals import Refusal, refusal_of
from harness.server import BOUND

# The list of each request whose elements are messages or texts.
LISTS = {
    name: field
    for name, method in wire.METHODS.items()
    for field in method.input_type.fields
    if field.is_repeated
    and field.type in (FieldDescriptor.TYPE_MESSAGE, FieldDescriptor.TYPE_STRING)
}

# More than any list may have; a message of so many is large (QU-1).
MANY = 100_000

# More than any list but that of an app's texts may have, in a message that is not large.
SOME = 8_000

# Neither a message nor a text.
BROKEN = b"\xff"

# A field that no message has, as a number and as an empty group.
UNKNOWN = {"number": b"\xf8\x7f\x00", "group": b"\xfb\x7f\xfc\x7f"}


def element(field: FieldDescriptor, content: bytes = b"") -> bytes:
    tag = field.number << 3 | 2
    assert tag < 128
    return bytes([tag, len(content)]) + content


def subject(rpc: str) -> bytes:
    """The app of a request, where the app is looked at before the list."""
    message = getattr(wire, f"{rpc}Request")()
    fields = message.DESCRIPTOR.fields_by_name
    if "app_id" in fields:
        message.app_id = "app"
    if "center" in fields:
        message.center.app_id = "app"
    data: bytes = message.SerializeToString()
    return data


def refused(client: Client, rpc: str, message: bytes) -> Refusal:
    call = client.channel.stream_stream(wire.path(wire.METHODS[rpc]))
    return refusal_of(lambda: list(call(iter([message]), timeout=BOUND)))


@pytest.mark.parametrize("rpc", LISTS)
def test_a_list_that_is_too_long_is_refused_before_it_is_read(client: Client, rpc: str) -> None:
    field = LISTS[rpc]
    refusal = refused(client, rpc, element(field) * MANY + element(field, BROKEN))
    assert refusal.reason != "MALFORMED_MESSAGE"
    assert refusal.fields == (field.name,)
    if rpc != "SetStringTable":
        assert refused(client, rpc, subject(rpc) + element(field) * SOME) == refusal


@pytest.mark.parametrize("unknown", UNKNOWN.values(), ids=UNKNOWN.keys())
@pytest.mark.parametrize("rpc", wire.METHODS)
def test_a_request_of_very_many_fields_is_refused(client: Client, rpc: str, unknown: bytes) -> None:
    refusal = refused(client, rpc, unknown * MANY)
    assert refusal.reason == "MALFORMED_MESSAGE"
    assert "1,000 fields" in refusal.message


def test_the_metadata_of_an_upload_is_small(client: Client) -> None:
    upload = wire.UploadAttachmentRequest(app_id="app")
    upload.metadata.MergeFromString(UNKNOWN["number"] * 20_000)
    refusal = refused(client, "UploadAttachment", upload.SerializeToString())
    assert refusal.reason == "INVALID_FIELD"
    assert refusal.fields == ("metadata",)


def test_unknown_fields_of_a_later_version_are_passed_over(client: Client) -> None:
    long = b"\xfa\x7f\x64" + b"t" * 100
    call = client.channel.unary_unary(wire.path(wire.METHODS["GetServerInfo"]))
    assert call(long * 1_000, timeout=BOUND)
