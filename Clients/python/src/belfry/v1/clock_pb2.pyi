from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Mapping as _Mapping, Optional as _Optional, Union as _Union

CLOCK_KIND_MANUAL: ClockKind
CLOCK_KIND_SYSTEM: ClockKind
CLOCK_KIND_UNSPECIFIED: ClockKind
DESCRIPTOR: _descriptor.FileDescriptor

class ClockState(_message.Message):
    __slots__ = ["elapsed", "kind", "now"]
    ELAPSED_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NOW_FIELD_NUMBER: _ClassVar[int]
    elapsed: _duration_pb2.Duration
    kind: ClockKind
    now: _timestamp_pb2.Timestamp
    def __init__(self, kind: _Optional[_Union[ClockKind, str]] = ..., now: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., elapsed: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class ClockKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
