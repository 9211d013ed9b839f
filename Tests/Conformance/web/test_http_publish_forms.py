"""Each form of Documentation/Publishing.md is done, or refused by its name."""

import base64
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest

from access.serving import Caller, own_token
from harness import wire
from harness.server import START_SECONDS, Server
from web.http_server import Reply, Web

APP = "org.example.forms"

_TEXT = (Path(__file__).parents[3] / "Documentation" / "Publishing.md").read_text()

# Those that ntfy's documentation of publishing lists, each with its other names.
NTFY = {
    "Message": {"m"}, "Title": {"ti", "t"}, "Sequence-ID": {"sid"}, "Priority": {"prio", "p"},
    "Tags": {"tag", "ta"}, "Delay": {"at", "in"}, "Timezone": set(), "Actions": {"action"},
    "Click": set(), "Attach": {"a"}, "Markdown": {"md"}, "Icon": set(), "Filename": {"file", "f"},
    "Email": {"e-mail", "mail", "e"}, "Call": set(), "Cache": set(), "Firebase": set(),
    "UnifiedPush": {"up"}, "Poll-ID": set(), "Template": {"tpl"},
}  # fmt: skip
NTFY_JSON = {
    "message", "title", "tags", "priority", "actions", "click", "attach", "markdown", "icon",
    "filename", "delay", "timezone", "email", "call", "sequence_id",
}  # fmt: skip


def rows(heading: str) -> Iterator[list[str]]:
    """The rows of the table below a heading, without those of its head."""
    part = _TEXT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    for line in lines[2:]:
        # A bar parts cells; none of the forms has one.
        yield [cell.strip() for cell in line.strip("|").split("|")]


def codes(cell: str) -> list[str]:
    """The texts of a cell that are set as code."""
    return re.findall(r"`([^`]*)`", cell)


PARAMETERS = [
    (codes(name)[0], codes(others), codes(key), codes(value)[0], answer)
    for name, others, key, value, answer, _ in rows("Parameters")
]
ACTIONS = [
    (codes(short)[0], codes(whole)[0], answer) for short, whole, answer in rows("Actions")
]
REQUESTS = [(codes(request)[0], answer) for request, answer, _ in rows("Requests")]
BODIES = [(form, answer) for form, answer, _ in rows("Bodies and credentials")]


def newest(caller: Caller, app: str = APP) -> Any:
    """The newest delivered notification of an app."""
    listed = caller.call("ListDelivered", center=wire.Center(app_id=app), page_size=1_000)
    return max(listed.notifications, key=lambda one: one.delivery)


def count(caller: Caller, app: str = APP) -> int:
    """How many notifications an app has, delivered or not."""
    center = wire.Center(app_id=app)
    asked = [
        caller.ask(rpc, center=center, page_size=1_000) for rpc in ("ListDelivered", "ListPending")
    ]
    if asked[0].refusal is not None:
        return 0
    listed = wire.ListDeliveredResponse.FromString(asked[0].messages[0])
    waiting = wire.ListPendingResponse.FromString(asked[1].messages[0])
    return len(listed.notifications) + len(waiting.requests)


def info(content: Any) -> Any:
    """What a notification carries for its app."""
    return json.loads(content.user_info_json)


def pending(caller: Caller, identifier: str) -> Any:
    """The pending request with an identifier; none is None."""
    listed = caller.call("ListPending", center=wire.Center(app_id=APP), page_size=1_000)
    return next((one for one in listed.requests if one.request.identifier == identifier), None)


def refused(reply: Reply, name: str, status: int = 400) -> None:
    """Fails unless a publication was refused with a name."""
    assert reply.status == status, reply.body
    assert reply.json["http"] == status
    assert reply.json["error"].startswith(name + ": "), reply.body


def is_refused(web: Web, caller: Caller, name: str, send: Callable[[], Reply]) -> None:
    """Fails unless a request is refused with a name, and changes nothing."""
    before = count(caller)
    refused(send(), name)
    assert count(caller) == before


# What shows that a parameter was heeded, for each that is done.


