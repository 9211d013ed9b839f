from belfry.v1 import center_pb2 as _center_pb2
from belfry.v1 import content_pb2 as _content_pb2
from belfry.v1 import trigger_pb2 as _trigger_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
REQUEST_STATE_ARRIVING: RequestState
REQUEST_STATE_DELIVERED: RequestState
REQUEST_STATE_GONE: RequestState
REQUEST_STATE_PENDING: RequestState
REQUEST_STATE_UNSPECIFIED: RequestState

class Notification(_message.Message):
    __slots__ = ["date", "delivery", "request", "trace"]
    DATE_FIELD_NUMBER: _ClassVar[int]
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    TRACE_FIELD_NUMBER: _ClassVar[int]
    date: _timestamp_pb2.Timestamp
    delivery: int
    request: NotificationRequest
    trace: TraceContext
    def __init__(self, request: _Optional[_Union[NotificationRequest, _Mapping]] = ..., date: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., delivery: _Optional[int] = ..., trace: _Optional[_Union[TraceContext, _Mapping]] = ...) -> None: ...

class NotificationFilter(_message.Message):
    __slots__ = ["category_identifier", "identifiers", "thread_identifier"]
    CATEGORY_IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIERS_FIELD_NUMBER: _ClassVar[int]
    THREAD_IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    category_identifier: str
    identifiers: _containers.RepeatedScalarFieldContainer[str]
    thread_identifier: str
    def __init__(self, identifiers: _Optional[_Iterable[str]] = ..., thread_identifier: _Optional[str] = ..., category_identifier: _Optional[str] = ...) -> None: ...

class NotificationRef(_message.Message):
    __slots__ = ["center", "delivery", "identifier"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    delivery: int
    identifier: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., identifier: _Optional[str] = ..., delivery: _Optional[int] = ...) -> None: ...

class NotificationRequest(_message.Message):
    __slots__ = ["content", "expires_after", "identifier", "replacement_key", "trigger"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AFTER_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    REPLACEMENT_KEY_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    content: _content_pb2.NotificationContent
    expires_after: _duration_pb2.Duration
    identifier: str
    replacement_key: str
    trigger: _trigger_pb2.Trigger
    def __init__(self, identifier: _Optional[str] = ..., content: _Optional[_Union[_content_pb2.NotificationContent, _Mapping]] = ..., trigger: _Optional[_Union[_trigger_pb2.Trigger, _Mapping]] = ..., replacement_key: _Optional[str] = ..., expires_after: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class PendingRequest(_message.Message):
    __slots__ = ["added_at", "next_trigger_date", "request"]
    ADDED_AT_FIELD_NUMBER: _ClassVar[int]
    NEXT_TRIGGER_DATE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    added_at: _timestamp_pb2.Timestamp
    next_trigger_date: _timestamp_pb2.Timestamp
    request: NotificationRequest
    def __init__(self, request: _Optional[_Union[NotificationRequest, _Mapping]] = ..., next_trigger_date: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., added_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class TraceContext(_message.Message):
    __slots__ = ["traceparent", "tracestate"]
    TRACEPARENT_FIELD_NUMBER: _ClassVar[int]
    TRACESTATE_FIELD_NUMBER: _ClassVar[int]
    traceparent: str
    tracestate: str
    def __init__(self, traceparent: _Optional[str] = ..., tracestate: _Optional[str] = ...) -> None: ...

class RequestState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
