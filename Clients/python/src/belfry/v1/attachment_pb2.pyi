from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Mapping as _Mapping, Optional as _Optional, Union as _Union

ATTACHMENT_PURPOSE_ICON: AttachmentPurpose
ATTACHMENT_PURPOSE_NOTIFICATION: AttachmentPurpose
ATTACHMENT_PURPOSE_RICH_PUSH: AttachmentPurpose
ATTACHMENT_PURPOSE_SOUND: AttachmentPurpose
DESCRIPTOR: _descriptor.FileDescriptor

class Attachment(_message.Message):
    __slots__ = ["app_id", "attachment_id", "created_at", "file_name", "media_type", "purpose", "sha256", "size_bytes", "type", "unreferenced_until"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    ATTACHMENT_ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    FILE_NAME_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    UNREFERENCED_UNTIL_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    attachment_id: str
    created_at: _timestamp_pb2.Timestamp
    file_name: str
    media_type: str
    purpose: AttachmentPurpose
    sha256: str
    size_bytes: int
    type: str
    unreferenced_until: _timestamp_pb2.Timestamp
    def __init__(self, attachment_id: _Optional[str] = ..., app_id: _Optional[str] = ..., file_name: _Optional[str] = ..., type: _Optional[str] = ..., media_type: _Optional[str] = ..., purpose: _Optional[_Union[AttachmentPurpose, str]] = ..., size_bytes: _Optional[int] = ..., sha256: _Optional[str] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., unreferenced_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AttachmentMetadata(_message.Message):
    __slots__ = ["file_name", "media_type", "purpose", "sha256", "size_bytes", "type_hint"]
    FILE_NAME_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    TYPE_HINT_FIELD_NUMBER: _ClassVar[int]
    file_name: str
    media_type: str
    purpose: AttachmentPurpose
    sha256: str
    size_bytes: int
    type_hint: str
    def __init__(self, file_name: _Optional[str] = ..., type_hint: _Optional[str] = ..., purpose: _Optional[_Union[AttachmentPurpose, str]] = ..., size_bytes: _Optional[int] = ..., sha256: _Optional[str] = ..., media_type: _Optional[str] = ...) -> None: ...

class AttachmentPurpose(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
