"""Every message and enum value of `belfry.v1` under one name."""

# ruff: noqa: F403
from google.protobuf.descriptor import FileDescriptor, MethodDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from belfry.v1 import (
    admin_service_pb2,
    attachment_service_pb2,
    delegate_service_pb2,
    device_service_pb2,
    extension_service_pb2,
    installation_service_pb2,
    notification_center_service_pb2,
    push_service_pb2,
    rich_push_service_pb2,
    server_service_pb2,
)
from belfry.v1.action_pb2 import *
from belfry.v1.admin_service_pb2 import *
from belfry.v1.app_pb2 import *
from belfry.v1.attachment_pb2 import *
from belfry.v1.attachment_service_pb2 import *
from belfry.v1.authorization_prompt_pb2 import *
from belfry.v1.category_pb2 import *
from belfry.v1.center_pb2 import *
from belfry.v1.clock_pb2 import *
from belfry.v1.content_pb2 import *
from belfry.v1.delegate_service_pb2 import *
from belfry.v1.device_frames_pb2 import *
from belfry.v1.device_pb2 import *
from belfry.v1.device_service_pb2 import *
from belfry.v1.error_pb2 import *
from belfry.v1.event_pb2 import *
from belfry.v1.extension_pb2 import *
from belfry.v1.extension_service_pb2 import *
from belfry.v1.history_pb2 import *
from belfry.v1.installation_service_pb2 import *
from belfry.v1.localized_text_pb2 import *
from belfry.v1.notification_center_service_pb2 import *
from belfry.v1.notification_list_pb2 import *
from belfry.v1.push_pb2 import *
from belfry.v1.push_service_pb2 import *
from belfry.v1.remote_notifications_pb2 import *
from belfry.v1.request_pb2 import *
from belfry.v1.rich_push_service_pb2 import *
from belfry.v1.sensors_pb2 import *
from belfry.v1.server_service_pb2 import *
from belfry.v1.settings_pb2 import *
from belfry.v1.snooze_pb2 import *
from belfry.v1.trigger_pb2 import *
from belfry.v1.upcoming_pb2 import *

SERVICE_FILES: tuple[FileDescriptor, ...] = (
    server_service_pb2.DESCRIPTOR,
    installation_service_pb2.DESCRIPTOR,
    notification_center_service_pb2.DESCRIPTOR,
    delegate_service_pb2.DESCRIPTOR,
    extension_service_pb2.DESCRIPTOR,
    device_service_pb2.DESCRIPTOR,
    push_service_pb2.DESCRIPTOR,
    rich_push_service_pb2.DESCRIPTOR,
    attachment_service_pb2.DESCRIPTOR,
    admin_service_pb2.DESCRIPTOR,
)

# The rpcs of the contract that no version has answered yet.
LATER: frozenset[str] = frozenset()

_METHODS: dict[str, MethodDescriptor] = {
    method.name: method
    for file in SERVICE_FILES
    for service in file.services_by_name.values()
    for method in service.methods
}

# Every rpc that is answered by its name, which no two services share.
METHODS = {name: method for name, method in _METHODS.items() if name not in LATER}

# Those that are not.
LATER_METHODS = {name: _METHODS[name] for name in sorted(LATER)}


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


def timestamp(nanoseconds: int) -> Timestamp:
    """An instant, from nanoseconds since 1970."""
    return Timestamp(seconds=nanoseconds // 10**9, nanos=nanoseconds % 10**9)
