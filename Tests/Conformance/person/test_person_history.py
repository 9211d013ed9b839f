"""ListHistory: what became of an app's notifications, as its person may read it."""

from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, request
from harness.device import dismiss, reference, respond, update
from harness.refusals import Expected, refusal_of

INVALID = grpc.StatusCode.INVALID_ARGUMENT
HOUR = 3_600


def history(app: App, **fields: Any) -> list[wire.HistoryEntry]:
    """All pages, the newest first."""
    found: list[wire.HistoryEntry] = []
    token = ""
    while True:
        page = app.client.call(
            "ListHistory", device_id=app.center.device_id, app_id=app.center.app_id,
            page_token=token, **fields,
        )  # fmt: skip
        found += page.entries
        token = page.next_page_token
        if not token:
            return found


def kinds(entries: list[wire.HistoryEntry]) -> list[str]:
    return [entry.event.WhichOneof("kind") for entry in entries]


def test_all_that_became_of_a_notification_is_told(own_device: App) -> None:
    app = own_device
    start = app.client.now()
    secret = {"user_info_json": '{"a":1}', "thread_identifier": "kitchen"}
    app.add("tea", HOUR, title="Tea", body="is ready", **secret)
    app.client.advance(HOUR)
    app.client.call(
        "Snooze", device_id=app.center.device_id, notification=reference(app, "tea", 1),
        duration=wire.seconds(600),
    )  # fmt: skip
    app.client.advance(600)
    respond(app, reference(app, "tea", 2))
    app.add("milk", title="Milk")
    dismiss(app, notification=reference(app, "milk", 3))
    app.client.call("Suspend", by=wire.seconds(1))
    app.add("late", HOUR, title="Late")
    app.client.call("Suspend", by=wire.seconds(3 * 86_400))
    entries = history(app)
    told = kinds(entries)
    assert told[0] == "missed"
    # Each event about a notification that the app was told is there, the newest first.
    events = [event for event in app.events() if event.WhichOneof("kind") in told]
    assert [entry.event.number for entry in entries] == [event.number for event in reversed(events)]
    tea = [entry for entry in entries if "Tea" in entry.title]
    assert [entry.body for entry in tea] == ["is ready"] * 2
    assert {wire.nanoseconds(entry.added_at) for entry in tea} == {start}
    for entry in entries:
        assert entry.HasField("added_at") == (entry.title != "")
        notification = entry.event.delivered.notification.request
        assert not notification.content.ListFields() and not notification.HasField("trigger")
    (snoozed,) = [entry.event.snoozed for entry in entries if entry.event.HasField("snoozed")]
    assert (snoozed.identifier, snoozed.delivery) == ("tea", 1)


def test_a_page_goes_on_where_one_ended(own_device: App) -> None:
    app = own_device
    for number in range(600):
        app.add("same", title=f"Tea {number}")
    titles = [entry.title for entry in history(app) if entry.title]
    assert titles == [f"Tea {number}" for number in reversed(range(600))]
    page = app.client.call(
        "ListHistory", device_id=app.center.device_id, app_id=app.center.app_id, page_size=7
    )
    assert [entry.title for entry in page.entries if entry.title][0] == "Tea 599"
    assert len(page.entries) == 7
    # What happens meanwhile moves nothing.
    app.add("other", title="News")
    rest = app.client.call(
        "ListHistory", device_id=app.center.device_id, app_id=app.center.app_id,
        page_token=page.next_page_token, page_size=1_000,
    )  # fmt: skip
    assert rest.entries[0].event.number == page.entries[-1].event.number - 1


@pytest.mark.parametrize(
    "text, found",
    [
        ("TEA", ["Tea for two", "Milk"]), ("two", ["Tea for two"]), ("tee", []), ("", None),
        ("in a teapot", ["Milk"]), ("coffee-1", ["Kaffee"]), ("KÄSE", ["Käse"]),
    ],
)  # fmt: skip
def test_a_text_is_searched_for(own_device: App, text: str, found: list[str] | None) -> None:
    app = own_device
    app.add("tea", title="Tea for two")
    app.add("milk", title="Milk", body="in a Teapot")
    app.add("coffee-1", title="Kaffee")
    app.add("cheese", title="Käse")
    everything = ["Tea for two", "Milk", "Kaffee", "Käse"]
    titles = [entry.title for entry in reversed(history(app, text=text))]
    assert titles == (everything if found is None else found)


