from belfry.v1 import action_pb2 as _action_pb2
from belfry.v1 import localized_text_pb2 as _localized_text_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

BADGE_MODE_INCREMENT: BadgeMode
BADGE_MODE_SET: BadgeMode
COMMUNICATION_KIND_CALL: CommunicationKind
COMMUNICATION_KIND_MESSAGE: CommunicationKind
COMMUNICATION_KIND_UNSPECIFIED: CommunicationKind
DESCRIPTOR: _descriptor.FileDescriptor
INTERRUPTION_LEVEL_ACTIVE: InterruptionLevel
INTERRUPTION_LEVEL_CRITICAL: InterruptionLevel
INTERRUPTION_LEVEL_PASSIVE: InterruptionLevel
INTERRUPTION_LEVEL_TIME_SENSITIVE: InterruptionLevel
PRESENTATION_OPTION_ALERT: PresentationOption
PRESENTATION_OPTION_BADGE: PresentationOption
PRESENTATION_OPTION_BANNER: PresentationOption
PRESENTATION_OPTION_LIST: PresentationOption
PRESENTATION_OPTION_SOUND: PresentationOption
PRESENTATION_OPTION_UNSPECIFIED: PresentationOption
SOUND_KIND_DEFAULT: SoundKind
SOUND_KIND_RINGTONE: SoundKind

class AttachmentReference(_message.Message):
    __slots__ = ["attachment_id", "identifier", "thumbnail_clipping_rect", "thumbnail_frame", "thumbnail_hidden", "thumbnail_offset", "type"]
    ATTACHMENT_ID_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    THUMBNAIL_CLIPPING_RECT_FIELD_NUMBER: _ClassVar[int]
    THUMBNAIL_FRAME_FIELD_NUMBER: _ClassVar[int]
    THUMBNAIL_HIDDEN_FIELD_NUMBER: _ClassVar[int]
    THUMBNAIL_OFFSET_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    attachment_id: str
    identifier: str
    thumbnail_clipping_rect: UnitRect
    thumbnail_frame: int
    thumbnail_hidden: bool
    thumbnail_offset: _duration_pb2.Duration
    type: str
    def __init__(self, identifier: _Optional[str] = ..., attachment_id: _Optional[str] = ..., thumbnail_hidden: bool = ..., thumbnail_clipping_rect: _Optional[_Union[UnitRect, _Mapping]] = ..., thumbnail_offset: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., thumbnail_frame: _Optional[int] = ..., type: _Optional[str] = ...) -> None: ...

class Communication(_message.Message):
    __slots__ = ["avatar_attachment_id", "conversation_id", "group_name", "kind", "recipients", "sender"]
    AVATAR_ATTACHMENT_ID_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    GROUP_NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    RECIPIENTS_FIELD_NUMBER: _ClassVar[int]
    SENDER_FIELD_NUMBER: _ClassVar[int]
    avatar_attachment_id: str
    conversation_id: str
    group_name: str
    kind: CommunicationKind
    recipients: _containers.RepeatedScalarFieldContainer[str]
    sender: str
    def __init__(self, kind: _Optional[_Union[CommunicationKind, str]] = ..., sender: _Optional[str] = ..., recipients: _Optional[_Iterable[str]] = ..., conversation_id: _Optional[str] = ..., group_name: _Optional[str] = ..., avatar_attachment_id: _Optional[str] = ...) -> None: ...

