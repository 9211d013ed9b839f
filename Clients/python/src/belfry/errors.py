"""What is raised when a call is refused or fails.

Each exception is below that of its code, such as `NotFound`; one whose reason the contract names has
a class of its own besides, in `belfry.reasons`:

    >>> try:
    ...     app.add("Tea")
    ... except belfry.NotAllowed as error:
    ...     print(error.reason, error.metadata["missing"])
    NOTIFICATIONS_NOT_ALLOWED DENIED
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Field:
    """A field of a request that is wrong."""

    path: str
    """Where it is, as "request.trigger.time_interval.interval"."""
    problem: str
    """What is wrong with it."""


class BelfryError(Exception):
    """A call that was refused, or failed. The text never holds what a notification says."""

    code: str
    """gRPC's code, as "NOT_FOUND"."""
    reason: str
    """The stable reason, as "APP_NOT_REGISTERED"; empty where no server answered."""
    domain: str
    """Who defines the reason: "belfry", or "UNErrorDomain", whose number is `metadata["code"]`."""
    message: str
    """A sentence that a person can act on."""
    metadata: Mapping[str, str]
    """More about the reason."""
    fields: tuple[Field, ...]
    """The fields that are wrong."""
    retry_after: Optional[float]
    """How many seconds to wait before a retry; None where a retry does not help."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        reason: str = "",
        domain: str = "belfry",
        metadata: Optional[Mapping[str, str]] = None,
        fields: tuple[Field, ...] = (),
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.reason = reason
        self.domain = domain
        self.metadata = dict(metadata or {})
        self.fields = fields
        self.retry_after = retry_after

    def __str__(self) -> str:
        # Most messages begin with the field already.
        problems = [
            f"{field.path}: {field.problem}"
            for field in self.fields
            if field.problem not in self.message
        ]
        names = ", ".join(name for name in (self.code, self.reason) if name)
        return "; ".join([self.message, *problems]) + (f" ({names})" if names else "")


class InvalidRequest(BelfryError, ValueError):
    """The request is wrong: `fields` says where, `reason` what, and the message what would do."""

    @property
    def field(self) -> str:
        """The first field that is wrong; empty where the request is wrong as a whole."""
        return self.fields[0].path if self.fields else ""


class NotFound(BelfryError, LookupError):
    """What the call names does not exist."""


class NotAllowed(BelfryError):
    """The person does not permit it, or the caller has no right for the call."""


class NotPossible(BelfryError):
    """It cannot be done as things are now."""


class LimitReached(BelfryError):
    """A limit is reached. A retry helps only where `retry_after` says when."""


class OutOfRange(BelfryError):
    """A position that is asked for is no longer there, or not yet."""


class Unavailable(BelfryError, ConnectionError):
    """No server answers, or it stops."""


class DeadlineExceeded(BelfryError, TimeoutError):
    """No answer came in time: whether a change was made is unknown."""


class Aborted(BelfryError):
    """Another call took the place of this one."""


class DataLoss(BelfryError):
    """A row of the store is damaged."""


class Unsupported(BelfryError):
    """The server is too old for the call."""


class NotAnswered(BelfryError):
    """A notification is gone without an answer: `reason` says how, as "DISMISSED"."""


class Superseded(BelfryError):
    """Another program speaks for the app now, and is told what the person does."""


def invalid(field: str, problem: str) -> InvalidRequest:
    """What is refused before it is sent: an argument, and what to write instead."""
    return InvalidRequest(
        f"{field}: {problem}", reason="INVALID_ARGUMENT", fields=(Field(field, problem),)
    )
