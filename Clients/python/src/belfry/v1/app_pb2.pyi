from belfry.v1 import center_pb2 as _center_pb2
from belfry.v1 import extension_pb2 as _extension_pb2
from belfry.v1 import remote_notifications_pb2 as _remote_notifications_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

BACKGROUND_MODE_REMOTE_NOTIFICATION: BackgroundMode
BACKGROUND_MODE_UNSPECIFIED: BackgroundMode
DESCRIPTOR: _descriptor.FileDescriptor

class App(_message.Message):
    __slots__ = ["center", "manifest", "registered_at"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    MANIFEST_FIELD_NUMBER: _ClassVar[int]
    REGISTERED_AT_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    manifest: AppManifest
    registered_at: _timestamp_pb2.Timestamp
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., manifest: _Optional[_Union[AppManifest, _Mapping]] = ..., registered_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AppManifest(_message.Message):
    __slots__ = ["background_modes", "entitlements", "ephemeral", "extensions", "icon_attachment_id", "language", "names"]
    BACKGROUND_MODES_FIELD_NUMBER: _ClassVar[int]
    ENTITLEMENTS_FIELD_NUMBER: _ClassVar[int]
    EPHEMERAL_FIELD_NUMBER: _ClassVar[int]
    EXTENSIONS_FIELD_NUMBER: _ClassVar[int]
    ICON_ATTACHMENT_ID_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    background_modes: _containers.RepeatedScalarFieldContainer[BackgroundMode]
    entitlements: Entitlements
    ephemeral: bool
    extensions: _containers.RepeatedCompositeFieldContainer[_extension_pb2.AppExtension]
    icon_attachment_id: str
    language: str
    names: _containers.RepeatedCompositeFieldContainer[AppName]
    def __init__(self, names: _Optional[_Iterable[_Union[AppName, _Mapping]]] = ..., icon_attachment_id: _Optional[str] = ..., language: _Optional[str] = ..., entitlements: _Optional[_Union[Entitlements, _Mapping]] = ..., background_modes: _Optional[_Iterable[_Union[BackgroundMode, str]]] = ..., extensions: _Optional[_Iterable[_Union[_extension_pb2.AppExtension, _Mapping]]] = ..., ephemeral: bool = ...) -> None: ...

class AppName(_message.Message):
    __slots__ = ["language", "name"]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    language: str
    name: str
    def __init__(self, language: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class Entitlements(_message.Message):
    __slots__ = ["aps_environment", "communication", "critical_alerts", "filtering", "time_sensitive"]
    APS_ENVIRONMENT_FIELD_NUMBER: _ClassVar[int]
    COMMUNICATION_FIELD_NUMBER: _ClassVar[int]
    CRITICAL_ALERTS_FIELD_NUMBER: _ClassVar[int]
    FILTERING_FIELD_NUMBER: _ClassVar[int]
    TIME_SENSITIVE_FIELD_NUMBER: _ClassVar[int]
    aps_environment: _remote_notifications_pb2.PushEnvironment
    communication: bool
    critical_alerts: bool
    filtering: bool
    time_sensitive: bool
    def __init__(self, aps_environment: _Optional[_Union[_remote_notifications_pb2.PushEnvironment, str]] = ..., critical_alerts: bool = ..., time_sensitive: bool = ..., communication: bool = ..., filtering: bool = ...) -> None: ...

class BackgroundMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
