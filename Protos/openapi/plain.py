"""What the server answers beside rpcs: publications as ntfy has them, probes and metrics."""

from typing import Any

from contract import Contract
from shared import plain_statuses, security, statuses

Schema = dict[str, Any]

# What a publication may end with.
PUBLISH_STATUSES = [400, 401, 403, 404, 413, 429, 499, 500, 501, 503]

_TAG = "Publishing"
_PROBES = "Probes"

TAGS: list[Schema] = [
    {
        "name": _TAG,
        "description": "Notifications as ntfy's clients send them. An app that never asked for "
        "permission gets it provisionally.",
    },
    {"name": _PROBES, "description": "What supervisors and monitoring ask."},
]

_DELAY: Schema = {
    "pattern": "^[1-9][0-9]{0,4} ?(s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)$",
    "examples": ["10m"],
}

_SEQUENCE: Schema = {"pattern": "^[A-Za-z0-9_-]{1,64}$", "examples": ["job-7"]}

# The fields of a publication: each name with its other names, and what it says.
_FIELDS: dict[str, tuple[list[str], str, Schema]] = {
    "Title": (["ti", "t"], "The title.", {}),
    "Message": (["m"], "The text, where the body is blank: then none is `triggered`.", {}),
    "Priority": (
        ["prio", "p"],
        "1 and 2 are passive, 3 is active, 4 and 5 are time-sensitive.",
        {
            "pattern": "^([1-5]|[Mm][Ii][Nn]|[Ll][Oo][Ww]|[Dd][Ee][Ff][Aa][Uu][Ll][Tt]"
            "|[Hh][Ii][Gg][Hh]|[Mm][Aa][Xx]|[Uu][Rr][Gg][Ee][Nn][Tt])$",
            "examples": ["high"],
        },
    ),
    "Tags": (
        ["tag", "ta"],
        "Tags, with commas between them: short codes of emoji stand before the title, or the text "
        "where there is none; others are the subtitle.",
        {},
    ),
    "Click": ([], "What opens with the notification: the app is told.", {}),
    "Icon": ([], "The address of a picture: the app is told.", {}),
    "Delay": (
        ["at", "in"],
        "When: a duration such as `30s`, `10m`, `2 hours` or `1h30m`, a Unix time in seconds, an "
        "instant of RFC 3339, or a local time such as `tomorrow, 10am`.",
        {"examples": ["10m"]},
    ),
    "Timezone": ([], "The zone of a local time, by its name in the zone database.", {}),
    "Actions": (
        ["action"],
        "Buttons, at most 3, as `view, LABEL, URL; copy, LABEL, VALUE` or as JSON. The app learns "
        "which the person pressed.",
        {"examples": ["view, Open, https://example.org"]},
    ),
    "Sequence-ID": (
        ["sid"],
        "The identifier: a later publication with it takes the place of this one.",
        _SEQUENCE,
    ),
}