def _message(caller: Caller, value: str, _: Any) -> None:
    assert newest(caller).request.content.body == value


def _title(caller: Caller, value: str, _: Any) -> None:
    assert newest(caller).request.content.title == value


def _priority(caller: Caller, value: str, _: Any) -> None:
    assert value == "4"
    level = newest(caller).request.content.interruption_level
    assert level == wire.INTERRUPTION_LEVEL_TIME_SENSITIVE


def _tags(caller: Caller, value: str, _: Any) -> None:
    content = newest(caller).request.content
    assert content.body.startswith("\u26a0\ufe0f ") and info(content)["tags"] == [value]


def _delay(caller: Caller, value: str, answer: Any) -> None:
    assert value == "1h30m"
    assert pending(caller, answer["id"]).next_trigger_date.seconds == START_SECONDS + 5_400


def _time_zone(caller: Caller, value: str, answer: Any) -> None:
    assert newest(caller).request.identifier == answer["id"]


def _told(name: str) -> Callable[[Caller, str, Any], None]:
    def check(caller: Caller, value: str, _: Any) -> None:
        assert info(newest(caller).request.content)[name] == value

    return check


def _actions(caller: Caller, value: str, _: Any) -> None:
    wanted = dict(zip(["action", "label", "url"], value.split(", "), strict=True))
    assert info(newest(caller).request.content)["actions"] == [wanted]


def _sequence(caller: Caller, value: str, answer: Any) -> None:
    assert newest(caller).request.identifier == value
    assert answer["id"] == answer["sequence_id"] == value


def _nothing(caller: Caller, _: str, answer: Any) -> None:
    assert newest(caller).request.identifier == answer["id"]


DONE = {
    "Message": _message, "Title": _title, "Priority": _priority, "Tags": _tags, "Delay": _delay,
    "Timezone": _time_zone, "Click": _told("click"), "Icon": _told("icon"), "Actions": _actions,
    "Sequence-ID": _sequence, "Firebase": _nothing,
}  # fmt: skip

TYPED = {
    "priority": int,
    "tags": lambda value: [value],
    "markdown": lambda value: value == "yes",
    "actions": lambda value: [
        dict(zip(["action", "label", "url"], value.split(", "), strict=True))
    ],
}


def test_the_table_has_every_parameter_of_ntfy() -> None:
    table = {name: set(others) for name, others, *_ in PARAMETERS}
    assert table == NTFY
    assert {key for _, _, keys, *_ in PARAMETERS for key in keys} == NTFY_JSON
    assert {name for name, *_, answer in PARAMETERS if answer == "done"} == set(DONE)


def ways(name: str, others: list[str], keys: list[str]) -> Iterator[tuple[str, str]]:
    """Each way to say a parameter: its place, and its name there."""
    for alias in [name, *others]:
        for spelt in {alias, f"X-{alias}", f"x-{alias}".lower(), alias.upper()}:
            yield "header", spelt
        yield "query", alias.lower()
        yield "query", f"x-{alias}".lower()
        yield "form", alias.lower()
    for key in keys:
        for spelt in {key, key.capitalize(), key.upper()}:
            yield "json", spelt


def publish(web: Web, place: str, name: str, value: str) -> Reply:
    """Publishes with one parameter."""
    text = b"" if name.lower().removeprefix("x-") in {"message", "m"} else b"It boils."
    if place == "header":
        return web.send("POST", f"/{APP}", text, **{name: value})
    if place == "query":
        return web.send("POST", f"/{APP}?{name}={quote_plus(value)}", text)
    if place == "form":
        own = f"{name}={quote_plus(value)}"
        form = own if not text else f"message=It+boils.&{own}"
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return web.send("POST", f"/{APP}", form.encode(), **kind)
    typed = TYPED.get(name.lower(), str)(value)
    body = {"topic": APP, "message": "It boils."} | {name: typed}
    if name.lower() == "message":
        body = {"topic": APP, name: typed}
    return web.send("POST", "/", json.dumps(body).encode())


