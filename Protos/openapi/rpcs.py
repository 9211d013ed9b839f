"""The paths of the rpcs: unary ones by Connect's protocol, streams also as Server-Sent Events."""

from typing import Any

from contract import Contract, Rpc
from schemas import Schemas
from shared import TIMEOUT, security, statuses
from texts import first_sentence, markdown

Schema = dict[str, Any]

# What any unary call may end with.
_ANY_CALL = (400, 401, 403, 404, 413, 415, 429, 499, 500, 501, 503, 504)
# Where a call that may make something says so, 409 is one more.
_CONFLICTS = ("ALREADY_EXISTS", "ABORTED")

# Events say their errors in the stream; these come before it.
_BEFORE_EVENTS = (400, 401, 403, 501)

# What goes on where it ended.
_RESUMED = "SubscribeRequest"


def paths(contract: Contract, schemas: Schemas) -> dict[str, Schema]:
    """The paths of all rpcs but uploads, which are gRPC's alone."""
    found = {}
    for rpc in contract.rpcs:
        if rpc.proto.client_streaming:
            continue
        is_stream = rpc.proto.server_streaming
        found[rpc.path] = (
            {"get": _events(rpc, contract, schemas), "post": _stream(rpc, contract, schemas)}
            if is_stream
            else {"post": _unary(rpc, contract, schemas)}
        )
    return found


def types(contract: Contract) -> list[str]:
    """The messages of these rpcs."""
    return [
        name
        for rpc in contract.rpcs
        if not rpc.proto.client_streaming
        for name in (rpc.proto.input_type, rpc.proto.output_type)
    ]


def tags(contract: Contract) -> list[Schema]:
    """The services."""
    return [
        {"name": service, "description": contract.in_json(markdown(text))}
        for service, text in contract.services.items()
    ]


def _unary(rpc: Rpc, contract: Contract, schemas: Schemas) -> Schema:
    texts = [rpc.text, contract.services[rpc.service], *schemas.texts(rpc.proto.input_type)]
    may_conflict = any(code in text for code in _CONFLICTS for text in texts)
    return _head(rpc, contract) | {
        "parameters": [TIMEOUT],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": schemas.reference(rpc.proto.input_type)}},
        },
        "responses": {
            "200": {
                "description": "The answer.",
                "content": {
                    "application/json": {"schema": schemas.reference(rpc.proto.output_type)}
                },
            }
        }
        | statuses(*_ANY_CALL, *([409] if may_conflict else [])),
        "security": security(rpc.roles),
    }


def _events(rpc: Rpc, contract: Contract, schemas: Schemas) -> Schema:
    resuming = {
        "name": "Last-Event-ID",
        "in": "header",
        "description": "The `id` of the last event that was read: the stream goes on behind it.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,20}$"},
    }
    is_resumed = schemas.name(rpc.proto.input_type) == _RESUMED
    return _head(rpc, contract, "Events") | {
        "parameters": [
            {
                "name": "message",
                "in": "query",
                "required": schemas.has_required(rpc.proto.input_type),
                "description": "The request.",
                "content": {
                    "application/json": {"schema": schemas.reference(rpc.proto.input_type)}
                },
            },
            *([resuming] if is_resumed else []),
            TIMEOUT,
        ],
        "responses": {
            "200": {
                "description": "The events.",
                "content": {"text/event-stream": _event_stream(rpc, schemas)},
            },
            "406": {
                "description": "The request's `Accept` leaves out `text/event-stream`.",
                "content": {"text/plain": {"schema": {"type": "string"}}},
            },
        }
        | statuses(*_BEFORE_EVENTS),
        "security": security(rpc.roles),
    }


def _stream(rpc: Rpc, contract: Contract, schemas: Schemas) -> Schema:
    envelopes = {
        "schema": {
            "type": "string",
            "format": "binary",
            "description": "Envelopes of Connect's protocol.",
        }
    }
    return _head(rpc, contract) | {
        "parameters": [TIMEOUT],
        "requestBody": {
            "required": True,
            "description": "JSON is answered with Server-Sent Events. Connect's content type "
            "has the JSON in one envelope.",
            "content": {
                "application/json": {"schema": schemas.reference(rpc.proto.input_type)},
                "application/connect+json": envelopes,
            },
        },
        "responses": {
            "200": {
                "description": "The stream. Connect's last envelope, whose flag is 2, has the "
                "error where there is one.",
                "content": {
                    "text/event-stream": _event_stream(rpc, schemas),
                    "application/connect+json": envelopes,
                },
            }
        }
        | {
            "406": {
                "description": "The request has JSON, and its `Accept` leaves out "
                "`text/event-stream`.",
                "content": {"text/plain": {"schema": {"type": "string"}}},
            }
        }
        | statuses(*_BEFORE_EVENTS, 415),
        "security": security(rpc.roles),
    }


def _event_stream(rpc: Rpc, schemas: Schemas) -> Schema:
    """Each of the events."""
    data: dict[str, Schema] = {
        "message": _json(schemas.reference(rpc.proto.output_type)),
        "end": {"const": "{}", "description": "The stream has ended: the last event."},
        "error": _json({"$ref": "#/components/schemas/ConnectError"})
        | {"description": "Why the stream ended: the last event."},
    }
    events = [
        {
            "properties": {"event": {"const": name}, "data": {"type": "string"} | schema},
            "required": ["event", "data"],
        }
        for name, schema in data.items()
    ]
    return {"schema": {"type": "object", "description": "One event.", "oneOf": events}}


def _json(schema: Schema) -> Schema:
    return {"contentMediaType": "application/json", "contentSchema": schema}


def _head(rpc: Rpc, contract: Contract, ending: str = "") -> Schema:
    callers = ", ".join(rpc.roles) or "any role"
    text = contract.in_json(markdown(rpc.text))
    return {
        "tags": [rpc.service],
        "summary": contract.in_json(first_sentence(rpc.text)),
        "description": f"{text}\n\nCallers: {callers}.",
        "operationId": f"{rpc.service}_{rpc.proto.name}{ending}",
    }
