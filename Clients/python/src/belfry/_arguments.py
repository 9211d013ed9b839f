"""What the public functions take: each argument is compared with its annotation.

Who has no types checked learns which argument is wrong, and what to write instead.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from .errors import invalid

Checked = TypeVar("Checked", bound=Union[type[Any], Callable[..., Any]])

# What to write for a type. The order is that in which a sentence names several.
_FORMS: dict[Any, str] = {
    str: "a text",
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    timedelta: "'1 day', '90s', or a timedelta",
    datetime: "datetime(2026, 1, 31, 9, 0, tzinfo=ZoneInfo('Europe/Lisbon'))",
    time: "time(9, 0)",
    date: "date(2026, 1, 31)",
    os.PathLike: "a path",
    Mapping: "a dict",
}


def checked(function: Checked) -> Checked:
    """Compares the arguments of a function, or those of all public methods of a class.

    A call with a wrong one raises InvalidRequest, whose field is the argument's name.
    """
    if isinstance(function, type):
        # A dataclass is made by its fields, other classes by the package.
        made_by = {"__init__"} if is_dataclass(function) else set()
        for name, member in list(vars(function).items()):
            if inspect.isfunction(member) and (name in made_by or not name.startswith("_")):
                setattr(function, name, _checking(member))
        return function
    return _checking(function)  # type: ignore[return-value]


def _checking(function: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(function)

    @functools.cache
    def hints() -> dict[str, Any]:
        return get_type_hints(function)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        # An argument too many, or one that is missing, is told as of any function.
        bound = signature.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            hint = hints().get(name)
            if hint is None:
                continue
            kind = signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                bound.arguments[name] = tuple(_taken(name, each, hint) for each in value)
            else:
                bound.arguments[name] = _taken(name, value, hint)
        return function(*bound.args, **bound.kwargs)

    return wrapper


def _taken(name: str, value: Any, hint: Any) -> Any:
    """The value for a function; what can be read only once is read here."""
    if get_origin(hint) is Iterable and not isinstance(value, (str, bytes, Mapping)):
        try:
            value = list(value)
        except TypeError:
            pass
    if not _fits(value, hint):
        # Never the value, which may be what a notification says.
        raise invalid(name, f"is {_one(type(value).__name__)}: write {_form(hint)}")
    return value


def _fits(value: Any, hint: Any) -> bool:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any or isinstance(hint, TypeVar):
        return True
    if hint is type(None):
        return value is None
    if origin is Union:
        return any(_fits(value, each) for each in arguments)
    if origin is Literal:
        return any(value is each or isinstance(value, str) and value == each for each in arguments)
    if origin is Iterable or origin is list or origin is tuple:
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
            return False
        # Others than lists can be read only once.
        each = arguments[0]
        return not isinstance(value, (list, tuple)) or all(_fits(item, each) for item in value)
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    kind = origin or hint
    return not isinstance(kind, type) or isinstance(value, kind)


def _form(hint: Any) -> str:
    """What to write for a type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Union:
        kinds = [each for each in arguments if each is not type(None)]
        # A length of time is a text as well.
        if timedelta in kinds and str in kinds:
            kinds.remove(str)
        return ", or ".join(dict.fromkeys(_form(each) for each in kinds))
    if origin is Literal:
        return " or ".join(repr(each) for each in arguments)
    if origin in (Iterable, list, tuple):
        return f"a list, each item {_form(arguments[0])}"
    kind = origin or hint
    return _FORMS.get(kind) or _one(getattr(kind, "__name__", str(kind)))


def _one(name: str) -> str:
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
