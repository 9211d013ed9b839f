"""How long what was delivered stays: by elapsed time, which nobody sets (D-19)."""

from google.protobuf import timestamp_pb2

from harness import wire
from harness.client import App, Client

DAY = 86_400


def set_clock(client: Client, days: int) -> None:
    """Sets the wall clock by some days."""
    to = timestamp_pb2.Timestamp()
    to.FromNanoseconds(client.now() + days * DAY * 10**9)
    client.call("SetClock", to=to)


def test_a_clock_that_is_set_back_keeps_nothing_longer(own_app: App) -> None:
    client = own_app.client
    own_app.add("a")
    client.advance(DAY)
    set_clock(client, -20)
    client.advance(6 * DAY - 1)
    assert own_app.delivered() == ["a"]
    client.advance(1)
    assert own_app.delivered() == []
    assert own_app.events()[-1].removed.cause == wire.REMOVAL_CAUSE_RETENTION


def test_a_clock_that_is_set_forward_takes_nothing_away(own_app: App) -> None:
    client = own_app.client
    own_app.add("old")
    client.advance(6 * DAY)
    own_app.add("a")
    set_clock(client, 8)
    client.advance(DAY)
    assert own_app.delivered() == ["a"]
    client.advance(6 * DAY - 1)
    assert own_app.delivered() == ["a"]
    client.advance(1)
    assert own_app.delivered() == []