SCHEMAS: dict[str, Schema] = {
    "Publication": {
        "type": "object",
        "description": "A notification. Documentation/Publishing.md says which other fields of "
        "ntfy's are refused, and why.",
        "properties": {
            "topic": {
                "type": "string",
                "description": "The app.",
                "pattern": "^[A-Za-z0-9._-]{1,155}$",
            },
            "message": {"type": "string", "description": "The text."},
            "title": {"type": "string", "description": "The title."},
            "tags": {
                "type": "array",
                "description": "Tags: short codes of emoji are shown as such, others below the "
                "title.",
                "items": {"type": "string"},
            },
            "priority": {
                "type": "integer",
                "description": "1 and 2 are passive, 3 is active, 4 and 5 are time-sensitive. "
                "Absent is 3.",
                "minimum": 1,
                "maximum": 5,
            },
            "click": {
                "type": "string",
                "description": "What opens with the notification: the app is told.",
            },
            "actions": {
                "type": "array",
                "description": "Buttons, each with a label of its own. The app learns which the "
                "person pressed.",
                "items": {"$ref": "#/components/schemas/PublicationAction"},
                "maxItems": 3,
            },
            "icon": {"type": "string", "description": _FIELDS["Icon"][1]},
            "delay": {
                "type": "string",
                "description": _FIELDS["Delay"][1],
            }
            | _DELAY,
            "timezone": {
                "type": "string",
                "description": _FIELDS["Timezone"][1],
                "examples": ["Asia/Tokyo"],
            },
            "sequence_id": {
                "type": "string",
                "description": _FIELDS["Sequence-ID"][1],
            }
            | _SEQUENCE,
        },
        "required": ["topic"],
    },
    "PublicationAction": {
        "type": "object",
        "description": "A button.",
        "properties": {
            "action": {
                "type": "string",
                "description": "What the button does. The app is told this and all below.",
                "enum": ["view", "http", "broadcast", "copy"],
            },
            "label": {"type": "string", "description": "Its text.", "minLength": 1},
            "url": {"type": "string", "description": "What `view` opens, or `http` calls."},
            "method": {"type": "string", "description": "The method of `http`."},
            "headers": {
                "type": "object",
                "description": "The headers of `http`.",
                "additionalProperties": {"type": "string"},
            },
            "body": {"type": "string", "description": "The body of `http`."},
            "intent": {"type": "string", "description": "What `broadcast` sends."},
            "extras": {
                "type": "object",
                "description": "What `broadcast` sends along.",
                "additionalProperties": {"type": "string"},
            },
            "value": {"type": "string", "description": "What `copy` copies."},
            "clear": {"type": "boolean", "description": "Whether the notification goes then."},
        },
        "required": ["action", "label"],
    },
    "Published": {
        "type": "object",
        "description": "A notification that was taken.",
        "properties": {
            "id": {
                "type": "string",
                "description": "The identifier of the notification, or of this answer where one "
                "was removed.",
            },
            "time": {
                "type": "integer",
                "description": "When it is shown, as a Unix time in seconds.",
                "format": "int64",
            },
            "event": {
                "type": "string",
                "enum": ["message", "message_clear", "message_delete"],
            },
            "topic": {"type": "string", "description": "The app."},
            "message": {"type": "string"},
            "title": {"type": "string"},
            "priority": {"type": "integer", "minimum": 1, "maximum": 5},
            "tags": {"type": "array", "items": {"type": "string"}},
            "sequence_id": {"type": "string"},
        },
        "required": ["id", "time", "event", "topic"],
    },
    "PublishError": {
        "type": "object",
        "description": "Why a notification was refused.",
        "properties": {
            "code": {"type": "integer", "description": "The status with two more digits."},
            "http": {"type": "integer", "description": "The status."},
            "error": {"type": "string", "description": "A sentence that a person can act on."},
        },
        "required": ["code", "http", "error"],
    },
}


def paths(contract: Contract) -> dict[str, Schema]:
    """All of them."""
    publishers, readers = (
        next(rpc.roles for rpc in contract.rpcs if rpc.proto.name == name)
        for name in ("Add", "GetStats")
    )
    published: dict[str, Schema] = {
        "/": {"get": _WELCOME}
        | {method: _publish_json(method, publishers) for method in ("post", "put")},
        "/{app}": {"parameters": [_APP]}
        | {method: _publish(method, publishers) for method in ("post", "put")},
        "/{app}/{sequence}": {"parameters": [_APP, _SEQUENCE_PATH]}
        | {method: _publish(method, publishers, "Again") for method in ("post", "put")}
        | {"delete": _remove("delete", "Delete", publishers)},
    }
    published |= {
        f"/{{app}}/{word}": {
            "parameters": [_APP],
            "get": _publish("get", publishers, f"_{word}"),
        }
        for word in ("publish", "send", "trigger")
    }
    for word in ("clear", "read", "delete"):
        methods = ("get",) if word == "delete" else ("get", "put")
        published[f"/{{app}}/{{sequence}}/{word}"] = {
            "parameters": [_APP, _SEQUENCE_PATH]
        } | {method: _remove(method, word.capitalize(), publishers) for method in methods}
    return published | {
        "/livez": {"get": _probe("livez", "The server runs.", {})},
        "/readyz": {
            "get": _probe("readyz", "The store takes writes.", {"503": "It takes none."})
        },
        "/metrics": {"get": _metrics(readers)},
    }


