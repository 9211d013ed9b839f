"""Pushes whose payload is fetched by those that they were sent to (§23.3, AZ-10..AZ-12)."""

import json

import grpc
import pytest

from harness import files, wire
from harness.client import App, Client
from harness.keys import new_key
from harness.pushes import create, devices, fetch, of, sent
from harness.refusals import Expected, refusal_of

INVALID = grpc.StatusCode.INVALID_ARGUMENT
NOT_FOUND = grpc.StatusCode.NOT_FOUND
MEBIBYTE = 1 << 20


def is_not_found(call: object) -> None:
    Expected(NOT_FOUND, "RICH_PUSH_NOT_FOUND").check(refusal_of(call))


def test_an_addressee_alone_fetches_the_payload(client: Client) -> None:
    app_id = devices(client, {"ana": ["username:ana"], "bob": ["username:bob"]})
    ana, bob = of(client, app_id, "ana"), of(client, app_id, "bob")
    data = files.png(700 * 1024)
    rich_id = sent(client, app_id, payload=data)
    assert rich_id == 1
    rich_push, found = fetch(ana, rich_id)
    assert found == data
    assert rich_push.message == "Look!" and rich_push.rich_type == "img"
    assert rich_push.media_type == "image/png" and rich_push.size_bytes == len(data)
    assert ana.call("GetRichPush", rich_id=rich_id).rich_push == rich_push
    assert fetch(ana, rich_id, offset=300_000)[1] == data[300_000:]
    refusal = refusal_of(lambda: fetch(ana, rich_id, offset=len(data) + 1))
    assert refusal.code == grpc.StatusCode.OUT_OF_RANGE
    for rpc in ("GetRichPush", "MarkRichPushRead"):
        is_not_found(lambda rpc=rpc: bob.call(rpc, rich_id=rich_id))
        is_not_found(lambda rpc=rpc: ana.call(rpc, rich_id=rich_id + 1))
    is_not_found(lambda: fetch(bob, rich_id))
    assert not bob.call("ListRichPushes").rich_pushes


def test_a_stored_file_is_sent_as_it_is(client: Client) -> None:
    app_id = devices(client, {"ana": ["username:ana"]})
    ana = of(client, app_id, "ana")
    data = b"<p>" * MEBIBYTE
    stored = files.upload(
        ana,
        data,
        "page.html",
        purpose=wire.ATTACHMENT_PURPOSE_RICH_PUSH,
        media_type="text/html",
    )
    rich_id = sent(client, app_id, attachment_id=stored.attachment_id)
    rich_push, found = fetch(ana, rich_id)
    assert rich_push.media_type == "text/html" and found == data


def test_each_device_reads_for_itself(own_client: Client) -> None:
    client = own_client
    app_id = devices(client, {"phone": ["username:ana"], "tablet": ["username:ana"]})
    phone, tablet = of(client, app_id, "phone"), of(client, app_id, "tablet")
    numbers = [sent(client, app_id) for _ in range(3)]
    at = client.now()
    read_at = phone.call("MarkRichPushRead", rich_id=numbers[1]).read_at
    assert wire.nanoseconds(read_at) == at
    client.advance(10)
    # One that is read keeps its time.
    assert phone.call("MarkRichPushRead", rich_id=numbers[1]).read_at == read_at

    def listed(app: App, **fields: object) -> list[int]:
        return [entry.rich_id for entry in app.call("ListRichPushes", **fields).rich_pushes]

    assert listed(phone) == numbers[::-1]
    assert listed(phone, unread_only=True) == [numbers[2], numbers[0]]
    assert listed(tablet, unread_only=True) == numbers[::-1]
    page = phone.call("ListRichPushes", page_size=2)
    assert len(page.rich_pushes) == 2
    assert listed(phone, page_size=2, page_token=page.next_page_token) == [numbers[0]]
    refusal = refusal_of(lambda: tablet.call("ListRichPushes", page_token=page.next_page_token))
    Expected(INVALID, "PAGE_TOKEN_INVALID", ("page_token",)).check(refusal)


