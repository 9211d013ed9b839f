from belfry.v1 import center_pb2 as _center_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
PUSH_ENVIRONMENT_DEVELOPMENT: PushEnvironment
PUSH_ENVIRONMENT_PRODUCTION: PushEnvironment
PUSH_ENVIRONMENT_UNSPECIFIED: PushEnvironment

class RegisterForRemoteNotificationsRequest(_message.Message):
    __slots__ = ["center", "environment", "idempotency_key"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    ENVIRONMENT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    environment: PushEnvironment
    idempotency_key: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., environment: _Optional[_Union[PushEnvironment, str]] = ...) -> None: ...

class RegisterForRemoteNotificationsResponse(_message.Message):
    __slots__ = ["environment", "token"]
    ENVIRONMENT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    environment: PushEnvironment
    token: str
    def __init__(self, token: _Optional[str] = ..., environment: _Optional[_Union[PushEnvironment, str]] = ...) -> None: ...

class UnregisterForRemoteNotificationsRequest(_message.Message):
    __slots__ = ["center", "idempotency_key"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    idempotency_key: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class UnregisterForRemoteNotificationsResponse(_message.Message):
    __slots__ = ["was_registered"]
    WAS_REGISTERED_FIELD_NUMBER: _ClassVar[int]
    was_registered: bool
    def __init__(self, was_registered: bool = ...) -> None: ...

class PushEnvironment(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
