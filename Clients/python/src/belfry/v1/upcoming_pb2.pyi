from belfry.v1 import center_pb2 as _center_pb2
from belfry.v1 import request_pb2 as _request_pb2
from belfry.v1 import trigger_pb2 as _trigger_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListTriggerDatesRequest(_message.Message):
    __slots__ = ["center", "count", "trigger"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    count: int
    trigger: _trigger_pb2.Trigger
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., trigger: _Optional[_Union[_trigger_pb2.Trigger, _Mapping]] = ..., count: _Optional[int] = ...) -> None: ...

class ListTriggerDatesResponse(_message.Message):
    __slots__ = ["dates", "has_more", "time_zone"]
    DATES_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    dates: _containers.RepeatedCompositeFieldContainer[_timestamp_pb2.Timestamp]
    has_more: bool
    time_zone: str
    def __init__(self, dates: _Optional[_Iterable[_Union[_timestamp_pb2.Timestamp, _Mapping]]] = ..., has_more: bool = ..., time_zone: _Optional[str] = ...) -> None: ...

class ListUpcomingRequest(_message.Message):
    __slots__ = ["center", "dates_per_request", "filter", "page_size", "page_token", "window"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    DATES_PER_REQUEST_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    WINDOW_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    dates_per_request: int
    filter: _request_pb2.NotificationFilter
    page_size: int
    page_token: str
    window: _duration_pb2.Duration
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., filter: _Optional[_Union[_request_pb2.NotificationFilter, _Mapping]] = ..., window: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., dates_per_request: _Optional[int] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListUpcomingResponse(_message.Message):
    __slots__ = ["as_of_event", "next_page_token", "requests"]
    AS_OF_EVENT_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    as_of_event: int
    next_page_token: str
    requests: _containers.RepeatedCompositeFieldContainer[UpcomingRequest]
    def __init__(self, requests: _Optional[_Iterable[_Union[UpcomingRequest, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., as_of_event: _Optional[int] = ...) -> None: ...

class SkipNextRequest(_message.Message):
    __slots__ = ["center", "idempotency_key", "identifier"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    idempotency_key: str
    identifier: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., identifier: _Optional[str] = ...) -> None: ...

class SkipNextResponse(_message.Message):
    __slots__ = ["next_trigger_date", "skipped_date"]
    NEXT_TRIGGER_DATE_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_DATE_FIELD_NUMBER: _ClassVar[int]
    next_trigger_date: _timestamp_pb2.Timestamp
    skipped_date: _timestamp_pb2.Timestamp
    def __init__(self, skipped_date: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., next_trigger_date: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class UpcomingRequest(_message.Message):
    __slots__ = ["dates", "has_more", "request"]
    DATES_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    dates: _containers.RepeatedCompositeFieldContainer[_timestamp_pb2.Timestamp]
    has_more: bool
    request: _request_pb2.NotificationRequest
    def __init__(self, request: _Optional[_Union[_request_pb2.NotificationRequest, _Mapping]] = ..., dates: _Optional[_Iterable[_Union[_timestamp_pb2.Timestamp, _Mapping]]] = ..., has_more: bool = ...) -> None: ...
