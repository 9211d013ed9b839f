"""Pushes to a device's token by a provider of one app, and other names that do not tell the app:
what belongs to another app stays out of reach (W-11)."""

from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from access.encoding import center, field, number_field
from access.serving import Answer, Caller, make_token, own_token
from access.world import ENDING, OTHER, OWN, PHONE, PRECIOUS, TABLET, World
from harness import wire
from harness.client import Client
from harness.launcher import Launcher
from harness.server import Server

DENIED, INVALID = grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.INVALID_ARGUMENT

PAYLOAD = '{"aps":{"alert":"A push"}}'
VOIP = wire.PUSH_TYPE_VOIP


@pytest.fixture(scope="module")
def world(guarded: Server, tcp: Client) -> World:
    """Whose tokens are pushed to."""
    return World(Caller(tcp, own_token(guarded)))


@pytest.fixture(scope="module")
def bound(
    shared_launch: Launcher, guarded: Server, tcp: Client, world: World
) -> Callable[[str], Caller]:
    """A caller with a role for the own app, or for the phone."""
    assert world
    made = {
        right: Caller(tcp, make_token(shared_launch, guarded.home, right, right))
        for right in (f"provider:{OWN}", f"app:{OWN}", f"extension:{OWN}", f"device:{PHONE}")
    }
    return lambda role: made[f"{role}:{PHONE if role == 'device' else OWN}"]


@pytest.fixture
def unchanged(world: World) -> Iterator[None]:
    """Fails where something of the other apps has changed."""
    before = world.of_others()
    yield
    assert world.of_others() == before


def push(caller: Caller, token: str, **headers: Any) -> Answer:
    return caller.ask("Push", token=token, headers=headers, payload_json=PAYLOAD)


def test_a_push_to_the_apps_token_needs_its_topic(
    bound: Callable[[str], Caller], world: World, unchanged: None
) -> None:
    provider, token = bound("provider"), world.tokens[OWN, PHONE]
    push(provider, token).check(DENIED, "APP_REFUSED", app_id="")
    answer = provider.ask("Push", token=token, payload_json=PAYLOAD)
    answer.check(DENIED, "APP_REFUSED", app_id="")
    assert push(provider, token, topic=OWN).messages
    push(provider, token, topic=OTHER).check(DENIED, "APP_REFUSED", app_id=OTHER)
    # An admin needs none.
    assert push(world.admin, token).messages


def test_a_topic_with_the_ending_of_its_type_is_the_apps(
    bound: Callable[[str], Caller], world: World, unchanged: None
) -> None:
    answer = push(bound("provider"), world.tokens[OWN, PHONE], topic=f"{OWN}.voip", push_type=VOIP)
    assert answer.messages, answer
    # Without the type it is an app of that name.
    named = push(bound("provider"), world.tokens[OWN, PHONE], topic=ENDING)
    named.check(DENIED, "APP_REFUSED", app_id=ENDING)


@pytest.mark.parametrize("device", [PHONE, TABLET, ""])
@pytest.mark.parametrize("app", [OTHER, ENDING])
def test_a_push_to_a_token_of_another_app_is_not_delivered(
    bound: Callable[[str], Caller], world: World, unchanged: None, app: str, device: str
) -> None:
    provider, token = bound("provider"), world.tokens[app, device]
    push(provider, token).check(DENIED, "APP_REFUSED", app_id="")
    push(provider, token, topic=app).check(DENIED, "APP_REFUSED", app_id=app)
    for more in [{}, {"push_type": 1}, {"push_type": 2, "priority": 5}]:
        answer = push(provider, token, topic=OWN, **more)
        answer.check(INVALID, "DEVICE_TOKEN_NOT_FOR_TOPIC")
    for topic in [f"{OWN}.voip", f"{OWN}.complication", f"{OWN}.pushkit.fileprovider"]:
        for push_type in range(12):
            answer = push(provider, token, topic=topic, push_type=push_type)
            assert not answer.messages, (topic, push_type, answer)


def headers(*parts: bytes) -> bytes:
    """Headers that come in parts."""
    return b"".join(field(4, part) for part in parts)


def topic(app: str) -> bytes:
    return field(3, app)


def kind(number: int, size: int = 0) -> bytes:
    return number_field(2, number, size=size)


