"""The OpenAPI document of the HTTP listener, and requests that are made of it."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode

ROOT = Path(__file__).parents[3]
PATH = ROOT / "Documentation" / "openapi.json"
DOCUMENT: dict[str, Any] = json.loads(PATH.read_text())
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]

# Values that get further than most of their kind, by the names of fields. The clock is moved by
# little: each due occurrence on the way takes its time.
TELLING: dict[str, list[Any]] = {
    "AdvanceClockRequest.by": ["0s", "1s", "600.5s"],
    "AdvanceClockRequest.to": ["2026-01-01T01:00:00Z", "2026-01-01T06:00:00+02:00"],
    "SetClockRequest.to": ["2026-01-01T02:00:00Z", "2026-01-02T00:00:00.5Z"],
    "SuspendRequest.by": ["0s", "60s"],
    "Duration": ["0.5s", "60s", "86400s", "-1s"],
    "Timestamp": ["2026-01-01T00:00:00Z", "2026-02-28T12:30:00.123456789+01:00"],
    "PutAttachmentRequest.data": [
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
        "rkJggg=="
    ],
    "AttachmentMetadata.sha256": [""],
    "AttachmentMetadata.sizeBytes": ["70"],
    "AttachmentMetadata.mediaType": [""],
    "fileName": ["a.png"],
    "typeHint": ["", "public.png"],
    "language": ["en", "pt-BR"],
    "languages": ["en", "de"],
    "timeZone": ["", "Europe/Rome", "America/St_Johns"],
    "DateComponents.calendar": ["", "gregorian"],
    "mediaType": ["text/html", "image/png"],
    "userInfoJson": ["", '{"a":[1,"\\u2028"]}'],
    "payloadJson": ['{"aps":{"alert":{"title":"Tea"},"badge":2},"b":null}'],
    "tagExpression": ["", "news && !(sport || a)"],
    "tags": ["news", "sport"],
    # A key of the hour in which the clock begins.
    "PushToTagsRequest.idempotencyKey": ["019b76da-a800-7000-8000-000000000000"],
    "identifiers": ["tea", "coffee"],
    "NotificationRequest.identifier": ["tea", "coffee"],
    "NotificationRef.identifier": ["tea"],
    "SkipNextRequest.identifier": ["coffee"],
    "NotificationRef.delivery": ["1"],
    "UpdateDeviceStateRequest.updateMask": ["locked,summary.times", "focus", "timeZone,languages"],
    "UpdateSettingsRequest.updateMask": ["alertSetting,badgeSetting"],
    "PushHeaders.apnsId": [""],
    "PushHeaders.topic": [""],
    "PushHeaders.priority": [5, 10],
}

# What is needed to get further.
NEEDED = {
    "deviceId", "payloadJson", "NotificationContent.title", "NotificationRef.delivery",
    "NotificationRef.identifier", "OpenNotificationRequest.notification",
    "PutAttachmentRequest.data", "ServeRequest.extension", "SetClockRequest.to",
    "SetTagsRequest.token", "SkipNextRequest.identifier", "SnoozeRequest.notification",
    "SuspendRequest.by",
}  # fmt: skip

# What is refused unless the server made it, or once: nothing is learnt from guesses.
GUESSED = ("idempotencyKey", "pageToken", "iconAttachmentId", "avatarAttachmentId")


# Before the name of a schema of requests alone.
_ASKED = "Asked."


def strict(document: dict[str, Any]) -> dict[str, Any]:
    """The document, with nothing allowed that it does not name."""
    closed = copy.deepcopy(document)
    for schema in closed["components"]["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    return closed


def telling(document: dict[str, Any], app: str, token: str) -> dict[str, Any]:
    """The document with requests that get further: for an app, with its token for pushes.

    Requests have schemas of their own there, and answers those of the document.
    """
    values = TELLING | {
        "appId": [app], "deviceId": [app], "appIds": [app], "allowedApps": [app], "apps": [app],
        "extensionId": [f"{app}.extension"], "token": [token],
        "ServeRequest.extension": [
            {"extensionId": f"{app}.extension", "kind": "EXTENSION_KIND_SERVICE"},
        ],
    }  # fmt: skip
    narrow = copy.deepcopy(document)
    asked = _asked(narrow["components"]["schemas"])
    for name, schema in asked.items():
        _tell(name, schema, values)
    narrow["components"]["schemas"] |= {f"{_ASKED}{name}": asked[name] for name in asked}
    for item in narrow["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict):
                operation |= {
                    part: _asked(operation[part])
                    for part in ("parameters", "requestBody")
                    if part in operation
                }
                _without_connect(operation)
    return narrow


def _asked(part: Any) -> Any:
    """A part of the document that refers to schemas of requests."""
    place = "#/components/schemas/"
    return json.loads(json.dumps(part).replace(place, place + _ASKED))


def _tell(name: str, schema: dict[str, Any], values: dict[str, list[Any]]) -> None:
    """Gives a schema the values that get further."""
    if name in values:
        schema.pop("pattern")
        schema["enum"] = values[name]
    properties = schema.get("properties", {})
    for field in list(properties):
        if field in GUESSED and field not in schema.get("required", []):
            del properties[field]
        elif found := values.get(f"{name}.{field}") or values.get(field):
            one = {"enum": found}
            is_list = properties[field].get("type") == "array"
            properties[field] = {"type": "array", "items": one} if is_list else one
    needed = [field for field in properties if NEEDED & {field, f"{name}.{field}"}]
    if needed:
        schema["required"] = sorted({*schema.get("required", []), *needed})


def _without_connect(operation: dict[str, Any]) -> None:
    """Leaves out envelopes, whose names say JSON and which are none."""
    for part in [operation.get("requestBody", {}), *operation["responses"].values()]:
        part.get("content", {}).pop("application/connect+json", None)


class Spelling(requests.Session):
    """Sends a space of a query as %20, where `requests` writes a plus."""

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        assert request.url
        request.url = request.url.replace("+", "%20")
        return super().send(request, **options)


def each(
    document: dict[str, Any],
    url: str,
    path: str,
    method: str,
    seed: int,
    counts: dict[GenerationMode, int],
    check: Callable[[Case, GenerationMode], None],
) -> None:
    """Checks requests of an operation: as it describes them, and otherwise."""
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url=url)
    operation = schema[path][method]
    for mode, count in counts.items():

        @hypothesis.seed(seed)
        @settings(
            max_examples=count, database=None, deadline=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy(generation_mode=mode))
        def run(case: Case) -> None:
            check(case, mode)

        run()
