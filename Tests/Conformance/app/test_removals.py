"""RemovePending, RemoveAllPending, RemoveDelivered and RemoveAllDelivered."""

import pytest

from harness import wire
from harness.client import App, Client, request


def removals(app: App) -> list[wire.RemovedEvent]:
    return [event.removed for event in app.events() if event.HasField("removed")]


def test_pending_requests_go_and_never_fire(app: App) -> None:
    for name in "abcd":
        app.add(name, 10)
    response = app.call("RemovePending", identifiers=["c", "unknown", "a", "c"])
    assert response.removed_identifiers == ["c", "a"]
    assert app.pending() == ["b", "d"]
    app.client.advance(10)
    assert app.delivered() == ["b", "d"]
    assert [(removed.identifier, removed.state) for removed in removals(app)] == [
        ("c", wire.REQUEST_STATE_PENDING),
        ("a", wire.REQUEST_STATE_PENDING),
    ]
    assert all(removed.cause == wire.REMOVAL_CAUSE_APP for removed in removals(app))
    assert not any(removed.HasField("delivery") for removed in removals(app))


def test_delivered_notifications_go(app: App) -> None:
    for name in "abcd":
        app.add(name)
    response = app.call("RemoveDelivered", identifiers=["d", "unknown", "b", "d"])
    assert response.removed_identifiers == ["d", "b"]
    assert app.delivered() == ["a", "c"]
    assert [
        (removed.identifier, removed.state, removed.delivery, removed.cause)
        for removed in removals(app)
    ] == [
        ("d", wire.REQUEST_STATE_DELIVERED, 4, wire.REMOVAL_CAUSE_APP),
        ("b", wire.REQUEST_STATE_DELIVERED, 2, wire.REMOVAL_CAUSE_APP),
    ]


@pytest.mark.parametrize("rpc", ["RemovePending", "RemoveDelivered"])
def test_no_identifiers_remove_nothing(app: App, rpc: str) -> None:
    app.add("same", 10)
    app.add("same ")
    assert app.call(rpc).removed_identifiers == []
    assert (app.pending(), app.delivered()) == (["same"], ["same "])


def test_an_identifier_in_both_lists_goes_from_the_named_one_alone(app: App) -> None:
    for _ in range(2):
        app.add("same")
        app.add("same", 10)
    assert app.call("RemovePending", identifiers=["same"]).removed_identifiers == ["same"]
    assert (app.pending(), app.delivered()) == ([], ["same"])
    app.add("same", 10)
    assert app.call("RemoveDelivered", identifiers=["same"]).removed_identifiers == ["same"]
    assert (app.pending(), app.delivered()) == (["same"], [])


def test_all_pending_requests_go_and_nothing_else(client: Client) -> None:
    app, other = client.app(), client.app()
    for each in (app, other):
        each.authorize()
        each.call("AddBatch", requests=[request(f"{number}", 10) for number in range(700)])
        each.add("shown")
    assert app.call("RemoveAllPending").removed_count == 700
    assert app.call("RemoveAllPending").removed_count == 0
    assert (app.pending(), app.delivered()) == ([], ["shown"])
    client.advance(10)
    assert app.delivered() == ["shown"]
    assert len(other.delivered(page_size=1_000)) == 701


def test_all_delivered_notifications_go_and_nothing_else(client: Client) -> None:
    app, other = client.app(), client.app()
    for each in (app, other):
        each.authorize()
        each.call("AddBatch", requests=[request(f"{number}") for number in range(700)])
        each.add("waits", 10)
    assert app.call("RemoveAllDelivered").removed_count == 700
    assert app.call("RemoveAllDelivered").removed_count == 0
    assert (app.pending(), app.delivered()) == (["waits"], [])
    assert len(other.delivered(page_size=1_000)) == 700
    assert len(removals(app)) == 700


def test_a_repeating_request_ends_with_its_removal(app: App) -> None:
    app.call("Add", request=request("tick", 60, repeats=True))
    app.client.advance(60)
    assert app.call("RemovePending", identifiers=["tick"]).removed_identifiers == ["tick"]
    app.client.advance(600)
    deliveries = [event for event in app.events() if event.HasField("delivered")]
    assert len(deliveries) == 1


def test_the_oldest_of_more_than_1000_delivered_go(app: App) -> None:
    for part in range(2):
        requests = [request(f"{part * 501 + number:04}") for number in range(501)]
        app.call("AddBatch", requests=requests)
    assert app.delivered(page_size=1_000)[0] == "0002"
    assert [(removed.identifier, removed.cause) for removed in removals(app)] == [
        ("0000", wire.REMOVAL_CAUSE_RETENTION),
        ("0001", wire.REMOVAL_CAUSE_RETENTION),
    ]
