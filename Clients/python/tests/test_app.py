"""What an app does, on a server: with threads and with asyncio."""

import asyncio
import time as time_
from datetime import datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

import belfry
from belfry import Action, App, Client, Clock, Device, Reply
from belfry.pytest_plugin import AssertDelivered, BadDay

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
)
DONE = [Action("done", "Done"), Reply("note", "Note", placeholder="What was it?")]


def test_it_is_told_when(app: App, clock: Clock, assert_delivered: AssertDelivered) -> None:
    at = clock.now().replace(microsecond=0) + timedelta(days=2)
    added = app.add("Milk", "Two bottles", at=at.astimezone(ZoneInfo("Europe/Rome")), id="milk")
    assert (added.id, added.next, added.state) == ("milk", at, "pending")
    [waiting] = app.pending()
    assert (waiting.id, waiting.title, waiting.body) == ("milk", "Milk", "Two bottles")
    assert waiting.next == at
    assert_delivered()
    clock.advance(at)
    assert_delivered("milk")
    assert app.pending() == []


def test_lists_and_removals(app: App, clock: Clock) -> None:
    for number in range(3):
        app.add(f"Now {number}", id=f"now{number}", thread="a" if number else "b")
        app.add(f"Later {number}", id=f"later{number}", in_=timedelta(days=1))
    assert [each.id for each in app.delivered(thread="a")] == ["now1", "now2"]
    assert [each.id for each in app.pending("later1", "now1")] == ["later1"]
    assert app.remove("later2", "none", "now0") == ["later2", "now0"]
    assert app.remove_all(pending=False) == 2
    assert app.remove_all() == 2


def test_a_list_of_many_pages(app: App) -> None:
    for number in range(1_003):
        app.add("Many", id=f"{number:04}", in_=timedelta(days=1), user_info={"number": number})
    found = app.pending()
    assert [each.user_info["number"] for each in found] == list(range(1_003))


def test_an_answer(app: App, person: Device) -> None:
    app.add("Milk", id="milk", actions=DONE, user_info={"shop": 7})
    app.add("Bread", id="bread", actions=DONE)
    assert [shown.actions for shown in person.screen()] == [("done", "note")] * 2
    person.press("milk", "done")
    person.reply("bread", "note", "They had none.")
    answers = list(app.answers(count=2))
    assert [(each.id, each.action, each.text) for each in answers] == [
        ("milk", "done", None),
        ("bread", "note", "They had none."),
    ]
    assert answers[0].notification.user_info == {"shop": 7}
    assert "response_completed" in [each.kind for each in app.events(after=0, follow=False)]


def test_an_answer_that_is_not_handled_is_told_again(app: App, person: Device) -> None:
    app.add("Milk", id="milk", actions=DONE)
    person.press("milk", "done")
    with pytest.raises(ZeroDivisionError):
        for _ in app.answers():
            raise ZeroDivisionError
    assert [each.id for each in app.answers(count=1)] == ["milk"]


def test_an_answer_is_told_once_while_the_server_starts_again(
    app: App, person: Device, bad_day: BadDay
) -> None:
    for id in ("milk", "bread"):
        app.add(id, id=id, actions=DONE)
    person.press("milk", "done")
    told = []
    for answer in app.answers(count=2):
        told.append(answer.id)
        if answer.id == "milk":
            before = app._answers._subscription
            bad_day.kill_and_restart()
            # The server offers it again on the new connection.
            while app._answers._subscription == before:
                pass
            person.press("bread", "done")
            while not app._answers._open:
                pass
    assert told == ["milk", "bread"]