# What a push may say of its app, where its token is of another.
MINE = field(1, center(OWN, PHONE))
FORMS: dict[str, tuple[bytes, bytes]] = {
    "no topic": (b"", b""),
    "empty headers": (b"", headers(b"")),
    "an empty topic": (b"", headers(topic(""))),
    "the topic, then an empty one": (b"", headers(topic(OWN) + topic(""))),
    "the topic, then empty headers": (b"", headers(topic(OWN), b"")),
    "the topic, then headers with an empty one": (b"", headers(topic(OWN), topic(""))),
    "the other's topic behind": (b"", headers(topic(OWN) + topic(OTHER))),
    "the other's topic in front": (b"", headers(topic(OTHER) + topic(OWN))),
    "the other's topic in the next headers": (b"", headers(topic(OWN), topic(OTHER))),
    "the other's topic in the headers before": (b"", headers(topic(OTHER), topic(OWN))),
    "a center in front": (MINE, b""),
    "a center in front, and a topic": (MINE, headers(topic(OWN))),
    "a center in front, and the other's topic": (MINE, headers(topic(OTHER))),
    "a type that is taken back": (b"", headers(topic(ENDING) + kind(VOIP) + kind(1))),
    "a type that is taken back to nothing": (b"", headers(topic(ENDING) + kind(VOIP) + kind(0))),
    "a type that is taken back later": (b"", headers(topic(ENDING) + kind(VOIP), kind(1))),
    "a type beyond 32 bits": (b"", headers(topic(ENDING) + kind(VOIP + (1 << 32)))),
    "a type beyond 32 bits, taken back": (
        b"", headers(topic(ENDING) + kind(VOIP) + kind(1 + (1 << 32))),
    ),
    "a type of ten bytes": (b"", headers(topic(ENDING) + kind(VOIP) + kind(1, 10))),
    "an unknown type": (b"", headers(topic(ENDING) + kind(99))),
    "the topic as text of no unit": (b"", headers(topic(OWN) + field(3, b"\xff"))),
}  # fmt: skip


