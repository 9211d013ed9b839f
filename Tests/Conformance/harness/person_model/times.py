"""Instants and intervals as whole nanoseconds."""

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from harness.server import START_SECONDS

SECOND = 1_000_000_000
MINUTE = 60 * SECOND
DAY = 86_400 * SECOND

# When a manual clock starts.
START = START_SECONDS * SECOND

WILL_PRESENT_TIME = 5 * SECOND
RESUME_TIME = 5 * SECOND
BANNER_TIME = 30 * SECOND
UNLOCK_TIME = 30 * SECOND
RESPONSE_TIME = 7 * DAY
RETENTION = 7 * DAY
MAX_LATENESS = DAY


def timestamp(instant: int) -> Timestamp:
    """An instant as the wire has it."""
    return Timestamp(seconds=instant // SECOND, nanos=instant % SECOND)


def duration(interval: int) -> Duration:
    """An interval as the wire has it."""
    return Duration(seconds=interval // SECOND, nanos=interval % SECOND)
