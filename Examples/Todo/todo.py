"""A to-do list that reminds: todo.py add TASK TIME | list | cancel ID | run"""

import sys

from belfry import Action, App, Reply, Response, connect

BUTTONS = [Action("done", "Done"), Reply("later", "Later", placeholder="10m")]


class Todo:
    """The tasks of one person, each of which is a notification."""

    def __init__(self, app: App) -> None:
        self.app = app
        app.on("later")(self.later)
        app.on("done")(lambda answer: print(answer.notification.title, "is done"))

    def add(self, task: str, after: str) -> str:
        """Schedules a reminder, and gives the name by which it is canceled."""
        if not self.app.authorize():
            raise SystemExit("The person does not allow notifications.")
        return self.app.add(task, in_=after, actions=BUTTONS, sound=True).id

    def list(self) -> list[str]:
        """What waits and what is on the screen, with its name."""
        waiting = [f"{each.id} {each.title}: {each.next:%c}" for each in self.app.pending()]
        return waiting + [f"{each.id} {each.title}: now" for each in self.app.delivered()]

    def later(self, answer: Response) -> None:
        """Reminds again after the time that the person has typed."""
        self.app.add(answer.notification.title, in_=answer.text or "10m", actions=BUTTONS)


if __name__ == "__main__":
    todo = Todo(connect().app("org.example.todo"))
    command, *words = sys.argv[1:] or ["list"]
    if command == "add":
        print(todo.add(*words))
    elif command == "cancel":
        print(*todo.app.remove(*words), "canceled")
    elif command == "run":
        todo.app.run()
    else:
        print(*todo.list(), sep="\n")
