"""`belfry center`: a person at a keyboard, before the notification center of a device."""

import re
import signal
import subprocess
from collections.abc import Iterator

import pytest

from harness import wire
from harness.client import App, Client
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.server import Server
from harness.terminal import DOWN, ENTER, ESCAPE, Terminal

CATEGORY = wire.NotificationCategory(
    identifier="message",
    category_summary_format="%u more notifications from %@",
    actions=[
        wire.NotificationAction(
            identifier="reply", title="Reply", text_input=wire.TextInput(button_title="Send")
        ),
        wire.NotificationAction(identifier="mute", title="Mute"),
        wire.NotificationAction(
            identifier="buy", title="Buy", options=[wire.ACTION_OPTION_AUTHENTICATION_REQUIRED]
        ),
    ],
)


@pytest.fixture
def asking(launch: Launcher) -> Server:
    """A server that asks the person."""
    return launch(prompts="ask")


@pytest.fixture
def granting(launch: Launcher) -> Server:
    """A server that grants every prompt."""
    return launch()


def opened(launch: Launcher, server: Server, *arguments: str, **options: object) -> Terminal:
    """`belfry center` in a terminal, before a server's own device."""
    target = server.targets["unix"]
    command = [launch.binary, "center", f"--server={target}", *arguments]
    return Terminal(command, **options)


@pytest.fixture
def client(granting: Server) -> Iterator[Client]:
    with Client(granting.targets["unix"]) as client:
        yield client


@pytest.fixture
def messages(client: Client) -> App:
    """An app with a category."""
    app = client.app()
    app.authorize()
    app.call("SetNotificationCategories", categories=[CATEGORY])
    return app


def message(app: App, identifier: str, **content: object) -> None:
    fields = {
        "title": "Alice",
        "category_identifier": "message",
        "thread_identifier": "alice",
        "summary_argument": "Alice",
    }
    app.add(identifier, **{**fields, "body": f"Body {identifier}", **content})


def choose(app: App, **settings: int) -> None:
    """Chooses settings of an app, as the person."""
    app.call(
        "UpdateSettings",
        settings=wire.NotificationSettings(**settings),
        update_mask={"paths": list(settings)},
    )


def response_to(app: App) -> tuple[str, str, str]:
    """What the app is told that the person did: notification, action and text."""
    with app.subscribe(
        role=wire.SUBSCRIBER_ROLE_PRIMARY, capabilities=[wire.DELEGATE_CAPABILITY_DID_RECEIVE]
    ) as front:
        subscription_id = front.started().subscription_id
        callback = front.callback()
        response = callback.did_receive
        app.call(
            "CompleteResponse",
            subscription_id=subscription_id,
            answers=[wire.ResponseAnswer(callback_id=callback.callback_id)],
        )
    identifier = response.notification.request.identifier
    return identifier, response.action_identifier, response.user_text


def test_keys_in_a_row_answer_one_prompt_after_the_other(
    launch: Launcher, asking: Server
) -> None:
    with Client(asking.targets["unix"]) as client, opened(launch, asking) as terminal:
        apps = [client.app(), client.app(), client.app()]
        ask = {"options": [wire.AUTHORIZATION_OPTION_ALERT], "wait": wire.seconds(0)}
        for app in apps:
            app.call("RequestAuthorization", **ask)
        terminal.shows("3 apps ask")
        # All are read at once, before the server has closed the first prompt.
        terminal.type("yyn")
        terminal.hides("would like to send you notifications")

        def statuses() -> list[int]:
            told = [app.call("GetNotificationSettings").settings for app in apps]
            return [settings.authorization_status for settings in told]

        allowed, denied = wire.AUTHORIZATION_STATUS_AUTHORIZED, wire.AUTHORIZATION_STATUS_DENIED
        eventually(lambda: statuses() == [allowed, allowed, denied])


