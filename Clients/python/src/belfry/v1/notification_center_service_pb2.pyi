from belfry.v1 import category_pb2 as _category_pb2
from belfry.v1 import center_pb2 as _center_pb2
from belfry.v1 import error_pb2 as _error_pb2
from belfry.v1 import remote_notifications_pb2 as _remote_notifications_pb2
from belfry.v1 import request_pb2 as _request_pb2
from belfry.v1 import settings_pb2 as _settings_pb2
from belfry.v1 import upcoming_pb2 as _upcoming_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DELIVERED_ORDER_IDENTIFIER: DeliveredOrder
DELIVERED_ORDER_NEWEST_FIRST: DeliveredOrder
DESCRIPTOR: _descriptor.FileDescriptor
PENDING_ORDER_IDENTIFIER: PendingOrder
PENDING_ORDER_NEXT_TRIGGER_DATE: PendingOrder

class AddBatchRequest(_message.Message):
    __slots__ = ["center", "idempotency_key", "requests"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    idempotency_key: str
    requests: _containers.RepeatedCompositeFieldContainer[_request_pb2.NotificationRequest]
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., requests: _Optional[_Iterable[_Union[_request_pb2.NotificationRequest, _Mapping]]] = ...) -> None: ...

class AddBatchResponse(_message.Message):
    __slots__ = ["results"]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[AddBatchResult]
    def __init__(self, results: _Optional[_Iterable[_Union[AddBatchResult, _Mapping]]] = ...) -> None: ...

class AddBatchResult(_message.Message):
    __slots__ = ["added", "error"]
    ADDED_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    added: AddResponse
    error: _error_pb2.ItemError
    def __init__(self, added: _Optional[_Union[AddResponse, _Mapping]] = ..., error: _Optional[_Union[_error_pb2.ItemError, _Mapping]] = ...) -> None: ...

class AddRequest(_message.Message):
    __slots__ = ["center", "idempotency_key", "request"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    idempotency_key: str
    request: _request_pb2.NotificationRequest
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., request: _Optional[_Union[_request_pb2.NotificationRequest, _Mapping]] = ...) -> None: ...

class AddResponse(_message.Message):
    __slots__ = ["as_of_event", "delivery", "evicted_identifiers", "identifier", "next_trigger_date", "request_number", "state"]
    AS_OF_EVENT_FIELD_NUMBER: _ClassVar[int]
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    EVICTED_IDENTIFIERS_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    NEXT_TRIGGER_DATE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_NUMBER_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    as_of_event: int
    delivery: int
    evicted_identifiers: _containers.RepeatedScalarFieldContainer[str]
    identifier: str
    next_trigger_date: _timestamp_pb2.Timestamp
    request_number: int
    state: _request_pb2.RequestState
    def __init__(self, identifier: _Optional[str] = ..., state: _Optional[_Union[_request_pb2.RequestState, str]] = ..., next_trigger_date: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., evicted_identifiers: _Optional[_Iterable[str]] = ..., delivery: _Optional[int] = ..., request_number: _Optional[int] = ..., as_of_event: _Optional[int] = ...) -> None: ...

class GetNotificationSettingsRequest(_message.Message):
    __slots__ = ["center"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ...) -> None: ...

class GetNotificationSettingsResponse(_message.Message):
    __slots__ = ["as_of_event", "settings"]
    AS_OF_EVENT_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    as_of_event: int
    settings: _settings_pb2.NotificationSettings
    def __init__(self, settings: _Optional[_Union[_settings_pb2.NotificationSettings, _Mapping]] = ..., as_of_event: _Optional[int] = ...) -> None: ...