def test_one_notification_and_a_time_are_asked_for(own_device: App) -> None:
    app = own_device
    app.add("one", title="One")
    app.client.advance(60)
    middle = app.client.now()
    app.add("two", title="Two")
    app.client.advance(60)
    app.add("one", title="Again")
    named = lambda **fields: [entry.title for entry in history(app, **fields) if entry.title]
    assert named(identifier="one") == ["Again", "One"]
    assert named(since=wire.timestamp(middle)) == ["Again", "Two"]
    assert named(before=wire.timestamp(middle)) == ["One"]
    assert named(since=wire.timestamp(middle), before=wire.timestamp(middle + 1)) == ["Two"]


def test_a_long_search_ends_its_pages(own_device: App) -> None:
    app = own_device
    app.add("needle", title="Needle")
    for number in range(5):
        app.call("AddBatch", requests=[request(f"{number} {place}") for place in range(500)])
    first = app.client.call(
        "ListHistory", device_id=app.center.device_id, app_id=app.center.app_id, text="needle"
    )
    assert (list(first.entries), bool(first.next_page_token)) == ([], True)
    found = history(app, text="needle")
    assert [entry.title for entry in found if entry.title] == ["Needle"]


def test_what_the_lock_hides_is_not_told_and_not_found(own_device: App) -> None:
    app = own_device
    when_unlocked = {"show_previews_setting": wire.SHOW_PREVIEWS_SETTING_WHEN_AUTHENTICATED}
    app.client.call(
        "UpdateSettings", center=app.center, settings=when_unlocked,
        update_mask={"paths": ["show_previews_setting"]},
    )  # fmt: skip
    reply = wire.NotificationAction(identifier="say", title="Reply", text_input={})
    app.add("code", title="Code", body="4711", actions=[reply])
    respond(
        app, reference(app, "code", 1),
        action=wire.CustomAction(action_identifier="say", user_text="the secret"),
    )  # fmt: skip
    update(app.client, "locked", device=app.center.device_id, locked=True)
    entries = history(app)
    assert "4711" not in str(entries) and "the secret" not in str(entries)
    assert [entry.redacted for entry in entries if entry.HasField("added_at")] == [True]
    assert history(app, text="4711") == []
    update(app.client, "locked", device=app.center.device_id, locked=False)
    assert "4711" in str(history(app, text="4711"))


def test_the_history_of_another_app_and_device_is_its_own(own_device: App) -> None:
    app = own_device
    app.add("tea", title="Tea")
    call = app.client.call
    other = call("ListHistory", device_id=app.center.device_id, app_id="org.example.none")
    assert list(other.entries) == []
    elsewhere = call("ListHistory", device_id="another", app_id=app.center.app_id)
    assert list(elsewhere.entries) == []


@pytest.mark.parametrize(
    "fields, reason, field",
    [
        ({"app_id": ""}, "APP_ID_INVALID", "app_id"),
        ({"app_id": "a b"}, "APP_ID_INVALID", "app_id"),
        ({"device_id": "a b"}, "DEVICE_ID_INVALID", "device_id"),
        ({"text": "x" * 257}, "INVALID_FIELD", "text"),
        ({"identifier": "x" * 257}, "IDENTIFIER_INVALID", "identifier"),
        ({"since": wire.Timestamp(nanos=-1)}, "INVALID_FIELD", "since"),
        ({"before": wire.Timestamp(seconds=2**62)}, "INVALID_FIELD", "before"),
        ({"page_size": 1_001}, "INVALID_FIELD", "page_size"),
        ({"page_token": "00"}, "PAGE_TOKEN_INVALID", "page_token"),
    ],
)
def test_what_is_refused(own_device: App, fields: dict[str, Any], reason: str, field: str) -> None:
    asked = {"device_id": own_device.center.device_id, "app_id": own_device.center.app_id} | fields
    refusal = refusal_of(lambda: own_device.client.call("ListHistory", **asked))
    Expected(INVALID, reason, (field,)).check(refusal)


def test_a_token_is_of_one_search(own_device: App) -> None:
    app = own_device
    for number in range(3):
        app.add(str(number), title="Tea")
    asked = {"device_id": app.center.device_id, "app_id": app.center.app_id, "page_size": 1}
    token = app.client.call("ListHistory", text="tea", **asked).next_page_token
    assert token
    others: list[dict[str, Any]] = [
        {}, {"text": "te"}, {"text": "tea", "identifier": "1"},
        {"text": "tea", "since": wire.timestamp(1)}, {"text": "tea", "before": wire.timestamp(1)},
    ]  # fmt: skip
    for fields in others:
        call = lambda: app.client.call("ListHistory", page_token=token, **(asked | fields))
        Expected(INVALID, "PAGE_TOKEN_INVALID", ("page_token",)).check(refusal_of(call))
