"""Texts in the person's language: string tables and plural forms (§20.5)."""

from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client, request
from harness.device import Watch, listed, update
from harness.keys import new_key
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of

INVALID = grpc.StatusCode.INVALID_ARGUMENT

ALWAYS = wire.SHOW_PREVIEWS_SETTING_ALWAYS
NEVER = wire.SHOW_PREVIEWS_SETTING_NEVER

Text = str | dict[str, str]


def string(text: Text) -> wire.LocalizedString:
    """A text, or one by number."""
    if isinstance(text, str):
        return wire.LocalizedString(text=text)
    return wire.LocalizedString(plural=wire.PluralText(**text))


def entries(strings: dict[str, Any]) -> list[wire.StringTableEntry]:
    """A table's texts by key, as the wire has them."""
    return [wire.StringTableEntry(key=key, value=value) for key, value in strings.items()]


def set_table(app: App, language: str, texts: dict[str, Text], **fields: Any) -> int:
    """Replaces the app's texts in a language; gives how many there are."""
    strings = {key: string(text) for key, text in texts.items()}
    response = app.client.call(
        "SetStringTable",
        app_id=app.center.app_id,
        language=language,
        strings=entries(strings),
        **fields,
    )
    return response.count


def speak(app: App, *languages: str) -> None:
    """The person chooses languages."""
    update(app.client, "languages", device=app.center.device_id, languages=languages)


def text(key: str, *args: str) -> wire.LocalizedText:
    return wire.LocalizedText(key=key, args=args)


def shown(app: App) -> wire.RenderedNotification:
    """The topmost notification."""
    return listed(app).groups[0].notifications[0]


def test_l10n_4_a_text_is_in_the_first_language_that_has_it(own_device: App) -> None:
    """D-10."""
    app = own_device
    app.call("RegisterApp", manifest=wire.AppManifest(language="de"))
    assert set_table(app, "pt", {"a": "a, pt", "b": "b, pt"}) == 2
    assert set_table(app, "PT-br", {"a": "a, pt-BR"}) == 1
    assert set_table(app, "fr", {"b": "b, fr", "c": "c, fr"}) == 2
    assert set_table(app, "de", {"c": "c, de", "d": "d, de"}) == 2
    assert set_table(app, "en", {"e": "e, en", "f": "f, en"}) == 2
    for key in "abcdf":
        app.add(key, localized_title=text(key))
    app.add("e", title="plain e", localized_title=text("e"))

    def titles() -> list[str]:
        [group] = listed(app).groups
        by_name = {each.notification.identifier: each.title for each in group.notifications}
        return [by_name[key] for key in "abcdef"]

    speak(app, "pt-BR", "fr-CA")
    assert titles() == ["a, pt-BR", "b, pt", "c, fr", "d, de", "plain e", "f"]
    speak(app, "fr", "pt")
    assert titles() == ["a, pt", "b, fr", "c, fr", "d, de", "plain e", "f"]
    speak(app)
    assert titles() == ["a", "b", "c, de", "d, de", "plain e", "f"]


@pytest.mark.parametrize(
    "template, args, expected",
    [
        ("%@ from %@", ["Tea", "Ann"], "Tea from Ann"),
        ("%2$@: %1$@", ["Tea", "Ann"], "Ann: Tea"),
        ("<%@|%@>", ["Tea"], "<Tea|>"),
        ("Tea", ["Ann"], "Tea"),
        ("100%% %@ %d %s %n", ["Tea"], "100% Tea %d %s %n"),
        ("%@%@", ["%@", "%1$@%s%n"], "%@%1$@%s%n"),
        ("", ["Tea"], ""),
    ],
    ids=["in order", "by number", "missing", "too many", "other marks", "once", "empty"],
)
def test_l10n_2_arguments_take_the_places(
    own_device: App, template: str, args: list[str], expected: str
) -> None:
    app = own_device
    set_table(app, "en", {"key": template})
    localized = text("key", *args)
    app.add(
        "a",
        title="plain",
        localized_title=localized,
        localized_subtitle=localized,
        localized_body=localized,
    )
    notification = shown(app)
    assert notification.title == expected
    assert notification.subtitle == expected
    assert notification.body == expected


