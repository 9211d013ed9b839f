from belfry.v1 import center_pb2 as _center_pb2
from belfry.v1 import push_pb2 as _push_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CancelPushRequest(_message.Message):
    __slots__ = ["app_id", "idempotency_key", "push_id"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    PUSH_ID_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    idempotency_key: str
    push_id: str
    def __init__(self, app_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., push_id: _Optional[str] = ...) -> None: ...

class CancelPushResponse(_message.Message):
    __slots__ = ["totals"]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    totals: _push_pb2.PushTotals
    def __init__(self, totals: _Optional[_Union[_push_pb2.PushTotals, _Mapping]] = ...) -> None: ...

class DeviceOutcomes(_message.Message):
    __slots__ = ["outcomes"]
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    outcomes: _containers.RepeatedCompositeFieldContainer[_push_pb2.DeviceOutcome]
    def __init__(self, outcomes: _Optional[_Iterable[_Union[_push_pb2.DeviceOutcome, _Mapping]]] = ...) -> None: ...

class GetPushStatusRequest(_message.Message):
    __slots__ = ["app_id", "push_id"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    PUSH_ID_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    push_id: str
    def __init__(self, app_id: _Optional[str] = ..., push_id: _Optional[str] = ...) -> None: ...

class GetPushStatusResponse(_message.Message):
    __slots__ = ["completed_at", "deliver_at", "started_at", "totals"]
    COMPLETED_AT_FIELD_NUMBER: _ClassVar[int]
    DELIVER_AT_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    completed_at: _timestamp_pb2.Timestamp
    deliver_at: _timestamp_pb2.Timestamp
    started_at: _timestamp_pb2.Timestamp
    totals: _push_pb2.PushTotals
    def __init__(self, totals: _Optional[_Union[_push_pb2.PushTotals, _Mapping]] = ..., started_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., completed_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., deliver_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListRegistrationsRequest(_message.Message):
    __slots__ = ["app_id", "page_size", "page_token", "tag_expression"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TAG_EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    page_size: int
    page_token: str
    tag_expression: str
    def __init__(self, app_id: _Optional[str] = ..., tag_expression: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListRegistrationsResponse(_message.Message):
    __slots__ = ["next_page_token", "registrations"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REGISTRATIONS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    registrations: _containers.RepeatedCompositeFieldContainer[_push_pb2.Registration]
    def __init__(self, registrations: _Optional[_Iterable[_Union[_push_pb2.Registration, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class PushRequest(_message.Message):
    __slots__ = ["center", "headers", "idempotency_key", "payload_json", "token"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    HEADERS_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_JSON_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    headers: _push_pb2.PushHeaders
    idempotency_key: str
    payload_json: str
    token: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., token: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., headers: _Optional[_Union[_push_pb2.PushHeaders, _Mapping]] = ..., payload_json: _Optional[str] = ...) -> None: ...

class PushResponse(_message.Message):
    __slots__ = ["apns_id", "identifier", "outcome"]
    APNS_ID_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    apns_id: str
    identifier: str
    outcome: _push_pb2.PushOutcome
    def __init__(self, apns_id: _Optional[str] = ..., outcome: _Optional[_Union[_push_pb2.PushOutcome, str]] = ..., identifier: _Optional[str] = ...) -> None: ...

class PushStarted(_message.Message):
    __slots__ = ["push_id"]
    PUSH_ID_FIELD_NUMBER: _ClassVar[int]
    push_id: str
    def __init__(self, push_id: _Optional[str] = ...) -> None: ...

class PushToTagsRequest(_message.Message):
    __slots__ = ["after_outcome", "app_id", "deliver_at", "headers", "idempotency_key", "payload_json", "tag_expression"]
    AFTER_OUTCOME_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    DELIVER_AT_FIELD_NUMBER: _ClassVar[int]
    HEADERS_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_JSON_FIELD_NUMBER: _ClassVar[int]
    TAG_EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    after_outcome: int
    app_id: str
    deliver_at: _timestamp_pb2.Timestamp
    headers: _push_pb2.PushHeaders
    idempotency_key: str
    payload_json: str
    tag_expression: str
    def __init__(self, app_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., tag_expression: _Optional[str] = ..., headers: _Optional[_Union[_push_pb2.PushHeaders, _Mapping]] = ..., payload_json: _Optional[str] = ..., after_outcome: _Optional[int] = ..., deliver_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class PushToTagsResponse(_message.Message):
    __slots__ = ["outcomes", "started", "totals"]
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    outcomes: DeviceOutcomes
    started: PushStarted
    totals: _push_pb2.PushTotals
    def __init__(self, started: _Optional[_Union[PushStarted, _Mapping]] = ..., outcomes: _Optional[_Union[DeviceOutcomes, _Mapping]] = ..., totals: _Optional[_Union[_push_pb2.PushTotals, _Mapping]] = ...) -> None: ...

class SetTagsRequest(_message.Message):
    __slots__ = ["app_id", "idempotency_key", "tags", "token"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    idempotency_key: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    token: str
    def __init__(self, app_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., token: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ...) -> None: ...

class SetTagsResponse(_message.Message):
    __slots__ = ["tags"]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    tags: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tags: _Optional[_Iterable[str]] = ...) -> None: ...

class WithdrawNotificationsRequest(_message.Message):
    __slots__ = ["app_id", "idempotency_key", "identifiers", "tag_expression", "token"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIERS_FIELD_NUMBER: _ClassVar[int]
    TAG_EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    idempotency_key: str
    identifiers: _containers.RepeatedScalarFieldContainer[str]
    tag_expression: str
    token: str
    def __init__(self, app_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., token: _Optional[str] = ..., tag_expression: _Optional[str] = ..., identifiers: _Optional[_Iterable[str]] = ...) -> None: ...

class WithdrawNotificationsResponse(_message.Message):
    __slots__ = ["withdrawn_count"]
    WITHDRAWN_COUNT_FIELD_NUMBER: _ClassVar[int]
    withdrawn_count: int
    def __init__(self, withdrawn_count: _Optional[int] = ...) -> None: ...
