"""Rights for one app or device against requests that no library writes: whatever the bytes say, the
server acts on nothing of another app or device (W-11)."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import grpc
import pytest

from access.encoding import center, field, group, number_field, varint
from access.serving import Answer, Caller, make_token, own_token
from access.world import OTHER, OWN, PHONE, TABLET, World
from harness import wire
from harness.client import Client, request
from harness.launcher import Launcher
from harness.server import Server

REFUSED, MALFORMED, OWN_ONLY, ANY = "refused", "malformed", "own", "any"

INVALID, DENIED = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.PERMISSION_DENIED

# What comes behind the form under test.
Rest = bytes


@dataclass(frozen=True)
class Form:
    """Bytes, and what a caller with a right for the own app or device is to hear.

    With `reaches` the bytes are known to speak of the other one, without this rule.
    """

    data: bytes
    verdict: str
    reaches: bool = False


def text_forms(number: int, own: str, other: str) -> dict[str, Form]:
    """A field of a text that names an app or a device."""
    mine, theirs = field(number, own), field(number, other)
    tag = number << 3 | 2
    sized = varint(len(other)) + other.encode()
    wrapped = varint(len(other) + (1 << 32)) + other.encode()
    return {
        "own": Form(mine, OWN_ONLY),
        "other": Form(theirs, REFUSED, reaches=True),
        "own, then other": Form(mine + theirs, REFUSED, reaches=True),
        "other, then own": Form(theirs + mine, REFUSED),
        "own, other, own": Form(mine + theirs + mine, REFUSED),
        "own twice": Form(mine + mine, OWN_ONLY),
        "own, then empty": Form(mine + field(number, ""), ANY),
        "empty, then own": Form(field(number, "") + mine, ANY),
        "other in an unknown field": Form(mine + field(1_000, other), OWN_ONLY),
        "other in an unknown group": Form(group(1_000, theirs) + mine, ANY),
        "other in a group of its number": Form(mine + group(number, theirs), ANY),
        "own in a group of its number": Form(group(number, mine) + theirs, ANY, reaches=True),
        "own in groups in groups": Form(group(90, group(91, mine)) + theirs, ANY, reaches=True),
        "a number in its place": Form(number_field(number, 7) + mine, ANY),
        "a number behind it": Form(mine + number_field(number, 7), ANY),
        "fixed numbers in its place": Form(
            varint(number << 3 | 1) + b"org.exam" + varint(number << 3 | 5) + b"mple" + mine, ANY
        ),
        "a long tag": Form(mine + varint(tag, 5) + sized, ANY),
        "a tag of ten bytes": Form(mine + varint(tag, 10) + sized, ANY),
        "a tag of eleven bytes": Form(mine + varint(tag, 11) + sized, MALFORMED),
        "a tag beyond 32 bits": Form(mine + varint(tag + (1 << 32)) + sized, ANY),
        "a tag beyond the numbers": Form(mine + varint(tag + (1 << 35)) + sized, ANY),
        "a long length": Form(mine + field(number, other, length_size=5), ANY),
        "a length of ten bytes": Form(mine + field(number, other, length_size=10), ANY),
        "a length of eleven bytes": Form(mine + field(number, other, length_size=11), MALFORMED),
        "a length beyond 32 bits": Form(mine + varint(tag) + wrapped, MALFORMED),
        "a negative length": Form(mine + varint(tag) + varint((1 << 64) - 1), MALFORMED),
        "field number 0": Form(mine + field(0, other), MALFORMED),
        "wire type 6": Form(mine + varint(number << 3 | 6) + theirs, MALFORMED),
        "wire type 7": Form(mine + varint(number << 3 | 7), MALFORMED),
        "an end without a beginning": Form(mine + varint(number << 3 | 4) + theirs, MALFORMED),
        "a group without an end": Form(mine + varint(1_000 << 3 | 3) + theirs, MALFORMED),
        "a group that ends as another": Form(
            mine + varint(1_000 << 3 | 3) + theirs + varint(1_001 << 3 | 4), MALFORMED
        ),
        "a cut text": Form(mine + theirs[:-1], ANY),
        "a cut tag": Form(mine + b"\x8a", ANY),
        "no text": Form(mine + field(number, b"\xff\xfe"), ANY),
        "own with half a letter": Form(field(number, own.encode() + b"\xc3"), ANY),
        "a surrogate": Form(field(number, b"\xed\xa0\x80"), ANY),
        "own with a NUL": Form(field(number, own + "\0"), REFUSED),
        "own with a mark of order": Form(field(number, "\ufeff" + own), REFUSED),
        "a letter of another script": Form(field(number, own.replace("e", "\u0435")), REFUSED),
    }


def center_forms() -> dict[str, Form]:
    """A field of a center, with all forms of the app in it."""
    mine, theirs = field(1, center(OWN)), field(1, center(OTHER))
    inner = {
        f"inside: {name}": Form(field(1, form.data), form.verdict, form.reaches)
        for name, form in text_forms(1, OWN, OTHER).items()
        if name not in ("own", "other")
    }
    outer = {
        name: form
        for name, form in text_forms(1, center(OWN).decode(), center(OTHER).decode()).items()
        if name not in ("own with a NUL", "own with a mark of order", "a letter of another script")
    }
    split = field(1, field(2, PHONE))
    return (
        inner
        | {f"center: {name}": form for name, form in outer.items()}
        | {
            "the app in the second half": Form(split + theirs, REFUSED, reaches=True),
            "the device in the second half": Form(mine + split, ANY),
            "the device before its app": Form(field(1, field(2, PHONE) + field(1, OWN)), OWN_ONLY),
            "the app in the first half": Form(theirs + split, REFUSED, reaches=True),
            "own in both halves of other": Form(mine + split + theirs, REFUSED, reaches=True),
            "the app's name in two": Form(
                field(1, field(1, OWN)) + field(1, field(1, "pot")), REFUSED
            ),
            "own as the device": Form(field(1, center(OTHER, OWN)), REFUSED),
            "an empty center": Form(field(1, b""), REFUSED),
            "no center": Form(b"", REFUSED),
            # More fields than a large request may have reach nobody.
            "nine hundred own, then other": Form(mine * 900 + theirs, REFUSED, reaches=True),
            "one thousand own, then other": Form(mine * 1_000 + theirs, REFUSED),
        }
    )


_numbers = itertools.count()

CENTERS = center_forms()
TEXTS = text_forms(1, OWN, OTHER)
DEVICES = text_forms(1, PHONE, TABLET)


@pytest.fixture(scope="module")
def world(guarded: Server, tcp: Client) -> World:
    """What the forms are about."""
    return World(Caller(tcp, own_token(guarded)))


@pytest.fixture(scope="module")
def bound(
    shared_launch: Launcher, guarded: Server, tcp: Client, world: World
) -> Callable[..., Caller]:
    """Makes a caller with one right, once."""
    assert world
    made: dict[str, Caller] = {}

    def caller(right: str) -> Caller:
        if right not in made:
            made[right] = Caller(tcp, make_token(shared_launch, guarded.home, right, right))
        return made[right]

    return caller


def check(form: Form, answer: Answer, *, reason: str) -> None:
    """Fails where a form was not judged as it has to be."""
    match form.verdict:
        case "refused":
            answer.check(DENIED, reason)
        case "malformed":
            answer.check(INVALID, "MALFORMED_MESSAGE")
        case "own":
            assert answer.is_let_in, answer
            assert not answer.refusal or answer.refusal.reason != "MALFORMED_MESSAGE", answer
    if answer.refusal is not None:
        # Nothing else is said of bytes, whoever sends them.
        assert answer.refusal.code in (DENIED, INVALID, grpc.StatusCode.NOT_FOUND), answer


def caught_up(messages: Sequence[bytes]) -> bool:
    frames = wire.SubscribeResponse.FromString(messages[-1]).frames
    return any(frame.HasField("caught_up") for frame in frames)


@pytest.mark.parametrize("form", CENTERS.values(), ids=CENTERS.keys())
def test_a_center_of_any_form_adds_to_no_other_app(
    bound: Callable[..., Caller], world: World, form: Form
) -> None:
    # A name of its own, so that it changes what there is.
    name = f"hostile-{next(_numbers)}"
    data = form.data + field(3, request(name, 3_600).SerializeToString())
    before = world.pending_of_others()
    answer = bound(f"app:{OWN}").send("Add", data)
    check(form, answer, reason="APP_REFUSED")
    assert world.pending_of_others() == before
    # The test of the test: the same bytes of one who may.
    unbound = world.admin.send("Add", data)
    acts_on_other = world.pending_of_others() != before
    assert acts_on_other or not form.reaches, unbound
    if acts_on_other:
        assert not answer.messages, answer


@pytest.mark.parametrize("form", CENTERS.values(), ids=CENTERS.keys())
def test_a_center_of_any_form_reads_no_other_app(
    bound: Callable[..., Caller], world: World, form: Form
) -> None:
    for right, rpc, more, until in [
        (f"app:{OWN}", "ListPending", b"", len),
        (f"app:{OWN}", "Subscribe", number_field(5, 0), caught_up),
    ]:
        # In front, behind, and on both sides of the rest.
        for data in [form.data + more, more + form.data]:
            answer = bound(right).send(rpc, data, until=until)
            check(form, answer, reason="APP_REFUSED")
            assert b"precious" not in b"".join(answer.messages), (rpc, answer)
            unbound = world.admin.send(rpc, data, until=until)
            reads_other = b"precious" in b"".join(unbound.messages)
            assert reads_other or not form.reaches, (rpc, unbound)
            if reads_other:
                assert not answer.messages, (rpc, answer)


@pytest.mark.parametrize("form", CENTERS.values(), ids=CENTERS.keys())
def test_a_center_of_any_form_pushes_to_no_other_app(
    bound: Callable[..., Caller], world: World, form: Form
) -> None:
    def seen() -> list[bytes]:
        centers = [{"app_id": OTHER, "device_id": device} for device in (PHONE, TABLET, "")]
        lists = [world.admin.call("ListDelivered", center=center) for center in centers]
        return [listed.SerializeToString() for listed in lists]

    # One that replaces the one before, as the form under test does the center.
    data = form.data + field(4, field(6, "hostile")) + field(5, '{"aps":{"alert":"A push"}}')
    before = seen()
    answer = bound(f"provider:{OWN}").send("Push", data)
    assert seen() == before
    unbound = world.admin.send("Push", data)
    acts_on_other = seen() != before
    assert acts_on_other or not form.reaches, unbound
    if acts_on_other:
        assert not answer.messages, answer


@pytest.mark.parametrize("form", TEXTS.values(), ids=TEXTS.keys())
def test_an_app_of_any_form_reads_no_other_app(
    bound: Callable[..., Caller], world: World, form: Form
) -> None:
    answer = bound(f"provider:{OWN}").send("ListRegistrations", form.data)
    check(form, answer, reason="APP_REFUSED")
    assert OTHER.encode() not in b"".join(answer.messages), answer
    unbound = world.admin.send("ListRegistrations", form.data)
    reads_other = OTHER.encode() in b"".join(unbound.messages)
    assert reads_other or not form.reaches, unbound
    if reads_other:
        assert not answer.messages, answer


@pytest.mark.parametrize("form", DEVICES.values(), ids=DEVICES.keys())
def test_a_device_of_any_form_changes_no_other_device(
    bound: Callable[..., Caller], world: World, form: Form
) -> None:
    world.admin.call("UpdateDeviceState", device_id=TABLET, state={}, update_mask=LOCKED)
    state = wire.DeviceState(locked=True).SerializeToString()
    mask = wire.UpdateDeviceStateRequest(update_mask=LOCKED).update_mask.SerializeToString()
    data = form.data + field(3, state) + field(4, mask)
    before = world.of_other_devices()
    answer = bound(f"device:{PHONE}").send("UpdateDeviceState", data)
    if form.verdict == OWN_ONLY:
        assert answer.messages, answer
    check(form, answer, reason="DEVICE_REFUSED")
    assert world.of_other_devices() == before
    unbound = world.admin.send("UpdateDeviceState", data)
    acts_on_other = world.of_other_devices() != before
    assert acts_on_other or not form.reaches, unbound
    if acts_on_other:
        assert not answer.messages, answer
    world.admin.call("UpdateDeviceState", state={}, update_mask=LOCKED)


LOCKED = {"paths": ["locked"]}


def test_a_device_that_is_emptied_again_is_the_local_one(
    bound: Callable[..., Caller], world: World
) -> None:
    before = world.of_other_devices()
    mask = field(4, field(1, "locked"))
    for device in [field(1, PHONE) + field(1, ""), field(1, ""), b""]:
        data = device + field(3, b"\x10\x01") + mask
        answer = bound(f"device:{PHONE}").send("UpdateDeviceState", data)
        answer.check(DENIED, "DEVICE_REFUSED")
        assert world.of_other_devices() == before


def test_a_request_that_is_cut_anywhere_changes_nothing(
    bound: Callable[..., Caller], world: World
) -> None:
    whole = field(1, center(OTHER)) + field(3, request("cut", 60).SerializeToString())
    before = world.of_others()
    for end in range(len(whole) + 1):
        for data in [whole[:end], whole[end:], field(1, center(OWN)) + whole[:end]]:
            answer = bound(f"app:{OWN}").send("Add", data)
            if not answer.messages:
                assert answer.refusal is not None
                assert answer.refusal.reason in (
                    "APP_REFUSED", "MALFORMED_MESSAGE", "INVALID_FIELD", "CONTENT_INVALID",
                    "NOTIFICATION_INVALID_NO_CONTENT",
                ), answer  # fmt: skip
    assert world.of_others() == before


@pytest.mark.parametrize(
    "data",
    [group(1_000, b""), group(9, number_field(1, 1) + field(1, OTHER)), group(9, group(10, b""))],
    ids=["empty", "with fields", "in a group"],
)
def test_a_group_is_passed_over_as_all_that_is_unknown(
    bound: Callable[..., Caller], world: World, data: bytes
) -> None:
    whole = field(1, center(OWN)) + data
    assert world.admin.send("ListPending", whole).messages
    answer = bound(f"app:{OWN}").send("ListPending", whole)
    assert answer.messages, answer


def test_a_later_part_of_a_file_names_no_other_app(
    bound: Callable[..., Caller], world: World
) -> None:
    def part(app: str, **fields: object) -> bytes:
        return wire.UploadAttachmentRequest(app_id=app, **fields).SerializeToString()

    metadata = wire.AttachmentMetadata(
        file_name="a", purpose=3, media_type="text/plain", size_bytes=4
    )
    first, chunk = part(OWN, metadata=metadata), part("", chunk=b"data")
    caller = bound(f"app:{OWN}")
    stored = caller.send("UploadAttachment", first, chunk)
    assert stored.messages, stored
    attempts = [
        [first, part(OTHER, chunk=b"data")],
        [first, part(OTHER, metadata=metadata), chunk],
        [part(OTHER, metadata=metadata), part(OWN, chunk=b"data")],
        [part("", metadata=metadata), part(OTHER, chunk=b"data")],
        [first + field(1, OTHER), chunk],
        [field(1, OTHER) + first, chunk],
    ]
    for messages in attempts:
        answer = caller.send("UploadAttachment", *messages)
        if answer.messages:
            told = wire.UploadAttachmentResponse.FromString(answer.messages[0])
            asked = {"app_id": OTHER, "attachment_id": told.attachment.attachment_id}
            of_other = world.admin.ask("GetAttachment", **asked)
            assert not of_other.messages, messages
        else:
            assert answer.refusal is not None
            assert answer.refusal.code in (DENIED, INVALID), answer
