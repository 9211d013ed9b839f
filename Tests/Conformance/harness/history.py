"""What several clients did to one request and were told, and whether one order explains it all."""

from collections.abc import Sequence
from dataclasses import dataclass

# The versions of a request that are pending and delivered; none where there is none.
State = tuple[int | None, int | None]

EMPTY: State = (None, None)


@dataclass(frozen=True)
class Operation:
    """A call: when it was made and answered, what it asked, and what it was told."""

    invoked: int
    completed: int
    kind: str
    # The version that was added, or that was listed; for a removal, 1 or 0 that were removed.
    value: int | None

    def apply(self, state: State) -> State | None:
        """The state after it; none where what it was told cannot be told in this state."""
        pending, delivered = state
        match self.kind:
            case "add pending":
                return self.value, delivered
            case "add delivered":
                # A delivery takes the place of both.
                return None, self.value
            case "remove pending":
                return (None, delivered) if self.value == (pending is not None) else None
            case "remove delivered":
                return (pending, None) if self.value == (delivered is not None) else None
            case "list pending":
                return state if self.value == pending else None
            case "list delivered":
                return state if self.value == delivered else None
        raise ValueError(self.kind)


def contradiction(clients: Sequence[Sequence[Operation]]) -> str | None:
    """Says where no order explains what the clients were told; none if the history linearizes.

    Each client's operations follow one another. An order has to keep that, and to put an operation
    that was answered before another was made in front of it. This is the search of Wing and Gong
    with the memory of Lowe: the next in the order is the next of some client, and what was reached
    once (how far each client is, and the state) is not searched again.
    """
    start = ((0,) * len(clients), EMPTY)
    seen = {start}
    found = [start]
    farthest = start
    while found:
        places, state = reached = found.pop()
        if sum(places) > sum(farthest[0]):
            farthest = reached
        heads = _heads(clients, places)
        if not heads:
            return None
        horizon = min(head.completed for head in heads.values())
        for client, head in heads.items():
            after = head.apply(state) if head.invoked <= horizon else None
            if after is None:
                continue
            following = (*places[:client], places[client] + 1, *places[client + 1 :]), after
            if following not in seen:
                seen.add(following)
                found.append(following)
    places, state = farthest
    return f"after {sum(places)} operations, in {state}: {_heads(clients, places)}"


def _heads(clients: Sequence[Sequence[Operation]], places: tuple[int, ...]) -> dict[int, Operation]:
    return {
        client: operations[place]
        for client, (operations, place) in enumerate(zip(clients, places, strict=True))
        if place < len(operations)
    }
