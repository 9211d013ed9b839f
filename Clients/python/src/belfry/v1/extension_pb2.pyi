from belfry.v1 import content_pb2 as _content_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

CONTENT_EXTENSION_RESPONSE_OPTION_DISMISS: ContentExtensionResponseOption
CONTENT_EXTENSION_RESPONSE_OPTION_DISMISS_AND_FORWARD_ACTION: ContentExtensionResponseOption
CONTENT_EXTENSION_RESPONSE_OPTION_DO_NOT_DISMISS: ContentExtensionResponseOption
DESCRIPTOR: _descriptor.FileDescriptor
EXTENSION_KIND_CONTENT: ExtensionKind
EXTENSION_KIND_SERVICE: ExtensionKind
EXTENSION_KIND_UNSPECIFIED: ExtensionKind
EXTENSION_OUTCOME_BEST_ATTEMPT: ExtensionOutcome
EXTENSION_OUTCOME_FALLBACK: ExtensionOutcome
EXTENSION_OUTCOME_FILTERED: ExtensionOutcome
EXTENSION_OUTCOME_IGNORED_NO_TEXT: ExtensionOutcome
EXTENSION_OUTCOME_MODIFIED: ExtensionOutcome
EXTENSION_OUTCOME_UNSPECIFIED: ExtensionOutcome
MEDIA_COMMAND_PAUSE: MediaCommand
MEDIA_COMMAND_PLAY: MediaCommand
MEDIA_COMMAND_UNSPECIFIED: MediaCommand
MEDIA_PLAY_PAUSE_BUTTON_TYPE_DEFAULT: MediaPlayPauseButtonType
MEDIA_PLAY_PAUSE_BUTTON_TYPE_NONE: MediaPlayPauseButtonType
MEDIA_PLAY_PAUSE_BUTTON_TYPE_OVERLAY: MediaPlayPauseButtonType

class AppExtension(_message.Message):
    __slots__ = ["categories", "default_content_hidden", "extension_id", "handles_responses", "initial_content_size_ratio", "kind", "overrides_default_title", "user_interaction_enabled"]
    CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_CONTENT_HIDDEN_FIELD_NUMBER: _ClassVar[int]
    EXTENSION_ID_FIELD_NUMBER: _ClassVar[int]
    HANDLES_RESPONSES_FIELD_NUMBER: _ClassVar[int]
    INITIAL_CONTENT_SIZE_RATIO_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    OVERRIDES_DEFAULT_TITLE_FIELD_NUMBER: _ClassVar[int]
    USER_INTERACTION_ENABLED_FIELD_NUMBER: _ClassVar[int]
    categories: _containers.RepeatedScalarFieldContainer[str]
    default_content_hidden: bool
    extension_id: str
    handles_responses: bool
    initial_content_size_ratio: float
    kind: ExtensionKind
    overrides_default_title: bool
    user_interaction_enabled: bool
    def __init__(self, extension_id: _Optional[str] = ..., kind: _Optional[_Union[ExtensionKind, str]] = ..., categories: _Optional[_Iterable[str]] = ..., initial_content_size_ratio: _Optional[float] = ..., default_content_hidden: bool = ..., overrides_default_title: bool = ..., user_interaction_enabled: bool = ..., handles_responses: bool = ...) -> None: ...

class ContentView(_message.Message):
    __slots__ = ["data", "media", "media_type"]
    DATA_FIELD_NUMBER: _ClassVar[int]
    MEDIA_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    media: MediaState
    media_type: str
    def __init__(self, media_type: _Optional[str] = ..., data: _Optional[bytes] = ..., media: _Optional[_Union[MediaState, _Mapping]] = ...) -> None: ...

class MediaState(_message.Message):
    __slots__ = ["button_frame", "button_tint_color", "button_type", "is_playing"]
    BUTTON_FRAME_FIELD_NUMBER: _ClassVar[int]
    BUTTON_TINT_COLOR_FIELD_NUMBER: _ClassVar[int]
    BUTTON_TYPE_FIELD_NUMBER: _ClassVar[int]
    IS_PLAYING_FIELD_NUMBER: _ClassVar[int]
    button_frame: _content_pb2.UnitRect
    button_tint_color: str
    button_type: MediaPlayPauseButtonType
    is_playing: bool
    def __init__(self, button_type: _Optional[_Union[MediaPlayPauseButtonType, str]] = ..., button_frame: _Optional[_Union[_content_pb2.UnitRect, _Mapping]] = ..., button_tint_color: _Optional[str] = ..., is_playing: bool = ...) -> None: ...

class ExtensionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ExtensionOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ContentExtensionResponseOption(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class MediaPlayPauseButtonType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class MediaCommand(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
