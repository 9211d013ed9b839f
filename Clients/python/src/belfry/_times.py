"""Instants and lengths of time: Python's and the wire's."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Optional, Union

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from .errors import invalid

Length = Union[str, timedelta]
"""A length of time: "90s", "5m", "1h30m", "1 day", or a timedelta."""

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)

_UNITS = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
# What each unit may be called.
_WORDS = {
    **{word: "s" for word in ("s", "sec", "secs", "second", "seconds")},
    **{word: "m" for word in ("m", "min", "mins", "minute", "minutes")},
    **{word: "h" for word in ("h", "hour", "hours")},
    **{word: "d" for word in ("d", "day", "days")},
    **{word: "w" for word in ("w", "week", "weeks")},
}


def to_timestamp(field: str, instant: datetime) -> Timestamp:
    """An instant for the wire; one without a zone is refused."""
    microseconds = (aware(field, instant) - _EPOCH) // _MICROSECOND
    seconds, rest = divmod(microseconds, 1_000_000)
    return Timestamp(seconds=seconds, nanos=rest * 1_000)


def to_datetime(instant: Timestamp) -> datetime:
    """An instant of the wire in UTC, down to the microsecond that it is in."""
    return _EPOCH + timedelta(seconds=instant.seconds, microseconds=instant.nanos // 1_000)


def to_duration(length: timedelta) -> Duration:
    """A length of time for the wire."""
    seconds, rest = divmod(abs(length) // _MICROSECOND, 1_000_000)
    sign = -1 if length < timedelta() else 1
    return Duration(seconds=sign * seconds, nanos=sign * rest * 1_000)


def to_timedelta(length: Duration) -> timedelta:
    """A length of time of the wire, without the nanoseconds below a microsecond."""
    return timedelta(seconds=length.seconds, microseconds=int(length.nanos / 1_000))


def aware(field: str, instant: datetime) -> datetime:
    """An instant with a zone, or what to write instead."""
    if instant.utcoffset() is None:
        written = f"datetime({instant:%Y, %-m, %-d, %-H, %-M}"
        raise invalid(
            field,
            f"{instant.isoformat(' ')} has no zone, so it is no instant: write {written},"
            ' tzinfo=ZoneInfo("Europe/Lisbon")), or .astimezone() behind it for the zone of this'
            " machine",
        )
    return instant


def zone_name(field: str, zone: Optional[tzinfo]) -> str:
    """The name of a zone in the zone database; empty, which follows the device, for none."""
    if zone is None:
        return ""
    # zoneinfo has it as `key`, pytz as `zone`.
    name = getattr(zone, "key", None) or getattr(zone, "zone", None)
    if not isinstance(name, str) and zone.utcoffset(None) == timedelta():
        name = "UTC"
    if not isinstance(name, str):
        raise invalid(
            field,
            f"{zone} is an offset, which does not follow the zone's clock: write"
            ' ZoneInfo("Europe/Lisbon")',
        )
    return name


def length_of(field: str, length: Length) -> timedelta:
    """A length of time as it is or as people write it: "1 day", "90s", "1h30m"."""
    if isinstance(length, timedelta):
        return length
    # A fixture of the plugin takes it as well, whose arguments are not checked.
    if not isinstance(length, str):
        raise invalid(field, f"{length!r} has no unit: write '1 day', '90s' or a timedelta")
    text = re.sub(r"[\s,]+|\band\b", "", length.lower())
    parts = re.findall(r"(\d+(?:\.\d+)?)([a-z]+)", text)
    is_whole = "".join(number + word for number, word in parts) == text
    if not parts or not is_whole or any(word not in _WORDS for _, word in parts):
        raise invalid(
            field,
            f"{length!r} is no length of time: write '1 day', '90s', '1h30m' or a timedelta",
        )
    total = timedelta()
    for number, word in parts:
        total += float(number) * _UNITS[_WORDS[word]]
    return total