def test_handlers(app: App, person: Device, caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []

    @app.on("done")
    def done(answer: belfry.Answer) -> None:
        if not told:
            told.append("failed")
            raise ValueError("no")
        told.append(answer.id)

    @app.on()
    def other(answer: belfry.Answer) -> None:
        told.append(answer.action)

    for id in ("milk", "bread"):
        app.add(id, id=id, actions=DONE)
    person.press("milk", "done")
    person.tap("bread")
    app.run(count=2)
    assert told == ["failed", belfry.OPEN]
    assert "the handler of 'done' failed for 'milk'" in caplog.text
    app.run(count=1)
    assert told == ["failed", belfry.OPEN, "milk"]


def test_events_go_on_behind_a_number(app: App) -> None:
    for number in range(3):
        app.add(f"{number}", id=f"{number}")
    events = list(app.events(after=0, follow=False))
    assert [each.number for each in events] == list(range(1, len(events) + 1))
    assert [each.id for each in events if each.kind == "delivered"] == ["0", "1", "2"]
    assert list(app.events(after=events[-2].number, follow=False)) == events[-1:]
    with pytest.raises(belfry.OutOfRange) as refused:
        list(app.events(after=1_000, follow=False))
    assert refused.value.metadata["last_event_number"] == str(events[-1].number)


def test_events_go_on_where_a_connection_is_renewed(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("belfry._sync._subscription.RENEWAL", 0.05)
    told: list[int] = []
    for event in app.events(after=0):
        told.append(event.number)
        if len(told) == 20:
            break
        # Longer than a connection lasts.
        time_.sleep(0.02)
        app.add(f"{event.number}")
    assert told == list(range(1, 21))


def test_a_file(app: App, tmp_path: Path) -> None:
    picture = tmp_path / "cup.png"
    picture.write_bytes(PIXEL)
    app.add("Tea", id="tea", attach=picture)
    [attachment] = app.delivered("tea")[0].raw.request.content.attachments
    assert attachment.type == "public.png"
    with pytest.raises(belfry.InvalidRequest, match="No such file") as refused:
        app.add("Tea", attach=[tmp_path / "none.png"])
    assert refused.value.field == "attach"


def test_buttons_make_no_category(app: App, person: Device, belfry_server: Client) -> None:
    category = belfry.v1.NotificationCategory(identifier="own")
    category.actions.add(identifier="open", title="Open")
    own = belfry.v1.SetNotificationCategoriesRequest(center=app.center, categories=[category])
    belfry_server.call(belfry.rpc.SetNotificationCategories, own)
    app.add("Milk", actions=DONE)
    app.add("Bread", category="own")
    app.add("Tea", category="own", actions=DONE)
    shown = {each.title: each.actions for each in person.screen()}
    assert shown == {"Milk": ("done", "note"), "Bread": ("open",), "Tea": ("done", "note")}
    asked = belfry.v1.GetNotificationCategoriesRequest(center=app.center)
    found = belfry_server.call(belfry.rpc.GetNotificationCategories, asked).categories
    assert [each.identifier for each in found] == ["own"]


def test_progress(app: App, person: Device) -> None:
    app.add("Copy", id="copy", progress=0)
    app.add("Copy", id="copy", progress=0.5, quiet=True)
    assert [each.progress for each in person.screen()] == [0.5]
    events = app.events(after=0, follow=False)
    told = [each.raw.delivered.presentation.options for each in events if each.kind == "delivered"]
    banner = belfry.v1.PRESENTATION_OPTION_BANNER
    assert [banner in options for options in told] == [True, False]
    with pytest.raises(belfry.InvalidRequest) as refused:
        app.add("Copy", progress=2)
    assert isinstance(refused.value, belfry.reasons.ProgressInvalid)
    assert app.add("Tea").state == "delivered"
    assert [each.progress for each in person.screen() if each.title == "Tea"] == [None]


def test_refusals_have_types(app: App, belfry_server: Client, person: Device) -> None:
    new = belfry_server.app("org.example.new", device=app.device)
    with pytest.raises(belfry.NotFound) as unknown:
        new.add("Milk")
    assert isinstance(unknown.value, belfry.reasons.AppNotRegistered)
    assert unknown.value.reason == "APP_NOT_REGISTERED"
    assert new.authorize(wait=timedelta()) is False
    person.deny(new.id)
    with pytest.raises(belfry.NotAllowed) as denied:
        new.add("Milk")
    assert denied.value.metadata["missing"] == "DENIED"
    with pytest.raises(belfry.InvalidRequest) as wrong:
        app.add("Milk", badge=-1)
    assert wrong.value.field == "request.content.badge"
    with pytest.raises(belfry.NotFound, match="does not show 'none', but nothing"):
        person.press("none", "done")
    assert app.badge(3) == 3


def test_a_repetition(app: App, person: Device, clock: Clock) -> None:
    person.travel("Europe/Rome")
    first = app.add("Stand-up", every="weekday", at=time(9, 30), times=2, id="daily").next
    assert first is not None and first.astimezone(ZoneInfo("Europe/Rome")).hour == 9
    clock.advance("7 days")
    kinds = [each.kind for each in app.events(after=0, follow=False) if each.id == "daily"]
    assert kinds == ["delivered", "delivered", "expired"]


def test_asyncio_has_the_same(app: App, person: Device, belfry_server: Client) -> None:
    address = belfry_server.address

    async def program() -> None:
        async with belfry.aio.connect(address) as client:
            mine, user = client.app(app.id, device=app.device), client.device(app.device)
            told: list[str] = []

            @mine.on("done")
            async def done(answer: belfry.Answer) -> None:
                await asyncio.sleep(0)
                told.append(answer.id)

            running = asyncio.create_task(mine.run(count=1))
            added = await mine.add("Milk", id="milk", actions=DONE)
            assert added.state == "delivered"
            await user.press("milk", "done")
            await running
            assert told == ["milk"]
            assert [each.id async for each in mine.events(after=0, follow=False)]
            with pytest.raises(belfry.InvalidRequest, match="tzinfo="):
                await mine.add("Milk", at=datetime(2026, 1, 1))

    asyncio.run(program())
