from belfry.v1 import admin_service_pb2 as _admin_service_pb2
from belfry.v1 import clock_pb2 as _clock_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
PENDING_LIMIT_POLICY_KEEP_LATEST_ADDED: PendingLimitPolicy
PENDING_LIMIT_POLICY_KEEP_SOONEST: PendingLimitPolicy
PENDING_LIMIT_POLICY_REJECT_NEW: PendingLimitPolicy
PENDING_LIMIT_POLICY_UNSPECIFIED: PendingLimitPolicy
PROFILE_IOS: Profile
PROFILE_SERVER: Profile
PROFILE_UNSPECIFIED: Profile

class GetServerInfoRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetServerInfoResponse(_message.Message):
    __slots__ = ["clock", "conditions", "limits", "profile", "supports_content_extensions", "version"]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    CONDITIONS_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    SUPPORTS_CONTENT_EXTENSIONS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    clock: _clock_pb2.ClockState
    conditions: _containers.RepeatedScalarFieldContainer[_admin_service_pb2.Condition]
    limits: Limits
    profile: Profile
    supports_content_extensions: bool
    version: str
    def __init__(self, version: _Optional[str] = ..., profile: _Optional[_Union[Profile, str]] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ..., clock: _Optional[_Union[_clock_pb2.ClockState, _Mapping]] = ..., supports_content_extensions: bool = ..., conditions: _Optional[_Iterable[_Union[_admin_service_pb2.Condition, str]]] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ["batch_requests", "content_bytes", "delivered_per_center", "delivered_retention", "event_bytes_per_center", "event_retention", "identifier_bytes", "message_bytes", "page_size", "pending_limit_policy", "pending_per_center", "subscriptions_per_center"]
    BATCH_REQUESTS_FIELD_NUMBER: _ClassVar[int]
    CONTENT_BYTES_FIELD_NUMBER: _ClassVar[int]
    DELIVERED_PER_CENTER_FIELD_NUMBER: _ClassVar[int]
    DELIVERED_RETENTION_FIELD_NUMBER: _ClassVar[int]
    EVENT_BYTES_PER_CENTER_FIELD_NUMBER: _ClassVar[int]
    EVENT_RETENTION_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_BYTES_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PENDING_LIMIT_POLICY_FIELD_NUMBER: _ClassVar[int]
    PENDING_PER_CENTER_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTIONS_PER_CENTER_FIELD_NUMBER: _ClassVar[int]
    batch_requests: int
    content_bytes: int
    delivered_per_center: int
    delivered_retention: _duration_pb2.Duration
    event_bytes_per_center: int
    event_retention: _duration_pb2.Duration
    identifier_bytes: int
    message_bytes: int
    page_size: int
    pending_limit_policy: PendingLimitPolicy
    pending_per_center: int
    subscriptions_per_center: int
    def __init__(self, pending_per_center: _Optional[int] = ..., pending_limit_policy: _Optional[_Union[PendingLimitPolicy, str]] = ..., delivered_per_center: _Optional[int] = ..., delivered_retention: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., content_bytes: _Optional[int] = ..., identifier_bytes: _Optional[int] = ..., message_bytes: _Optional[int] = ..., batch_requests: _Optional[int] = ..., page_size: _Optional[int] = ..., event_retention: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., event_bytes_per_center: _Optional[int] = ..., subscriptions_per_center: _Optional[int] = ...) -> None: ...

class Profile(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class PendingLimitPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