def test_l10n_5_what_is_shown_follows_and_what_the_app_has_does_not(own_device: App) -> None:
    """M-3."""
    app = own_device
    asked = request("a", title="Hello", localized_title=text("hello", "Ann"))
    app.call("Add", request=asked)
    app.call("Add", request=request("later", 60, localized_body=text("hello")))
    assert shown(app).title == "Hello"
    set_table(app, "en", {"hello": "Hi, %@"})
    assert shown(app).title == "Hi, Ann"
    set_table(app, "fr", {"hello": "Salut, %@"})
    assert shown(app).title == "Hi, Ann"
    speak(app, "fr")
    assert shown(app).title == "Salut, Ann"
    assert set_table(app, "fr", {}) == 0
    assert shown(app).title == "Hi, Ann"
    # A table takes the place of the one before as a whole.
    set_table(app, "en", {"bye": "Bye"})
    assert shown(app).title == "Hello"

    [whole] = app.call("ListDelivered").notifications
    assert whole.request.content.localized_title == text("hello", "Ann")
    assert whole.request.content.title == "Hello"
    [pending] = app.call("ListPending").requests
    assert pending.request.content.localized_body == text("hello")
    [told] = [each for each in app.events() if each.HasField("delivered")]
    assert told.delivered.notification.request == whole.request


def test_a_watched_device_is_told_in_its_language(own_device: App) -> None:
    app = own_device
    set_table(app, "fr", {"hello": "Salut, %@", "read": "Lu", "more": "encore %u"})
    speak(app, "fr")
    category = wire.NotificationCategory(
        identifier="c",
        actions=[
            wire.NotificationAction(
                identifier="read", title="Read", localized_title=text("read")
            )
        ],
        localized_category_summary_format=text("more"),
    )
    app.call("SetNotificationCategories", categories=[category])
    fields = {"localized_title": text("hello", "Ann"), "category_identifier": "c"}
    app.add("a", **fields)
    watch = Watch(app)
    [snapshot] = watch.frames(1)
    [group] = snapshot.snapshot.groups
    assert group.notifications[0].title == "Salut, Ann"
    app.add("b", **fields)
    told = {frame.WhichOneof("kind"): frame for frame in watch.until("list_changed")}
    changed = told["list_changed"].list_changed
    assert changed.rendered.title == "Salut, Ann"
    assert changed.group.summary == "encore 1"
    frames = [*told.values()]
    while "banner" not in told:
        frames = watch.frames(1)
        told |= {frame.WhichOneof("kind"): frame for frame in frames}
    banner = told["banner"].banner.notification
    assert banner.title == "Salut, Ann"
    # A button is told with its title alone; the app has what it declared.
    assert list(banner.actions) == [wire.NotificationAction(identifier="read", title="Lu")]
    assert list(app.call("GetNotificationCategories").categories) == [category]
    watch.close()


POLISH = {
    "one": "%u wiadomość",
    "few": "%u wiadomości",
    "many": "%u wiadomości (wiele)",
    "other": "%u wiadomości (inne)",
}
ENGLISH = {"one": "%u message", "other": "%u messages"}
ARABIC = {"two": "رسالتان", "few": "%u رسائل", "other": "%u رسالة"}


@pytest.mark.parametrize(
    "language, forms, bodies",
    [
        ("en-GB", ENGLISH, ["1 message", "2 messages", "3 messages", "4 messages", "5 messages"]),
        (
            "pl",
            POLISH,
            [
                "1 wiadomość",
                "2 wiadomości",
                "3 wiadomości",
                "4 wiadomości",
                "5 wiadomości (wiele)",
            ],
        ),
        ("ar", ARABIC, ["1 رسالة", "رسالتان", "3 رسائل", "4 رسائل", "5 رسائل"]),
        ("ja", {"other": "%u件"}, ["1件", "2件", "3件", "4件", "5件"]),
        # A language that nobody knows tells no numbers apart.
        ("tlh", ENGLISH, ["1 messages", "2 messages", "3 messages", "4 messages", "5 messages"]),
    ],
)
def test_lk_1_a_hidden_body_is_in_the_form_of_its_number(
    own_device: App, language: str, forms: dict[str, str], bodies: list[str]
) -> None:
    app = own_device
    set_table(app, language.split("-")[0], {"messages": forms})
    speak(app, language)
    category = wire.NotificationCategory(
        identifier="c",
        hidden_previews_body_placeholder="%u new",
        localized_hidden_previews_body_placeholder=text("messages", "not used"),
    )
    app.call("SetNotificationCategories", categories=[category])
    app.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(show_previews_setting=NEVER),
        update_mask={"paths": ["show_previews_setting"]},
    )
    seen = []
    for number in range(5):
        app.add(str(number), title="A title", category_identifier="c")
        seen.append(shown(app).body)
    assert seen == bodies
    set_table(app, language.split("-")[0], {})
    assert shown(app).body == "5 new"


