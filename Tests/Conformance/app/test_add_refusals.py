"""What Add and each request of AddBatch refuse, and that a refusal changes nothing."""

from dataclasses import dataclass
from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client, interval, request
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of, refusal_of_item
from harness.server import START_SECONDS

INVALID = grpc.StatusCode.INVALID_ARGUMENT

YEARS_100 = 100 * 36_525 * 864


@dataclass(frozen=True)
class Case:
    """A request that is refused. Its expected fields are relative to the request."""

    name: str
    request: wire.NotificationRequest
    expected: Expected


def of_content(name: str, expected: Expected, **content: Any) -> Case:
    return Case(name, request("refused", 60, **({"title": "A title"} | content)), expected)


def of_trigger(name: str, expected: Expected, trigger: wire.Trigger) -> Case:
    whole = request("refused")
    whole.trigger.CopyFrom(trigger)
    return Case(name, whole, expected)


def of_interval(name: str, seconds: int, nanos: int = 0, *, repeats: bool = False) -> Case:
    length = wire.Duration(seconds=seconds, nanos=nanos)
    trigger = wire.Trigger(repeats=repeats, time_interval=wire.TimeIntervalTrigger(interval=length))
    path = "trigger.time_interval.interval"
    return of_trigger(name, Expected(INVALID, "TIME_INTERVAL_INVALID", (path,)), trigger)


NO_CONTENT = Expected(INVALID, "NOTIFICATION_INVALID_NO_CONTENT", ("content",), un_code=1401)
TOO_LARGE = Expected(INVALID, "CONTENT_TOO_LARGE", ("content",))
IDENTIFIER = Expected(INVALID, "IDENTIFIER_INVALID", ("identifier",))
USER_INFO = Expected(INVALID, "USER_INFO_INVALID", ("content.user_info_json",))
RELEVANCE = Expected(INVALID, "RELEVANCE_SCORE_INVALID", ("content.relevance_score",))
VOLUME = Expected(INVALID, "SOUND_VOLUME_INVALID", ("content.sound.volume",))
BADGE = Expected(INVALID, "BADGE_INPUT_INVALID", ("content.badge",), un_code=1600)
COUNT = Expected(INVALID, "SUMMARY_ARGUMENT_COUNT_INVALID", ("content.summary_argument_count",))


def kind(path: str) -> Expected:
    return Expected(INVALID, "TRIGGER_KIND_INVALID", (path,))


def unknown_number(path: str) -> Expected:
    return Expected(INVALID, "INVALID_FIELD", (path,))


def critical_sound(volume: float) -> wire.Sound:
    return wire.Sound(critical=True, volume=volume)