@pytest.mark.parametrize(
    ("place", "spelt", "row"),
    [
        pytest.param(place, spelt, row, id=f"{place}-{spelt}")
        for row in PARAMETERS
        for place, spelt in sorted(ways(*row[:3]))
    ],
)
def test_a_parameter(web: Web, caller: Caller, place: str, spelt: str, row: Any) -> None:
    name, _, _, value, answer = row
    if answer == "refused":
        is_refused(web, caller, name, lambda: publish(web, place, spelt, value))
        return
    assert answer == "done"
    reply = publish(web, place, spelt, value)
    assert reply.status == 200, reply.body
    DONE[name](caller, value, reply.json)


@pytest.mark.parametrize("name", ["Cache", "Markdown", "UnifiedPush", "Template", "Firebase"])
def test_what_is_not_wanted_is_not_refused(web: Web, name: str) -> None:
    value = "yes" if name in {"Cache", "Firebase"} else "no"
    assert web.send("POST", f"/{APP}", b"x", **{name: value}).status == 200
    if name != "Template":
        refused(web.send("POST", f"/{APP}", b"x", **{name: "perhaps"}), name)


@pytest.mark.parametrize(
    ("text", "level", "sounds"),
    [
        ("1", "PASSIVE", False), ("min", "PASSIVE", False), ("2", "PASSIVE", False),
        ("low", "PASSIVE", False), ("3", "ACTIVE", True), ("default", "ACTIVE", True),
        ("4", "TIME_SENSITIVE", True), ("high", "TIME_SENSITIVE", True),
        ("5", "TIME_SENSITIVE", True), ("max", "TIME_SENSITIVE", True),
        ("URGENT", "TIME_SENSITIVE", True),
        # HTTP's own header of this name says nothing about a notification.
        ("u=3, i", "ACTIVE", True), ("u=1", "ACTIVE", True),
    ],
)  # fmt: skip
def test_a_priority(web: Web, caller: Caller, text: str, level: str, sounds: bool) -> None:
    assert web.send("POST", f"/{APP}", b"x", Priority=text).status == 200
    content = newest(caller).request.content
    assert content.interruption_level == getattr(wire, f"INTERRUPTION_LEVEL_{level}")
    assert content.HasField("sound") == sounds


@pytest.mark.parametrize(("short", "whole", "answer"), ACTIONS)
@pytest.mark.parametrize("form", ["short", "whole", "body"])
def test_an_action(
    web: Web, caller: Caller, short: str, whole: str, answer: str, form: str
) -> None:
    def send() -> Reply:
        if form == "body":
            body = {"topic": APP, "message": "x", "actions": [json.loads(whole)]}
            return web.send("POST", "/", json.dumps(body).encode())
        text = short if form == "short" else f"[{whole}]"
        return web.send("POST", f"/{APP}?actions={quote(text)}", b"x")

    if answer == "refused":
        is_refused(web, caller, "Actions", send)
        return
    assert answer == "done"
    reply = send()
    assert reply.status == 200, reply.body
    wanted = {key.lower(): value for key, value in json.loads(whole).items()}
    content = newest(caller).request.content
    assert info(content)["actions"] == [wanted]
    assert labels(content) == [wanted["label"]]


def labels(content: Any) -> list[str]:
    """The texts of a notification's buttons."""
    return [action.title for action in content.actions]


def test_actions_one_after_another(web: Web, caller: Caller) -> None:
    actions = "view, Open, https://a.example/?a=b, clear=true;  http, 'Shut; now', https://d/ ;"
    assert web.send("POST", f"/{APP}", b"x", Actions=actions).status == 200
    content = newest(caller).request.content
    assert labels(content) == ["Open", "Shut; now"]
    assert info(content)["actions"][0]["url"] == "https://a.example/?a=b"


