from belfry.v1 import action_pb2 as _action_pb2
from belfry.v1 import center_pb2 as _center_pb2
from belfry.v1 import localized_text_pb2 as _localized_text_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

CATEGORY_OPTION_ALLOW_ANNOUNCEMENT: CategoryOption
CATEGORY_OPTION_ALLOW_IN_CAR_PLAY: CategoryOption
CATEGORY_OPTION_CUSTOM_DISMISS_ACTION: CategoryOption
CATEGORY_OPTION_HIDDEN_PREVIEWS_SHOW_SUBTITLE: CategoryOption
CATEGORY_OPTION_HIDDEN_PREVIEWS_SHOW_TITLE: CategoryOption
CATEGORY_OPTION_UNSPECIFIED: CategoryOption
CATEGORY_WARNING_KIND_ACTIONS_NOT_ALL_SHOWN: CategoryWarningKind
CATEGORY_WARNING_KIND_ACTION_MEANING_DIFFERS: CategoryWarningKind
CATEGORY_WARNING_KIND_UNSPECIFIED: CategoryWarningKind
DESCRIPTOR: _descriptor.FileDescriptor

class CategoryWarning(_message.Message):
    __slots__ = ["kind", "message", "path"]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    kind: CategoryWarningKind
    message: str
    path: str
    def __init__(self, kind: _Optional[_Union[CategoryWarningKind, str]] = ..., path: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class GetNotificationCategoriesRequest(_message.Message):
    __slots__ = ["center"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ...) -> None: ...

class GetNotificationCategoriesResponse(_message.Message):
    __slots__ = ["categories"]
    CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    categories: _containers.RepeatedCompositeFieldContainer[NotificationCategory]
    def __init__(self, categories: _Optional[_Iterable[_Union[NotificationCategory, _Mapping]]] = ...) -> None: ...

class NotificationCategory(_message.Message):
    __slots__ = ["actions", "category_summary_format", "hidden_previews_body_placeholder", "identifier", "intent_identifiers", "localized_category_summary_format", "localized_hidden_previews_body_placeholder", "options", "snooze"]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_SUMMARY_FORMAT_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_PREVIEWS_BODY_PLACEHOLDER_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    INTENT_IDENTIFIERS_FIELD_NUMBER: _ClassVar[int]
    LOCALIZED_CATEGORY_SUMMARY_FORMAT_FIELD_NUMBER: _ClassVar[int]
    LOCALIZED_HIDDEN_PREVIEWS_BODY_PLACEHOLDER_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SNOOZE_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedCompositeFieldContainer[_action_pb2.NotificationAction]
    category_summary_format: str
    hidden_previews_body_placeholder: str
    identifier: str
    intent_identifiers: _containers.RepeatedScalarFieldContainer[str]
    localized_category_summary_format: _localized_text_pb2.LocalizedText
    localized_hidden_previews_body_placeholder: _localized_text_pb2.LocalizedText
    options: _containers.RepeatedScalarFieldContainer[CategoryOption]
    snooze: SnoozeOffer
    def __init__(self, identifier: _Optional[str] = ..., actions: _Optional[_Iterable[_Union[_action_pb2.NotificationAction, _Mapping]]] = ..., intent_identifiers: _Optional[_Iterable[str]] = ..., hidden_previews_body_placeholder: _Optional[str] = ..., category_summary_format: _Optional[str] = ..., options: _Optional[_Iterable[_Union[CategoryOption, str]]] = ..., localized_hidden_previews_body_placeholder: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., localized_category_summary_format: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., snooze: _Optional[_Union[SnoozeOffer, _Mapping]] = ...) -> None: ...

class RemoveNotificationCategoriesRequest(_message.Message):
    __slots__ = ["center", "idempotency_key", "identifiers"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIERS_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    idempotency_key: str
    identifiers: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., identifiers: _Optional[_Iterable[str]] = ...) -> None: ...

class RemoveNotificationCategoriesResponse(_message.Message):
    __slots__ = ["removed_identifiers"]
    REMOVED_IDENTIFIERS_FIELD_NUMBER: _ClassVar[int]
    removed_identifiers: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, removed_identifiers: _Optional[_Iterable[str]] = ...) -> None: ...

class SetNotificationCategoriesRequest(_message.Message):
    __slots__ = ["categories", "center", "idempotency_key"]
    CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    categories: _containers.RepeatedCompositeFieldContainer[NotificationCategory]
    center: _center_pb2.Center
    idempotency_key: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., categories: _Optional[_Iterable[_Union[NotificationCategory, _Mapping]]] = ...) -> None: ...

class SetNotificationCategoriesResponse(_message.Message):
    __slots__ = ["warnings"]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    warnings: _containers.RepeatedCompositeFieldContainer[CategoryWarning]
    def __init__(self, warnings: _Optional[_Iterable[_Union[CategoryWarning, _Mapping]]] = ...) -> None: ...

class SnoozeOffer(_message.Message):
    __slots__ = ["duration", "localized_title", "title"]
    DURATION_FIELD_NUMBER: _ClassVar[int]
    LOCALIZED_TITLE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    duration: _duration_pb2.Duration
    localized_title: _localized_text_pb2.LocalizedText
    title: str
    def __init__(self, duration: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., title: _Optional[str] = ..., localized_title: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ...) -> None: ...

class UpsertNotificationCategoriesRequest(_message.Message):
    __slots__ = ["categories", "center", "idempotency_key"]
    CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    categories: _containers.RepeatedCompositeFieldContainer[NotificationCategory]
    center: _center_pb2.Center
    idempotency_key: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., categories: _Optional[_Iterable[_Union[NotificationCategory, _Mapping]]] = ...) -> None: ...

class UpsertNotificationCategoriesResponse(_message.Message):
    __slots__ = ["warnings"]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    warnings: _containers.RepeatedCompositeFieldContainer[CategoryWarning]
    def __init__(self, warnings: _Optional[_Iterable[_Union[CategoryWarning, _Mapping]]] = ...) -> None: ...

class CategoryOption(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class CategoryWarningKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
