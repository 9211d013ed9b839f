"""Finds the server and the token, as the `belfry` command does."""

from __future__ import annotations

import ipaddress
import os
import socket
import stat
import struct
from dataclasses import dataclass, field
from typing import Optional

import grpc


def _trace() -> tuple[tuple[str, str], ...]:
    """The W3C trace context that the program was started with, as far as gRPC can send it.

    gRPC fails a call whose metadata it cannot send, and the call counts more than its trace.
    """
    found = []
    for name in ("traceparent", "tracestate"):
        value = os.environ.get(name.upper(), "")
        if not (0 < len(value) <= 4_096 and value.isascii() and value.isprintable()):
            break
        found.append((name, value))
    return tuple(found)


@dataclass(frozen=True)
class Target:
    """Where a server is, and how to speak to it."""

    address: str
    """As gRPC has it: "unix:/path" or "host:port"."""
    token: str = field(repr=False)
    """What each call shows; empty where it shows none."""
    credentials: Optional[grpc.ChannelCredentials]
    """What TLS needs; None without TLS."""
    trace: tuple[tuple[str, str], ...] = field(default_factory=_trace)
    """The trace context that the server keeps with what is scheduled: $TRACEPARENT, $TRACESTATE."""

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What each call carries."""
        shown = (("authorization", f"Bearer {self.token}"),) if self.token else ()
        return shown + self.trace

    @property
    def options(self) -> list[tuple[str, int]]:
        """The options of the channel."""
        return [
            # A token is for the server alone, not for a proxy on the way.
            ("grpc.enable_http_proxy", 0),
            # A page of a list ends where it passes 1 MiB.
            ("grpc.max_receive_message_length", -1),
            # A server that starts again is found again soon.
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 1_000),
        ]


def find(
    server: Optional[str] = None,
    token: Optional[str] = None,
    *,
    tls_ca: Optional[str] = None,
    tls_certificate: Optional[str] = None,
    tls_key: Optional[str] = None,
) -> Target:
    """Finds a server by what is given, else by the environment, else the user's own.

    Raises PermissionError where another user may be behind the socket or the file of the own token,
    OSError where a file of TLS cannot be read, and ValueError where one of a pair is missing.
    """
    named = server or os.environ.get("BELFRY_SERVER")
    if not named:
        named = _directory() + "/belfry.sock"
        listener = _listener(named)
        if listener not in (None, os.geteuid(), 0):
            raise PermissionError(
                f"the server at {named} belongs to another user ({listener}): remove it, or name the"
                " server with connect('unix:...') or $BELFRY_SERVER"
            )
    certificate = tls_certificate or os.environ.get("BELFRY_TLS_CERTIFICATE")
    credentials = None
    if named.startswith("tls:"):
        authority = tls_ca or os.environ.get("BELFRY_TLS_CA")
        key = tls_key or os.environ.get("BELFRY_TLS_KEY")
        credentials = _credentials(authority, certificate, key)
    address = _address(named)
    token = token or os.environ.get("BELFRY_TOKEN") or ""
    # Who shows a certificate calls with its rights, and tells nobody the own token.
    shows_certificate = credentials is not None and certificate
    if not token and not shows_certificate and _is_on_this_machine(address):
        token = _own_token()
    return Target(address, token, credentials)


def _address(named: str) -> str:
    """A server as gRPC names it: without the kind of a port, and with brackets around IPv6."""
    if named.startswith("/"):
        return "unix:" + named
    for prefix in ("tcp:", "tls:"):
        if named.startswith(prefix):
            host, _, port = named[len(prefix) :].rpartition(":")
            return f"[{host}]:{port}" if ":" in host and host[0] != "[" else f"{host}:{port}"
    return named


def _credentials(
    authority: Optional[str], certificate: Optional[str], key: Optional[str]
) -> grpc.ChannelCredentials:
    """Whom to trust over TLS, and the certificate to show."""
    if bool(certificate) != bool(key):
        raise ValueError("a certificate and its key need each other: name both, or neither")

    def read(path: Optional[str]) -> Optional[bytes]:
        if not path:
            return None
        with open(path, "rb") as file:
            return file.read()

    return grpc.ssl_channel_credentials(read(authority), read(key), read(certificate))


def _is_on_this_machine(address: str) -> bool:
    """Whether only programs of this machine listen at "host:port"."""
    host = address.rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _directory() -> str:
    """Where the user's own server has its socket and its token."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    user = f"/run/user/{os.getuid()}"
    if runtime.startswith("/"):
        path = runtime + "/belfry"
    elif os.path.isdir(user):
        path = user + "/belfry"
    else:
        # Every user may write there: another one may have made it first.
        path = f"/tmp/belfry-{os.getuid()}"
    if os.path.exists(path):
        for found in (os.lstat(path), os.stat(path)):
            if found.st_uid not in (os.geteuid(), 0):
                raise PermissionError(f"the directory {path} belongs to another user")
            if found.st_mode & stat.S_IWOTH and not stat.S_ISLNK(found.st_mode):
                raise PermissionError(f"everybody may write into the directory {path}")
    return path


def _listener(path: str) -> Optional[int]:
    """The user whose process listens on a unix socket; None where no process does."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.setblocking(False)
        try:
            connection.connect(path)
            # The kernel's `ucred`: process, user and group.
            peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        except OSError:
            return None
    return int(struct.unpack("3I", peer)[1])


def _own_token() -> str:
    """The token that the user's own server made; empty where there is none."""
    path = _directory() + "/token"
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return ""
    with open(descriptor, encoding="ascii") as file:
        found = os.fstat(descriptor)
        mode = stat.S_IMODE(found.st_mode)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or mode & 0o077:
            raise PermissionError(f"{path} is not a file that only you may read")
        return file.read(4_096).strip()