@pytest.mark.parametrize(
    "text",
    [
        "view", "view, A, u; view, A, u", "view, A, u; view, B, u; view, C, u; view, D, u",
        "view, 'A, u", "view, 'A' b, u", "view, A, u, more", "view, A, u, url=v", "[1]", "[",
        "[{}]",
        'view, A, u, headers={"a": "b"}', "http, A, u, method=G T", ";", "view, \"A\\\", u",
        '[{"action":"http","label":"A","url":"u","headers":{"a":1}}]',
        '[{"action":"http","label":"A","url":"u","headers":["a"]}]',
        '[{"action":"copy","label":1,"value":"a"}]',
    ],
)  # fmt: skip
def test_actions_that_are_wrong(web: Web, caller: Caller, text: str) -> None:
    is_refused(web, caller, "Actions", lambda: web.send("POST", f"/{APP}", b"x", Actions=text))


def test_the_labels_are_the_notifications_own(web: Web, caller: Caller) -> None:
    contents = []
    lists = [["a", "b"], ["a\0b"], ["b", "a"], ["a1:b"], ["a", "1:b"], ["a"], ["ab"], ["1:a"]]
    for names in lists:
        actions = [{"action": "copy", "label": name, "value": "x"} for name in names]
        body = {"topic": APP, "actions": actions}
        assert web.send("POST", "/", json.dumps(body).encode()).status == 200
        contents.append(newest(caller).request.content)
    assert [labels(content) for content in contents] == lists
    kept = caller.call("GetNotificationCategories", center=wire.Center(app_id=APP))
    assert not kept.categories


# Requests.


@pytest.mark.parametrize(("request_line", "answer"), REQUESTS)
def test_a_request(web: Web, caller: Caller, request_line: str, answer: str) -> None:
    method, template = request_line.split(" ")
    topic, sequence = "under_scored-Topic", "job_7-a"
    path = re.sub(r"/S\b", f"/{sequence}", re.sub(r"/T\b", f"/{topic}", template))
    if answer == "refused":
        assert web.send(method, path, b"{}").status == 404
        return
    assert answer == "done"
    # One is delivered, one waits.
    for extra in [{}, {"In": "1h"}]:
        kept = web.send("POST", f"/{topic}/{'old' if extra else sequence}", b"old", **extra)
        assert kept.status == 200
    last = path.rsplit("/", 1)[1]
    if template == "/":
        reply = web.send(method, path, json.dumps({"topic": topic, "message": "new"}).encode())
    elif method == "GET" and last in {"publish", "send", "trigger"}:
        reply = web.send(method, path + "?message=new&title=a+b")
    elif method in {"GET", "DELETE"} or last in {"clear", "read"}:
        reply = web.send(method, path)
    else:
        reply = web.send(method, path, b"new")
    assert reply.status == 200, reply.body
    assert reply.json["topic"] == topic
    center = wire.Center(app_id=topic)
    listed = caller.call("ListDelivered", center=center, page_size=1_000).notifications
    named = [one for one in listed if one.request.identifier == sequence]
    if last in {"clear", "read", "delete"} or method == "DELETE":
        is_deletion = last == "delete" or method == "DELETE"
        assert reply.json["event"] == ("message_delete" if is_deletion else "message_clear")
        assert reply.json["sequence_id"] == sequence
        assert named == []
        return
    assert reply.json["event"] == "message"
    content = newest(caller, topic).request.content
    assert content.body == "new"
    if last == sequence:
        # It took the place of the first.
        (only,) = named
        assert only.request.content.body == "new" and reply.json["sequence_id"] == sequence
    else:
        assert named[0].request.content.body == "old"


@pytest.mark.parametrize(("way", "stays"), [("clear", True), ("delete", False)])
def test_one_that_waits_is_deleted_and_not_cleared(
    web: Web, caller: Caller, way: str, stays: bool
) -> None:
    assert web.send("POST", f"/{APP}/waits", b"later", In="1h").status == 200
    assert web.send("GET", f"/{APP}/waits/{way}").status == 200
    assert (pending(caller, "waits") is not None) == stays


def test_a_scheduled_one_is_put_off(web: Web, caller: Caller) -> None:
    for delay in ["5m", "10m"]:
        reply = web.send("POST", f"/{APP}", b"silence", In=delay, X_Sequence_ID="heartbeat")
        assert reply.status == 200
    assert pending(caller, "heartbeat").next_trigger_date.seconds == START_SECONDS + 600


