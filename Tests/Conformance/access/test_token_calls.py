"""CreateToken, ListTokens and RevokeToken: an admin's `belfry token` (W-11)."""

import json
import time
import uuid
from collections.abc import Iterator

import grpc
import pytest

from access.serving import Caller, make_token, own_token, start, token_command
from harness import wire
from harness.client import Client
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of
from harness.server import Server

INVALID, NOT_FOUND = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND
APP = "org.example.tea"


@pytest.fixture
def guarded(launch: Launcher) -> Server:
    return start(launch)


@pytest.fixture
def tcp(guarded: Server) -> Iterator[Client]:
    with Client(guarded.targets["tcp"]) as client:
        yield client


@pytest.fixture
def admin(guarded: Server, tcp: Client) -> Caller:
    return Caller(tcp, own_token(guarded))


def key() -> str:
    """An idempotency key."""
    text = f"{time.time_ns() // 10**6:012x}7{uuid.uuid4().hex[13:]}"
    return str(uuid.UUID(text))



def test_one_is_made_listed_used_and_revoked(
    launch: Launcher, guarded: Server, tcp: Client, admin: Caller
) -> None:
    assert not admin.call("ListTokens").tokens
    asked = {"name": "job", "roles": [f"app:{APP}", "device:phone"]}
    made = admin.call("CreateToken", **asked, expires_in=wire.Duration(seconds=3600))
    token = made.token
    assert (token.name, list(token.roles)) == ("job", asked["roles"])
    assert token.expires_at.seconds - token.created_at.seconds == 3600
    # It counts at once, for what its roles are.
    caller = Caller(tcp, made.text)
    caller.call("RequestAuthorization", center={"app_id": APP}, options=[4])
    assert caller.ask("ListTokens").refusal.reason == "ROLE_REQUIRED"
    # The list has no text, nor has the file; the command has the same list.
    listed = admin.call("ListTokens")
    assert list(listed.tokens) == [token]
    assert made.text.encode() not in listed.SerializeToString()
    assert made.text not in (guarded.home / "data" / "tokens.json").read_text()
    told = json.loads(token_command(launch, guarded.home, "list", "--json").stdout)
    assert (told["id"], told["roles"]) == (token.id, asked["roles"])
    assert admin.call("RevokeToken", id=token.id).token == token
    # The answer of the revocation is later than its effect.
    assert caller.ask("ListPending", center={"app_id": APP}).refusal.reason == "TOKEN_INVALID"
    assert not admin.call("ListTokens").tokens


def test_what_the_command_made_is_revoked_by_its_name(
    launch: Launcher, guarded: Server, tcp: Client, admin: Caller
) -> None:
    caller = Caller(tcp, make_token(launch, guarded.home, "job", f"app:{APP}"))
    caller.call("RequestAuthorization", center={"app_id": APP}, options=[4])
    assert admin.call("RevokeToken", id="job").token.name == "job"
    assert not caller.ask("ListPending", center={"app_id": APP}).is_let_in
    again = refusal_of(lambda: admin.call("RevokeToken", id="job"))
    Expected(NOT_FOUND, "TOKEN_NOT_FOUND", ("id",)).check(again)


def test_one_that_expires_counts_no_more(tcp: Client, admin: Caller) -> None:
    made = admin.call("CreateToken", name="job", roles=["app"], expires_in={"seconds": 2})
    caller = Caller(tcp, made.text)
    caller.call("RequestAuthorization", center={"app_id": APP}, options=[4])
    eventually(lambda: not caller.ask("ListPending", center={"app_id": APP}).is_let_in)
    # It is listed still.
    assert [each.id for each in admin.call("ListTokens").tokens] == [made.token.id]


def test_two_of_a_name_count(admin: Caller) -> None:
    for _ in range(2):
        admin.call("CreateToken", name="job", roles=["app"])
    third = refusal_of(lambda: admin.call("CreateToken", name="job", roles=["app"]))
    Expected(grpc.StatusCode.RESOURCE_EXHAUSTED, "TOKEN_LIMIT").check(third)
    unclear = refusal_of(lambda: admin.call("RevokeToken", id="job"))
    Expected(grpc.StatusCode.FAILED_PRECONDITION, "TOKEN_AMBIGUOUS", ("id",)).check(unclear)
    assert len(admin.call("ListTokens").tokens) == 2