def test_a_prompt_is_allowed_with_the_keyboard(launch: Launcher, asking: Server) -> None:
    with Client(asking.targets["unix"]) as client, opened(launch, asking) as terminal:
        terminal.shows("No notifications.")
        app = client.app()
        ask = {"options": [wire.AUTHORIZATION_OPTION_ALERT], "wait": wire.seconds(0)}
        app.call("RequestAuthorization", **ask)
        terminal.shows("would like to send you notifications", "1 app asks")
        terminal.type("y")
        terminal.hides("would like to send you notifications")
        # The prompt leaves with the key, before the server knows.
        terminal.shows("Allowed.")
        assert app.call("RequestAuthorization", **ask).granted
        other = client.app()
        other.call("RequestAuthorization", **ask)
        terminal.shows("would like to send you notifications")
        terminal.type("n")
        terminal.hides("would like to send you notifications")
        terminal.shows("Not allowed.")
        settings = other.call("GetNotificationSettings").settings
        assert settings.authorization_status == wire.AUTHORIZATION_STATUS_DENIED


def test_messages_are_answered_and_dismissed(
    launch: Launcher, granting: Server, messages: App
) -> None:
    choose(messages, alert_style=wire.ALERT_STYLE_ALERT)
    with opened(launch, granting) as terminal:
        terminal.shows("unlocked", "No notifications.")
        message(messages, "a")
        terminal.shows("┃ Alice", "┃ Body a", "[1] Reply…")
        for identifier in ("b", "c"):
            message(messages, identifier)
        terminal.shows("Body c", "2 more notifications from Alice")
        terminal.type("g")
        terminal.shows("❯┃")
        terminal.type("xxx")
        terminal.hides("┃")
        assert sorted(messages.delivered()) == ["a", "b", "c"]
        terminal.type(" ")
        terminal.shows("❯    org.example", "Body a", "Body b", "Body c")
        terminal.type("r")
        terminal.shows("Send: ▏")
        terminal.type("On my wax\x7fy, olá")
        terminal.shows("Send: On my way, olá▏")
        terminal.type(ENTER)
        terminal.shows("Sent.", "Body b")
        terminal.hides("Body c")
        assert sorted(messages.delivered()) == ["a", "b"]
        assert response_to(messages) == ("c", "reply", "On my way, olá")
        terminal.type(DOWN + "x")
        terminal.shows("Dismissed 1.")
        eventually(lambda: messages.delivered() == ["b"])
        terminal.type("XX")
        terminal.shows("No notifications.")
        assert messages.delivered() == ["b"]
        # Who leaves takes nothing back.
        terminal.type("q")
        assert terminal.wait() == 0
        assert messages.delivered() == []
        assert terminal.modes == terminal.found
        assert terminal.written.endswith(b"\x1b[?25h\x1b[?1049l")


def test_a_locked_device_hides_and_waits(
    launch: Launcher, granting: Server, messages: App
) -> None:
    choose(messages, show_previews_setting=wire.SHOW_PREVIEWS_SETTING_WHEN_AUTHENTICATED)
    message(messages, "a", badge=4)
    with opened(launch, granting) as terminal:
        terminal.shows("unlocked", "Badges: ", " 4", "Body a")
        terminal.type("l")
        terminal.shows("  locked", "Notification")
        terminal.hides("Body a")
        terminal.type("3")
        terminal.shows("Waits until the device is unlocked")
        assert messages.delivered() == ["a"]
        terminal.type("l")
        terminal.shows("unlocked", "No notifications.")
        assert response_to(messages) == ("a", "buy", "")


def test_a_refusal_and_a_lost_server_are_told(launch: Launcher, messages: App) -> None:
    server = launch.servers[0]
    for identifier in ("a", "b"):
        message(messages, identifier, thread_identifier=identifier)
    with opened(launch, server) as terminal:
        terminal.shows("Body a", "Body b")
        server.kill()
        terminal.shows("Lost the server", "Body a")
        terminal.type("x")
        terminal.hides("Body b")
        terminal.shows("1 dismissal waits for the server.")
        again = launch(server.home)
        again.targets
        terminal.hides("Lost the server", "dismissal waits", "Body b")
        with Client(again.targets["unix"]) as client:
            eventually(lambda: App(client, messages.center).delivered() == ["a"])


