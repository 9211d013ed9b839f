"""The same with asyncio: todo_async.py add TASK TIME | list | cancel ID | run"""

import asyncio
import sys

from belfry import Action, Reply, Response
from belfry.aio import App, connect

BUTTONS = [Action("done", "Done"), Reply("later", "Later", placeholder="10m")]


class Todo:
    """The tasks of one person, each of which is a notification."""

    def __init__(self, app: App) -> None:
        self.app = app
        app.on("later")(self.later)
        app.on("done")(lambda answer: print(answer.notification.title, "is done"))

    async def add(self, task: str, after: str) -> str:
        if not await self.app.authorize():
            raise SystemExit("The person does not allow notifications.")
        return (await self.app.add(task, in_=after, actions=BUTTONS, sound=True)).id

    async def list(self) -> list[str]:
        waiting = [f"{each.id} {each.title}: {each.next:%c}" for each in await self.app.pending()]
        return waiting + [f"{each.id} {each.title}: now" for each in await self.app.delivered()]

    async def later(self, answer: Response) -> None:
        await self.app.add(answer.notification.title, in_=answer.text or "10m", actions=BUTTONS)


async def main(command: str, *words: str) -> None:
    async with connect() as client:
        todo = Todo(client.app("org.example.todo"))
        if command == "run":
            await todo.app.run()
        elif command == "add":
            print(await todo.add(*words))
        else:
            print(await (todo.list() if command == "list" else todo.app.remove(*words)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
