"""What a client is told is on disk before: shown by the order of the server's own system calls.

A power cut tells the same only where it happens to fall between the two.
"""

from collections.abc import Callable

from harness.client import App, Client
from harness.launcher import Launcher
from harness.order import TRACE, Order
from harness.tracing import Tracer

ADDS = 20

COMMIT = ["frame", "sync"]


def test_replies_and_events_follow_the_sync_of_their_batch(
    launch: Launcher, report: Callable[[str], None]
) -> None:
    """One client adds requests and lets them fire, one at a time; another one hears of it."""
    server = launch()
    trace = launch.new_home() / "trace"
    target = server.targets["unix"]
    with Client(target) as client, Client(target) as listener:
        app = client.app()
        app.authorize()
        with App(listener, app.center).subscribe() as subscription:
            subscription.until("caught_up")
            with Tracer(server, trace, *TRACE) as tracer:
                for number in range(ADDS):
                    app.add(f"{number}", 10)
                    client.advance(10)
                    subscription.until("event")
                server.kill()
                tracer.wait()
    order = Order(trace)
    batches = order.batches()
    assert len(batches) == 2 * ADDS
    for added, fired in zip(batches[::2], batches[1::2], strict=True):
        assert added == [*COMMIT, "reply"]
        assert fired[:2] == COMMIT
        assert set(fired[2:]) == {"event", "reply"}
    report(
        f"R2 sync before reply: {2 * ADDS} replies and {ADDS} events, each after the finished"
        " fdatasync of the log; an Add:"
    )
    first = next(n for n, step in enumerate(order.steps) if step.kind == "reply")
    for step in order.steps[: first + 1]:
        report(f"    {step}")