CASES = [
    Case("no content", wire.NotificationRequest(identifier="refused"), NO_CONTENT),
    Case("only user info", request("refused", 60, user_info_json="{}"), NO_CONTENT),
    Case("only a level", request("refused", 60, interruption_level=3), NO_CONTENT),
    Case("long identifier", request("i" * 257, 60), IDENTIFIER),
    Case("long identifier in bytes", request("é" * 129, 60), IDENTIFIER),
    of_content("large body", TOO_LARGE, body="b" * 65_536),
    of_content("large in sum", TOO_LARGE, body="b" * 40_000, subtitle="s" * 40_000),
    of_content("badge below zero", BADGE, badge=-1),
    of_content("least badge", BADGE, badge=-(2**31)),
    of_content("score above one", RELEVANCE, relevance_score=1.000001),
    of_content("score below zero", RELEVANCE, relevance_score=-0.000001),
    of_content("score without number", RELEVANCE, relevance_score=float("nan")),
    of_content("endless score", RELEVANCE, relevance_score=float("inf")),
    of_content("no items in summary", COUNT, summary_argument_count=0),
    of_content("volume above one", VOLUME, sound=critical_sound(1.01)),
    of_content("volume below zero", VOLUME, sound=critical_sound(-0.01)),
    of_content("volume without number", VOLUME, sound=critical_sound(float("nan"))),
    of_content("volume of an ordinary sound", VOLUME, sound=wire.Sound(volume=0.5)),
    of_content(
        "long sound name",
        Expected(INVALID, "INVALID_FIELD", ("content.sound.name",)),
        sound=wire.Sound(name="n" * 257),
    ),
    of_content("user info of text", USER_INFO, user_info_json="text"),
    of_content("user info of an array", USER_INFO, user_info_json="[]"),
    of_content("user info of null", USER_INFO, user_info_json="null"),
    of_content("user info of two objects", USER_INFO, user_info_json="{}{}"),
    of_content("user info that does not end", USER_INFO, user_info_json='{"a":1'),
    of_content("user info with a comma too many", USER_INFO, user_info_json='{"a":1,}'),
    of_content("user info with a leading zero", USER_INFO, user_info_json='{"a":01}'),
    of_content("user info with a control character", USER_INFO, user_info_json='{"a":"\n"}'),
    of_content("user info with a byte order mark", USER_INFO, user_info_json="\ufeff{}"),
    of_content("deep user info", USER_INFO, user_info_json='{"a":' * 9999 + "1" + "}" * 9999),
    of_content("unknown level", unknown_number("content.interruption_level"), interruption_level=4),
    of_content("unknown badge mode", unknown_number("content.badge_mode"), badge_mode=2),
    of_content(
        "unknown sound kind", unknown_number("content.sound.kind"), sound=wire.Sound(kind=2)
    ),
    of_content(
        "unspecified option",
        unknown_number("content.foreground_presentation.options[1]"),
        foreground_presentation=wire.PresentationOptions(options=[8, 0]),
    ),
    of_content(
        "unknown option",
        unknown_number("content.foreground_presentation.options[0]"),
        foreground_presentation=wire.PresentationOptions(options=[32]),
    ),
    of_content(
        "attachment",
        Expected(
            grpc.StatusCode.NOT_FOUND,
            "ATTACHMENT_NOT_IN_DATA_STORE",
            ("content.attachments[0].attachment_id",),
            un_code=103,
        ),
        attachments=[wire.AttachmentReference(attachment_id="a")],
    ),
    of_interval("interval of zero", 0),
    of_interval("interval below zero", -1),
    of_interval("interval just below zero", 0, -1),
    of_interval("repeating below 60 seconds", 59, 999_999_999, repeats=True),
    of_interval("interval above 100 years", YEARS_100, 1),
    of_interval("greatest interval", 2**63 - 1, 999_999_999),
    of_interval("least interval", -(2**63), -999_999_999),
    of_interval("nanoseconds of more than a second", 1, 1_000_000_000),
    of_interval("mixed signs", 1, -1),
    of_trigger(
        "absent interval",
        Expected(INVALID, "TIME_INTERVAL_INVALID", ("trigger.time_interval.interval",)),
        wire.Trigger(time_interval=wire.TimeIntervalTrigger()),
    ),
    of_trigger("no kind", kind("trigger.kind"), wire.Trigger()),
    of_trigger("repeating without a kind", kind("trigger.kind"), wire.Trigger(repeats=True)),
    of_trigger("push", kind("trigger.push"), wire.Trigger(push=wire.PushTrigger())),
    of_trigger(
        "date that is past",
        Expected(
            INVALID,
            "NOTIFICATION_INVALID_NO_DATE",
            ("trigger.calendar.date_components",),
            un_code=1400,
        ),
        wire.Trigger(
            calendar=wire.CalendarTrigger(
                date_components=wire.DateComponents(year=2025, month=12, day=31)
            )
        ),
    ),
    of_trigger(
        "zone that is not there",
        Expected(
            INVALID, "TIME_ZONE_UNKNOWN", ("trigger.calendar.date_components.time_zone",)
        ),
        wire.Trigger(
            calendar=wire.CalendarTrigger(
                date_components=wire.DateComponents(hour=8, time_zone="Europe/Atlantis")
            )
        ),
    ),
    of_trigger(
        "a region without a shape",
        Expected(INVALID, "REGION_INVALID", ("trigger.location.region",)),
        wire.Trigger(location=wire.LocationTrigger(region=wire.Region(identifier="home"))),
    ),
    *[
        of_content(
            f"localized {text} without a key",
            Expected(INVALID, "LOCALIZATION_KEY_INVALID", (f"content.localized_{text}.key",)),
            **{f"localized_{text}": wire.LocalizedText(args=["A"])},
        )
        for text in ["title", "subtitle", "body"]
    ],
    of_content(
        "too many arguments",
        Expected(INVALID, "INVALID_FIELD", ("content.localized_body.args",)),
        localized_body=wire.LocalizedText(key="key", args=[""] * 65),
    ),
]

cases = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])


def state_of(app: App) -> tuple[Any, Any, list[wire.Event]]:
    return app.call("ListPending"), app.call("ListDelivered"), app.events()


@cases
def test_add_refuses(app: App, case: Case) -> None:
    app.add("refused", 60, title="stays")
    before = state_of(app)
    refusal = refusal_of(lambda: app.call("Add", request=case.request))
    case.expected.check(refusal, prefix="request.")
    assert "A title" not in refusal.message
    assert state_of(app) == before


