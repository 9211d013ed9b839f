"""What the paths share: errors, headers and who may call."""

from typing import Any

Schema = dict[str, Any]

# Connect's codes, with the status of HTTP that each comes with.
_CODES = {
    "canceled": 499,
    "unknown": 500,
    "invalid_argument": 400,
    "deadline_exceeded": 504,
    "not_found": 404,
    "already_exists": 409,
    "permission_denied": 403,
    "resource_exhausted": 429,
    "failed_precondition": 400,
    "aborted": 409,
    "out_of_range": 400,
    "unimplemented": 501,
    "internal": 500,
    "unavailable": 503,
    "data_loss": 500,
    "unauthenticated": 401,
}

# What a status says; 403 is also the answer to a page of another origin.
_MEANINGS = {
    400: "The request is wrong, or the server is not in the state for it.",
    401: "The request has no token that the server knows.",
    403: "The caller may not do this. A text instead of JSON: the request's `Host` or `Origin` is "
    "not allowed.",
    404: "What the request names is not there.",
    409: "What the request makes is there already.",
    415: "The content type is none that the path takes.",
    413: "The body is longer than 1 MiB: the reason is BODY_TOO_LONG.",
    429: "A limit is reached, or the server has too much to do; `RetryInfo` says when to try again.",
    499: "The call ended because its client went.",
    500: "The server failed, or a stored row cannot be read.",
    501: "The server does not do this, as with a compressed body.",
    503: "The server is stopping, or its store failed.",
    504: "The deadline in `Connect-Timeout-Ms` has passed.",
}

_REFERENCE = "#/components"


def statuses(*numbers: int) -> dict[str, Schema]:
    """References to the responses with Connect's errors."""
    return {
        str(number): {"$ref": f"{_REFERENCE}/responses/Error{number}"}
        for number in sorted(numbers)
    }


def plain_statuses(*numbers: int) -> dict[str, Schema]:
    """References to the responses with ntfy's errors."""
    return {
        str(number): {"$ref": f"{_REFERENCE}/responses/PublishError{number}"}
        for number in sorted(numbers)
    }


def responses(plain: list[int]) -> dict[str, Schema]:
    """The responses that are referred to; `plain` are the statuses of publications."""
    return {
        f"Error{number}": _response(number, "ConnectError") for number in sorted(_MEANINGS)
    } | {f"PublishError{number}": _response(number, "PublishError") for number in sorted(plain)}


def _response(number: int, schema: str) -> Schema:
    content = {"application/json": {"schema": {"$ref": f"{_REFERENCE}/schemas/{schema}"}}}
    text = {"text/plain": {"schema": {"type": "string"}}}
    if number == 415:
        content = text
    elif number == 403:
        content |= text
    response: Schema = {"description": _MEANINGS[number]}
    if number == 415:
        response["headers"] = {
            "Accept-Post": {
                "description": "The content types that the path takes.",
                "schema": {"type": "string"},
            }
        }
    return response | {"content": content}


def security(roles: list[str]) -> list[Schema]:
    """The alternatives of who may call; no roles are all roles."""
    return [{"token": [role]} for role in roles] or [{"token": []}]


SECURITY_SCHEMES = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": (
            "A token of the server: its own user's is in `$XDG_RUNTIME_DIR/belfry/token`, others "
            "are made with `belfry token create`. It may also be the password of `Authorization: "
            "Basic`, with any user name. A token has roles: app, device, provider, extension, "
            "admin. Each operation names the roles of which one is enough."
        ),
    }
}

TIMEOUT = {"$ref": f"{_REFERENCE}/parameters/ConnectTimeoutMs"}

PARAMETERS = {
    "ConnectTimeoutMs": {
        "name": "Connect-Timeout-Ms",
        "in": "header",
        "description": "The deadline of the call, in milliseconds from its arrival.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 9_999_999_999},
    }
}


def _texts(names: list[str]) -> Schema:
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": names,
    }


SCHEMAS: dict[str, Schema] = {
    "ConnectError": {
        "type": "object",
        "description": "Why a call was refused. The reasons are those of ItemError.",
        "properties": {
            "code": {
                "type": "string",
                "description": "The canonical code, in Connect's form. Each comes with a status:"
                " " + ", ".join(f"`{code}` with {status}" for code, status in _CODES.items())
                + ".",
                "enum": list(_CODES),
            },
            "message": {
                "type": "string",
                "description": "A sentence that a person can act on. Never holds content.",
            },
            "details": {
                "type": "array",
                "description": "More about the error, for programs.",
                "items": {"$ref": f"{_REFERENCE}/schemas/ErrorDetail"},
            },
        },
        "required": ["code"],
    },
    "ErrorDetail": {
        "type": "object",
        "description": "A message about an error.",
        "properties": {
            "type": {
                "type": "string",
                "description": "The message's name.",
                "enum": [
                    "google.rpc.ErrorInfo",
                    "google.rpc.BadRequest",
                    "google.rpc.RetryInfo",
                ],
            },
            "value": {
                "type": "string",
                "description": "The message's own bytes in base64, without padding.",
                "pattern": "^[A-Za-z0-9+/]*$",
            },
            "debug": {
                "description": "What the message says.",
                "anyOf": [
                    {"$ref": f"{_REFERENCE}/schemas/ErrorInfo"},
                    {"$ref": f"{_REFERENCE}/schemas/BadRequest"},
                    {"$ref": f"{_REFERENCE}/schemas/RetryInfo"},
                ],
            },
        },
        "required": ["type", "value", "debug"],
    },
    "ErrorInfo": {
        "type": "object",
        "description": "The reason of an error, for programs.",
        "properties": {
            "reason": {
                "type": "string",
                "description": "In UPPER_SNAKE_CASE; it stays the same.",
                "pattern": "^[A-Z0-9_]+$",
            },
            "domain": {
                "type": "string",
                "description": "Who defines the reason.",
                "enum": ["UNErrorDomain", "belfry"],
            },
            "metadata": {
                "type": "object",
                "description": "More about the reason.",
                "additionalProperties": {"type": "string"},
            },
        },
        "required": ["reason", "domain"],
    },
    "BadRequest": {
        "type": "object",
        "description": "The fields that are wrong.",
        "properties": {
            "fieldViolations": {
                "type": "array",
                "items": _texts(["field", "description"])
                | {
                    "description": "A field by its path from the request, with the names of the "
                    "protos: `request.trigger.time_interval.interval`."
                },
                "minItems": 1,
            }
        },
        "required": ["fieldViolations"],
    },
    "RetryInfo": {
        "type": "object",
        "description": "When to try again.",
        "properties": {
            "retryDelay": {
                "type": "string",
                "description": "In so many seconds.",
                "pattern": r"^[0-9]+(\.[0-9]+)?s$",
            }
        },
        "required": ["retryDelay"],
    },
}