@pytest.mark.parametrize("sequence", ["a.b", "%00", "", "a" * 65, "\u00e4"])
def test_a_sequence_is_a_short_name(web: Web, sequence: str) -> None:
    refused(web.send("DELETE", f"/{APP}/{quote(sequence, safe='%')}"), "Sequence-ID")
    if sequence:
        body = {"topic": APP, "sequence_id": sequence}
        refused(web.send("POST", "/", json.dumps(body).encode()), "Sequence-ID")


def test_a_get_without_more_is_nothing_published(web: Web) -> None:
    for path in [f"/{APP}", f"/{APP}/other"]:
        assert web.send("GET", path).status == 405
    for path in [f"/{APP}/a/b", f"/{APP}/a/b/clear"]:
        assert web.send("GET", path).status == 404
    assert web.send("DELETE", f"/{APP}").status == 405


# Texts.


@pytest.mark.parametrize("body", [b"", b" \n\t"])
def test_a_publication_without_a_text_is_seen(web: Web, caller: Caller, body: bytes) -> None:
    assert web.send("POST", f"/{APP}", body).json["message"] == "triggered"
    assert newest(caller).request.content.body == "triggered"


def test_an_app_alone_is_seen(web: Web, caller: Caller) -> None:
    assert web.send("POST", "/", json.dumps({"topic": APP}).encode()).status == 200
    assert newest(caller).request.content.body == "triggered"
    assert web.send("GET", f"/{APP}/trigger").status == 200
    assert newest(caller).request.content.body == "triggered"


def test_headers_beside_json_count(web: Web, caller: Caller) -> None:
    body = json.dumps({"topic": APP, "message": "x"}).encode()
    assert web.send("POST", "/?click=https://c.example", body, Title="Beside").status == 200
    content = newest(caller).request.content
    assert content.title == "Beside" and info(content)["click"] == "https://c.example"
    body = json.dumps({"topic": APP, "title": "Inside"}).encode()
    assert web.send("POST", "/", body, Title="Beside").status == 200
    assert newest(caller).request.content.title == "Inside"
    refused(web.send("POST", "/", body, Markdown="yes"), "Markdown")


def test_two_texts_are_refused(web: Web, caller: Caller) -> None:
    is_refused(
        web, caller, "Message", lambda: web.send("POST", f"/{APP}", b"one", Message="another")
    )


@pytest.mark.parametrize(
    ("header", "text"),
    [
        ("=?UTF-8?B?8J+HqfCfh6o=?=", "\U0001f1e9\U0001f1ea"),
        ("=?utf-8?Q?=C3=84pfel?=", "\u00c4pfel"),
        ("=?UTF-8?q?two_words?= and =?US-ASCII?Q?more?=", "two words and more"),
        ("=?UTF-8?B?w4Q=?=  =?ISO-8859-1?Q?=D6?=", "\u00c4\u00d6"),
        ("=?UTF-8*de?Q?=C3=84?=", "\u00c4"),
        ("=?UTF-8?B?w4Q?=", "\u00c4"),
        ("is 1 =? 2 ?=", "is 1 =? 2 ?="),
        ("\u00c4pfel \U0001f34e", "\u00c4pfel \U0001f34e"),
    ],
)
def test_an_encoded_header(web: Web, caller: Caller, header: str, text: str) -> None:
    sent = header.encode().decode("latin-1")
    assert web.send("POST", f"/{APP}", b"x", Title=sent).json["title"] == text
    assert newest(caller).request.content.title == text


def test_encoded_tags_and_actions(web: Web, caller: Caller) -> None:
    assert web.send("POST", f"/{APP}", b"x", Tags="a,=?UTF-8?Q?=C3=84?=,b").status == 200
    assert info(newest(caller).request.content)["tags"] == ["a", "\u00c4", "b"]
    word = base64.b64encode("copy, \u00c4, 1".encode()).decode()
    assert web.send("POST", f"/{APP}", b"x", Actions=f"=?UTF-8?B?{word}?=").status == 200
    assert labels(newest(caller).request.content) == ["\u00c4"]