@cases
def test_a_batch_refuses_the_item_alone(app: App, case: Case) -> None:
    app.add("refused", 60, title="stays")
    requests = [request("before", 60), case.request, request("after", 60)]
    results = app.call("AddBatch", requests=requests).results
    assert [result.WhichOneof("outcome") for result in results] == ["added", "error", "added"]
    case.expected.check(refusal_of_item(results[1].error), prefix="requests[1].")
    assert app.pending() == ["after", "before", "refused"]
    assert app.call("ListPending").requests[2].request.content.title == "stays"


def test_the_form_is_judged_before_the_app(client: Client) -> None:
    app = client.app()
    malformed = request("refused", 0)
    assert refusal_of(lambda: app.call("Add", request=malformed)).reason == "TIME_INTERVAL_INVALID"
    assert refusal_of(lambda: app.add()).reason == "APP_NOT_REGISTERED"


def test_without_permission_nothing_is_added(launch: Launcher, transport: str) -> None:
    with Client(launch(prompts="deny").targets[transport]) as client:
        app = client.app()
        app.authorize()
        expected = Expected(
            grpc.StatusCode.PERMISSION_DENIED, "NOTIFICATIONS_NOT_ALLOWED", un_code=1
        )
        expected.check(refusal_of(lambda: app.add("now")))
        expected.check(refusal_of(lambda: app.add("later", 60)))
        results = app.call("AddBatch", requests=[request("now"), request("later", 60)]).results
        for result in results:
            expected.check(refusal_of_item(result.error))
        assert (app.pending(), app.delivered()) == ([], [])


@pytest.mark.parametrize(
    "policy, number, evicted",
    [
        ("keep-soonest", wire.PENDING_LIMIT_POLICY_KEEP_SOONEST, ["c"]),
        ("keep-latest-added", wire.PENDING_LIMIT_POLICY_KEEP_LATEST_ADDED, ["b"]),
    ],
)
def test_beyond_the_limit_a_policy_evicts_and_tells(
    launch: Launcher, transport: str, policy: str, number: int, evicted: list[str]
) -> None:
    arguments = ["--pending-limit=2", f"--pending-policy={policy}"]
    with Client(launch(arguments=arguments).targets[transport]) as client:
        limits = client.call("GetServerInfo").limits
        assert (limits.pending_per_center, limits.pending_limit_policy) == (2, number)
        app = client.app()
        app.authorize()
        app.add("b", 20)
        app.add("c", 30)
        added = app.add("a", 10)
        assert (added.state, list(added.evicted_identifiers)) == (
            wire.REQUEST_STATE_PENDING,
            evicted,
        )
        event = app.events()[-1].evicted
        assert ([event.identifier], event.evicted_by) == (evicted, "a")
        assert client.call("GetStats").counters.evicted == 1


def test_the_profile_ios_keeps_the_64_that_fire_soonest(launch: Launcher, transport: str) -> None:
    with Client(launch(arguments=["--profile=ios"]).targets[transport]) as client:
        app = client.app()
        app.authorize()
        requests = [request(f"{minute}", 60.0 * minute) for minute in range(1, 71)]
        results = app.call("AddBatch", requests=requests).results
        assert all(result.added.state == wire.REQUEST_STATE_PENDING for result in results[:64])
        for minute, result in enumerate(results[64:], 65):
            assert result.added.state == wire.REQUEST_STATE_GONE
            assert list(result.added.evicted_identifiers) == [f"{minute}"]
        assert set(app.pending()) == {f"{minute}" for minute in range(1, 65)}


def test_beyond_the_limit_only_what_waits_longer_is_refused(
    launch: Launcher, transport: str
) -> None:
    with Client(launch(arguments=["--pending-limit=3"]).targets[transport]) as client:
        assert client.call("GetServerInfo").limits.pending_per_center == 3
        app, other = client.app(), client.app()
        app.authorize()
        other.authorize()
        results = app.call("AddBatch", requests=[request(name, 60) for name in "abcd"]).results
        expected = Expected(grpc.StatusCode.RESOURCE_EXHAUSTED, "PENDING_LIMIT")
        expected.check(refusal_of_item(results[3].error))
        refusal = refusal_of(lambda: app.add("e", 60))
        expected.check(refusal)
        assert refusal.metadata == {"limit": "3"}
        assert refusal.retry_after is None
        assert app.add("a", 90).state == wire.REQUEST_STATE_PENDING
        assert app.add("now").state == wire.REQUEST_STATE_DELIVERED
        assert other.add("a", 60).state == wire.REQUEST_STATE_PENDING
        client.advance(60)
        assert app.add("e", 60).state == wire.REQUEST_STATE_PENDING
