"""Documentation/openapi.json is valid and whole, and the server does what it says (W-23)."""

import collections
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import openapi_spec_validator
import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, EnumDescriptor
from schemathesis import Case, GenerationMode, Response
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from access.test_roles import EXPECTED
from harness import contract, wire
from harness.server import BOUND
from harness.torture import Torture
from web.described import DOCUMENT, PATH, SCHEMAS, Spelling, each, strict, telling
from web.http_server import Web, path

UNARY = sorted(
    rpc
    for rpc, method in wire.METHODS.items()
    if not method.client_streaming and not method.server_streaming
)
STREAMS = sorted(
    rpc
    for rpc, method in wire.METHODS.items()
    if method.server_streaming and not method.client_streaming
)
WELCOME = ("/", "get")
PUBLISHING = [
    ("/{app}", "POST"), ("/{app}", "PUT"), ("/", "POST"), ("/", "PUT"),
    ("/{app}/{sequence}", "POST"), ("/{app}/{sequence}", "PUT"), ("/{app}/{sequence}", "DELETE"),
    ("/{app}/publish", "GET"), ("/{app}/send", "GET"), ("/{app}/trigger", "GET"),
    ("/{app}/{sequence}/clear", "GET"), ("/{app}/{sequence}/clear", "PUT"),
    ("/{app}/{sequence}/read", "GET"), ("/{app}/{sequence}/read", "PUT"),
    ("/{app}/{sequence}/delete", "GET"),
]  # fmt: skip
PROBES = ["/livez", "/readyz", "/metrics"]

# By hand from Connect's protocol, for what calls end with.
STATUSES = {
    "invalid_argument": 400, "failed_precondition": 400, "out_of_range": 400,
    "unauthenticated": 401, "permission_denied": 403, "not_found": 404, "already_exists": 409,
    "resource_exhausted": 429, "unimplemented": 501, "unavailable": 503, "deadline_exceeded": 504,
}  # fmt: skip

# A stream ends at its deadline; a backup is a whole file.
STREAM_COUNTS = {GenerationMode.POSITIVE: 6}
BACKUP_COUNTS = {GenerationMode.POSITIVE: 1}
STREAM_MILLISECONDS = "100"
# What waits, waits no longer; a whole second is more than any call needs.
CALL_MILLISECONDS = "10000"

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

# What needs an open stream, a presentation, a prompt, a push or a token that was made before, or the
# words that roles are.
OUT_OF_REACH = {
    "AnswerAuthorizationPrompt", "AwaitAnswer", "CancelPush", "CloseNotification", "CreateToken",
    "CompleteBackgroundPush",
    "CompleteContentExtension", "CompleteResponse", "CompleteServiceExtension",
    "CompleteWillPresent", "CreateWebPushSubscription", "DeleteWebPushSubscription",
    "DismissContentExtension", "DownloadAttachment", "DownloadRichPayload",
    "GetAttachment", "GetNotificationActions",
    "GetPushStatus", "GetRichPush", "ListWebPushSubscriptions", "MarkRichPushRead",
    "PerformDefaultAction", "RevokeToken",
    "SetNotificationActions", "UpdateAppState", "UpdateContentView",
}  # fmt: skip


def test_it_is_openapi() -> None:
    openapi_spec_validator.validate(DOCUMENT)


def test_it_is_what_the_protos_say(tmp_path: Path) -> None:
    found = tmp_path / "set"
    result = contract.protoc("--include_source_info", f"--descriptor_set_out={found}")
    assert result.returncode == 0, result.stderr
    command = [sys.executable, "-B", contract.PROTOS / "openapi", found]
    made = subprocess.run(command, capture_output=True, text=True, check=True)
    assert made.stdout == PATH.read_text(), "run 'make proto'"