def test_a_dismissal_is_taken_back(launch: Launcher, granting: Server, messages: App) -> None:
    for identifier in ("a", "b"):
        message(messages, identifier)
    message(messages, "c", thread_identifier="c")
    with opened(launch, granting) as terminal:
        terminal.shows("Body b", "Body c")
        terminal.type("jx")
        terminal.hides("Body b")
        terminal.shows("Dismissed 2. u takes it back.")
        # What comes to the group meanwhile stays.
        message(messages, "new")
        terminal.shows("Body new")
        terminal.type("u")
        terminal.shows("Taken back: 2.", "2 more notifications from Alice")
        assert sorted(messages.delivered()) == ["a", "b", "c", "new"]
        terminal.type("x")
        terminal.hides("Body new")
        message(messages, "newer")
        terminal.shows("Body newer")
        eventually(lambda: sorted(messages.delivered()) == ["c", "newer"])
        terminal.shows("Body newer", "Body c")
        terminal.type("u")
        terminal.shows("Nothing can be taken back.")


def test_who_leaves_without_a_server_is_told_what_is_not_dismissed(
    launch: Launcher, granting: Server, messages: App
) -> None:
    message(messages, "a")
    with opened(launch, granting) as terminal:
        terminal.shows("Body a")
        granting.kill()
        terminal.shows("Lost the server")
        terminal.type("x")
        terminal.hides("Body a")
        terminal.type("q")
        assert terminal.wait() == 69
        assert b"1 not dismissed: No server answers." in terminal.written


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (10, 40)])
def test_a_search_is_typed(
    launch: Launcher, granting: Server, messages: App, rows: int, columns: int
) -> None:
    for identifier, title in (("a", "שלום עולם"), ("b", "会議は三時"), ("c", "Köln")):
        message(messages, identifier, title=title, thread_identifier=identifier)
    with opened(launch, granting, rows=rows, columns=columns) as terminal:
        terminal.shows("Köln")
        terminal.type("/koln")
        terminal.shows("1 found: koln▏", "Body c")
        terminal.hides("会", "Body a", "Body b")
        terminal.type("\x15שלום" + ENTER)
        terminal.shows("1 found: “שלום”", "שלום עולם", "Body a")
        terminal.hides("Body c")
        terminal.type("/\x15body" + ENTER)
        terminal.shows("3 found: “body”")
        terminal.type(ESCAPE)
        terminal.hides("found")


def test_settings_and_the_focus_are_changed(
    launch: Launcher, granting: Server, client: Client, messages: App
) -> None:
    message(messages, "a")

    def state() -> wire.DeviceState:
        return client.call("GetDeviceState").state

    def settings() -> wire.NotificationSettings:
        return messages.call("GetNotificationSettings").settings

    with opened(launch, granting, rows=24, columns=80) as terminal:
        terminal.shows("Body a")
        terminal.type("sj ")
        terminal.shows("Settings of org.example", "❯  Alerts")
        eventually(lambda: settings().alert_setting == wire.NOTIFICATION_SETTING_DISABLED)
        terminal.type(ENTER)
        eventually(lambda: settings().alert_setting == wire.NOTIFICATION_SETTING_ENABLED)
        terminal.type(ESCAPE)
        terminal.shows("Body a")
        terminal.type("Fj ")
        terminal.shows("❯  Do not disturb", "●", "  Focus: Do not disturb")
        eventually(lambda: state().focus.name == "Do not disturb")
        terminal.type("k ")
        eventually(lambda: not state().HasField("focus"))
        terminal.shows("❯  No Focus", "●")
        window = wire.FocusWindow(weekdays=[wire.WEEKDAY_MONDAY], to=7 * 60, **{"from": 22 * 60})
        night = wire.Focus(name="Night", schedule=[window])
        chosen = wire.DeviceState(focus=night)
        client.call("UpdateDeviceState", state=chosen, update_mask={"paths": ["focus"]})
        terminal.shows("Night", "Mon 22:00–07:00")
        granting.kill()
        terminal.shows("Lost the server")
        terminal.type(" ")
        # It is told by its name, and is as it was.
        terminal.shows("Focus not changed: No server answers.", "❯  No Focus  ")
        terminal.hides("No Focus                     ●")
        terminal.type("q")
        assert terminal.wait() == 0


