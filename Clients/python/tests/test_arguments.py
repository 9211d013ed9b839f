"""Whatever argument is wrong, the exception says which, what it is and what to write."""

import inspect
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from typing import Any

import pytest

import belfry
from belfry import Action, App, InvalidRequest, Reply
from belfry.rpc import GetServerInfo, Schedule, UploadAttachment, WatchDevice

NOWHERE = "unix:/nowhere/belfry.sock"


class Wrong:
    """What no argument is."""


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """All that a program calls with arguments, in both forms: found by their names."""
    for module in (belfry, belfry.aio):
        yield f"{module.__name__}.connect", module.connect
        yield f"{module.__name__}.start", module.start
        client = module.connect(NOWHERE)
        objects = [client, client.app("org.example.a"), client.device(), client.clock, client.admin]
        for each in [*objects, client.provider("org.example.a")]:
            for name, method in inspect.getmembers(each, inspect.ismethod):
                if not name.startswith("_"):
                    yield f"{module.__name__}.{type(each).__name__}.{name}", method
    yield "Action", Action
    yield "Reply", Reply


def parameters() -> Iterator[object]:
    for name, function in functions():
        for parameter in inspect.signature(function).parameters.values():
            yield pytest.param(function, parameter, id=f"{name}-{parameter.name}")


# What is taken by the others, so that only one is wrong.
RIGHT: dict[str, Any] = {
    "request": belfry.v1.GetServerInfoRequest(),
    "requests": [],
    "until": datetime(2026, 1, 1, tzinfo=timezone.utc),
    "to": datetime(2026, 1, 1, tzinfo=timezone.utc),
    "by": "1 day",
    "tags": "news",
}
CALLS = {
    "call": GetServerInfo, "stream": WatchDevice, "upload": UploadAttachment, "exchange": Schedule,
}  # fmt: skip
# Of every kind: what takes them is generic, or takes whatever there is.
ANY = {"request", "requests"}


@pytest.mark.parametrize(("function", "parameter"), parameters())
def test_a_wrong_argument_is_named(
    function: Callable[..., Any], parameter: inspect.Parameter
) -> None:
    if parameter.name in ANY:
        pytest.skip("the contract's own types, which protobuf compares")
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for other in inspect.signature(function).parameters.values():
        right = CALLS[function.__name__] if other.name == "rpc" else RIGHT.get(other.name, "a")
        value = Wrong() if other.name == parameter.name else right
        if other.kind is inspect.Parameter.VAR_POSITIONAL:
            positional += [value] if other.name == parameter.name else []
        elif other.name == parameter.name or other.default is inspect.Parameter.empty:
            named[other.name] = value
    with pytest.raises(InvalidRequest) as failure:
        function(*positional, **named)
    assert failure.value.field == parameter.name
    assert "is a Wrong: write " in failure.value.message


@pytest.mark.parametrize(
    ("arguments", "field", "problem"),
    [
        ({"title": 5}, "title", "is an int: write a text"),
        ({"badge": 1.5}, "badge", "is a float: write a whole number"),
        ({"badge": True}, "badge", "is a bool: write a whole number"),
        ({"progress": "half"}, "progress", "is a str: write a number"),
        ({"actions": ["yes"]}, "actions", "is a list: write a list, each item an Action"),
        ({"actions": "yes"}, "actions", "is a str: write a list"),
        ({"skip": "2027-01-01"}, "skip", "write a list, each item date(2026, 1, 31)"),
        ({"wait": 5}, "wait", "write True or False, or '1 day', '90s', or a timedelta"),
        ({"wait": "soon"}, "wait", "'soon' is no length of time"),
        ({"expires_after": "soon"}, "expires_after", "'soon' is no length of time"),
        ({"every": "now and then"}, "every", "write 'day', '2 weeks'"),
        ({"every": "@daily", "at": datetime(2026, 1, 1)}, "at", "is in the crontab already"),
        ({"every": "FREQ=DAILY"}, "at", "a rule counts from a date"),
        ({"at": "9:00"}, "at", "is a str: write datetime("),
        ({"user_info": [1]}, "user_info", "is a list: write a dict"),
    ],
)
def test_add_says_what_would_do(arguments: dict[str, Any], field: str, problem: str) -> None:
    app = belfry.connect(NOWHERE).app("org.example.a")
    with pytest.raises(InvalidRequest, match="write|crontab|counts|length") as failure:
        app.add(**arguments)
    assert failure.value.field == field
    assert problem in failure.value.message


def test_what_can_be_read_once_is_read_once(app: App) -> None:
    app.add("Milk", id="milk", in_="1h", actions=(Action(each, each) for each in ("a", "b")))
    assert len(app.pending("milk")[0].raw.request.content.actions) == 2
    assert app.remove(*(each for each in ["milk"])) == ["milk"]


def test_a_list_is_no_identifier() -> None:
    app = belfry.connect(NOWHERE).app("org.example.a")
    with pytest.raises(InvalidRequest, match="ids: is a list: write a text"):
        app.remove(["milk"])  # type: ignore[arg-type]
