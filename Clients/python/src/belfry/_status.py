"""Reads the status of a call that failed, with its details, as an exception."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import grpc

from . import errors, reasons, v1
from ._details.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from ._details.status_pb2 import Status
from .errors import BelfryError, Field

_BY_CODE: dict[str, type[BelfryError]] = {
    "INVALID_ARGUMENT": errors.InvalidRequest,
    "NOT_FOUND": errors.NotFound,
    "PERMISSION_DENIED": errors.NotAllowed,
    "UNAUTHENTICATED": errors.NotAllowed,
    "FAILED_PRECONDITION": errors.NotPossible,
    "RESOURCE_EXHAUSTED": errors.LimitReached,
    "OUT_OF_RANGE": errors.OutOfRange,
    "UNAVAILABLE": errors.Unavailable,
    "DEADLINE_EXCEEDED": errors.DeadlineExceeded,
    "ABORTED": errors.Aborted,
    "DATA_LOSS": errors.DataLoss,
    "UNIMPLEMENTED": errors.Unsupported,
}

_CODES = {code.value[0]: code.name for code in grpc.StatusCode}


@lru_cache(maxsize=None)
def _class_of(code: str, reason: str) -> type[BelfryError]:
    """The exception of a reason, which is below that of its code too."""
    by_code = _BY_CODE.get(code, BelfryError)
    by_reason = reasons.BY_NAME.get(reason)
    if by_reason is None or issubclass(by_code, by_reason):
        return by_code
    if issubclass(by_reason, by_code):
        return by_reason
    # A reason that comes with several codes.
    return type(by_reason.__name__, (by_reason, by_code), {"__doc__": by_reason.__doc__})


def error_of(error: grpc.RpcError) -> BelfryError:
    """The exception for what gRPC raised."""
    call: Any = error
    code = call.code().name
    details: dict[str, Any] = {}
    for key, value in call.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            details = _read(value)
    # The server ends the stream of a subscriber that does not read by a text alone.
    message = call.details() or code
    if "reason" not in details and message.startswith("SUBSCRIBER_STALLED"):
        details["reason"] = "SUBSCRIBER_STALLED"
    return _class_of(code, details.get("reason", ""))(message, code=code, **details)


def error_of_item(item: v1.ItemError) -> BelfryError:
    """The exception for one item of a batch."""
    code = _CODES.get(item.code, "UNKNOWN")
    return _class_of(code, item.reason)(
        item.message,
        code=code,
        reason=item.reason,
        domain=item.domain,
        metadata=dict(item.metadata),
        fields=tuple(Field(each.field, each.description) for each in item.field_violations),
    )


def _read(data: bytes) -> dict[str, Any]:
    """What the details say; those that are not known are passed over."""
    found: dict[str, Any] = {}
    for detail in Status.FromString(data).details:
        kind = detail.type_url.rpartition("/")[2]
        if kind == "google.rpc.ErrorInfo":
            info = ErrorInfo.FromString(detail.value)
            found.update(reason=info.reason, domain=info.domain, metadata=dict(info.metadata))
        elif kind == "google.rpc.BadRequest":
            wrong = BadRequest.FromString(detail.value).field_violations
            found["fields"] = tuple(Field(each.field, each.description) for each in wrong)
        elif kind == "google.rpc.RetryInfo":
            delay = RetryInfo.FromString(detail.value).retry_delay
            found["retry_after"] = delay.seconds + delay.nanos / 1e9
    return found
