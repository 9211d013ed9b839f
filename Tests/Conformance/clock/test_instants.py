"""A plain instant as a trigger (CAL-17)."""

import grpc
import pytest

from harness import wire
from harness.client import App
from harness.refusals import Expected, refusal_of

SECOND = 1_000_000_000


def request(identifier: str, instant: int, **trigger: object) -> wire.NotificationRequest:
    at = wire.Timestamp(seconds=instant // SECOND, nanos=instant % SECOND)
    return wire.NotificationRequest(
        identifier=identifier,
        content=wire.NotificationContent(title="A title"),
        trigger=wire.Trigger(at=at, **trigger),
    )


def test_an_instant_fires_once(own_app: App) -> None:
    app = own_app
    instant = app.client.now() + 60 * SECOND + 1
    added = app.call("Add", request=request("a", instant))
    assert wire.nanoseconds(added.next_trigger_date) == instant
    [listed] = app.call("ListPending").requests
    assert listed.request.trigger == request("a", instant).trigger
    assert wire.nanoseconds(listed.next_trigger_date) == instant
    [upcoming] = app.call("ListUpcoming").requests
    assert [wire.nanoseconds(date) for date in upcoming.dates] == [instant]
    app.client.advance(60)
    assert app.delivered() == []
    app.client.advance(1)
    assert app.delivered() == ["a"]
    assert app.pending() == []


@pytest.mark.parametrize("ahead", [0, -1, -(10**9 * SECOND)])
def test_an_instant_in_the_past_is_refused(app: App, ahead: int) -> None:
    no_date = Expected(
        grpc.StatusCode.INVALID_ARGUMENT,
        "NOTIFICATION_INVALID_NO_DATE",
        ("request.trigger.at",),
        un_code=1400,
    )
    given = request("a", app.client.now() + ahead)
    no_date.check(refusal_of(lambda: app.call("Add", request=given)))
    assert app.pending() == []
