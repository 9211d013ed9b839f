"""The calls on categories (§5)."""

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.keys import new_key
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of

INVALID = grpc.StatusCode.INVALID_ARGUMENT


def category(identifier: str, *actions: str, title: str = "Title") -> wire.NotificationCategory:
    return wire.NotificationCategory(
        identifier=identifier,
        actions=[wire.NotificationAction(identifier=name, title=title) for name in actions],
    )


def stored(app: App) -> list[wire.NotificationCategory]:
    return list(app.call("GetNotificationCategories").categories)


def names(app: App) -> list[str]:
    return [each.identifier for each in stored(app)]


FULL = wire.NotificationCategory(
    identifier="full",
    actions=[
        wire.NotificationAction(
            identifier="reply",
            title="Reply",
            options=[
                wire.ACTION_OPTION_AUTHENTICATION_REQUIRED,
                wire.ACTION_OPTION_DESTRUCTIVE,
                wire.ACTION_OPTION_FOREGROUND,
            ],
            icon=wire.ActionIcon(system_image_name="bubble"),
            text_input=wire.TextInput(button_title="Send", placeholder="é"),
        ),
        wire.NotificationAction(
            identifier="no", icon=wire.ActionIcon(template_image_name="cross")
        ),
    ],
    intent_identifiers=["Intent"],
    hidden_previews_body_placeholder="%u messages",
    category_summary_format="%u more from %@",
    options=[1, 2, 4, 8, 16],
)


def test_a_category_is_kept_as_it_is(client: Client) -> None:
    app = client.app()
    # It registers an app that is new, which asked for nothing yet.
    assert list(app.call("SetNotificationCategories", categories=[FULL]).warnings) == []
    assert stored(app) == [FULL]
    settings = app.call("GetNotificationSettings").settings
    assert settings.authorization_status == wire.AUTHORIZATION_STATUS_NOT_DETERMINED


def test_a_set_replaces_all_and_they_come_by_the_bytes_of_their_names(app: App) -> None:
    app.call("SetNotificationCategories", categories=[category(name) for name in "éb"])
    app.call("SetNotificationCategories", categories=[category(name) for name in "zaZé"])
    assert names(app) == ["Z", "a", "z", "é"]
    app.call("SetNotificationCategories", categories=[])
    assert names(app) == []


def test_one_library_does_not_wipe_anothers(app: App) -> None:
    """K-9."""
    app.call("SetNotificationCategories", categories=[category("a"), category("b")])
    app.call("UpsertNotificationCategories", categories=[category("b", "x"), category("c")])
    assert stored(app) == [category("a"), category("b", "x"), category("c")]
    response = app.call("RemoveNotificationCategories", identifiers=["c", "none", "a"])
    assert list(response.removed_identifiers) == ["c", "a"]
    assert names(app) == ["b"]


@pytest.mark.parametrize("end", ["terminate", "kill"])
def test_they_outlive_the_server(launch: Launcher, transport: str, end: str) -> None:
    """K-10."""
    first = launch()
    with Client(first.targets[transport]) as client:
        app = client.app()
        app.call("SetNotificationCategories", categories=[FULL, category("a")])
    getattr(first, end)()
    first.wait()
    with Client(launch(first.home).targets[transport]) as client:
        assert stored(App(client, app.center)) == [category("a"), FULL]


def test_what_may_not_be_meant_is_told(app: App) -> None:
    """K-2, K-3."""
    many = [str(number) for number in range(11)]
    response = app.call(
        "SetNotificationCategories",
        categories=[category("a", "x"), category("b", "x", title="Other"), category("c", *many)],
    )
    assert [(warning.kind, warning.path) for warning in response.warnings] == [
        (wire.CATEGORY_WARNING_KIND_ACTION_MEANING_DIFFERS, "categories[1].actions[0].identifier"),
        (wire.CATEGORY_WARNING_KIND_ACTIONS_NOT_ALL_SHOWN, "categories[2].actions"),
    ]
    assert all(warning.message for warning in response.warnings)
    response = app.call("UpsertNotificationCategories", categories=[category("d", "x", title="D")])
    assert [warning.path for warning in response.warnings] == [
        "categories[0].actions[0].identifier"
    ]


@pytest.mark.parametrize("rpc", ["SetNotificationCategories", "UpsertNotificationCategories"])
@pytest.mark.parametrize(
    "bad, reason, fields",
    [
        (category(""), "CATEGORY_INVALID", "categories[1].identifier"),
        (category("x" * 257), "CATEGORY_INVALID", "categories[1].identifier"),
        (category("a"), "CATEGORY_INVALID", "categories[1].identifier"),
        (category("b", ""), "ACTION_INVALID", "categories[1].actions[0].identifier"),
        (category("b", "x", "x"), "ACTION_INVALID", "categories[1].actions[1].identifier"),
        (
            category("b", "com.apple.UNNotificationDismissActionIdentifier"),
            "ACTION_INVALID",
            "categories[1].actions[0].identifier",
        ),
        (
            wire.NotificationCategory(identifier="b", hidden_previews_body_placeholder="%d"),
            "CATEGORY_INVALID",
            "categories[1].hidden_previews_body_placeholder",
        ),
        (category("b", "x", title="x" * 65_536), "CATEGORY_TOO_LARGE", "categories[1].identifier"),
        (
            wire.NotificationCategory(identifier="b", options=[0]),
            "INVALID_FIELD",
            "categories[1].options[0]",
        ),
    ],
)
def test_what_is_wrong_is_refused_and_changes_nothing(
    app: App, rpc: str, bad: wire.NotificationCategory, reason: str, fields: str
) -> None:
    app.call("SetNotificationCategories", categories=[category("kept")])
    refused = refusal_of(lambda: app.call(rpc, categories=[category("a"), bad]))
    Expected(INVALID, reason, (fields,)).check(refused)
    assert names(app) == ["kept"]


def test_there_is_a_limit(app: App) -> None:
    some = [category(str(number)) for number in range(4_096)]
    app.call("SetNotificationCategories", categories=some)
    refused = refusal_of(
        lambda: app.call("UpsertNotificationCategories", categories=[category("one")])
    )
    Expected(grpc.StatusCode.RESOURCE_EXHAUSTED, "CATEGORY_LIMIT", ("categories",)).check(refused)
    # One that is there gives way to itself.
    app.call("UpsertNotificationCategories", categories=[category("7", "x")])
    assert len(names(app)) == 4_096


def test_only_a_set_registers_an_app(client: Client) -> None:
    app = client.app()
    for rpc in (
        "GetNotificationCategories",
        "UpsertNotificationCategories",
        "RemoveNotificationCategories",
    ):
        assert refusal_of(lambda rpc=rpc: app.call(rpc)).reason == "APP_NOT_REGISTERED"


def test_a_retry_acts_once(app: App) -> None:
    key = new_key()
    fields = {"categories": [category("a", *map(str, range(11)))], "idempotency_key": key}
    first = app.call("UpsertNotificationCategories", **fields)
    assert len(first.warnings) == 1
    app.call("RemoveNotificationCategories", identifiers=["a"])
    assert app.call("UpsertNotificationCategories", **fields) == first
    assert names(app) == []
