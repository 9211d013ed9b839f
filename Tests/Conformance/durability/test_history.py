"""Four clients work on the same requests: one order explains all that they were told."""

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace

import pytest

from harness import wire
from harness.client import App, Client
from harness.history import Operation, contradiction
from harness.launcher import Launcher
from harness.torture import Torture

CLIENTS = 4
OPERATIONS = 2_000
NAMES = ["a", "b", "c", "d"]

KINDS = ["add pending", "add delivered", "remove pending", "remove delivered"] * 2
KINDS += ["list pending", "list delivered"] * 3

History = dict[str, list[Operation]]


def perform(app: App, kind: str, name: str, version: int) -> int | None:
    """Makes one call, and gives what it told as a history has it."""
    match kind:
        case "add pending" | "add delivered":
            app.add(name, 3_600 if kind == "add pending" else None, body=f"{version}")
            return version
        case "remove pending":
            return len(app.call("RemovePending", identifiers=[name]).removed_identifiers)
        case "remove delivered":
            return len(app.call("RemoveDelivered", identifiers=[name]).removed_identifiers)
    chosen = wire.NotificationFilter(identifiers=[name])
    if kind == "list pending":
        listed = app.call("ListPending", filter=chosen).requests
    else:
        listed = app.call("ListDelivered", filter=chosen).notifications
    assert len(listed) <= 1
    return int(listed[0].request.content.body) if listed else None


def work(app: App, versions: Iterator[int], choices: random.Random) -> History:
    """One client's calls, by the identifier that they are about."""
    history: History = defaultdict(list)
    for _ in range(OPERATIONS // CLIENTS):
        kind, name, version = choices.choice(KINDS), choices.choice(NAMES), next(versions)
        invoked = time.monotonic_ns()
        value = perform(app, kind, name, version)
        history[name].append(Operation(invoked, time.monotonic_ns(), kind, value))
    return history


def overlapping(clients: list[list[Operation]]) -> int:
    """How many operations were under way while one of another client was."""
    spans = sorted((it.invoked, it.completed) for operations in clients for it in operations)
    return sum(later[0] < earlier[1] for earlier, later in zip(spans, spans[1:], strict=False))


def doctored(clients: list[list[Operation]]) -> list[list[Operation]]:
    """The same, but for one read that was told of what nobody wrote."""
    changed = [list(operations) for operations in clients]
    for operations in changed:
        for place, operation in enumerate(operations):
            if operation.kind.startswith("list"):
                operations[place] = replace(operation, value=-1)
                return changed
    raise AssertionError("nobody read")


@pytest.mark.torture
def test_one_order_explains_what_four_clients_were_told(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    server = launch()
    targets = list(server.targets.values())
    count, at_once, began = 0, 0, time.monotonic()
    with ExitStack() as stack:
        clients = [stack.enter_context(Client(targets[n % 2])) for n in range(CLIENTS)]
        pool = stack.enter_context(ThreadPoolExecutor(CLIENTS))
        for number in torture.rounds("R17"):
            center = clients[0].app().center
            App(clients[0], center).authorize()
            work_of = [
                pool.submit(
                    work,
                    App(client, center),
                    iter(range(place, 10**9, CLIENTS)),
                    random.Random(f"{torture.seed}/{number}/{place}"),
                )
                for place, client in enumerate(clients)
            ]
            histories = [future.result() for future in work_of]
            for name in NAMES:
                history = [of_client[name] for of_client in histories]
                assert contradiction(history) is None, f"history {number} of {name}"
                assert contradiction(doctored(history)) is not None
                count += sum(map(len, history))
                at_once += overlapping(history)
    report(
        f"R17 histories: {torture.count('R17')} with {count} calls of {CLIENTS} clients,"
        f" {at_once} of them at once with another on the same request,"
        f" {count / (time.monotonic() - began):.0f} a second; each linearizes"
        f" (seed {torture.seed})"
    )


ADD, READ, REMOVE = "add pending", "list pending", "remove pending"


@pytest.mark.parametrize(
    "clients",
    [
        # A read beside an add may be before or after it.
        [[Operation(0, 9, ADD, 1)], [Operation(1, 2, READ, None), Operation(3, 4, READ, 1)]],
        # Two adds at once may be in either order.
        [[Operation(0, 5, ADD, 1)], [Operation(0, 5, ADD, 2)], [Operation(6, 7, READ, 1)]],
        [[Operation(0, 5, ADD, 1)], [Operation(0, 5, ADD, 2)], [Operation(6, 7, READ, 2)]],
        # Of two removals at once one removes.
        [
            [Operation(0, 1, ADD, 1), Operation(2, 5, REMOVE, 1)],
            [Operation(2, 5, REMOVE, 0)],
        ],
        # A delivery takes the pending request's place.
        [
            [
                Operation(0, 1, ADD, 1),
                Operation(2, 3, "add delivered", 2),
                Operation(4, 5, READ, None),
                Operation(6, 7, "list delivered", 2),
            ]
        ],
    ],
)
def test_a_history_with_an_order_is_accepted(clients: list[list[Operation]]) -> None:
    assert contradiction(clients) is None


@pytest.mark.parametrize(
    "clients",
    [
        # What was answered is not there for a later call.
        [[Operation(0, 1, ADD, 1)], [Operation(2, 3, READ, None)]],
        # It is there, and then not.
        [[Operation(0, 9, ADD, 1)], [Operation(1, 2, READ, 1), Operation(3, 4, READ, None)]],
        # An older version comes back.
        [[Operation(0, 1, ADD, 1), Operation(2, 3, ADD, 2)], [Operation(4, 5, READ, 1)]],
        # Both of two removals say that they removed it.
        [
            [Operation(0, 1, ADD, 1), Operation(2, 5, REMOVE, 1)],
            [Operation(2, 5, REMOVE, 1)],
        ],
        # Two clients see two adds in different orders.
        [
            [Operation(0, 9, ADD, 1)],
            [Operation(0, 9, ADD, 2)],
            [Operation(1, 2, READ, 1), Operation(3, 4, READ, 2)],
            [Operation(1, 2, READ, 2), Operation(3, 4, READ, 1)],
        ],
        # It is delivered and still pending.
        [
            [
                Operation(0, 1, ADD, 1),
                Operation(2, 3, "add delivered", 2),
                Operation(4, 5, READ, 1),
            ]
        ],
    ],
)
def test_a_history_without_an_order_is_rejected(clients: list[list[Operation]]) -> None:
    assert contradiction(clients) is not None