def test_it_has_each_call() -> None:
    expected = {(path(rpc), "post") for rpc in UNARY}
    expected |= {(path(rpc), method) for rpc in STREAMS for method in ("get", "post")}
    expected |= {(target, method.lower()) for target, method in PUBLISHING}
    expected |= {(target, "get") for target in PROBES} | {WELCOME}
    found = {
        (target, method)
        for target, item in DOCUMENT["paths"].items()
        for method in item
        if method != "parameters"
    }
    assert found == expected


def test_it_says_who_may_call() -> None:
    for rpc, roles in EXPECTED.items():
        for operation in DOCUMENT["paths"].get(path(rpc), {}).values():
            named = [role for choice in operation["security"] for role in choice["token"]]
            # The admin may make every call.
            assert set(named or roles) | {"admin"} == set(roles), rpc


def messages() -> Iterator[Descriptor]:
    """The messages of the calls, and those in them."""
    found: set[str] = set()
    left = [
        message
        for method in wire.METHODS.values()
        if not method.client_streaming
        for message in (method.input_type, method.output_type)
    ]
    while left:
        message = left.pop()
        if message.name in found or message.file.package != "belfry.v1":
            continue
        found.add(message.name)
        if not message.GetOptions().map_entry:
            yield message
        left += [field.message_type for field in message.fields if field.message_type]


def test_it_has_each_field_and_value() -> None:
    for message in messages():
        schema = SCHEMAS[message.name]
        properties = schema.get("properties", {})
        assert list(properties) == [field.json_name for field in message.fields], message.name
        for field in message.fields:
            item = properties[field.json_name]
            is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
            is_list = field.is_repeated and not is_map
            assert (item.get("type") == "array") == is_list, field.full_name
            item = item.get("items", item)
            if field.enum_type:
                assert item["$ref"].endswith(f"/{field.enum_type.name}"), field.full_name
                assert set(SCHEMAS[field.enum_type.name]["enum"]) == values(field.enum_type)
            elif field.message_type and not is_map:
                assert item["$ref"].endswith(f"/{field.message_type.name}"), field.full_name
            else:
                assert item["type"] == TYPES[field.type], field.full_name


# By hand from protobuf's JSON, by the numbers of the types.
TYPES = {
    1: "number", 4: "string", 5: "integer", 8: "boolean", 9: "string", 11: "object",
    12: "string", 13: "integer",
}  # fmt: skip


# Enums whose UNSPECIFIED means something: by hand from the comments of the protos.
WITH_ZERO = {"ExtensionOutcome", "PushEnvironment", "PushType"}


def values(enum: EnumDescriptor) -> set[str]:
    """The values of an enum that are sent."""
    names = {value.name for value in enum.values}
    return {
        name for name in names if not name.endswith("_UNSPECIFIED") or enum.name in WITH_ZERO
    }


