from belfry.v1 import attachment_pb2 as _attachment_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DownloadAttachmentRequest(_message.Message):
    __slots__ = ["app_id", "attachment_id", "offset"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    ATTACHMENT_ID_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    attachment_id: str
    offset: int
    def __init__(self, app_id: _Optional[str] = ..., attachment_id: _Optional[str] = ..., offset: _Optional[int] = ...) -> None: ...

class DownloadAttachmentResponse(_message.Message):
    __slots__ = ["attachment", "chunk"]
    ATTACHMENT_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    attachment: _attachment_pb2.Attachment
    chunk: bytes
    def __init__(self, attachment: _Optional[_Union[_attachment_pb2.Attachment, _Mapping]] = ..., chunk: _Optional[bytes] = ...) -> None: ...

class GetAttachmentRequest(_message.Message):
    __slots__ = ["app_id", "attachment_id"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    ATTACHMENT_ID_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    attachment_id: str
    def __init__(self, app_id: _Optional[str] = ..., attachment_id: _Optional[str] = ...) -> None: ...

class GetAttachmentResponse(_message.Message):
    __slots__ = ["attachment"]
    ATTACHMENT_FIELD_NUMBER: _ClassVar[int]
    attachment: _attachment_pb2.Attachment
    def __init__(self, attachment: _Optional[_Union[_attachment_pb2.Attachment, _Mapping]] = ...) -> None: ...

class ListAttachmentsRequest(_message.Message):
    __slots__ = ["app_id", "page_size", "page_token"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    page_size: int
    page_token: str
    def __init__(self, app_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListAttachmentsResponse(_message.Message):
    __slots__ = ["attachments", "next_page_token"]
    ATTACHMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    attachments: _containers.RepeatedCompositeFieldContainer[ListedAttachment]
    next_page_token: str
    def __init__(self, attachments: _Optional[_Iterable[_Union[ListedAttachment, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListedAttachment(_message.Message):
    __slots__ = ["attachment", "reference_count"]
    ATTACHMENT_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_COUNT_FIELD_NUMBER: _ClassVar[int]
    attachment: _attachment_pb2.Attachment
    reference_count: int
    def __init__(self, attachment: _Optional[_Union[_attachment_pb2.Attachment, _Mapping]] = ..., reference_count: _Optional[int] = ...) -> None: ...

class PutAttachmentRequest(_message.Message):
    __slots__ = ["app_id", "data", "idempotency_key", "metadata"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    data: bytes
    idempotency_key: str
    metadata: _attachment_pb2.AttachmentMetadata
    def __init__(self, app_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., metadata: _Optional[_Union[_attachment_pb2.AttachmentMetadata, _Mapping]] = ..., data: _Optional[bytes] = ...) -> None: ...

class PutAttachmentResponse(_message.Message):
    __slots__ = ["attachment"]
    ATTACHMENT_FIELD_NUMBER: _ClassVar[int]
    attachment: _attachment_pb2.Attachment
    def __init__(self, attachment: _Optional[_Union[_attachment_pb2.Attachment, _Mapping]] = ...) -> None: ...

class UploadAttachmentRequest(_message.Message):
    __slots__ = ["app_id", "chunk", "idempotency_key", "metadata"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    chunk: bytes
    idempotency_key: str
    metadata: _attachment_pb2.AttachmentMetadata
    def __init__(self, app_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., metadata: _Optional[_Union[_attachment_pb2.AttachmentMetadata, _Mapping]] = ..., chunk: _Optional[bytes] = ...) -> None: ...

class UploadAttachmentResponse(_message.Message):
    __slots__ = ["attachment"]
    ATTACHMENT_FIELD_NUMBER: _ClassVar[int]
    attachment: _attachment_pb2.Attachment
    def __init__(self, attachment: _Optional[_Union[_attachment_pb2.Attachment, _Mapping]] = ...) -> None: ...