class NotificationContent(_message.Message):
    __slots__ = ["actions", "attachments", "badge", "badge_mode", "body", "category_identifier", "communication", "filter_criteria", "foreground_presentation", "interruption_level", "launch_image_name", "localized_body", "localized_subtitle", "localized_title", "progress", "relevance_score", "sound", "subtitle", "summary_argument", "summary_argument_count", "target_content_identifier", "thread_identifier", "title", "updates_quietly", "user_info_json"]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    ATTACHMENTS_FIELD_NUMBER: _ClassVar[int]
    BADGE_FIELD_NUMBER: _ClassVar[int]
    BADGE_MODE_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    COMMUNICATION_FIELD_NUMBER: _ClassVar[int]
    FILTER_CRITERIA_FIELD_NUMBER: _ClassVar[int]
    FOREGROUND_PRESENTATION_FIELD_NUMBER: _ClassVar[int]
    INTERRUPTION_LEVEL_FIELD_NUMBER: _ClassVar[int]
    LAUNCH_IMAGE_NAME_FIELD_NUMBER: _ClassVar[int]
    LOCALIZED_BODY_FIELD_NUMBER: _ClassVar[int]
    LOCALIZED_SUBTITLE_FIELD_NUMBER: _ClassVar[int]
    LOCALIZED_TITLE_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    RELEVANCE_SCORE_FIELD_NUMBER: _ClassVar[int]
    SOUND_FIELD_NUMBER: _ClassVar[int]
    SUBTITLE_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_ARGUMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_ARGUMENT_FIELD_NUMBER: _ClassVar[int]
    TARGET_CONTENT_IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    THREAD_IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    UPDATES_QUIETLY_FIELD_NUMBER: _ClassVar[int]
    USER_INFO_JSON_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedCompositeFieldContainer[_action_pb2.NotificationAction]
    attachments: _containers.RepeatedCompositeFieldContainer[AttachmentReference]
    badge: int
    badge_mode: BadgeMode
    body: str
    category_identifier: str
    communication: Communication
    filter_criteria: str
    foreground_presentation: PresentationOptions
    interruption_level: InterruptionLevel
    launch_image_name: str
    localized_body: _localized_text_pb2.LocalizedText
    localized_subtitle: _localized_text_pb2.LocalizedText
    localized_title: _localized_text_pb2.LocalizedText
    progress: float
    relevance_score: float
    sound: Sound
    subtitle: str
    summary_argument: str
    summary_argument_count: int
    target_content_identifier: str
    thread_identifier: str
    title: str
    updates_quietly: bool
    user_info_json: str
    def __init__(self, title: _Optional[str] = ..., subtitle: _Optional[str] = ..., body: _Optional[str] = ..., badge: _Optional[int] = ..., badge_mode: _Optional[_Union[BadgeMode, str]] = ..., sound: _Optional[_Union[Sound, _Mapping]] = ..., attachments: _Optional[_Iterable[_Union[AttachmentReference, _Mapping]]] = ..., category_identifier: _Optional[str] = ..., thread_identifier: _Optional[str] = ..., user_info_json: _Optional[str] = ..., launch_image_name: _Optional[str] = ..., summary_argument: _Optional[str] = ..., summary_argument_count: _Optional[int] = ..., target_content_identifier: _Optional[str] = ..., interruption_level: _Optional[_Union[InterruptionLevel, str]] = ..., relevance_score: _Optional[float] = ..., filter_criteria: _Optional[str] = ..., foreground_presentation: _Optional[_Union[PresentationOptions, _Mapping]] = ..., communication: _Optional[_Union[Communication, _Mapping]] = ..., localized_title: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., localized_subtitle: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., localized_body: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., actions: _Optional[_Iterable[_Union[_action_pb2.NotificationAction, _Mapping]]] = ..., progress: _Optional[float] = ..., updates_quietly: bool = ...) -> None: ...

class PresentationOptions(_message.Message):
    __slots__ = ["options"]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    options: _containers.RepeatedScalarFieldContainer[PresentationOption]
    def __init__(self, options: _Optional[_Iterable[_Union[PresentationOption, str]]] = ...) -> None: ...

class Sound(_message.Message):
    __slots__ = ["critical", "kind", "name", "volume"]
    CRITICAL_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VOLUME_FIELD_NUMBER: _ClassVar[int]
    critical: bool
    kind: SoundKind
    name: str
    volume: float
    def __init__(self, kind: _Optional[_Union[SoundKind, str]] = ..., name: _Optional[str] = ..., critical: bool = ..., volume: _Optional[float] = ...) -> None: ...

class UnitRect(_message.Message):
    __slots__ = ["height", "width", "x", "y"]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    height: float
    width: float
    x: float
    y: float
    def __init__(self, x: _Optional[float] = ..., y: _Optional[float] = ..., width: _Optional[float] = ..., height: _Optional[float] = ...) -> None: ...

class CommunicationKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class InterruptionLevel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class BadgeMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class PresentationOption(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SoundKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
