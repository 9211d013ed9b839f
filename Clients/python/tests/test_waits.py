"""Waiting for the answer to one notification, by many at once."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

import belfry
from belfry import Action, App, Client, Clock, Device, v1

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
    assert {id: wait.result().action for id, wait in waits.items()} == asked


def test_a_loop_gets_the_others(app: App, person: Device, pool: ThreadPoolExecutor) -> None:
    waiting = pool.submit(app.add, "Deploy?", id="mine", actions=YES, wait=BOUND)
    app.add("Milk", id="milk", actions=YES)
    person.press("milk", "no")
    press_when_shown(person, "mine", "yes")
    assert waiting.result().id == "mine"
    assert [answer.id for answer in app.answers(count=1)] == ["milk"]


@pytest.mark.parametrize(
    ("end", "reason"),
    [("dismiss", ""), ("remove", "APP"), ("suppress", "SUPPRESSED")],
)
def test_what_is_gone_is_told(
    app: App, person: Device, clock: Clock, belfry_server: Client, pool: ThreadPoolExecutor,
    end: str, reason: str,
) -> None:  # fmt: skip
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
    if end == "dismiss":
        person.dismiss("it")
        assert wait.result().action == belfry.DISMISS
        return
    app.remove("it")
    with pytest.raises(belfry.NotAnswered) as gone:
        wait.result()
    assert gone.value.reason == reason


def test_a_dismissal_without_buttons(app: App, person: Device, pool: ThreadPoolExecutor) -> None:
    wait = pool.submit(app.add, "Look", id="it", wait=BOUND)
    while not person.screen():
        pass
    person.dismiss("it")
    assert wait.result().action == belfry.DISMISS


def test_a_dismissal_that_the_apps_category_does_not_tell(
    app: App, person: Device, pool: ThreadPoolExecutor
) -> None:
    wait = pool.submit(app.add, "Look", id="it", category="own", wait=BOUND)
    while not person.screen():
        pass
    person.dismiss("it")
    with pytest.raises(belfry.NotAnswered) as gone:
        wait.result()
    assert gone.value.reason == "DISMISSED"


def test_no_answer_in_time(app: App) -> None:
    with pytest.raises(TimeoutError):
        app.add("Deploy?", wait=timedelta(milliseconds=50))
    with pytest.raises(TimeoutError):
        app.wait("none", timeout=timedelta(milliseconds=50))


def test_an_answer_of_before_is_told(app: App, person: Device) -> None:
    app.add("Deploy?", id="it", actions=YES)
    person.press("it", "yes")
    assert app.wait("it", timeout=BOUND).action == "yes"


def test_another_program_speaks_for_the_app(app: App, belfry_server: Client) -> None:
    other = belfry_server.app(app.id, device=app.device)
    ready, answers = threading.Event(), app.answers()

    def follow() -> None:
        with pytest.raises(belfry.Superseded):
            ready.set()
            next(answers)

    thread = threading.Thread(target=follow)
    thread.start()
    ready.wait()
    while thread.is_alive():
        with pytest.raises(TimeoutError):
            other.wait("none", timeout=timedelta(milliseconds=100))
    thread.join()


def test_another_program_takes_the_answer(
    app: App, person: Device, belfry_server: Client, pool: ThreadPoolExecutor
) -> None:
    """The waits of two programs take turns: each is told its own answer in the end."""
    other = belfry_server.app(app.id, device=app.device)
    first = pool.submit(app.add, "First", id="first", actions=YES, wait=BOUND)
    while not app.delivered("first"):
        pass
    second = pool.submit(other.add, "Second", id="second", actions=YES, wait=BOUND)
    while not app.delivered("second"):
        pass
    person.press("first", "yes")
    person.press("second", "no")
    assert (first.result().action, second.result().action) == ("yes", "no")


def test_who_gives_up_leaves_nothing_behind(app: App, belfry_server: Client) -> None:
    async def play() -> None:
        async with belfry.aio.connect(belfry_server.address) as client:
            mine = client.app(app.id, device=app.device)
            # At once, while the subscription is made, and while it stands.
            for seconds in (0.0, 0.001, 0.1):
                waiting = asyncio.create_task(mine.wait("none"))
                await asyncio.sleep(seconds)
                waiting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiting
                assert (mine._answers._users, mine._answers._waits.all) == (0, [])
            assert mine._answers._stop is None

    asyncio.run(play())


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