@pytest.mark.parametrize(
    "header", ["=?KOI8-R?Q?=C1?=", "=?UTF-8?Q?=C3?=", "=?UTF-8?B?!?=", "=?UTF-8?Q?=G0?="]
)
def test_an_encoded_header_that_does_not_decode(web: Web, caller: Caller, header: str) -> None:
    is_refused(web, caller, "Title", lambda: web.send("POST", f"/{APP}", b"x", Title=header))


@pytest.mark.parametrize(
    ("tags", "title", "shown"),
    [
        ("warning,skull", "Disk", ("\u26a0\ufe0f\U0001f480 Disk", "", "x")),
        ("warning,skull", "", ("", "", "\u26a0\ufe0f\U0001f480 x")),
        ("tada, host-1,backup", "Disk", ("\U0001f389 Disk", "host-1, backup", "x")),
        ("+1,-1", "", ("", "", "\U0001f44d\U0001f44e x")),
        ("host-1", "Disk", ("Disk", "host-1", "x")),
        ("Warning", "", ("", "Warning", "x")),
    ],
)
def test_tags_are_seen(
    web: Web, caller: Caller, tags: str, title: str, shown: tuple[str, str, str]
) -> None:
    assert web.send("POST", f"/{APP}?title={title}", b"x", Tags=tags).status == 200
    content = newest(caller).request.content
    assert (content.title, content.subtitle, content.body) == shown
    assert info(content)["tags"] == [tag.strip() for tag in tags.split(",")]


@pytest.mark.parametrize(
    "name",
    [
        "+1", "-1", "partying_face", "tada", "heavy_check_mark", "loudspeaker", "warning", "skull",
        "rotating_light", "triangular_flag_on_post", "facepalm", "no_entry", "no_entry_sign", "cd",
        "computer", "horse", "unicorn", "dog", "arrow_forward", "white_check_mark", "x",
    ],
)  # fmt: skip
def test_a_documented_short_code_is_a_picture(web: Web, caller: Caller, name: str) -> None:
    assert web.send("POST", f"/{APP}", b"text", Tags=name).status == 200
    content = newest(caller).request.content
    assert content.subtitle == "" and not content.body[0].isascii()


# Bodies and credentials.


def test_every_body_and_credential_is_tried() -> None:
    assert {form for form, _ in BODIES} == {
        "`text/plain`", "`application/x-www-form-urlencoded`", "`text/markdown`",
        "`multipart/form-data`", "`Content-Encoding`", "bytes that are no UTF-8",
        "`Authorization: Bearer`", "`Authorization: Basic`", "`?auth=`",
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "It boils", "a=b&c=d", "message=x&colour=red", "title=x", "message", "x=1",
        "100% = all & more",
    ],
)  # fmt: skip
def test_a_text_that_curl_calls_a_form_is_a_text(web: Web, caller: Caller, text: str) -> None:
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    reply = web.send("POST", f"/{APP}", text.encode(), **kind)
    assert reply.status == 200, reply.body
    if text != "message":
        assert newest(caller).request.content.body == text


def test_a_form(web: Web, caller: Caller) -> None:
    kind = {"Content-Type": "application/x-www-form-urlencoded; charset=UTF-8"}
    body = b"message=A+b%20%C3%84&title=T&priority=low"
    assert web.send("POST", f"/{APP}?title=Query", body, Title="Header", **kind).status == 200
    content = newest(caller).request.content
    assert (content.title, content.body) == ("T", "A b \u00c4")
    refused(web.send("POST", f"/{APP}", b"message=x&attach=y", **kind), "Attach")


