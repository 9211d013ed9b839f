"""SetBadgeCount and the badges of contents (§12)."""

from harness import wire
from harness.client import App, Client


def badges(app: App) -> list[int]:
    """Every badge that the app has had."""
    return [event.badge_changed.badge for event in app.events() if event.HasField("badge_changed")]


def badge(app: App) -> int:
    with app.subscribe(snapshot=True) as subscription:
        return subscription.until("snapshot")[-1].snapshot.badge


def test_the_app_sets_its_badge(app: App) -> None:
    for count in (3, 3, 0, 2**31 - 1):
        assert app.call("SetBadgeCount", count=count).badge == count
        assert badge(app) == count
    assert badges(app) == [3, 0, 2**31 - 1]


def test_a_content_sets_the_badge_when_it_is_delivered(app: App) -> None:
    app.add("later", 10, badge=5)
    assert badge(app) == 0
    app.client.advance(10)
    assert badge(app) == 5
    app.add("unchanged")
    app.add("same", badge=5)
    app.add("none", badge=0)
    assert badges(app) == [5, 0]


def test_a_content_may_add_to_the_badge(app: App) -> None:
    app.call("SetBadgeCount", count=2**31 - 4)
    for _ in range(3):
        app.add(badge=2, badge_mode=wire.BADGE_MODE_INCREMENT)
    assert badges(app)[1:] == [2**31 - 2, 2**31 - 1]


def test_a_badge_alone_leaves_nothing_in_the_list(app: App) -> None:
    response = app.add("badge", badge=1)
    assert response.state == wire.REQUEST_STATE_DELIVERED
    assert app.delivered() == []
    [delivered] = [event.delivered for event in app.events() if event.HasField("delivered")]
    assert delivered.presentation.options == [wire.PRESENTATION_OPTION_BADGE]


def test_without_its_permission_a_badge_is_left_out(client: Client) -> None:
    app = client.app()
    app.authorize(wire.AUTHORIZATION_OPTION_ALERT)
    app.add("shown", title="A title", badge=1)
    assert app.delivered() == ["shown"]
    assert badges(app) == []


def test_removing_the_badge_leaves_the_list(app: App) -> None:
    app.add("shown", title="A title", badge=1)
    app.call("SetBadgeCount", count=0)
    assert app.delivered() == ["shown"]
