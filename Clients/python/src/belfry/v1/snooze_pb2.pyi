from belfry.v1 import notification_list_pb2 as _notification_list_pb2
from belfry.v1 import request_pb2 as _request_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListSnoozedRequest(_message.Message):
    __slots__ = ["app_ids", "device_id", "page_size", "page_token"]
    APP_IDS_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    app_ids: _containers.RepeatedScalarFieldContainer[str]
    device_id: str
    page_size: int
    page_token: str
    def __init__(self, device_id: _Optional[str] = ..., app_ids: _Optional[_Iterable[str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSnoozedResponse(_message.Message):
    __slots__ = ["next_page_token", "notifications"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATIONS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    notifications: _containers.RepeatedCompositeFieldContainer[_notification_list_pb2.SnoozedNotification]
    def __init__(self, notifications: _Optional[_Iterable[_Union[_notification_list_pb2.SnoozedNotification, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class SnoozeRequest(_message.Message):
    __slots__ = ["device_id", "duration", "idempotency_key", "notification", "until"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    DURATION_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    duration: _duration_pb2.Duration
    idempotency_key: str
    notification: _request_pb2.NotificationRef
    until: _timestamp_pb2.Timestamp
    def __init__(self, device_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ..., duration: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SnoozeResponse(_message.Message):
    __slots__ = ["until"]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    until: _timestamp_pb2.Timestamp
    def __init__(self, until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
