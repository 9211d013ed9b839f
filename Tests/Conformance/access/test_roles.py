"""Which roles may make which calls, one by one (W-11, W-20)."""

import re
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2

from access.serving import Answer, Caller, make_token, own_token, start
from harness import contract, wire
from harness.client import Client
from harness.launcher import Launcher
from harness.server import BOUND, Server

ROLES = ["app", "device", "provider", "extension", "metrics", "admin"]

# By hand from the rule, service by service: the roles beside admin, and the rpcs that they call.
TABLE: list[tuple[str, str, str]] = [
    ("ServerService", "app device provider extension metrics", "GetServerInfo"),
    ("InstallationService", "", "RegisterApp UnregisterApp SetStringTable SetSound"),
    ("InstallationService", "app provider", "ListStringTables ListSounds"),
    (
        "NotificationCenterService",
        "app",
        "RequestAuthorization GetNotificationSettings SetNotificationCategories"
        " GetNotificationCategories UpsertNotificationCategories RemoveNotificationCategories Add"
        " AddBatch Schedule ListPending ListUpcoming ListTriggerDates RemovePending RemoveAllPending SkipNext"
        " ListDelivered RemoveDelivered RemoveAllDelivered SetBadgeCount RegisterForRemoteNotifications"
        " UnregisterForRemoteNotifications",
    ),
    (
        "DelegateService",
        "app",
        "Subscribe UpdateAppState CompleteWillPresent AwaitAnswer CompleteResponse"
        " CompleteBackgroundPush",
    ),
    (
        "ExtensionService",
        "extension",
        "Serve CompleteServiceExtension CompleteContentExtension GetNotificationActions"
        " SetNotificationActions UpdateContentView PerformDefaultAction DismissContentExtension",
    ),
    (
        "DeviceService",
        "device",
        "WatchDevice GetDeviceState UpdateDeviceState ListApps UpdateSettings"
        " AnswerAuthorizationPrompt ListNotificationCenter OpenNotification CloseNotification"
        " Respond Dismiss Snooze ListSnoozed ListHistory OpenSettings ReportLocation"
        " ReportBeacons CreateWebPushSubscription ListWebPushSubscriptions"
        " DeleteWebPushSubscription",
    ),
    (
        "PushService",
        "provider",
        "Push PushToTags GetPushStatus CancelPush WithdrawNotifications ListRegistrations SetTags",
    ),
    ("RichPushService", "provider", "CreateRichPush"),
    (
        "RichPushService",
        "app",
        "GetRichPush ListRichPushes DownloadRichPayload MarkRichPushRead",
    ),
    ("AttachmentService", "app provider extension", "UploadAttachment PutAttachment ListAttachments"),
    ("AttachmentService", "app provider extension device", "GetAttachment DownloadAttachment"),
    ("AdminService", "metrics", "GetStats"),
    (
        "AdminService",
        "",
        "Backup ListCallers ListDamagedRows CreateToken ListTokens RevokeToken GetClock AdvanceClock"
        " SetClock Suspend RevokeDeviceToken",
    ),
]

EXPECTED: dict[str, set[str]] = {
    rpc: {*roles.split(), "admin"} for _, roles, rpcs in TABLE for rpc in rpcs.split()
}

HEALTH = "/grpc.health.v1.Health"
REFLECTIONS = ["grpc.reflection.v1", "grpc.reflection.v1alpha"]


def test_the_table_has_every_rpc() -> None:
    listed = {f"{service}.{rpc}" for service, _, rpcs in TABLE for rpc in rpcs.split()}
    found = {
        f"{method.containing_service.name}.{method.name}" for method in wire.METHODS.values()
    }
    assert listed == found
    assert len(EXPECTED) == len(wire.METHODS) == 91


def callers(comment: str) -> str | None:
    """The roles of the last line of a comment that names them."""
    lines = re.findall(r"^ ?Callers: (.*)\.$", comment, re.MULTILINE)
    return lines[-1] if lines else None


def test_the_comments_of_the_protos_say_the_same(tmp_path: Path) -> None:
    said: dict[str, set[str]] = {}
    for file in contract.current(tmp_path).file:
        comments = {
            tuple(location.path): location.leading_comments
            for location in file.source_code_info.location
        }
        for number, service in enumerate(file.service):
            of_service = callers(comments[6, number])
            assert of_service is not None, service.name
            for index, method in enumerate(service.method):
                of_rpc = callers(comments.get((6, number, 2, index), "")) or of_service
                roles = ROLES if of_rpc == "any role" else of_rpc.split(", ")
                assert set(roles) <= set(ROLES), (method.name, of_rpc)
                said[method.name] = {*roles, "admin"}
    assert said == EXPECTED


@pytest.fixture(scope="module")
def tokens(shared_launch: Launcher, guarded: Server) -> dict[str, str]:
    """A token of each role."""
    assert guarded.targets
    return {role: make_token(shared_launch, guarded.home, role, role) for role in ROLES}


