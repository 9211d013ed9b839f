"""Servers that ask who calls, their tokens, and callers of every kind."""

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.message import Message

from harness import wire
from harness.client import Client
from harness.launcher import Launcher
from harness.refusals import Refusal, refusal_in
from harness.server import BOUND, Server

# What the rule of who may call refuses with, and nothing else does.
REASONS = {
    "TOKEN_REQUIRED", "TOKEN_INVALID", "USER_REFUSED", "ROLE_REQUIRED", "APP_REFUSED",
    "DEVICE_REFUSED",
}  # fmt: skip

DONE, REFUSED, NOTHING_THERE, USAGE, CANNOT_START, NOT_PERMITTED = 0, 1, 3, 64, 73, 77


def environment(home: Path, **values: str) -> dict[str, str]:
    """Where a program finds and leaves its own: in the home, and nothing of who tests."""
    ours = {name for name in os.environ if name.startswith("BELFRY_")} - {"BELFRY_FAULT"}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return kept | {"XDG_RUNTIME_DIR": str(home), "HOME": str(home)} | values


def start(
    launch: Launcher,
    *arguments: str,
    home: Path | None = None,
    variables: dict[str, str] | None = None,
    under: Sequence[str] = (),
    **options: Any,
) -> Server:
    """A server that takes no TCP call without a token, and keeps its own token in its home."""
    home = home or launch.new_home()
    named = environment(home, **(variables or {}))
    chosen = [f"{name}={value}" for name, value in named.items()]
    options = {"tokens": True} | options
    return launch(
        home, arguments=arguments, under=[*under, "env", "-i", *chosen], **options
    )


def own_token(server: Server) -> str:
    """The token that the server made for its own user."""
    return (server.home / "belfry" / "token").read_text().strip()


def belfry(
    launch: Launcher, home: Path, *arguments: str, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Runs a command in a home; `variables` are added to its environment."""
    variables = options.pop("variables", {})
    return subprocess.run(
        [launch.binary, *arguments],
        env=environment(home, **variables),
        capture_output=True,
        text=True,
        timeout=BOUND,
        check=False,
        **options,
    )


def token_command(
    launch: Launcher, home: Path, *arguments: str
) -> subprocess.CompletedProcess[str]:
    """Runs `belfry token` on the tokens of the server of a home."""
    return belfry(launch, home, "token", *arguments, f"--data={home / 'data'}")


def make_token(launch: Launcher, home: Path, name: str, *roles: str, expires: str = "") -> str:
    """Makes a token, and gives its text."""
    wanted = [f"--role={role}" for role in roles]
    for_how_long = [f"--expires={expires}"] if expires else []
    made = token_command(launch, home, "create", name, *wanted, *for_how_long)
    assert made.returncode == DONE, made.stderr
    return made.stdout.strip()


def bearer(token: str | None) -> list[tuple[str, str]]:
    """The metadata of a call with a token."""
    return [] if token is None else [("authorization", f"Bearer {token}")]


@dataclass(frozen=True)
class Answer:
    """How a call ended: refused, or with messages; a stream that goes on has its first ones."""

    refusal: Refusal | None
    messages: tuple[bytes, ...] = ()

    @property
    def is_let_in(self) -> bool:
        """Whether the caller may make this call, whatever else was wrong with it."""
        if self.refusal is None:
            return True
        is_unknown = self.refusal.code == grpc.StatusCode.UNAUTHENTICATED
        return not is_unknown and self.refusal.reason not in REASONS

    def check(self, code: grpc.StatusCode, reason: str, **metadata: str) -> None:
        """Fails unless it was refused with exactly this."""
        assert self.refusal is not None, self.messages
        assert (self.refusal.code, self.refusal.reason) == (code, reason), self.refusal
        assert self.refusal.domain == "belfry", self.refusal
        assert self.refusal.message, self.refusal
        for name, value in metadata.items():
            assert self.refusal.metadata.get(name) == value, self.refusal


def _first(messages: Sequence[bytes]) -> bool:
    return len(messages) > 0


class Caller:
    """Who calls, over a connection that others may use too."""

    def __init__(self, client: Client, token: str | None = None) -> None:
        self.client = client
        self.metadata = bearer(token)

    def call(self, rpc: str, **fields: Any) -> Any:
        """Calls an rpc with the fields of its request."""
        asked = getattr(wire, f"{rpc}Request")(**fields)
        return self.client.stub(rpc)(asked, timeout=BOUND, metadata=self.metadata)

    def ask(self, rpc: str, **fields: Any) -> Answer:
        """Calls an rpc with the fields of its request, and tells how that ended."""
        return self.send(rpc, getattr(wire, f"{rpc}Request")(**fields))

    def send(
        self,
        rpc: str,
        *requests: bytes | Message,
        until: Callable[[Sequence[bytes]], bool] = _first,
    ) -> Answer:
        """Calls an rpc with messages or any bytes, and reads until there is enough."""
        return self.send_to(wire.path(wire.METHODS[rpc]), *requests, until=until)

    def send_to(
        self,
        path: str,
        *requests: bytes | Message,
        until: Callable[[Sequence[bytes]], bool] = _first,
    ) -> Answer:
        """Calls whatever has a path."""
        data = [
            request if isinstance(request, bytes) else request.SerializeToString()
            for request in requests
        ]
        messages: list[bytes] = []
        call = self.client.channel.stream_stream(path)(
            iter(data), timeout=BOUND, metadata=self.metadata
        )
        try:
            for message in call:
                messages.append(message)
                if until(messages):
                    break
        except grpc.RpcError as error:
            return Answer(refusal_in(error), tuple(messages))
        finally:
            call.cancel()
        return Answer(None, tuple(messages))
