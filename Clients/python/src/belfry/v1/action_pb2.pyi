from belfry.v1 import localized_text_pb2 as _localized_text_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

ACTION_OPTION_AUTHENTICATION_REQUIRED: ActionOption
ACTION_OPTION_DESTRUCTIVE: ActionOption
ACTION_OPTION_FOREGROUND: ActionOption
ACTION_OPTION_UNSPECIFIED: ActionOption
DESCRIPTOR: _descriptor.FileDescriptor

class ActionIcon(_message.Message):
    __slots__ = ["system_image_name", "template_image_name"]
    SYSTEM_IMAGE_NAME_FIELD_NUMBER: _ClassVar[int]
    TEMPLATE_IMAGE_NAME_FIELD_NUMBER: _ClassVar[int]
    system_image_name: str
    template_image_name: str
    def __init__(self, template_image_name: _Optional[str] = ..., system_image_name: _Optional[str] = ...) -> None: ...

class NotificationAction(_message.Message):
    __slots__ = ["icon", "identifier", "localized_title", "options", "text_input", "title"]
    ICON_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    LOCALIZED_TITLE_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TEXT_INPUT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    icon: ActionIcon
    identifier: str
    localized_title: _localized_text_pb2.LocalizedText
    options: _containers.RepeatedScalarFieldContainer[ActionOption]
    text_input: TextInput
    title: str
    def __init__(self, identifier: _Optional[str] = ..., title: _Optional[str] = ..., options: _Optional[_Iterable[_Union[ActionOption, str]]] = ..., icon: _Optional[_Union[ActionIcon, _Mapping]] = ..., text_input: _Optional[_Union[TextInput, _Mapping]] = ..., localized_title: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ...) -> None: ...

class TextInput(_message.Message):
    __slots__ = ["button_title", "placeholder"]
    BUTTON_TITLE_FIELD_NUMBER: _ClassVar[int]
    PLACEHOLDER_FIELD_NUMBER: _ClassVar[int]
    button_title: str
    placeholder: str
    def __init__(self, button_title: _Optional[str] = ..., placeholder: _Optional[str] = ...) -> None: ...

class ActionOption(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