@pytest.mark.parametrize("rich_id", ["{}", '"{}"'])
@pytest.mark.parametrize(
    "answer, is_read",
    [
        ({"default_action": {}}, True),
        ({"action": {"action_identifier": "richPushMore"}}, True),
        ({"action": {"action_identifier": "other"}}, False),
    ],
)
def test_an_answer_marks_it_as_read(
    client: Client, rich_id: str, answer: dict[str, object], is_read: bool
) -> None:
    app_id = devices(client, {"ana": ["username:ana"]})
    ana = of(client, app_id, "ana")
    actions = [{"identifier": name, "title": name} for name in ("richPushMore", "other")]
    category = {"identifier": "richPush", "actions": actions}
    ana.call("SetNotificationCategories", categories=[category])
    number = sent(client, app_id)
    user_info = '{"x":{"richId":7},"richId":' + rich_id.format(number) + "}"
    ana.add("shown", title="Look!", category_identifier="richPush", user_info_json=user_info)
    shown = client.call("ListNotificationCenter", device_id="ana", app_ids=[app_id])
    notification = shown.groups[0].notifications[0].notification
    client.call("Respond", device_id="ana", notification=notification, **answer)
    read = ana.call("GetRichPush", rich_id=number).rich_push.HasField("read_at")
    assert read == is_read


def test_a_retry_creates_it_once(client: Client) -> None:
    app_id = devices(client, {"ana": ["username:ana"]})
    key = new_key()
    first = create(client, app_id, idempotency_key=key)
    assert create(client, app_id, idempotency_key=key) == first
    assert create(client, app_id).rich_id == first.rich_id + 1


def test_what_cannot_be_a_rich_push_is_refused(client: Client) -> None:
    app_id = devices(client, {"ana": ["username:ana"]})
    notification = files.put(of(client, app_id, "ana"), files.png())

    def refused(**fields: object) -> tuple[str, tuple[str, ...]]:
        refusal = refusal_of(lambda: create(client, app_id, **fields))
        return refusal.reason, refusal.fields

    assert refused(payload=b"") == ("RICH_PAYLOAD_INVALID", ("payload",))
    big = b"x" * (768 * 1024 + 1)
    assert refused(payload=big) == ("RICH_PAYLOAD_INVALID", ("payload",))
    assert refused(media_type="image") == ("INVALID_FIELD", ("media_type",))
    assert refused(message="x" * 4096) == ("PAYLOAD_TOO_LARGE", ("message",))
    # Each of these bytes is six in JSON.
    assert refused(message="\x01" * 700) == ("PAYLOAD_TOO_LARGE", ("message",))
    assert refused(attachment_id="x")[0] == "ATTACHMENT_NOT_IN_DATA_STORE"
    assert refused(attachment_id=notification.attachment_id) == (
        "ATTACHMENT_UNRECOGNIZED_TYPE",
        ("attachment_id",),
    )
    refusal = refusal_of(lambda: client.call("CreateRichPush", app_id=app_id))
    Expected(INVALID, "RICH_PAYLOAD_INVALID", ("payload",)).check(refusal)


def test_a_rich_push_goes_after_30_days_with_its_file(own_client: Client) -> None:
    client = own_client
    app_id = devices(client, {"ana": ["username:ana"]})
    ana = of(client, app_id, "ana")
    rich_id = sent(client, app_id)
    client.advance(30 * 24 * 3600 - 1)
    assert ana.call("GetRichPush", rich_id=rich_id)
    client.advance(1)
    is_not_found(lambda: ana.call("GetRichPush", rich_id=rich_id))
    assert not ana.call("ListRichPushes").rich_pushes
    # The next one has a number of its own.
    assert sent(client, app_id) == rich_id + 1


def test_the_push_names_it_as_the_tutorial_has_it(client: Client) -> None:
    app_id = devices(client, {"ana": ["username:ana"]})
    ana = of(client, app_id, "ana")
    with ana.subscribe(
        role=wire.SUBSCRIBER_ROLE_PRIMARY,
        capabilities=[wire.DELEGATE_CAPABILITY_BACKGROUND_PUSH],
    ) as subscription:
        message = 'A "quoted" \\ line\nand another, ü'
        created = create(client, app_id, message=message)
        callback = subscription.callback()
        payload = json.loads(callback.background_push.user_info_json)
        assert payload == {
            "aps": {"content-available": 1},
            "richId": str(created.rich_id),
            "richMessage": message,
            "richType": "img",
        }
