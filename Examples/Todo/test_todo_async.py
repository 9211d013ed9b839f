"""The to-do list with asyncio, on a server of the tests."""

import asyncio
from datetime import timedelta

import belfry.aio
from todo_async import Todo


def test_a_day_of_a_task(app, belfry_server, assert_delivered):
    async def day():
        async with belfry.aio.connect(belfry_server.address) as client:
            todo = Todo(client.app(app.id, device=app.device))
            person, clock = client.device(app.device), client.clock
            running = asyncio.create_task(todo.app.run(count=2))
            milk = await todo.add("Milk", "2h")
            await clock.advance("2h")
            assert await todo.list() == [f"{milk} Milk: now"]
            await person.reply(milk, "later", "3 days")
            while not (pending := await todo.app.pending()):
                await asyncio.sleep(0.01)
            assert pending[0].next == await clock.now() + timedelta(days=3)
            await clock.advance("3 days")
            await person.press(pending[0].id, "done")
            await running
            assert await todo.app.remove(milk) == []

    asyncio.run(day())
    assert_delivered()