def test_sum_6_a_summary_is_in_the_form_of_its_number(own_device: App) -> None:
    app = own_device
    forms = {
        "one": "ještě %u od %@",
        "few": "ještě %u zprávy od %@",
        "other": "ještě %u zpráv od %@",
    }
    set_table(app, "cs", {"more": forms})
    speak(app, "cs-CZ")
    category = wire.NotificationCategory(
        identifier="c",
        category_summary_format="%u more from %@",
        localized_category_summary_format=text("more", "not used"),
    )
    app.call("SetNotificationCategories", categories=[category])
    seen = []
    for count in [1, 1, 3, 1]:
        app.add(
            title="A title",
            category_identifier="c",
            summary_argument="Ann",
            summary_argument_count=count,
        )
        seen.append(listed(app).groups[0].info.summary)
    assert seen == ["", "ještě 1 od Ann", "ještě 2 zprávy od Ann", "ještě 5 zpráv od Ann"]
    set_table(app, "cs", {})
    assert listed(app).groups[0].info.summary == "5 more from Ann"


@pytest.mark.parametrize("end", ["terminate", "kill"])
def test_tables_outlive_the_server(launch: Launcher, transport: str, end: str) -> None:
    first = launch()
    with Client(first.targets[transport]) as client:
        app = client.app()
        # The app need not be there.
        assert set_table(app, "en", {"hello": "Hi, %@"}) == 1
        app.authorize()
        app.add("a", localized_title=text("hello", "Ann"))
    getattr(first, end)()
    first.wait()
    with Client(launch(first.home).targets[transport]) as client:
        assert shown(App(client, app.center)).title == "Hi, Ann"


def test_a_retry_acts_once(own_device: App) -> None:
    app, key = own_device, new_key()
    app.add("a", localized_title=text("k"))
    assert set_table(app, "en", {"k": "first", "l": ""}, idempotency_key=key) == 2
    assert set_table(app, "en", {"k": "second"}) == 1
    assert set_table(app, "en", {"k": "first", "l": ""}, idempotency_key=key) == 2
    assert shown(app).title == "second"
    refused = refusal_of(lambda: set_table(app, "en", {"k": "x"}, idempotency_key=key))
    assert refused.reason == "IDEMPOTENCY_KEY_REUSED"


def test_a_table_may_have_10_000_texts(own_device: App) -> None:
    app = own_device
    texts: dict[str, Text] = {f"key {number}": f"text {number}" for number in range(10_000)}
    assert set_table(app, "en", texts) == 10_000
    for number in (0, 4_711, 9_999):
        app.add("a", localized_title=text(f"key {number}"))
        assert shown(app).title == f"text {number}"


@pytest.mark.parametrize(
    "fields, reason, path",
    [
        ({"app_id": ""}, "APP_ID_INVALID", "app_id"),
        ({"app_id": "a/b"}, "APP_ID_INVALID", "app_id"),
        ({"language": ""}, "LANGUAGE_INVALID", "language"),
        ({"language": "en_US"}, "LANGUAGE_INVALID", "language"),
        ({"strings": {"a": {}}}, "INVALID_FIELD", 'strings["a"]'),
        ({"strings": {"": {"text": "x"}}}, "LOCALIZATION_KEY_INVALID", 'strings[""]'),
        (
            {"strings": {"a": {"text": ""}, 'b"\n': {"plural": {"one": "x"}}}},
            "PLURAL_INVALID",
            'strings["b\\"\\n"].plural.other',
        ),
        (
            {"strings": {"k" * 1_025: {"text": "x"}}},
            "LOCALIZATION_KEY_INVALID",
            'strings["' + 64 * "k" + '…"]',
        ),
        (
            {"strings": {str(number): {"text": ""} for number in range(10_001)}},
            "STRING_TABLE_TOO_LARGE",
            "strings",
        ),
    ],
    ids=[
        "no app",
        "no app's name",
        "no language",
        "no language's tag",
        "neither a text nor forms",
        "empty key",
        "no form for all others",
        "long key",
        "too many",
    ],
)
def test_what_is_wrong_is_refused_and_changes_nothing(
    own_device: App, fields: dict[str, Any], reason: str, path: str
) -> None:
    app = own_device
    set_table(app, "en", {"k": "kept"})
    app.add("a", localized_title=text("k"))
    good = {"app_id": app.center.app_id, "language": "en", "strings": {"k": {"text": "x"}}} | fields
    refused = refusal_of(lambda: app.client.call("SetStringTable", **good | {"strings": entries(good["strings"])}))
    Expected(INVALID, reason, (path,)).check(refused)
    assert shown(app).title == "kept"