def answers(caller: Caller) -> Iterator[tuple[str, Answer]]:
    """What each rpc says to a request without anything."""
    for rpc in wire.METHODS:
        yield rpc, caller.send(rpc, b"")


def test_without_a_token_nothing_is_answered(tcp: Client) -> None:
    for rpc, answer in answers(Caller(tcp)):
        assert not answer.messages, rpc
        answer.check(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REQUIRED")


def test_a_token_that_was_never_made_opens_nothing(tcp: Client, tokens: dict[str, str]) -> None:
    admin = tokens["admin"]
    other = admin[:-1] + ("A" if admin[-1] != "A" else "B")
    for rpc, answer in answers(Caller(tcp, other)):
        assert not answer.messages, rpc
        answer.check(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID")


@pytest.mark.parametrize(
    "form",
    [
        "Bearer", "Bearer ", "{}", "Basic {}", "Bearer{}", "Bearer {}x", "Bearer  x{}",
        "Bearer {} {}", "Bearer {},Bearer {}", "Token {}", "Bearer " + "x" * 6_000,
    ],
)  # fmt: skip
def test_only_a_whole_bearer_token_counts(
    guarded: Server, tcp: Client, tokens: dict[str, str], form: str
) -> None:
    caller = Caller(tcp)
    caller.metadata = [("authorization", form.replace("{}", tokens["admin"]))]
    answer = caller.send("GetStats", b"")
    answer.check(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID")
    assert answer.refusal is not None and tokens["admin"] not in answer.refusal.message
    assert tokens["admin"] not in guarded.log


def test_two_tokens_are_not_both_of_them(tcp: Client, tokens: dict[str, str]) -> None:
    caller = Caller(tcp)
    caller.metadata = [("authorization", f"Bearer {tokens[role]}") for role in ("app", "device")]
    may = {rpc for rpc, answer in answers(caller) if answer.is_let_in}
    of_one = [{rpc for rpc, roles in EXPECTED.items() if role in roles} for role in ROLES]
    assert may in [set(), *of_one[:2]]


@pytest.mark.parametrize("role", ROLES)
def test_a_role_makes_its_calls_and_no_others(
    tcp: Client, tokens: dict[str, str], role: str
) -> None:
    for rpc, answer in answers(Caller(tcp, tokens[role])):
        if role in EXPECTED[rpc]:
            assert answer.is_let_in, (rpc, answer)
        else:
            assert not answer.messages, rpc
            answer.check(grpc.StatusCode.PERMISSION_DENIED, "ROLE_REQUIRED")
            assert answer.refusal is not None
            named = set(answer.refusal.metadata["roles"].replace(",", " ").split())
            # An admin may make every call, named or not.
            assert named | {"admin"} == EXPECTED[rpc], (rpc, named)


def test_two_roles_may_make_the_calls_of_both(
    shared_launch: Launcher, guarded: Server, tcp: Client
) -> None:
    token = make_token(shared_launch, guarded.home, "both", "device", "provider")
    for rpc, answer in answers(Caller(tcp, token)):
        assert answer.is_let_in == bool({"device", "provider"} & EXPECTED[rpc]), (rpc, answer)


def test_the_tokens_of_the_servers_own_user_may_make_every_call(
    guarded: Server, tcp: Client
) -> None:
    for rpc, answer in answers(Caller(tcp, own_token(guarded))):
        assert answer.is_let_in, (rpc, answer)


@pytest.mark.parametrize("token", [None, "never-made"])
def test_over_the_socket_the_servers_own_user_may_make_every_call(
    guarded: Server, token: str | None
) -> None:
    # Who the user is counts first: a token, even a wrong one, changes nothing.
    with Client(guarded.targets["unix"]) as client:
        for rpc, answer in answers(Caller(client, token)):
            assert answer.is_let_in, (rpc, answer)


def test_without_security_every_call_may_be_made_whatever_its_token(
    shared_launch: Launcher,
) -> None:
    server = start(shared_launch, tokens=False)
    with Client(server.targets["tcp"]) as client:
        app = make_token(shared_launch, server.home, "app", "app:org.example.tea")
        for token in [None, "never-made", app]:
            for rpc, answer in answers(Caller(client, token)):
                assert answer.is_let_in, (rpc, token, answer)


@pytest.mark.parametrize("token", [None, "never-made"])
def test_health_and_reflection_are_for_every_peer(tcp: Client, token: str | None) -> None:
    caller = Caller(tcp, token)
    for service in ["", "belfry.v1.AdminService"]:
        asked = health_pb2.HealthCheckRequest(service=service)
        stub = health_pb2_grpc.HealthStub(tcp.channel)
        told = stub.Check(asked, timeout=BOUND, metadata=caller.metadata)
        assert told.status == health_pb2.HealthCheckResponse.SERVING
        assert caller.send_to(f"{HEALTH}/Watch", asked).refusal is None
    for version in REFLECTIONS:
        question = reflection_pb2.ServerReflectionRequest(list_services="")
        told = caller.send_to(f"/{version}.ServerReflection/ServerReflectionInfo", question)
        assert b"belfry.v1.AdminService" in told.messages[0]