WRONG = [
    ({"name": "", "roles": ["app"]}, "name"),
    ({"name": "a" * 65, "roles": ["app"]}, "name"),
    ({"name": "a\nb", "roles": ["app"]}, "name"),
    ({"name": "a\u202eb", "roles": ["app"]}, "name"),
    ({"name": "job"}, "roles"),
    ({"name": "job", "roles": ["app"] * 65}, "roles"),
    ({"name": "job", "roles": ["app", "root"]}, "roles[1]"),
    ({"name": "job", "roles": ["admin:phone"]}, "roles[0]"),
    ({"name": "job", "roles": ["app:" + "a" * 200]}, "roles[0]"),
    ({"name": "job", "roles": ["app"], "expires_in": {}}, "expires_in"),
    ({"name": "job", "roles": ["app"], "expires_in": {"nanos": 999_999_999}}, "expires_in"),
    ({"name": "job", "roles": ["app"], "expires_in": {"seconds": -1}}, "expires_in"),
    ({"name": "job", "roles": ["app"], "expires_in": {"seconds": 2**62}}, "expires_in"),
    ({"name": "job", "roles": ["app"], "idempotency_key": "k"}, "idempotency_key"),
]  # fmt: skip


def test_a_wrong_field_is_named(admin: Caller) -> None:
    for fields, path in WRONG:
        refusal = refusal_of(lambda fields=fields: admin.call("CreateToken", **fields))
        Expected(INVALID, "INVALID_FIELD", (path,)).check(refusal)
    for identifier in ["", "a" * 65]:
        refusal = refusal_of(lambda identifier=identifier: admin.call("RevokeToken", id=identifier))
        Expected(INVALID, "INVALID_FIELD", ("id",)).check(refusal)
    assert not admin.call("ListTokens").tokens


def test_a_retry_acts_once(admin: Caller) -> None:
    asked = {"name": "job", "roles": ["app"], "idempotency_key": key()}
    first = admin.call("CreateToken", **asked)
    assert admin.call("CreateToken", **asked) == first
    assert len(admin.call("ListTokens").tokens) == 1
    other = refusal_of(lambda: admin.call("CreateToken", **(asked | {"name": "other"})))
    Expected(INVALID, "IDEMPOTENCY_KEY_REUSED", ("idempotency_key",)).check(other)
    revoking = {"id": first.token.id, "idempotency_key": key()}
    assert admin.call("RevokeToken", **revoking) == admin.call("RevokeToken", **revoking)


def test_a_file_that_others_may_write_is_not_changed(guarded: Server, admin: Caller) -> None:
    admin.call("CreateToken", name="job", roles=["app"])
    path = guarded.home / "data" / "tokens.json"
    path.chmod(0o666)
    before = path.read_bytes()
    for rpc, fields in [("CreateToken", {"name": "b", "roles": ["app"]}), ("ListTokens", {}), ("RevokeToken", {"id": "job"})]:
        refusal = refusal_of(lambda rpc=rpc, fields=fields: admin.call(rpc, **fields))
        Expected(grpc.StatusCode.FAILED_PRECONDITION, "TOKENS_UNAVAILABLE").check(refusal)
    assert path.read_bytes() == before


def test_a_stream_ends_with_its_token(tcp: Client, admin: Caller) -> None:
    made = admin.call("CreateToken", name="job", roles=["device:local"])
    watch = tcp.stub("WatchDevice")(wire.WatchDeviceRequest(), metadata=Caller(tcp, made.text).metadata)
    next(watch)
    admin.call("RevokeToken", id=made.token.id)
    with pytest.raises(grpc.RpcError) as ended:
        for _ in watch:
            pass
    assert ended.value.code() == grpc.StatusCode.UNAUTHENTICATED
