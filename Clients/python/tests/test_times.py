"""Instants and lengths of time: Python's and the wire's."""

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from belfry import InvalidRequest
from belfry._times import length_of, to_datetime, to_duration, to_timedelta, to_timestamp

ROME = ZoneInfo("Europe/Rome")
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("instant", "seconds", "nanos"),
    [
        (EPOCH, 0, 0),
        (EPOCH - timedelta(microseconds=1), -1, 999_999_000),
        (datetime(2026, 1, 1, tzinfo=timezone.utc), 1_767_225_600, 0),
        (datetime(2026, 1, 1, 1, tzinfo=ROME), 1_767_225_600, 0),
        (datetime(2026, 1, 1, tzinfo=timezone.utc).replace(microsecond=1), 1_767_225_600, 1_000),
        # The hour that comes twice as the clocks go back: the second one.
        (datetime(2026, 10, 25, 2, 30, tzinfo=ROME, fold=0), 1_792_888_200, 0),
        (datetime(2026, 10, 25, 2, 30, tzinfo=ROME, fold=1), 1_792_891_800, 0),
    ],
)
def test_an_instant_goes_and_comes_back(instant: datetime, seconds: int, nanos: int) -> None:
    sent = to_timestamp("at", instant)
    assert (sent.seconds, sent.nanos) == (seconds, nanos)
    assert to_datetime(sent) == instant.astimezone(timezone.utc)
    assert to_datetime(sent).tzinfo is timezone.utc


def test_nanoseconds_are_those_of_their_microsecond() -> None:
    assert to_datetime(Timestamp(seconds=1, nanos=1_999)).microsecond == 1
    assert to_datetime(Timestamp(seconds=-1, nanos=999_999_999)) < EPOCH


@pytest.mark.parametrize(
    ("length", "seconds", "nanos"),
    [
        (timedelta(), 0, 0),
        (timedelta(days=36_500), 3_153_600_000, 0),
        (timedelta(microseconds=1), 0, 1_000),
        (timedelta(microseconds=-1), 0, -1_000),
        (timedelta(seconds=-1.5), -1, -500_000_000),
    ],
)
def test_a_length_goes_and_comes_back(length: timedelta, seconds: int, nanos: int) -> None:
    sent = to_duration(length)
    assert (sent.seconds, sent.nanos) == (seconds, nanos)
    assert to_timedelta(sent) == length


def test_a_length_loses_what_python_has_not() -> None:
    length = Duration(seconds=-1, nanos=-1_999)
    assert to_timedelta(length) == timedelta(seconds=-1, microseconds=-1)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("1 day", timedelta(days=1)),
        ("365 days", timedelta(days=365)),
        ("90s", timedelta(seconds=90)),
        ("1h30m", timedelta(minutes=90)),
        ("1 hour and 30 minutes", timedelta(minutes=90)),
        ("1.5 h", timedelta(minutes=90)),
        ("2 Weeks, 1 day", timedelta(days=15)),
    ],
)
def test_a_length_as_people_write_it(text: str, length: timedelta) -> None:
    assert length_of("by", text) == length
    assert length_of("by", length) == length


@pytest.mark.parametrize("text", ["", "1", "day", "1 fortnight", "-1 day", "1 day ago", "1..5 h"])
def test_what_is_no_length(text: str) -> None:
    with pytest.raises(InvalidRequest, match="write '1 day'"):
        length_of("by", text)