@pytest.mark.parametrize("before, behind", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize("app", [OTHER, ENDING])
def test_headers_of_any_form_push_to_no_other_app(
    bound: Callable[[str], Caller],
    world: World,
    unchanged: None,
    app: str,
    before: bytes,
    behind: bytes,
) -> None:
    token = field(3, world.tokens[app, PHONE])
    payload = field(5, PAYLOAD)
    for data in [
        before + token + behind + payload,
        before + behind + token + payload,
        behind + before + payload + token,
        before + token + token + behind + payload,
    ]:
        answer = bound("provider").send("Push", data)
        assert not answer.messages, answer
        assert answer.refusal is not None
        assert answer.refusal.code in (DENIED, INVALID), answer


def test_the_forms_reach_the_other_app_without_the_rule(world: World) -> None:
    """A test of the tests above: an admin, who has a right for all, may push so."""
    for app, name in [
        (OTHER, "the topic, then an empty one"), (OTHER, "the other's topic behind"),
        (OTHER, "a center in front"), (ENDING, "a type that is taken back"),
    ]:  # fmt: skip
        before, behind = FORMS[name]
        token = field(3, world.tokens[app, PHONE])
        answer = world.admin.send("Push", before + token + behind + field(5, PAYLOAD))
        assert answer.messages, (name, answer)


def test_a_center_behind_a_token_takes_its_place(
    bound: Callable[[str], Caller], world: World, unchanged: None
) -> None:
    own, other = (field(3, world.tokens[app, PHONE]) for app in (OWN, OTHER))
    theirs, rest = field(1, center(OTHER, PHONE)), headers(topic(OWN)) + field(5, PAYLOAD)
    assert bound("provider").send("Push", other + MINE + rest).is_let_in
    for data in [own + theirs, MINE + theirs, other + theirs, own + MINE + theirs]:
        answer = bound("provider").send("Push", data + rest)
        answer.check(DENIED, "APP_REFUSED", app_id=OTHER)


def test_each_center_of_a_push_counts(
    bound: Callable[[str], Caller], world: World, unchanged: None
) -> None:
    own = field(3, world.tokens[OWN, PHONE])
    theirs, rest = field(1, center(OTHER, PHONE)), headers(topic(OWN)) + field(5, PAYLOAD)
    for data in [theirs + MINE, theirs + own, theirs + own + MINE]:
        answer = bound("provider").send("Push", data + rest)
        answer.check(DENIED, "APP_REFUSED", app_id=OTHER)


def test_tokens_of_others_are_not_tagged_and_not_withdrawn_from(
    bound: Callable[[str], Caller], world: World, unchanged: None
) -> None:
    for app in (OTHER, ENDING):
        asked = {"app_id": OWN, "token": world.tokens[app, PHONE]}
        names = [f"{PRECIOUS}-delivered"]
        changes = {"SetTags": {"tags": ["t"]}, "WithdrawNotifications": {"identifiers": names}}
        for rpc, more in changes.items():
            answer = bound("provider").ask(rpc, **asked, **more)
            answer.check(INVALID, "DEVICE_TOKEN_NOT_FOR_TOPIC")


UUID = "01890a5d-ac96-774b-bcce-b302099a80{:02x}"


def test_numbers_and_names_of_others_mean_nothing_to_an_app(
    bound: Callable[[str], Caller], world: World
) -> None:
    admin, theirs, mine = world.admin, {"app_id": OTHER}, {"app_id": OWN}
    provider, app, extension = bound("provider"), bound("app"), bound("extension")
    metadata = {"file_name": "precious.txt", "purpose": 3, "media_type": "text/plain"}
    stored = admin.call("PutAttachment", **theirs, metadata=metadata, data=b"precious")
    file = stored.attachment.attachment_id
    rich = {"message": "m", "payload": b"precious", "media_type": "text/plain"}
    created = admin.call("CreateRichPush", **theirs, **rich)
    center = {"app_id": OWN, "device_id": PHONE}
    other_center = {"app_id": OTHER, "device_id": PHONE}
    stream = admin.client.stub("Subscribe")(
        wire.SubscribeRequest(center=other_center, role=1, capabilities=[1], app_state=3),
        metadata=admin.metadata, timeout=30,
    )  # fmt: skip
    named = next(stream).frames[0].started.subscription_id
    attempts = [
        (provider, "GetAttachment", {**mine, "attachment_id": file}),
        (provider, "DownloadAttachment", {**mine, "attachment_id": file}),
        (extension, "GetAttachment", {**mine, "attachment_id": file}),
        (provider, "GetPushStatus", {**mine, "push_id": created.push_id}),
        (provider, "CancelPush", {**mine, "push_id": created.push_id}),
        (app, "GetRichPush", {"center": center, "rich_id": created.rich_id}),
        (app, "DownloadRichPayload", {"center": center, "rich_id": created.rich_id}),
        (app, "MarkRichPushRead", {"center": center, "rich_id": created.rich_id}),
        (app, "UpdateAppState", {"center": center, "subscription_id": named, "app_state": 1}),
        (app, "Subscribe", {"center": center, "resume_subscription_id": named}),
        (
            provider,
            "CreateRichPush",
            {**mine, "tag_expression": "", "message": "m", "attachment_id": file},
        ),
    ]
    for caller, rpc, fields in attempts:
        answer = caller.ask(rpc, **fields)
        assert not answer.messages, (rpc, answer)
        assert answer.is_let_in, (rpc, answer)
    stream.cancel()


def test_what_is_open_on_another_device_is_not_acted_on(
    bound: Callable[[str], Caller], world: World
) -> None:
    there = {"center": {"app_id": OWN, "device_id": TABLET}, "identifier": "mine-delivered"}
    listed = world.admin.call("ListDelivered", center=there["center"]).notifications
    there["delivery"] = listed[0].delivery
    opened = world.admin.call("OpenNotification", notification=there)
    presentation = opened.presentation.presentation_id
    group = world.admin.call("ListNotificationCenter", device_id=TABLET).groups[0]
    group_id = group.info.group_id
    device = bound("device")
    before = world.of_other_devices()
    here = {"device_id": PHONE}
    device.ask("CloseNotification", **here, presentation_id=presentation)
    device.ask("Respond", **here, presentation_id=presentation, default_action={})
    device.ask("Dismiss", **here, group_id=group_id, kind=1)
    for rpc in ["Respond", "Dismiss"]:
        fields = {"default_action": {}} if rpc == "Respond" else {"kind": 1}
        assert not device.ask(rpc, **here, notification=there, **fields).messages
    assert world.of_other_devices() == before
    # It is open still: one that is keeps its presentation.
    again = world.admin.call("OpenNotification", notification=there)
    assert again.presentation.presentation_id == presentation