# By hand from the comments of the protos.
UUID_7 = r"^([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-7[0-9A-Fa-f]{3}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})?$"
LIMITS: list[tuple[str, dict[str, Any], bool]] = [
    ("Center.appId", {"pattern": "^[A-Za-z0-9._-]{1,155}$"}, True),
    ("Center.deviceId", {"pattern": "^[A-Za-z0-9._:-]{0,128}$"}, False),
    ("GetAttachmentRequest.appId", {"pattern": "^[A-Za-z0-9._-]{1,155}$"}, True),
    ("AddRequest.center", {}, True),
    ("AddRequest.idempotencyKey", {"pattern": UUID_7}, False),
    ("PushToTagsRequest.idempotencyKey", {"pattern": f"^{UUID_7[2:-3]}$"}, True),
    ("AddBatchRequest.requests", {"minItems": 1, "maxItems": 1_000}, True),
    ("RequestAuthorizationRequest.options", {"minItems": 1}, True),
    ("ListPendingRequest.pageSize", {"minimum": 0, "maximum": 1_000}, False),
    ("NotificationRequest.identifier", {"maxLength": 256}, False),
    ("NotificationContent.body", {"maxLength": 65_536}, False),
    ("NotificationContent.relevanceScore", {"minimum": 0, "maximum": 1}, False),
    ("NotificationContent.badge", {"minimum": 0, "maximum": 2**31 - 1}, False),
    ("NotificationContent.summaryArgumentCount", {"minimum": 1, "maximum": 2**32 - 1}, False),
    ("NotificationRequest.content", {}, True),
    ("CircularRegion.latitude", {"minimum": -90, "maximum": 90}, False),
    ("CircularRegion.radiusMeters", {"exclusiveMinimum": 0, "maximum": 1_000_000}, True),
    ("Region.identifier", {"minLength": 1, "maxLength": 256}, True),
    ("DateComponents.month", {"minimum": 1, "maximum": 12}, False),
    ("DateComponents.nanosecond", {"minimum": 0, "maximum": 999_999_999}, False),
    ("DateComponents.weekdayOrdinal", {"minimum": -(2**31), "maximum": 2**31 - 1}, False),
    ("CalendarStep.count", {"minimum": 1, "maximum": 1_000}, True),
    ("RecurrenceLimits.skipDates", {"maxItems": 366}, False),
    ("LocalizedText.key", {"minLength": 1, "maxLength": 1_024}, True),
    ("LocalizedText.args", {"maxItems": 64}, False),
    ("PushRequest.payloadJson", {"maxLength": 5_120}, False),
    ("SetTagsRequest.tags", {}, False),
    ("ScheduledSummary.times", {}, False),
    ("CreateRichPushRequest.payload", {"maxLength": 1 << 20}, False),
    ("PushRequest.center", {}, False),
]
KEYWORDS = {
    "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "minItems", "maxItems",
    "pattern",
}  # fmt: skip


@pytest.mark.parametrize(("name", "limits", "is_required"), LIMITS, ids=[row[0] for row in LIMITS])
def test_it_has_the_limits(name: str, limits: dict[str, Any], is_required: bool) -> None:
    message, field = name.split(".")
    schema = SCHEMAS[message]
    found = schema["properties"][field]
    keywords = {key: value for key, value in found.items() if key in KEYWORDS}
    if found.get("contentEncoding"):
        del keywords["pattern"]
    assert keywords == limits
    assert (field in schema.get("required", [])) == is_required


def test_the_limits_of_items_are_those_of_each() -> None:
    times = SCHEMAS["ScheduledSummary"]["properties"]["times"]["items"]
    assert (times["minimum"], times["maximum"]) == (0, 1_439)
    assert SCHEMAS["SetTagsRequest"]["properties"]["tags"]["items"]["maxLength"] == 120


def test_one_of_several_fields_is_set() -> None:
    def is_valid(message: str, value: dict[str, Any]) -> bool:
        schema = {"$ref": f"#/components/schemas/{message}"} | DOCUMENT
        return jsonschema.Draft202012Validator(schema).is_valid(value)

    clip: dict[str, Any] = {"thumbnailOffset": "1s"}
    assert is_valid("AttachmentReference", {}) and is_valid("AttachmentReference", clip)
    assert not is_valid("AttachmentReference", clip | {"thumbnailFrame": 1})
    assert not is_valid("LocalizedString", {})
    assert is_valid("LocalizedString", {"text": "a"})
    assert not is_valid("LocalizedString", {"text": "a", "plural": {"other": "b"}})
    act = {"presentationId": "a", "open": {}}
    assert not is_valid("RespondRequest", act | {"notification": {"center": {"appId": "a"}}})