@pytest.mark.parametrize(
    ("headers", "body", "name"),
    [
        ({"Content-Type": "text/markdown"}, b"**x**", "Content-Type"),
        ({"Content-Type": "Text/Markdown; charset=utf-8"}, b"**x**", "Content-Type"),
        ({"Content-Type": "multipart/form-data; boundary=x"}, b"--x--", "Content-Type"),
        ({"Content-Encoding": "gzip"}, b"\x1f\x8b", "Content-Encoding"),
        ({"Content-Encoding": "aes128gcm"}, b"x", "Content-Encoding"),
    ],
)
def test_a_body_of_another_kind(
    web: Web, caller: Caller, headers: dict[str, str], body: bytes, name: str
) -> None:
    is_refused(web, caller, name, lambda: web.send("POST", f"/{APP}", body, **headers))


def test_bytes_are_no_message(web: Web, caller: Caller) -> None:
    before = count(caller)
    assert web.send("PUT", f"/{APP}", b"\xff\xd8\xff\xe0JFIF").status == 400
    assert count(caller) == before


@pytest.mark.parametrize("scheme", ["Bearer", "Basic", "Basic without a name"])
@pytest.mark.parametrize("place", ["header", "query", "padded query"])
def test_credentials(served: Server, web: Web, scheme: str, place: str) -> None:
    for token, status in [(own_token(served), 200), ("0" * 64, 401)]:
        credentials = f"Bearer {token}"
        if scheme != "Bearer":
            name = "" if "without" in scheme else "phil"
            credentials = "Basic " + base64.b64encode(f"{name}:{token}".encode()).decode()
        nobody = web.bearing(None)
        if place == "header":
            reply = nobody.send("POST", f"/{APP}", b"x", Authorization=credentials)
        else:
            text = base64.b64encode(credentials.encode()).decode()
            text = text if "padded" in place else text.rstrip("=")
            reply = nobody.send("GET", f"/{APP}/publish?message=x&auth={quote(text)}")
        assert reply.status == status, reply.body


def test_credentials_that_do_not_decode_are_named(web: Web) -> None:
    for text in ["a", "!", "%FF"]:
        refused(web.bearing(None).send("POST", f"/{APP}?auth={text}", b"x"), "auth")


@pytest.mark.parametrize("name", ["titel", "Title", "colour", "X-Title", "a%20b", "\u00e4"])
def test_an_unknown_parameter_is_refused(web: Web, caller: Caller, name: str) -> None:
    shown = name if name.isascii() and "%" not in name else "a name"
    path = f"/{APP}?{quote(name, safe='%')}=x"
    is_refused(web, caller, shown, lambda: web.send("POST", path, b"x"))


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ({"colour": "red"}, "colour"), ({"title": 1}, "Title"), ({"tags": "a"}, "Tags"),
        ({"tags": [1]}, "Tags"), ({"priority": "4"}, "Priority"), ({"priority": 3.5}, "Priority"),
        ({"priority": 0}, "Priority"), ({"priority": 6}, "Priority"),
        ({"priority": 1e300}, "Priority"), ({"priority": True}, "Priority"),
        ({"delay": 30}, "Delay"), ({"actions": {}}, None), ({"actions": "view"}, "Actions"),
        ({"actions": [1]}, "Actions"), ({"markdown": "yes"}, "Markdown"), ({"click": []}, None),
        ({"click": {"a": 1}}, "Click"), ({"title": None}, None), ({"tags": []}, None),
    ],
)  # fmt: skip
def test_json_of_another_type_is_named(
    web: Web, caller: Caller, field: dict[str, Any], name: str | None
) -> None:
    body = json.dumps({"topic": APP, "message": "x"} | field).encode()
    if name is None:
        # What says nothing is as if it was not there.
        assert web.send("POST", "/", body).status == 200
    else:
        is_refused(web, caller, name, lambda: web.send("POST", "/", body))


def test_what_the_server_refuses_has_the_clients_names(web: Web, caller: Caller) -> None:
    long = "x" * 70_000
    is_refused(web, caller, "Message", lambda: web.send("POST", f"/{APP}", long.encode()))
    refused(web.send("POST", "/a:b", b"x"), "topic")
    label = "copy, " + "x" * 300 + ", 1"
    is_refused(web, caller, "Actions", lambda: web.send("POST", f"/{APP}", b"x", Actions=label))
