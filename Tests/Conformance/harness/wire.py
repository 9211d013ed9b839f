"""Every message and enum value of `belfry.v1` under one name."""

# ruff: noqa: F403
from google.protobuf.descriptor import FileDescriptor, MethodDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from belfry.v1 import (
    admin_service_pb2,
    delegate_service_pb2,
    notification_center_service_pb2,
    server_service_pb2,
)
from belfry.v1.admin_service_pb2 import *
from belfry.v1.center_pb2 import *
from belfry.v1.clock_pb2 import *
from belfry.v1.content_pb2 import *
from belfry.v1.delegate_service_pb2 import *
from belfry.v1.error_pb2 import *
from belfry.v1.event_pb2 import *
from belfry.v1.notification_center_service_pb2 import *
from belfry.v1.request_pb2 import *
from belfry.v1.server_service_pb2 import *
from belfry.v1.settings_pb2 import *
from belfry.v1.trigger_pb2 import *

SERVICE_FILES: tuple[FileDescriptor, ...] = (
    server_service_pb2.DESCRIPTOR,
    notification_center_service_pb2.DESCRIPTOR,
    delegate_service_pb2.DESCRIPTOR,
    admin_service_pb2.DESCRIPTOR,
)

# Every rpc of the contract by its name, which no two services share.
METHODS: dict[str, MethodDescriptor] = {
    method.name: method
    for file in SERVICE_FILES
    for service in file.services_by_name.values()
    for method in service.methods
}


def path(method: MethodDescriptor) -> str:
    """The path by which a call names a method."""
    return f"/{method.containing_service.full_name}/{method.name}"


def seconds(count: float) -> Duration:
    """A duration, exact to the nanosecond where `count` is whole."""
    whole = int(count)
    return Duration(seconds=whole, nanos=round((count - whole) * 1e9))


def nanoseconds(value: Timestamp | Duration) -> int:
    """An instant or an interval as one comparable number."""
    return value.seconds * 1_000_000_000 + value.nanos
