"""What a call of the contract is: its path and its messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from google.protobuf.message import Message

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)


@dataclass(frozen=True)
class _Rpc(Generic[Request, Response]):
    """The path of a call, and the types of what it sends and gets."""

    path: str
    request: type[Request]
    response: type[Response]

    @property
    def name(self) -> str:
        """The call's own name, as "Add"."""
        return self.path.rpartition("/")[2]


class Unary(_Rpc[Request, Response]):
    """A call with one request and one answer."""


class Stream(_Rpc[Request, Response]):
    """A call that answers with any number of messages."""


class Upload(_Rpc[Request, Response]):
    """A call that takes any number of requests, and gives one answer."""


class Exchange(_Rpc[Request, Response]):
    """A call that takes any number of requests, and answers with any number of messages."""
