"""Waiting for the answer to one notification, by many at once."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

import belfry
from belfry import Action, App, Client, Clock, Device, Reply, v1
from belfry.pytest_plugin import BadDay

YES = [Action("yes", "Yes"), Action("no", "No")]
BOUND = timedelta(minutes=5)


def press_when_shown(person: Device, id: str, action: str) -> None:
    while id not in [shown.id for shown in person.screen()]:
        pass
    person.press(id, action)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(64) as pool:
        yield pool


def test_each_gets_its_own(app: App, person: Device, pool: ThreadPoolExecutor) -> None:
    asked = {f"{number}": "yes" if number % 3 else "no" for number in range(30)}
    waits = {
        id: pool.submit(app.add, "Deploy?", id=id, actions=YES, wait=BOUND) for id in asked
    }
    for id, action in asked.items():
        press_when_shown(person, id, action)
    answers = {id: wait.result() for id, wait in waits.items()}
    assert {id: answer.action for id, answer in answers.items()} == asked
    assert [answer.id for answer in answers.values()] == list(asked)


def test_what_is_waited_for_needs_no_loop(
    app: App, person: Device, pool: ThreadPoolExecutor
) -> None:
    """Who waited has completed it: a later loop is told the others alone."""
    waiting = pool.submit(app.add, "Deploy?", id="mine", actions=YES, wait=BOUND)
    app.add("Milk", id="milk", actions=YES)
    person.press("milk", "no")
    press_when_shown(person, "mine", "yes")
    assert waiting.result().id == "mine"
    assert [answer.id for answer in app.answers(count=1)] == ["milk"]


def test_a_loop_stays_what_it_is(
    app: App, person: Device, belfry_server: Client, pool: ThreadPoolExecutor
) -> None:
    """Another program waits beside one that speaks for the app, which is told it as well."""
    told = pool.submit(lambda: [answer.id for answer in app.answers(count=2)])
    other = belfry_server.app(app.id, device=app.device)
    app.add("Before", id="before", actions=YES)
    person.press("before", "no")
    waiting = pool.submit(other.add, "Deploy?", id="it", actions=YES, wait=BOUND)
    press_when_shown(person, "it", "yes")
    assert waiting.result().action == "yes"
    app.add("After", id="after", actions=YES)
    person.press("after", "no")
    # Where who waits is first to complete it, the loop need not be told.
    assert told.result() in (["before", "it"], ["before", "after"])


@pytest.mark.parametrize(
    ("end", "reason"), [("remove", "REMOVED"), ("suppress", "NOT_PRESENTED"), ("replace", "REPLACED")]
)
def test_what_is_gone_is_told(
    app: App, clock: Clock, belfry_server: Client, pool: ThreadPoolExecutor, end: str, reason: str
) -> None:
    wait = pool.submit(app.add, "Deploy?", id="it", actions=YES, in_="1h", wait=BOUND)
    while not app.pending("it"):
        pass
    if end == "suppress":
        denied = v1.UpdateSettingsRequest(
            center=app.center,
            settings=v1.NotificationSettings(
                authorization_status=v1.AUTHORIZATION_STATUS_DENIED
            ),
            update_mask={"paths": ["authorization_status"]},
        )
        belfry_server.call(belfry.rpc.UpdateSettings, denied)
    clock.advance("1h")
    if end == "remove":
        app.remove("it")
    elif end == "replace":
        app.add("Deploy now?", id="it", actions=YES)
    with pytest.raises(belfry.NotAnswered) as gone:
        wait.result()
    assert gone.value.reason == reason


@pytest.mark.parametrize("category", ["", "tells", "does not tell"])
def test_a_dismissal_is_an_answer(
    app: App, person: Device, belfry_server: Client, pool: ThreadPoolExecutor, category: str
) -> None:
    """Whether or not the app is told of dismissals."""
    made = v1.NotificationCategory(
        identifier="tells", options=[v1.CATEGORY_OPTION_CUSTOM_DISMISS_ACTION]
    )
    own = v1.SetNotificationCategoriesRequest(center=app.center, categories=[made])
    belfry_server.call(belfry.rpc.SetNotificationCategories, own)
    wait = pool.submit(app.add, "Look", id="it", category=category, wait=BOUND)
    while not person.screen():
        pass
    person.dismiss("it")
    assert wait.result() == belfry.Answer("it", belfry.DISMISS, None)


def test_no_answer_in_time(app: App) -> None:
    with pytest.raises(TimeoutError):
        app.add("Deploy?", wait=timedelta(milliseconds=50))
    with pytest.raises(TimeoutError):
        app.wait(app.add("Deploy?"), timeout=timedelta(0))


def test_a_later_run_waits(app: App, person: Device, bad_day: BadDay) -> None:
    note = [Reply("note", "Note")]
    before = app.add("Deploy?", id="3.4.it", actions=note)
    receipt = app.add("Deploy?", id="3.4.it", actions=note).receipt
    person.reply("3.4.it", "note", "Now.")
    bad_day.kill_and_restart()
    for _ in range(2):
        # It is complete after the first, and told all the same.
        assert app.wait(receipt, timeout=BOUND) == belfry.Answer("3.4.it", "note", "Now.")
    with pytest.raises(belfry.NotAnswered) as gone:
        app.wait(before, timeout=BOUND)
    assert gone.value.reason == "REPLACED"


@pytest.mark.parametrize("text", ["", "it", "1.2.", "1.it", "-1.2.it", "1.2" + "0" * 19 + ".it"])
def test_what_is_no_receipt_is_told_with_what_would_do(app: App, text: str) -> None:
    with pytest.raises(belfry.InvalidRequest, match="write what `app.add` gave") as refused:
        app.wait(text)
    assert refused.value.field == "added"


def test_another_program_speaks_for_the_app(
    app: App, person: Device, belfry_server: Client, pool: ThreadPoolExecutor
) -> None:
    first = pool.submit(next, app.answers())
    while app._answers._subscription == "":
        pass
    other = belfry_server.app(app.id, device=app.device)
    second = pool.submit(next, other.answers())
    with pytest.raises(belfry.Superseded):
        first.result()
    app.add("Milk", id="milk", actions=YES)
    person.press("milk", "no")
    assert second.result().id == "milk"


def test_who_gives_up_leaves_nothing_behind(app: App, belfry_server: Client) -> None:
    async def play() -> None:
        async with belfry.aio.connect(belfry_server.address) as client:
            mine = client.app(app.id, device=app.device)
            added = await mine.add("Deploy?", actions=YES)
            # At once, while the call is made, and while it stands.
            for seconds in (0.0, 0.001, 0.1):
                waiting = asyncio.create_task(mine.wait(added))
                await asyncio.sleep(seconds)
                waiting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiting
            while (await client.call(belfry.rpc.GetStats, v1.GetStatsRequest())).subscriptions:
                await asyncio.sleep(0.01)

    asyncio.run(play())


def test_a_client_that_closes_ends_its_waits(app: App, belfry_server: Client) -> None:
    client = belfry.connect(belfry_server.address)
    mine = client.app(app.id, device=app.device)
    added = mine.add("Deploy?", actions=YES)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(mine.wait, added)
        client.close()
        with pytest.raises(belfry.Unavailable, match="the client is closed"):
            waiting.result()


@pytest.mark.parametrize("count", [50, pytest.param(1_000, marks=pytest.mark.full)])
def test_many_wait_through_a_restart(
    app: App, person: Device, belfry_server: Client, count: int
) -> None:
    asked = {f"{number:04}": "yes" if number % 3 else "no" for number in range(count)}

    async def play() -> None:
        async with belfry.aio.connect(belfry_server.address, timeout=BOUND) as client:
            mine = client.app(app.id, device=app.device)
            waits = {
                id: asyncio.create_task(mine.add("Deploy?", id=id, actions=YES, wait=True))
                for id in asked
            }
            while len(await mine.delivered()) < count:
                await asyncio.sleep(0.05)
            shown = {each.id: each for each in await asyncio.to_thread(person.screen)}
            for number, (id, action) in enumerate(asked.items()):
                if number == count // 2:
                    assert belfry_server.server is not None
                    belfry_server.server.kill()
                    await asyncio.to_thread(belfry_server.server.start)
                await asyncio.to_thread(person.press, shown[id], action)
            answers = await asyncio.gather(*waits.values())
            assert {answer.id: answer.action for answer in answers} == asked

    asyncio.run(play())
