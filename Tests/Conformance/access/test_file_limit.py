"""A caller may store a limited number of bytes, whatever apps they are of (W-11)."""

from typing import Any

import grpc
import pytest

from access.serving import CANNOT_START, USAGE, Caller, belfry, make_token, own_token, start
from harness import wire
from harness.client import Client
from harness.launcher import Launcher
from web.http_server import LISTEN, Web, url

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
SIZE = 1_024
OPTION = "--bytes-per-caller=2KiB"


def metadata(**fields: Any) -> wire.AttachmentMetadata:
    """What is said of a payload."""
    return wire.AttachmentMetadata(
        file_name="payload",
        purpose=wire.ATTACHMENT_PURPOSE_RICH_PUSH,
        media_type="text/plain",
        **fields,
    )


def put(caller: Caller, app: int, mark: bytes, **fields: Any) -> Any:
    """Stores a file in one call, and tells how that ended."""
    return caller.ask(
        "PutAttachment",
        app_id=f"org.example.app{app}",
        metadata=metadata(**fields),
        data=mark * SIZE,
    )


def check_refused(caller: Caller, app: int, mark: bytes) -> None:
    """Checks that each way to store a file is refused."""
    for fields in ({}, {"size_bytes": SIZE}):
        answer = put(caller, app, mark, **fields)
        answer.check(EXHAUSTED, "FILE_BYTES_LIMIT", limit=str(2 * SIZE), caller="token")
        assert answer.refusal.fields == ("data",)
        first = wire.UploadAttachmentRequest(
            app_id=f"org.example.app{app}", metadata=metadata(**fields)
        )
        chunk = wire.UploadAttachmentRequest(chunk=mark * SIZE)
        with pytest.raises(grpc.RpcError) as refused:
            call = caller.client.stub("UploadAttachment")
            call(iter([first, chunk]), metadata=caller.metadata)
        assert refused.value.code() == EXHAUSTED
        assert "bytes together" in refused.value.details()


def test_a_token_stores_as_much_as_it_may_also_after_a_restart(launch: Launcher) -> None:
    server = start(launch, OPTION)
    home = server.home
    tokens = {name: make_token(launch, home, name, "app") for name in ("tea", "coffee")}
    provider = make_token(launch, home, "provider", "provider")
    for begin in (0, 1):
        with Client(server.targets["tcp"]) as client:
            tea, coffee = (Caller(client, token) for token in tokens.values())
            owner = Caller(client, own_token(server))
            # Two files of two apps, once however often they are stored.
            for app, mark in [(0, b"a"), (1, b"b")] * (2 - begin):
                answer = put(tea, app, mark)
                if answer.refusal is not None:
                    # At its limit a caller is told so before its bytes are looked at.
                    answer.check(EXHAUSTED, "FILE_BYTES_LIMIT", caller="token")
            check_refused(tea, 2, b"c")
            assert put(coffee, 0, b"d" if begin else b"e").refusal is None
            for number in range(4):
                assert put(owner, 0, bytes([number])).refusal is None
            if begin:
                admin = Caller(client, make_token(launch, home, "admin", "admin"))
                for number in range(10, 14):
                    assert put(admin, 0, bytes([number])).refusal is None
                # A day later its files are deleted, since nothing refers to them.
                owner.call("AdvanceClock", by=wire.seconds(90_000))
                assert put(tea, 2, b"c").refusal is None
            pushing = Caller(client, provider)
            asked = {"app_id": "org.example.app0", "payload": b"x" * (SIZE + begin)}
            answer = pushing.ask("CreateRichPush", **asked)
            if begin:
                answer.check(EXHAUSTED, "FILE_BYTES_LIMIT", caller="token")
                assert answer.refusal.fields == ("payload",)
        server.terminate()
        assert server.wait() == 0
        if not begin:
            checked = belfry(launch, home, "check", f"--data={home / 'data'}")
            assert checked.returncode == 0, checked.stdout + checked.stderr
            server = start(launch, OPTION, home=home)


def test_over_http_it_is_the_same_caller(launch: Launcher) -> None:
    server = start(launch, OPTION, LISTEN)
    token = make_token(launch, server.home, "tea", "app")
    web = Web(url(server), token)
    with Client(server.targets["tcp"]) as client:
        for app, mark in [(0, b"a"), (1, b"b")]:
            assert put(Caller(client, token), app, mark).refusal is None
    asked = {
        "appId": "org.example.app2",
        "metadata": {
            "fileName": "a", "purpose": "ATTACHMENT_PURPOSE_RICH_PUSH", "mediaType": "text/plain",
        },
        "data": "AAAA",
    }  # fmt: skip
    reply = web.call("PutAttachment", asked)
    assert (reply.status, reply.reason) == (429, "FILE_BYTES_LIMIT")


@pytest.mark.parametrize("size", ["0KiB", "-1KiB", "5", "x", ""])
def test_a_size_that_is_none(launch: Launcher, size: str) -> None:
    home = launch.new_home()
    ended = belfry(launch, home, "serve", f"--bytes-per-caller={size}", f"--data={home / 'data'}")
    assert ended.returncode in (USAGE, CANNOT_START)
    assert "bytes-per-caller" in ended.stderr
