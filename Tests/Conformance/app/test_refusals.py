"""What the other rpcs refuse, by table: code, reason, domain and fields."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest

from harness import wire
from harness.client import App, Client, request
from harness.refusals import Expected, refusal_of

INVALID = grpc.StatusCode.INVALID_ARGUMENT

# Every rpc that is about a center, with fields that are right.
CENTER_RPCS: dict[str, dict[str, Any]] = {
    "RequestAuthorization": {"options": [wire.AUTHORIZATION_OPTION_ALERT]},
    "GetNotificationSettings": {},
    "Add": {"request": request("one")},
    "AddBatch": {"requests": [request("one")]},
    "ListPending": {},
    "RemovePending": {},
    "RemoveAllPending": {},
    "ListDelivered": {},
    "RemoveDelivered": {},
    "RemoveAllDelivered": {},
    "SetBadgeCount": {},
    "Subscribe": {},
}

# The rpc that registers an app answers for one that is new.
REGISTERED_RPCS = [rpc for rpc in CENTER_RPCS if rpc != "RequestAuthorization"]


def called(client: Client, rpc: str, **fields: Any) -> Callable[[], object]:
    """A call to the end, also of a stream."""
    if rpc == "Subscribe":
        return lambda: list(client.call(rpc, **fields))
    return lambda: client.call(rpc, **fields)


@dataclass(frozen=True)
class BadCenter:
    name: str
    center: wire.Center | None
    reason: str
    field: str


BAD_CENTERS = [
    BadCenter("absent", None, "APP_ID_INVALID", "center.app_id"),
    BadCenter("no app", wire.Center(device_id="local"), "APP_ID_INVALID", "center.app_id"),
    BadCenter("long app", wire.Center(app_id="a" * 156), "APP_ID_INVALID", "center.app_id"),
    BadCenter("dollar", wire.Center(app_id="a$b"), "APP_ID_INVALID", "center.app_id"),
    BadCenter("space", wire.Center(app_id="a b"), "APP_ID_INVALID", "center.app_id"),
    BadCenter("not ASCII", wire.Center(app_id="é"), "APP_ID_INVALID", "center.app_id"),
    BadCenter("null byte", wire.Center(app_id="a\0"), "APP_ID_INVALID", "center.app_id"),
    BadCenter(
        "long device",
        wire.Center(app_id="a", device_id="d" * 129),
        "DEVICE_ID_INVALID",
        "center.device_id",
    ),
    BadCenter(
        "slash in device",
        wire.Center(app_id="a", device_id="a/b"),
        "DEVICE_ID_INVALID",
        "center.device_id",
    ),
]


@pytest.mark.parametrize("bad", BAD_CENTERS, ids=[bad.name for bad in BAD_CENTERS])
@pytest.mark.parametrize("rpc", CENTER_RPCS)
def test_a_center_that_cannot_be_is_refused(client: Client, rpc: str, bad: BadCenter) -> None:
    fields = CENTER_RPCS[rpc] | ({"center": bad.center} if bad.center else {})
    expected = Expected(INVALID, bad.reason, (bad.field,))
    expected.check(refusal_of(called(client, rpc, **fields)))


def test_names_of_full_length_are_taken(client: Client) -> None:
    app = App(client, wire.Center(app_id="A.z-09" + "a" * 149, device_id="A.z_0:9-" + "d" * 120))
    assert app.authorize().granted
    assert app.add("one").state == wire.REQUEST_STATE_DELIVERED


@pytest.mark.parametrize("rpc", REGISTERED_RPCS)
def test_an_app_that_is_not_registered_is_not_found(client: Client, rpc: str) -> None:
    center = wire.Center(app_id="org.example.nobody")
    refusal = refusal_of(called(client, rpc, center=center, **CENTER_RPCS[rpc]))
    Expected(grpc.StatusCode.NOT_FOUND, "APP_NOT_REGISTERED").check(refusal)
    assert refusal.metadata == {"app_id": "org.example.nobody", "device_id": "local"}
    assert "RequestAuthorization" in refusal.message


@dataclass(frozen=True)
class Case:
    """A call that an authorized app may not make."""

    name: str
    rpc: str
    expected: Expected
    fields: dict[str, Any] = field(default_factory=dict)


def invalid(name: str, rpc: str, reason: str, path: str, **fields: Any) -> Case:
    return Case(name, rpc, Expected(INVALID, reason, (path,)), fields)


def of_lists(name: str, reason: str, path: str, **fields: Any) -> list[Case]:
    return [
        invalid(f"{rpc}: {name}", rpc, reason, path, **fields)
        for rpc in ("ListPending", "ListDelivered")
    ]


def of_removals(name: str, reason: str, path: str, identifiers: list[str]) -> list[Case]:
    return [
        invalid(f"{rpc}: {name}", rpc, reason, path, identifiers=identifiers)
        for rpc in ("RemovePending", "RemoveDelivered")
    ]


MANY = [f"identifier {number}" for number in range(1_001)]

CASES = [
    invalid("empty batch", "AddBatch", "BATCH_EMPTY", "requests", requests=[]),
    invalid(
        "large batch",
        "AddBatch",
        "BATCH_TOO_LARGE",
        "requests",
        requests=[request(identifier) for identifier in MANY],
    ),
    *of_lists("page size below zero", "INVALID_FIELD", "page_size", page_size=-1),
    *of_lists("page size above 1,000", "INVALID_FIELD", "page_size", page_size=1_001),
    *of_lists("unknown order", "INVALID_FIELD", "order", order=2),
    *of_lists("token of no digits", "PAGE_TOKEN_INVALID", "page_token", page_token="next"),
    *of_lists("token of half a byte", "PAGE_TOKEN_INVALID", "page_token", page_token="abc"),
    *of_lists("token without end", "PAGE_TOKEN_INVALID", "page_token", page_token="00" * 4096),
    *of_lists("token of no kind", "PAGE_TOKEN_INVALID", "page_token", page_token="00", order=1),
    *of_lists(
        "many identifiers",
        "INVALID_FIELD",
        "filter.identifiers",
        filter=wire.NotificationFilter(identifiers=MANY),
    ),
    *of_lists(
        "long identifier",
        "IDENTIFIER_INVALID",
        "filter.identifiers[1]",
        filter=wire.NotificationFilter(identifiers=["a", "i" * 257]),
    ),
    *of_lists(
        "identifier that no store key holds",
        "IDENTIFIER_INVALID",
        "filter.identifiers[0]",
        filter=wire.NotificationFilter(identifiers=["i" * 5_000]),
    ),
    *of_removals("many identifiers", "INVALID_FIELD", "identifiers", MANY),
    *of_removals("long identifier", "IDENTIFIER_INVALID", "identifiers[1]", ["a", "i" * 257]),
    *of_removals("empty identifier", "IDENTIFIER_INVALID", "identifiers[0]", [""]),
    Case(
        "badge below zero",
        "SetBadgeCount",
        Expected(INVALID, "BADGE_INPUT_INVALID", ("count",), un_code=1600),
        {"count": -1},
    ),
    invalid(
        "negative wait", "RequestAuthorization", "INVALID_FIELD", "wait",
        options=[wire.AUTHORIZATION_OPTION_ALERT], wait=wire.seconds(-1),
    ),
    invalid(
        "long wait", "RequestAuthorization", "INVALID_FIELD", "wait",
        options=[wire.AUTHORIZATION_OPTION_ALERT], wait=wire.seconds(601),
    ),
    invalid(
        "snapshot with a position", "Subscribe", "SNAPSHOT_WITH_AFTER", "after",
        snapshot=True, after=0,
    ),
    invalid("unknown role", "Subscribe", "INVALID_FIELD", "role", role=2),
    invalid(
        "unknown capability", "Subscribe", "INVALID_FIELD", "capabilities[0]", capabilities=[3],
    ),
    invalid("unknown app state", "Subscribe", "INVALID_FIELD", "app_state", app_state=4),
    Case(
        "position ahead",
        "Subscribe",
        Expected(grpc.StatusCode.OUT_OF_RANGE, "EVENT_NUMBER_UNKNOWN", ("after",)),
        {"after": 1_000},
    ),
    Case(
        "greatest position",
        "Subscribe",
        Expected(grpc.StatusCode.OUT_OF_RANGE, "EVENT_NUMBER_UNKNOWN", ("after",)),
        {"after": 2**64 - 1},
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_what_cannot_be_is_refused(app: App, case: Case) -> None:
    call = called(app.client, case.rpc, center=app.center, **case.fields)
    before = app.events()
    refusal = refusal_of(call)
    case.expected.check(refusal)
    assert refusal.retry_after is None
    assert app.events() == before


def test_setting_the_badge_needs_its_permission(client: Client) -> None:
    app = client.app()
    app.authorize(wire.AUTHORIZATION_OPTION_ALERT)
    expected = Expected(grpc.StatusCode.PERMISSION_DENIED, "NOTIFICATIONS_NOT_ALLOWED", un_code=1)
    expected.check(refusal_of(lambda: app.call("SetBadgeCount", count=1)))


def test_a_position_ahead_is_told_the_newest(app: App) -> None:
    refusal = refusal_of(lambda: list(app.client.call("Subscribe", center=app.center, after=9)))
    assert refusal.metadata == {"last_event_number": f"{app.events()[-1].number}"}
