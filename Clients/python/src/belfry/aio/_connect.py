"""How a program gets its client."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, Optional, Union

from .._arguments import checked
from .._sidecar import Binary, Data, Sidecar
from .._target import Target, find
from .._times import Length
from ._client import Client


@checked
def connect(
    server: Optional[str] = None,
    token: Optional[str] = None,
    *,
    timeout: Length = "10s",
    tls_ca: Optional[str] = None,
    tls_certificate: Optional[str] = None,
    tls_key: Optional[str] = None,
) -> Client:
    """A client of a server, found as the `belfry` command finds it. The first call connects.

    The server is "unix:/path/to.sock", "tcp:host:port" or "tls:host:port"; else $BELFRY_SERVER;
    else your own server's socket. The token is what `belfry token create` printed; else
    $BELFRY_TOKEN; else a server on a port of this machine gets your own. The files of TLS are
    $BELFRY_TLS_CA, $BELFRY_TLS_CERTIFICATE and $BELFRY_TLS_KEY where they are not named.

    >>> client = belfry.aio.connect("tls:belfry.example.org:50443", token="belfry_...")
    """
    target = find(
        server, token, tls_ca=tls_ca, tls_certificate=tls_certificate, tls_key=tls_key
    )
    return Client(target, timeout)


@checked
def start(
    *,
    clock: Optional[datetime] = None,
    data: Data = None,
    prompts: Literal["grant", "deny", "ask"] = "grant",
    binary: Binary = None,
    arguments: Union[tuple[str, ...], list[str]] = (),
    timeout: Length = "10s",
) -> Client:
    """Runs a server of its own beside the program, and gives a client of it.

    It ends with the client, or with the program, however that ends. With `clock` its time stands
    still at that instant until `client.clock` moves it. Its store is in the directory `data`, which
    is kept, or in one that goes with it. `prompts` says who answers apps that ask for permission:
    "ask" leaves it to the person. The program is `binary`, else $BELFRY_BINARY, else that of the
    wheel `belfry-server`, else `belfry` on the PATH; `arguments` are further ones of `belfry serve`.

    >>> async with belfry.aio.start(clock=datetime(2026, 1, 1, tzinfo=timezone.utc)) as client:
    ...     print(await client.clock.now())
    2026-01-01 00:00:00+00:00
    """
    server = Sidecar(
        clock=clock, data=data, prompts=prompts, binary=binary, arguments=tuple(arguments)
    )
    return Client(Target(server.address, "", None), timeout, server)
