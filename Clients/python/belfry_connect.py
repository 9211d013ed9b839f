"""Connects a Python program to a Belfry server, as the `belfry` command connects.

    from belfry_connect import connect
    channel = connect()

Copy this file beside the generated stubs; it needs grpcio alone.
"""

import ipaddress
import os
import stat
from collections import namedtuple

import grpc


def connect(target: str = "", token: str = "") -> grpc.Channel:
    """Opens a channel to a server, whose calls carry the token.

    `target` is "unix:/path/to.sock", "tcp:host:port", "tls:host:port" or "host:port"; else
    $BELFRY_SERVER has it, and else it is the socket of your own server. `token` is what `belfry
    token create` printed; else $BELFRY_TOKEN has it, and else a server on a port of this machine
    gets your own token. A server with TLS is trusted where one of the file $BELFRY_TLS_CA signed
    its certificate, else one whom grpcio trusts; $BELFRY_TLS_CERTIFICATE and $BELFRY_TLS_KEY are
    the files of your own certificate, which then says who you are in place of your own token.
    Raises PermissionError where another user may be behind the socket or the file of that token,
    OSError where a file of TLS cannot be read, and ValueError where one of a pair is missing.
    """
    target = target or os.environ.get("BELFRY_SERVER") or _directory() + "/belfry.sock"
    tls = _credentials() if target.startswith("tls:") else None
    target = _address("unix:" + target if target.startswith("/") else target)
    token = token or os.environ.get("BELFRY_TOKEN") or ""
    shows_certificate = tls is not None and os.environ.get("BELFRY_TLS_CERTIFICATE")
    if not token and not shows_certificate and _is_on_this_machine(target):
        token = _own_token()
    # A token is for the server alone, not for a proxy on the way.
    options = [("grpc.enable_http_proxy", 0)]
    if tls is None:
        channel = grpc.insecure_channel(target, options=options)
    else:
        channel = grpc.secure_channel(target, tls, options=options)
    return grpc.intercept_channel(channel, _Bearer(token)) if token else channel


def _address(target: str) -> str:
    """A target as grpc has it: without the kind of a port, and with brackets around IPv6."""
    for prefix in ("tcp:", "tls:"):
        if target.startswith(prefix):
            host, _, port = target[len(prefix) :].rpartition(":")
            return f"[{host}]:{port}" if ":" in host and host[0] != "[" else f"{host}:{port}"
    return target


def _credentials() -> grpc.ChannelCredentials:
    """Whom to trust over TLS, and the certificate to show."""

    def read(variable: str) -> "bytes | None":
        path = os.environ.get(variable)
        if not path:
            return None
        with open(path, "rb") as file:
            return file.read()

    certificate, key = read("BELFRY_TLS_CERTIFICATE"), read("BELFRY_TLS_KEY")
    if (certificate is None) != (key is None):
        raise ValueError("$BELFRY_TLS_CERTIFICATE and $BELFRY_TLS_KEY need each other")
    return grpc.ssl_channel_credentials(read("BELFRY_TLS_CA"), key, certificate)


def _is_on_this_machine(target: str) -> bool:
    """Whether only programs of this machine listen at "host:port"."""
    host = target.rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _directory() -> str:
    """Where your own server has its socket and its token."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    user = f"/run/user/{os.getuid()}"
    if runtime.startswith("/"):
        path = runtime + "/belfry"
    elif os.path.isdir(user):
        path = user + "/belfry"
    else:
        # Every user may write there: another one may have made it first.
        path = f"/tmp/belfry-{os.getuid()}"
    if os.path.exists(path) and os.stat(path).st_uid not in (os.geteuid(), 0):
        raise PermissionError(f"the directory {path} belongs to another user")
    return path


def _own_token() -> str:
    """The token that your own server made; empty where there is none."""
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


class _Bearer(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
    grpc.StreamStreamClientInterceptor,
):
    """Adds the token to each call."""

    _FIELDS = ("method", "timeout", "metadata", "credentials", "wait_for_ready", "compression")

    class _Details(namedtuple("_Details", _FIELDS), grpc.ClientCallDetails):
        pass

    def __init__(self, token: str) -> None:
        self._header = ("authorization", f"Bearer {token}")

    def _intercept(self, continuation, details, request):
        fields = {field: getattr(details, field, None) for field in self._FIELDS}
        fields["metadata"] = [*(details.metadata or ()), self._header]
        return continuation(self._Details(**fields), request)

    intercept_unary_unary = intercept_unary_stream = _intercept
    intercept_stream_unary = intercept_stream_stream = _intercept
