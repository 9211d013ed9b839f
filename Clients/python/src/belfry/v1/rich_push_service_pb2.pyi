from belfry.v1 import center_pb2 as _center_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateRichPushRequest(_message.Message):
    __slots__ = ["app_id", "attachment_id", "idempotency_key", "media_type", "message", "payload", "rich_type", "tag_expression"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    ATTACHMENT_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    RICH_TYPE_FIELD_NUMBER: _ClassVar[int]
    TAG_EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    attachment_id: str
    idempotency_key: str
    media_type: str
    message: str
    payload: bytes
    rich_type: str
    tag_expression: str
    def __init__(self, app_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., tag_expression: _Optional[str] = ..., message: _Optional[str] = ..., rich_type: _Optional[str] = ..., payload: _Optional[bytes] = ..., attachment_id: _Optional[str] = ..., media_type: _Optional[str] = ...) -> None: ...

class CreateRichPushResponse(_message.Message):
    __slots__ = ["push_id", "rich_id"]
    PUSH_ID_FIELD_NUMBER: _ClassVar[int]
    RICH_ID_FIELD_NUMBER: _ClassVar[int]
    push_id: str
    rich_id: int
    def __init__(self, rich_id: _Optional[int] = ..., push_id: _Optional[str] = ...) -> None: ...

class DownloadRichPayloadRequest(_message.Message):
    __slots__ = ["center", "offset", "rich_id"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    RICH_ID_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    offset: int
    rich_id: int
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., rich_id: _Optional[int] = ..., offset: _Optional[int] = ...) -> None: ...

class DownloadRichPayloadResponse(_message.Message):
    __slots__ = ["chunk", "rich_push"]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    RICH_PUSH_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    rich_push: RichPush
    def __init__(self, rich_push: _Optional[_Union[RichPush, _Mapping]] = ..., chunk: _Optional[bytes] = ...) -> None: ...

class GetRichPushRequest(_message.Message):
    __slots__ = ["center", "rich_id"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    RICH_ID_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    rich_id: int
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., rich_id: _Optional[int] = ...) -> None: ...

class GetRichPushResponse(_message.Message):
    __slots__ = ["rich_push"]
    RICH_PUSH_FIELD_NUMBER: _ClassVar[int]
    rich_push: RichPush
    def __init__(self, rich_push: _Optional[_Union[RichPush, _Mapping]] = ...) -> None: ...

class ListRichPushesRequest(_message.Message):
    __slots__ = ["center", "page_size", "page_token", "unread_only"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    UNREAD_ONLY_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    page_size: int
    page_token: str
    unread_only: bool
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., unread_only: bool = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListRichPushesResponse(_message.Message):
    __slots__ = ["as_of_event", "next_page_token", "rich_pushes"]
    AS_OF_EVENT_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RICH_PUSHES_FIELD_NUMBER: _ClassVar[int]
    as_of_event: int
    next_page_token: str
    rich_pushes: _containers.RepeatedCompositeFieldContainer[RichPush]
    def __init__(self, rich_pushes: _Optional[_Iterable[_Union[RichPush, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., as_of_event: _Optional[int] = ...) -> None: ...

class MarkRichPushReadRequest(_message.Message):
    __slots__ = ["center", "idempotency_key", "rich_id"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    RICH_ID_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    idempotency_key: str
    rich_id: int
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., rich_id: _Optional[int] = ...) -> None: ...

class MarkRichPushReadResponse(_message.Message):
    __slots__ = ["read_at"]
    READ_AT_FIELD_NUMBER: _ClassVar[int]
    read_at: _timestamp_pb2.Timestamp
    def __init__(self, read_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RichPush(_message.Message):
    __slots__ = ["created_at", "media_type", "message", "read_at", "rich_id", "rich_type", "size_bytes"]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    READ_AT_FIELD_NUMBER: _ClassVar[int]
    RICH_ID_FIELD_NUMBER: _ClassVar[int]
    RICH_TYPE_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    created_at: _timestamp_pb2.Timestamp
    media_type: str
    message: str
    read_at: _timestamp_pb2.Timestamp
    rich_id: int
    rich_type: str
    size_bytes: int
    def __init__(self, rich_id: _Optional[int] = ..., message: _Optional[str] = ..., rich_type: _Optional[str] = ..., media_type: _Optional[str] = ..., size_bytes: _Optional[int] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., read_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