class ListDeliveredRequest(_message.Message):
    __slots__ = ["center", "filter", "order", "page_size", "page_token"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    filter: _request_pb2.NotificationFilter
    order: DeliveredOrder
    page_size: int
    page_token: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., filter: _Optional[_Union[_request_pb2.NotificationFilter, _Mapping]] = ..., order: _Optional[_Union[DeliveredOrder, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListDeliveredResponse(_message.Message):
    __slots__ = ["as_of_event", "next_page_token", "notifications"]
    AS_OF_EVENT_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATIONS_FIELD_NUMBER: _ClassVar[int]
    as_of_event: int
    next_page_token: str
    notifications: _containers.RepeatedCompositeFieldContainer[_request_pb2.Notification]
    def __init__(self, notifications: _Optional[_Iterable[_Union[_request_pb2.Notification, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., as_of_event: _Optional[int] = ...) -> None: ...

class ListPendingRequest(_message.Message):
    __slots__ = ["center", "filter", "order", "page_size", "page_token"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    filter: _request_pb2.NotificationFilter
    order: PendingOrder
    page_size: int
    page_token: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., filter: _Optional[_Union[_request_pb2.NotificationFilter, _Mapping]] = ..., order: _Optional[_Union[PendingOrder, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListPendingResponse(_message.Message):
    __slots__ = ["as_of_event", "next_page_token", "requests"]
    AS_OF_EVENT_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    as_of_event: int
    next_page_token: str
    requests: _containers.RepeatedCompositeFieldContainer[_request_pb2.PendingRequest]
    def __init__(self, requests: _Optional[_Iterable[_Union[_request_pb2.PendingRequest, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., as_of_event: _Optional[int] = ...) -> None: ...

class RemoveAllDeliveredRequest(_message.Message):
    __slots__ = ["center", "idempotency_key"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    idempotency_key: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class RemoveAllDeliveredResponse(_message.Message):
    __slots__ = ["removed_count"]
    REMOVED_COUNT_FIELD_NUMBER: _ClassVar[int]
    removed_count: int
    def __init__(self, removed_count: _Optional[int] = ...) -> None: ...

class RemoveAllPendingRequest(_message.Message):
    __slots__ = ["center", "idempotency_key"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    idempotency_key: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class RemoveAllPendingResponse(_message.Message):
    __slots__ = ["removed_count"]
    REMOVED_COUNT_FIELD_NUMBER: _ClassVar[int]
    removed_count: int
    def __init__(self, removed_count: _Optional[int] = ...) -> None: ...

class RemoveDeliveredRequest(_message.Message):
    __slots__ = ["center", "idempotency_key", "identifiers"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIERS_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    idempotency_key: str
    identifiers: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., identifiers: _Optional[_Iterable[str]] = ...) -> None: ...

class RemoveDeliveredResponse(_message.Message):
    __slots__ = ["removed_identifiers"]
    REMOVED_IDENTIFIERS_FIELD_NUMBER: _ClassVar[int]
    removed_identifiers: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, removed_identifiers: _Optional[_Iterable[str]] = ...) -> None: ...

class RemovePendingRequest(_message.Message):
    __slots__ = ["center", "idempotency_key", "identifiers"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIERS_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    idempotency_key: str
    identifiers: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., identifiers: _Optional[_Iterable[str]] = ...) -> None: ...

class RemovePendingResponse(_message.Message):
    __slots__ = ["removed_identifiers"]
    REMOVED_IDENTIFIERS_FIELD_NUMBER: _ClassVar[int]
    removed_identifiers: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, removed_identifiers: _Optional[_Iterable[str]] = ...) -> None: ...

class RequestAuthorizationRequest(_message.Message):
    __slots__ = ["center", "idempotency_key", "options", "wait"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    idempotency_key: str
    options: _containers.RepeatedScalarFieldContainer[_settings_pb2.AuthorizationOption]
    wait: _duration_pb2.Duration
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., options: _Optional[_Iterable[_Union[_settings_pb2.AuthorizationOption, str]]] = ..., wait: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class RequestAuthorizationResponse(_message.Message):
    __slots__ = ["granted", "prompt_id", "status"]
    GRANTED_FIELD_NUMBER: _ClassVar[int]
    PROMPT_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    granted: bool
    prompt_id: str
    status: _settings_pb2.AuthorizationStatus
    def __init__(self, granted: bool = ..., status: _Optional[_Union[_settings_pb2.AuthorizationStatus, str]] = ..., prompt_id: _Optional[str] = ...) -> None: ...

class ScheduleRequest(_message.Message):
    __slots__ = ["add", "remove"]
    ADD_FIELD_NUMBER: _ClassVar[int]
    REMOVE_FIELD_NUMBER: _ClassVar[int]
    add: AddRequest
    remove: RemovePendingRequest
    def __init__(self, add: _Optional[_Union[AddRequest, _Mapping]] = ..., remove: _Optional[_Union[RemovePendingRequest, _Mapping]] = ...) -> None: ...

class ScheduleResponse(_message.Message):
    __slots__ = ["results"]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[ScheduleResult]
    def __init__(self, results: _Optional[_Iterable[_Union[ScheduleResult, _Mapping]]] = ...) -> None: ...

class ScheduleResult(_message.Message):
    __slots__ = ["added", "error", "removed"]
    ADDED_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    added: AddResponse
    error: _error_pb2.ItemError
    removed: RemovePendingResponse
    def __init__(self, added: _Optional[_Union[AddResponse, _Mapping]] = ..., removed: _Optional[_Union[RemovePendingResponse, _Mapping]] = ..., error: _Optional[_Union[_error_pb2.ItemError, _Mapping]] = ...) -> None: ...

class SetBadgeCountRequest(_message.Message):
    __slots__ = ["center", "count", "idempotency_key"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    count: int
    idempotency_key: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class SetBadgeCountResponse(_message.Message):
    __slots__ = ["badge"]
    BADGE_FIELD_NUMBER: _ClassVar[int]
    badge: int
    def __init__(self, badge: _Optional[int] = ...) -> None: ...

class PendingOrder(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class DeliveredOrder(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