_WELCOME: Schema = {
    "tags": [_PROBES],
    "summary": "What this server is, and how to begin",
    "operationId": "welcome",
    "responses": {
        "200": {
            "description": "A text for a person.",
            "content": {"text/plain": {"schema": {"type": "string"}}},
        }
    },
    "security": [],
}

_APP: Schema = {
    "name": "app",
    "in": "path",
    "required": True,
    "description": "The app. A name that begins with `belfry.` is the path of an rpc: send it as "
    "JSON to `/`.",
    "schema": {"type": "string", "pattern": r"^(?!belfry\.)[A-Za-z0-9._-]{1,155}$"},
}


_SEQUENCE_PATH: Schema = {
    "name": "sequence",
    "in": "path",
    "required": True,
    "description": "The identifier of what is replaced or removed.",
    "schema": {"type": "string"} | _SEQUENCE,
}


def _publish(method: str, roles: list[str], kind: str = "") -> Schema:
    operation = _publication(
        method,
        roles,
        f"Publish{kind}_{method}",
        "The text, in UTF-8, whatever its type says.",
        {"text/plain": {"schema": {"type": "string"}}},
        False,
    )
    places = ("header", "query")
    if method == "get":
        del operation["requestBody"]
        places = ("query",)
    elif kind:
        # The path has it.
        return operation
    return operation | {"parameters": [
        parameter for place in places for parameter in _parameters(place)
    ]}  # fmt: skip


def _remove(method: str, kind: str, roles: list[str]) -> Schema:
    operation = _publication(method, roles, f"{kind}_{method}", "", {}, False)
    del operation["requestBody"]
    operation["summary"] = "Takes a notification out of the list" + (
        "" if kind in ("Clear", "Read") else ", and removes one that waits for its time"
    )
    return operation


def _publish_json(method: str, roles: list[str]) -> Schema:
    return _publication(
        method,
        roles,
        f"PublishJSON_{method}",
        "The notification. What it leaves out may stand in the fields that `/{app}` has.",
        {"application/json": {"schema": {"$ref": "#/components/schemas/Publication"}}},
        True,
    )


def _publication(
    method: str, roles: list[str], operation: str, body: str, content: Schema, is_required: bool
) -> Schema:
    return {
        "tags": [_TAG],
        "summary": "Publishes a notification",
        "description": f"Callers: {', '.join(roles)}.",
        "operationId": operation,
        "requestBody": {"description": body, "content": content, "required": is_required},
        "responses": {
            "200": {
                "description": "The notification was taken.",
                "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Published"}}
                },
            }
        }
        | plain_statuses(*PUBLISH_STATUSES),
        "security": security(roles),
    }


def _parameters(place: str) -> list[Schema]:
    parameters = []
    for name, (others, text, schema) in _FIELDS.items():
        names = [name, *others]
        also = [f"X-{name}"] if place == "header" else []
        aliases = ", ".join(f"`{other}`" for other in also + names[1:])
        parameters.append(
            {
                "name": name if place == "header" else name.lower(),
                "in": place,
                "description": f"{text} Other names: {aliases}." if aliases else text,
                "schema": {"type": "string"} | schema,
            }
        )
    return parameters


def _probe(name: str, yes: str, others: dict[str, str]) -> Schema:
    text = {"text/plain": {"schema": {"type": "string"}}}
    answers = {"200": yes} | others
    return {
        "tags": [_PROBES],
        "summary": yes.rstrip("."),
        "operationId": name,
        "responses": {
            status: {"description": answer, "content": text} for status, answer in answers.items()
        },
        "security": [],
    }


def _metrics(roles: list[str]) -> Schema:
    return {
        "tags": [_PROBES],
        "summary": "What GetStats tells, as OpenMetrics",
        "description": f"Callers: {', '.join(roles)}.",
        "operationId": "metrics",
        "responses": {
            "200": {
                "description": "The metrics.",
                "content": {
                    "application/openmetrics-text; version=1.0.0; charset=utf-8": {
                        "schema": {"type": "string"}
                    }
                },
            }
        }
        | statuses(401, 403, 429, 499, 500, 503),
        "security": security(roles),
    }
