from belfry.v1 import center_pb2 as _center_pb2
from belfry.v1 import settings_pb2 as _settings_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

AUTHORIZATION_PROMPT_KIND_INITIAL: AuthorizationPromptKind
AUTHORIZATION_PROMPT_KIND_QUIET: AuthorizationPromptKind
AUTHORIZATION_PROMPT_KIND_UNSPECIFIED: AuthorizationPromptKind
AUTHORIZATION_PROMPT_KIND_UPGRADE: AuthorizationPromptKind
DESCRIPTOR: _descriptor.FileDescriptor
PROMPT_ANSWER_ALLOW: PromptAnswer
PROMPT_ANSWER_DENY: PromptAnswer
PROMPT_ANSWER_KEEP: PromptAnswer
PROMPT_ANSWER_TURN_OFF: PromptAnswer
PROMPT_ANSWER_UNSPECIFIED: PromptAnswer

class AnswerAuthorizationPromptRequest(_message.Message):
    __slots__ = ["answer", "device_id", "idempotency_key", "keep_in_summary", "options", "prompt_id"]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    KEEP_IN_SUMMARY_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    PROMPT_ID_FIELD_NUMBER: _ClassVar[int]
    answer: PromptAnswer
    device_id: str
    idempotency_key: str
    keep_in_summary: bool
    options: _containers.RepeatedScalarFieldContainer[_settings_pb2.AuthorizationOption]
    prompt_id: str
    def __init__(self, device_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., prompt_id: _Optional[str] = ..., answer: _Optional[_Union[PromptAnswer, str]] = ..., options: _Optional[_Iterable[_Union[_settings_pb2.AuthorizationOption, str]]] = ..., keep_in_summary: bool = ...) -> None: ...

class AnswerAuthorizationPromptResponse(_message.Message):
    __slots__ = ["settings"]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    settings: _settings_pb2.NotificationSettings
    def __init__(self, settings: _Optional[_Union[_settings_pb2.NotificationSettings, _Mapping]] = ...) -> None: ...

class AuthorizationPrompt(_message.Message):
    __slots__ = ["app_name", "center", "kind", "options", "prompt_id"]
    APP_NAME_FIELD_NUMBER: _ClassVar[int]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    PROMPT_ID_FIELD_NUMBER: _ClassVar[int]
    app_name: str
    center: _center_pb2.Center
    kind: AuthorizationPromptKind
    options: _containers.RepeatedScalarFieldContainer[_settings_pb2.AuthorizationOption]
    prompt_id: str
    def __init__(self, prompt_id: _Optional[str] = ..., center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., kind: _Optional[_Union[AuthorizationPromptKind, str]] = ..., options: _Optional[_Iterable[_Union[_settings_pb2.AuthorizationOption, str]]] = ..., app_name: _Optional[str] = ...) -> None: ...

class AuthorizationPromptKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class PromptAnswer(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
