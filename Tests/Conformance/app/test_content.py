"""Content comes back as it was sent, through every place where it is shown."""

import pytest

from harness import wire
from harness.client import App, interval

USER_INFO = ' {"b": [1, 2.50, -0e1, null, true],\n\t"a": {"\\u00e9\\/": "é \U0001f514"}, "a": ""} '

WHOLE = wire.NotificationContent(
    title="Title \U0001f514",
    subtitle="Subtitle",
    body="Body %% %@ %d\x00\n\u202e",
    badge=7,
    badge_mode=wire.BADGE_MODE_INCREMENT,
    sound=wire.Sound(kind=wire.SOUND_KIND_RINGTONE, name="ring.caf", critical=True, volume=0.25),
    category_identifier="MEETING",
    thread_identifier="thread 1",
    user_info_json=USER_INFO,
    launch_image_name="launch.png",
    summary_argument="Anna",
    summary_argument_count=3,
    target_content_identifier="window 2",
    interruption_level=wire.INTERRUPTION_LEVEL_TIME_SENSITIVE,
    relevance_score=0.1,
    filter_criteria="work",
    foreground_presentation=wire.PresentationOptions(
        options=[wire.PRESENTATION_OPTION_BADGE, wire.PRESENTATION_OPTION_BANNER]
    ),
)

CONTENTS = {
    "whole": WHOLE,
    "title only": wire.NotificationContent(title="Title"),
    "passive": wire.NotificationContent(
        body="Body", interruption_level=wire.INTERRUPTION_LEVEL_PASSIVE
    ),
    "no sound kind": wire.NotificationContent(body="Body", sound=wire.Sound()),
    "badge of zero": wire.NotificationContent(body="Body", badge=0),
    "volume of zero": wire.NotificationContent(
        body="Body", sound=wire.Sound(critical=True, volume=0.0)
    ),
    "presents nothing": wire.NotificationContent(
        body="Body", foreground_presentation=wire.PresentationOptions()
    ),
    "greatest values": wire.NotificationContent(
        body="Body", badge=2**31 - 1, summary_argument_count=2**32 - 1, relevance_score=1.0
    ),
}


def without_defaults(content: wire.NotificationContent) -> wire.NotificationContent:
    """The same content, with what an absent field means written out."""
    whole = wire.NotificationContent()
    whole.CopyFrom(content)
    if not whole.HasField("interruption_level"):
        whole.interruption_level = wire.INTERRUPTION_LEVEL_ACTIVE
    if not whole.HasField("summary_argument_count"):
        whole.summary_argument_count = 1
    return whole


def same(left: wire.NotificationRequest, right: wire.NotificationRequest) -> bool:
    return (
        left.identifier == right.identifier
        and left.trigger == right.trigger
        and without_defaults(left.content) == without_defaults(right.content)
    )


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS.keys())
def test_a_request_comes_back_as_it_was_sent(app: App, content: wire.NotificationContent) -> None:
    sent = wire.NotificationRequest(identifier="whole", content=content, trigger=interval(60))
    with app.subscribe() as subscription:
        subscription.until("caught_up")
        app.call("Add", request=sent)
        assert same(app.call("ListPending").requests[0].request, sent)
        app.client.advance(60)
        assert same(subscription.event().delivered.notification.request, sent)
    [notification] = app.call("ListDelivered").notifications
    assert same(notification.request, sent)
    assert notification.request.content.user_info_json == content.user_info_json
    with app.subscribe(snapshot=True) as subscription:
        snapshot = subscription.until("snapshot")[-1].snapshot
    assert list(snapshot.delivered) == [notification]


@pytest.mark.parametrize(
    "text",
    ["", "{}", " { } ", '{"a":1e400}', '{"":{"":{"":[]}}}', '{"a":"\\ud83d\\ude00"}'],
)
def test_user_info_is_kept_byte_for_byte(app: App, text: str) -> None:
    app.add("user info", title="A title", user_info_json=text)
    assert app.call("ListDelivered").notifications[0].request.content.user_info_json == text


def test_content_may_have_64_kib(app: App) -> None:
    app.add("large", body="é" * (32 * 1024 - 100))
    assert len(app.call("ListDelivered").notifications[0].request.content.body) == 32 * 1024 - 100


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"interruption_level": wire.INTERRUPTION_LEVEL_ACTIVE},
        {"interruption_level": wire.INTERRUPTION_LEVEL_PASSIVE},
        {"summary_argument_count": 1},
        {"summary_argument_count": 2},
    ],
    ids=["absent", "active", "passive", "count 1", "count 2"],
)
def test_what_was_added_comes_back_as_it_came(app: App, content: dict[str, int]) -> None:
    given = wire.NotificationContent(title="A title", **content)
    app.add("now", title="A title", **content)
    app.add("later", after=60, title="A title", **content)
    [pending] = app.call("ListPending").requests
    [delivered] = app.call("ListDelivered").notifications
    event = app.events()[-1].delivered.notification
    assert pending.request.content == delivered.request.content == event.request.content == given