def test_a_reply_outlives_the_server(launch: Launcher, messages: App) -> None:
    server = launch.servers[0]
    message(messages, "a")
    with opened(launch, server, rows=24, columns=80) as terminal:
        terminal.shows("Body a")
        server.kill()
        terminal.shows("Lost the server")
        terminal.type("rOn my way" + ENTER)
        terminal.shows("Send: On my way▏", "The server is away")
        again = launch(server.home)
        again.targets
        terminal.hides("Lost the server")
        terminal.type("\x1b[H\x1b[3~o\x1b[F!" + ENTER)
        terminal.shows("Sent.")
        with Client(again.targets["unix"]) as client:
            assert response_to(App(client, messages.center)) == ("a", "reply", "on my way!")


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (12, 40)])
def test_three_alerts_are_there_in_a_small_terminal(
    launch: Launcher, granting: Server, messages: App, rows: int, columns: int
) -> None:
    choose(messages, alert_style=wire.ALERT_STYLE_ALERT)
    with opened(launch, granting, rows=rows, columns=columns) as terminal:
        terminal.shows("No notifications.")
        for identifier in ("a", "b", "c"):
            message(messages, identifier, title=f"Title {identifier}", subtitle="Subtitle")
        # Each title is shown as a banner, and the newest as an entry of the list.
        terminal.until(
            lambda text: all(
                re.search(f"┃.*Title {identifier}|┃ org.*\n ┃ Title {identifier}", text)
                for identifier in ("a", "b", "c")
            ),
            "not all banners show",
        )
        terminal.shows("❯  org.example", "? help  q quit")
        body = "\n".join(f"line {number}" for number in range(1, 60))
        message(messages, "long", body=body, title="Long", thread_identifier="long")
        terminal.shows("Long")
        terminal.type("gv")
        terminal.shows("line 1\n", " lines\n")
        terminal.hides("line 59")
        terminal.type("G")
        terminal.shows("line 59", "↑ ", "[1] Reply…")
        terminal.type("\x1b")
        terminal.hides("line 59")
        terminal.type("?")
        terminal.shows("up, down")
        terminal.type("G")
        terminal.shows("q          Leave.")


def test_control_characters_stay_text(launch: Launcher, granting: Server, messages: App) -> None:
    message(messages, "a", title="\x1b]0;evil\x07\x1b[2J", body="one\r\ntwo\x9b3A")
    with opened(launch, granting, NO_COLOR="1") as terminal:
        # A line of a body stays a line, and nothing else of it moves the cursor.
        terminal.shows("]0;evil  [2J", "   one\n   two 3A\n")
        assert b"\x1b]0;evil" not in terminal.written
        assert not re.search(rb"\x1b\[[0-9;]*m", terminal.written)
        terminal.resize(10, 20)
        terminal.shows("? help  q quit", "]0;evil  [2J", "   one\n   two 3A\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_gives_the_terminal_back(
    launch: Launcher, granting: Server, number: signal.Signals
) -> None:
    with opened(launch, granting) as terminal:
        terminal.shows("No notifications.")
        assert terminal.modes != terminal.found
        terminal.send(number)
        assert terminal.wait() == 128 + number
        assert terminal.modes == terminal.found
        assert terminal.written.endswith(b"\x1b[?25h\x1b[?1049l")


def test_without_a_terminal_it_is_printed_once(
    launch: Launcher, granting: Server, messages: App
) -> None:
    for identifier in ("a", "b", "c"):
        message(messages, identifier)
    command = [launch.binary, "center", f"--server={granting.targets['unix']}"]
    piped = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    lines = [line.strip() for line in piped.stdout.splitlines()]
    assert lines[0] == "local  unlocked"
    assert lines[-4:] == [
        "Alice",
        "Body c",
        "[1] Reply…  [2] Mute  [3] Buy",
        "2 more notifications from Alice",
    ]
    assert "\x1b" not in piped.stdout
    once = subprocess.run(
        [*command, "--once", "--json"], capture_output=True, text=True, timeout=30, check=True
    )
    assert '"complete":true' in once.stdout
    with opened(launch, granting, "--once") as terminal:
        assert terminal.wait() == 0
        assert "Body c" in terminal.text
        assert b"\x1b[?1049h" not in terminal.written


def test_no_server_is_an_error_and_no_screen(launch: Launcher) -> None:
    command = [launch.binary, "center", f"--server=unix:{launch.new_home()}/none.sock"]
    with Terminal(command) as terminal:
        assert terminal.wait() == 69
        assert "no server answers" in terminal.text
        assert b"\x1b[?1049h" not in terminal.written
