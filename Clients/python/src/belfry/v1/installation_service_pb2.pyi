from belfry.v1 import app_pb2 as _app_pb2
from belfry.v1 import center_pb2 as _center_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class InstalledSound(_message.Message):
    __slots__ = ["attachment_id", "duration", "is_too_long", "name"]
    ATTACHMENT_ID_FIELD_NUMBER: _ClassVar[int]
    DURATION_FIELD_NUMBER: _ClassVar[int]
    IS_TOO_LONG_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    attachment_id: str
    duration: _duration_pb2.Duration
    is_too_long: bool
    name: str
    def __init__(self, name: _Optional[str] = ..., attachment_id: _Optional[str] = ..., duration: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., is_too_long: bool = ...) -> None: ...

class ListSoundsRequest(_message.Message):
    __slots__ = ["app_id", "page_size", "page_token"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    page_size: int
    page_token: str
    def __init__(self, app_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSoundsResponse(_message.Message):
    __slots__ = ["next_page_token", "sounds"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SOUNDS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    sounds: _containers.RepeatedCompositeFieldContainer[ListedSound]
    def __init__(self, sounds: _Optional[_Iterable[_Union[ListedSound, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListStringTablesRequest(_message.Message):
    __slots__ = ["app_id", "page_size", "page_token"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    page_size: int
    page_token: str
    def __init__(self, app_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListStringTablesResponse(_message.Message):
    __slots__ = ["next_page_token", "tables"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    tables: _containers.RepeatedCompositeFieldContainer[ListedStringTable]
    def __init__(self, tables: _Optional[_Iterable[_Union[ListedStringTable, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListedSound(_message.Message):
    __slots__ = ["size_bytes", "sound"]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    SOUND_FIELD_NUMBER: _ClassVar[int]
    size_bytes: int
    sound: InstalledSound
    def __init__(self, sound: _Optional[_Union[InstalledSound, _Mapping]] = ..., size_bytes: _Optional[int] = ...) -> None: ...

class ListedStringTable(_message.Message):
    __slots__ = ["count", "language", "size_bytes"]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    count: int
    language: str
    size_bytes: int
    def __init__(self, language: _Optional[str] = ..., count: _Optional[int] = ..., size_bytes: _Optional[int] = ...) -> None: ...

class LocalizedString(_message.Message):
    __slots__ = ["plural", "text"]
    PLURAL_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    plural: PluralText
    text: str
    def __init__(self, text: _Optional[str] = ..., plural: _Optional[_Union[PluralText, _Mapping]] = ...) -> None: ...

class PluralText(_message.Message):
    __slots__ = ["few", "many", "one", "other", "two", "zero"]
    FEW_FIELD_NUMBER: _ClassVar[int]
    MANY_FIELD_NUMBER: _ClassVar[int]
    ONE_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    TWO_FIELD_NUMBER: _ClassVar[int]
    ZERO_FIELD_NUMBER: _ClassVar[int]
    few: str
    many: str
    one: str
    other: str
    two: str
    zero: str
    def __init__(self, zero: _Optional[str] = ..., one: _Optional[str] = ..., two: _Optional[str] = ..., few: _Optional[str] = ..., many: _Optional[str] = ..., other: _Optional[str] = ...) -> None: ...

class RegisterAppRequest(_message.Message):
    __slots__ = ["center", "idempotency_key", "manifest"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    MANIFEST_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    idempotency_key: str
    manifest: _app_pb2.AppManifest
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., manifest: _Optional[_Union[_app_pb2.AppManifest, _Mapping]] = ...) -> None: ...

class RegisterAppResponse(_message.Message):
    __slots__ = ["app"]
    APP_FIELD_NUMBER: _ClassVar[int]
    app: _app_pb2.App
    def __init__(self, app: _Optional[_Union[_app_pb2.App, _Mapping]] = ...) -> None: ...

class SetSoundRequest(_message.Message):
    __slots__ = ["app_id", "attachment_id", "idempotency_key", "name"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    ATTACHMENT_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    attachment_id: str
    idempotency_key: str
    name: str
    def __init__(self, app_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., name: _Optional[str] = ..., attachment_id: _Optional[str] = ...) -> None: ...

class SetSoundResponse(_message.Message):
    __slots__ = ["sound"]
    SOUND_FIELD_NUMBER: _ClassVar[int]
    sound: InstalledSound
    def __init__(self, sound: _Optional[_Union[InstalledSound, _Mapping]] = ...) -> None: ...

class SetStringTableRequest(_message.Message):
    __slots__ = ["app_id", "idempotency_key", "language", "strings"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    STRINGS_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    idempotency_key: str
    language: str
    strings: _containers.RepeatedCompositeFieldContainer[StringTableEntry]
    def __init__(self, app_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., language: _Optional[str] = ..., strings: _Optional[_Iterable[_Union[StringTableEntry, _Mapping]]] = ...) -> None: ...

class SetStringTableResponse(_message.Message):
    __slots__ = ["count"]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    count: int
    def __init__(self, count: _Optional[int] = ...) -> None: ...

class StringTableEntry(_message.Message):
    __slots__ = ["key", "value"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    key: str
    value: LocalizedString
    def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[LocalizedString, _Mapping]] = ...) -> None: ...

class UnregisterAppRequest(_message.Message):
    __slots__ = ["center", "idempotency_key"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    idempotency_key: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class UnregisterAppResponse(_message.Message):
    __slots__ = ["revoked_tokens"]
    REVOKED_TOKENS_FIELD_NUMBER: _ClassVar[int]
    revoked_tokens: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, revoked_tokens: _Optional[_Iterable[str]] = ...) -> None: ...