class Tried:
    """A server of which requests are made, and what it said to them."""

    def __init__(self, web: Web, rpc: str | None, app: str) -> None:
        self.web = web
        self.rpc = rpc
        self.seen: collections.Counter[tuple[str, int]] = collections.Counter()
        center = {"appId": app, "deviceId": app}
        self.center = {"center": center}
        web.call("RegisterApp", self.center | {"manifest": {"extensions": [
            {"extensionId": f"{app}.extension", "kind": "EXTENSION_KIND_SERVICE"},
        ]}})  # fmt: skip
        web.call("RequestAuthorization", self.center | {"options": [
            "AUTHORIZATION_OPTION_ALERT", "AUTHORIZATION_OPTION_BADGE", "AUTHORIZATION_OPTION_SOUND",
            "AUTHORIZATION_OPTION_PROVIDES_APP_NOTIFICATION_SETTINGS",
        ]})  # fmt: skip
        for name, more in [("tea", {}), ("coffee", {"trigger": {"timeInterval": {
            "interval": "90000s",
        }}})]:  # fmt: skip
            request = {"identifier": name, "content": {"title": name}} | more
            assert web.call("Add", self.center | {"request": request}).status == 200
        registered = web.call("RegisterForRemoteNotifications", self.center)
        self.document = telling(strict(DOCUMENT), app, registered.json["token"])

    def send(self, case: Case, mode: GenerationMode, **headers: str) -> Response:
        """Makes a request, and checks how it is answered."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        with Spelling() as session:
            response = case.call(
                headers=self.web.headers | sent, timeout=BOUND, session=session
            )
        self.seen[mode.value, response.status_code] += 1
        case.validate_response(response, checks=CHECKS)
        return response

    def check(self, case: Case, mode: GenerationMode) -> None:
        """Checks a request whose answer is JSON."""
        if mode is GenerationMode.POSITIVE and self.rpc:
            # What the document allows is JSON of the message.
            json_format.ParseDict(case.body, getattr(wire, f"{self.rpc}Request")())
        response = self.send(case, mode, Connect_Timeout_Ms=CALL_MILLISECONDS)
        if response.status_code == 200:
            if self.rpc:
                json_format.Parse(response.text, getattr(wire, f"{self.rpc}Response")())
        elif "code" in (error := response.json()) and self.rpc:
            too_long = "BODY_TOO_LONG" in response.text
            assert response.status_code == (413 if too_long else STATUSES[error["code"]]), error

    def check_events(self, case: Case, mode: GenerationMode) -> None:
        """Checks a request whose answer is a stream of events."""
        response = self.send(
            case, mode, Accept="text/event-stream", Connect_Timeout_Ms=STREAM_MILLISECONDS
        )
        assert response.status_code == 200, response.text
        # A stream begins with messages, unless it fails at once, and has an end.
        events = [part for part in response.text.split("\n\n") if part.strip(":\n")]
        assert events and events[-1].startswith("event: ")
        self.seen["messages", response.status_code] += len(events) - 1


@pytest.fixture
def counts(torture: Torture) -> dict[GenerationMode, int]:
    """Examples of each operation: as the document has them, and otherwise."""
    count = torture.count("described")
    return {GenerationMode.POSITIVE: count, GenerationMode.NEGATIVE: count // 2}


@pytest.fixture
def seed(pytestconfig: pytest.Config) -> int:
    """Where random choices begin; printed for who sees a failure."""
    seed: int = pytestconfig.getoption("--seed")
    print(f"--seed={seed}")
    return seed


@pytest.mark.torture
@pytest.mark.parametrize("rpc", UNARY)
def test_a_call_is_answered_as_described(
    web: Web, seed: int, counts: dict[GenerationMode, int], rpc: str
) -> None:
    tried = Tried(web, rpc, f"org.example.{rpc}")
    each(tried.document, web.url, path(rpc), "POST", seed, counts, tried.check)
    assert web.send("GET", "/livez").status == 200
    # Otherwise nothing but errors would be compared.
    assert tried.seen["positive", 200] > 0 or rpc in OUT_OF_REACH, tried.seen


@pytest.mark.torture
@pytest.mark.parametrize(("target", "method"), PUBLISHING)
def test_a_publication_is_answered_as_described(
    web: Web, seed: int, counts: dict[GenerationMode, int], target: str, method: str
) -> None:
    tried = Tried(web, None, "org.example.published")
    each(tried.document, web.url, target, method, seed, counts, tried.check)
    assert web.send("GET", "/livez").status == 200
    # Only what was published before can be read or removed: test_http_publish_forms.py does that.
    removes = method == "DELETE" or target.endswith(("/clear", "/read", "/delete"))
    found, missing = tried.seen["positive", 200], tried.seen["positive", 404]
    assert found + (missing if removes else 0) > 0, tried.seen


@pytest.mark.parametrize("target", PROBES)
def test_a_probe_is_answered_as_described(web: Web, seed: int, target: str) -> None:
    tried = Tried(web, None, "org.example.probed")
    counts = {GenerationMode.POSITIVE: 1}
    each(tried.document, web.url, target, "GET", seed, counts, tried.send)
    assert tried.seen == {("positive", 200): 1}


@pytest.mark.parametrize("rpc", STREAMS)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_stream_is_answered_as_described(web: Web, seed: int, rpc: str, method: str) -> None:
    tried = Tried(web, rpc, f"org.example.{rpc}")
    counts = BACKUP_COUNTS if rpc == "Backup" else STREAM_COUNTS
    each(tried.document, web.url, path(rpc), method, seed, counts, tried.check_events)
    assert web.send("GET", "/livez").status == 200
    assert tried.seen["messages", 200] > 0 or rpc in OUT_OF_REACH, tried.seen


@pytest.mark.parametrize("rpc", STREAMS)
def test_events_come_unless_they_are_refused(web: Web, rpc: str) -> None:
    def types(**fields: str) -> list[tuple[int, str]]:
        # A stream that goes on ends at its deadline.
        fields |= {"Connect_Timeout_Ms": STREAM_MILLISECONDS}
        replies = [web.send("GET", path(rpc), **fields), web.call(rpc, **fields)]
        return [(reply.status, reply.headers["content-type"]) for reply in replies]

    events = [(200, "text/event-stream")] * 2
    assert types() == events
    for accepted in ("*/*", "application/json, text/*;q=0.5", "Text/Event-Stream"):
        assert types(Accept=accepted) == events, accepted
    for refused in ("application/json", "text/html, image/*", ""):
        assert {status for status, _ in types(Accept=refused)} == {406}, refused


@pytest.mark.parametrize("target", DOCUMENT["paths"])
def test_each_path_says_its_methods(web: Web, target: str) -> None:
    declared = {method.upper() for method in DOCUMENT["paths"][target]} - {"PARAMETERS"}
    place = target.replace("{app}", "org.example.topic").replace("{sequence}", "tea")
    told = web.send("OPTIONS", place).headers["allow"].split(", ")
    assert set(told) - {"HEAD", "OPTIONS"} == declared
    # Nothing answers it anywhere.
    refused = web.send("TRACE", place)
    assert (refused.status, refused.headers["allow"].split(", ")) == (405, told)


# What the requests above do not tell.


def test_a_plus_in_a_query_is_a_space(web: Web) -> None:
    # As URLSearchParams and HTML's forms write it, and ntfy reads it.
    reply = web.send("POST", "/org.example.plus?title=a+b%2Bc", b"c")
    assert reply.json["title"] == "a b+c"


def test_json_of_another_kind_has_a_reason(web: Web) -> None:
    reply = web.call("ListPending", {"center": 1})
    # By error.proto, on every call.
    assert (reply.status, reply.reason) == (400, "MALFORMED_MESSAGE")


def test_a_deadline_has_digits_alone(web: Web) -> None:
    assert web.call("GetServerInfo", Connect_Timeout_Ms="+5000").status == 400


def test_a_priority_with_decimals_is_named(web: Web) -> None:
    reply = web.send("POST", "/", b'{"topic":"org.example.half","priority":3.5}')
    assert reply.json["error"].startswith("Priority: ")
