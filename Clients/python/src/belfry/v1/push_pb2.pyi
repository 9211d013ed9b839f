from belfry.v1 import center_pb2 as _center_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
PUSH_OUTCOME_ARRIVING: PushOutcome
PUSH_OUTCOME_DELIVERED: PushOutcome
PUSH_OUTCOME_EXPIRED: PushOutcome
PUSH_OUTCOME_REFUSED: PushOutcome
PUSH_OUTCOME_STORED: PushOutcome
PUSH_OUTCOME_SUPPRESSED: PushOutcome
PUSH_OUTCOME_UNSPECIFIED: PushOutcome
PUSH_TYPE_ALERT: PushType
PUSH_TYPE_BACKGROUND: PushType
PUSH_TYPE_COMPLICATION: PushType
PUSH_TYPE_CONTROLS: PushType
PUSH_TYPE_FILE_PROVIDER: PushType
PUSH_TYPE_LIVE_ACTIVITY: PushType
PUSH_TYPE_LOCATION: PushType
PUSH_TYPE_MDM: PushType
PUSH_TYPE_PUSH_TO_TALK: PushType
PUSH_TYPE_UNSPECIFIED: PushType
PUSH_TYPE_VOIP: PushType
PUSH_TYPE_WIDGETS: PushType

class DeviceOutcome(_message.Message):
    __slots__ = ["apns_id", "center", "number", "outcome", "reason"]
    APNS_ID_FIELD_NUMBER: _ClassVar[int]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    apns_id: str
    center: _center_pb2.Center
    number: int
    outcome: PushOutcome
    reason: str
    def __init__(self, number: _Optional[int] = ..., center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., apns_id: _Optional[str] = ..., outcome: _Optional[_Union[PushOutcome, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class PushCount(_message.Message):
    __slots__ = ["count", "outcome"]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    count: int
    outcome: PushOutcome
    def __init__(self, outcome: _Optional[_Union[PushOutcome, str]] = ..., count: _Optional[int] = ...) -> None: ...

class PushHeaders(_message.Message):
    __slots__ = ["apns_id", "collapse_id", "expiration", "priority", "push_type", "topic"]
    APNS_ID_FIELD_NUMBER: _ClassVar[int]
    COLLAPSE_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    PUSH_TYPE_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    apns_id: str
    collapse_id: str
    expiration: _timestamp_pb2.Timestamp
    priority: int
    push_type: PushType
    topic: str
    def __init__(self, apns_id: _Optional[str] = ..., push_type: _Optional[_Union[PushType, str]] = ..., topic: _Optional[str] = ..., expiration: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., priority: _Optional[int] = ..., collapse_id: _Optional[str] = ...) -> None: ...

class PushTotals(_message.Message):
    __slots__ = ["cancelled", "complete", "counts", "devices"]
    CANCELLED_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    DEVICES_FIELD_NUMBER: _ClassVar[int]
    cancelled: bool
    complete: bool
    counts: _containers.RepeatedCompositeFieldContainer[PushCount]
    devices: int
    def __init__(self, devices: _Optional[int] = ..., counts: _Optional[_Iterable[_Union[PushCount, _Mapping]]] = ..., complete: bool = ..., cancelled: bool = ...) -> None: ...

class Registration(_message.Message):
    __slots__ = ["center", "registered_at", "tags", "token"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    REGISTERED_AT_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    registered_at: _timestamp_pb2.Timestamp
    tags: _containers.RepeatedScalarFieldContainer[str]
    token: str
    def __init__(self, token: _Optional[str] = ..., center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., tags: _Optional[_Iterable[str]] = ..., registered_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class PushType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class PushOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
