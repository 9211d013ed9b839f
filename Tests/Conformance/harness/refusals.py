"""What a refused call says: the status and its google.rpc details."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import grpc
import pytest
from google.protobuf import any_pb2
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from harness import wire

UN_ERROR_DOMAIN = "UNErrorDomain"


@dataclass(frozen=True)
class Refusal:
    """Why a call, or an item of a batch, was refused."""

    code: grpc.StatusCode
    message: str
    reason: str = ""
    domain: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    fields: tuple[str, ...] = ()
    # In seconds; none where a retry does not help.
    retry_after: float | None = None


@dataclass(frozen=True)
class Expected:
    """What a table says of a refusal. `un_code` stands for Apple's domain and number."""

    code: grpc.StatusCode
    reason: str
    fields: tuple[str, ...] = ()
    un_code: int | None = None

    def check(self, refusal: Refusal, *, prefix: str = "") -> None:
        """Fails where the refusal says anything else; `prefix` goes before each field."""
        assert refusal.code == self.code, refusal
        assert refusal.reason == self.reason, refusal
        assert refusal.domain == ("belfry" if self.un_code is None else UN_ERROR_DOMAIN), refusal
        assert refusal.fields == tuple(prefix + path for path in self.fields), refusal
        expected_number = None if self.un_code is None else str(self.un_code)
        assert refusal.metadata.get("code") == expected_number, refusal
        assert refusal.message, refusal


def refusal_of(call: Callable[[], object]) -> Refusal:
    """Makes a call that has to be refused."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return refusal_in(caught.value)


def refusal_in(error: grpc.RpcError) -> Refusal:
    """Reads the status of an error and its details."""
    status = rpc_status.from_call(error)
    return refusal_with(error.code(), error.details(), status.details if status else ())


def refusal_with(code: grpc.StatusCode, message: str, details: Iterable[any_pb2.Any]) -> Refusal:
    reason, domain, metadata = "", "", {}
    fields: tuple[str, ...] = ()
    retry_after = None
    for detail in details:
        if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            info = error_details_pb2.ErrorInfo()
            detail.Unpack(info)
            reason, domain, metadata = info.reason, info.domain, dict(info.metadata)
        elif detail.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            request = error_details_pb2.BadRequest()
            detail.Unpack(request)
            assert all(violation.description for violation in request.field_violations)
            fields = tuple(violation.field for violation in request.field_violations)
        elif detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
            retry = error_details_pb2.RetryInfo()
            detail.Unpack(retry)
            retry_after = wire.nanoseconds(retry.retry_delay) / 1e9
        else:
            pytest.fail(f"an unknown detail: {detail.type_url}")
    return Refusal(code, message, reason, domain, metadata, fields, retry_after)


def refusal_of_item(error: wire.ItemError) -> Refusal:
    """Reads why one item of a batch was refused."""
    code = next(code for code in grpc.StatusCode if code.value[0] == error.code)
    return Refusal(
        code,
        error.message,
        error.reason,
        error.domain,
        dict(error.metadata),
        tuple(violation.field for violation in error.field_violations),
    )
