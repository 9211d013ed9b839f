from belfry.v1 import content_pb2 as _content_pb2
from belfry.v1 import extension_pb2 as _extension_pb2
from belfry.v1 import request_pb2 as _request_pb2
from belfry.v1 import settings_pb2 as _settings_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

BACKGROUND_PUSH_END_EXPIRED: BackgroundPushEnd
BACKGROUND_PUSH_END_FAILED: BackgroundPushEnd
BACKGROUND_PUSH_END_NEW_DATA: BackgroundPushEnd
BACKGROUND_PUSH_END_NO_DATA: BackgroundPushEnd
BACKGROUND_PUSH_END_REPLACED: BackgroundPushEnd
BACKGROUND_PUSH_END_TIMED_OUT: BackgroundPushEnd
BACKGROUND_PUSH_END_UNSPECIFIED: BackgroundPushEnd
DESCRIPTOR: _descriptor.FileDescriptor
REMOVAL_CAUSE_APP: RemovalCause
REMOVAL_CAUSE_PERSON: RemovalCause
REMOVAL_CAUSE_PROVIDER: RemovalCause
REMOVAL_CAUSE_REPLACED: RemovalCause
REMOVAL_CAUSE_RETENTION: RemovalCause
REMOVAL_CAUSE_UNSPECIFIED: RemovalCause
SUPPRESSION_REASON_FILTERED: SuppressionReason
SUPPRESSION_REASON_NOT_AUTHORIZED: SuppressionReason
SUPPRESSION_REASON_NOT_PRESENTED: SuppressionReason
SUPPRESSION_REASON_UNSPECIFIED: SuppressionReason

class BackgroundPushEvent(_message.Message):
    __slots__ = ["apns_id", "end"]
    APNS_ID_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    apns_id: str
    end: BackgroundPushEnd
    def __init__(self, apns_id: _Optional[str] = ..., end: _Optional[_Union[BackgroundPushEnd, str]] = ...) -> None: ...

class BadgeChangedEvent(_message.Message):
    __slots__ = ["badge"]
    BADGE_FIELD_NUMBER: _ClassVar[int]
    badge: int
    def __init__(self, badge: _Optional[int] = ...) -> None: ...

class DeliveredEvent(_message.Message):
    __slots__ = ["collapsed_count", "extension_outcome", "late_by", "notification", "presentation", "replaced_delivery", "snoozed_delivery"]
    COLLAPSED_COUNT_FIELD_NUMBER: _ClassVar[int]
    EXTENSION_OUTCOME_FIELD_NUMBER: _ClassVar[int]
    LATE_BY_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    PRESENTATION_FIELD_NUMBER: _ClassVar[int]
    REPLACED_DELIVERY_FIELD_NUMBER: _ClassVar[int]
    SNOOZED_DELIVERY_FIELD_NUMBER: _ClassVar[int]
    collapsed_count: int
    extension_outcome: _extension_pb2.ExtensionOutcome
    late_by: _duration_pb2.Duration
    notification: _request_pb2.Notification
    presentation: Presentation
    replaced_delivery: int
    snoozed_delivery: int
    def __init__(self, notification: _Optional[_Union[_request_pb2.Notification, _Mapping]] = ..., presentation: _Optional[_Union[Presentation, _Mapping]] = ..., late_by: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., replaced_delivery: _Optional[int] = ..., collapsed_count: _Optional[int] = ..., extension_outcome: _Optional[_Union[_extension_pb2.ExtensionOutcome, str]] = ..., snoozed_delivery: _Optional[int] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ["background_push", "badge_changed", "delivered", "evicted", "expired", "held", "missed", "number", "open_settings", "recorded_at", "removed", "response_completed", "response_expired", "settings_changed", "snoozed", "summary_presented", "suppressed", "token_changed"]
    BACKGROUND_PUSH_FIELD_NUMBER: _ClassVar[int]
    BADGE_CHANGED_FIELD_NUMBER: _ClassVar[int]
    DELIVERED_FIELD_NUMBER: _ClassVar[int]
    EVICTED_FIELD_NUMBER: _ClassVar[int]
    EXPIRED_FIELD_NUMBER: _ClassVar[int]
    HELD_FIELD_NUMBER: _ClassVar[int]
    MISSED_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    OPEN_SETTINGS_FIELD_NUMBER: _ClassVar[int]
    RECORDED_AT_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_COMPLETED_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_EXPIRED_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_CHANGED_FIELD_NUMBER: _ClassVar[int]
    SNOOZED_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_PRESENTED_FIELD_NUMBER: _ClassVar[int]
    SUPPRESSED_FIELD_NUMBER: _ClassVar[int]
    TOKEN_CHANGED_FIELD_NUMBER: _ClassVar[int]
    background_push: BackgroundPushEvent
    badge_changed: BadgeChangedEvent
    delivered: DeliveredEvent
    evicted: EvictedEvent
    expired: ExpiredEvent
    held: HeldEvent
    missed: MissedEvent
    number: int
    open_settings: OpenSettingsEvent
    recorded_at: _timestamp_pb2.Timestamp
    removed: RemovedEvent
    response_completed: ResponseCompletedEvent
    response_expired: ResponseExpiredEvent
    settings_changed: SettingsChangedEvent
    snoozed: SnoozedEvent
    summary_presented: SummaryPresentedEvent
    suppressed: SuppressedEvent
    token_changed: TokenChangedEvent
    def __init__(self, number: _Optional[int] = ..., recorded_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., delivered: _Optional[_Union[DeliveredEvent, _Mapping]] = ..., suppressed: _Optional[_Union[SuppressedEvent, _Mapping]] = ..., held: _Optional[_Union[HeldEvent, _Mapping]] = ..., summary_presented: _Optional[_Union[SummaryPresentedEvent, _Mapping]] = ..., missed: _Optional[_Union[MissedEvent, _Mapping]] = ..., expired: _Optional[_Union[ExpiredEvent, _Mapping]] = ..., evicted: _Optional[_Union[EvictedEvent, _Mapping]] = ..., removed: _Optional[_Union[RemovedEvent, _Mapping]] = ..., response_completed: _Optional[_Union[ResponseCompletedEvent, _Mapping]] = ..., response_expired: _Optional[_Union[ResponseExpiredEvent, _Mapping]] = ..., settings_changed: _Optional[_Union[SettingsChangedEvent, _Mapping]] = ..., badge_changed: _Optional[_Union[BadgeChangedEvent, _Mapping]] = ..., token_changed: _Optional[_Union[TokenChangedEvent, _Mapping]] = ..., open_settings: _Optional[_Union[OpenSettingsEvent, _Mapping]] = ..., snoozed: _Optional[_Union[SnoozedEvent, _Mapping]] = ..., background_push: _Optional[_Union[BackgroundPushEvent, _Mapping]] = ...) -> None: ...

class EvictedEvent(_message.Message):
    __slots__ = ["evicted_by", "identifier"]
    EVICTED_BY_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    evicted_by: str
    identifier: str
    def __init__(self, identifier: _Optional[str] = ..., evicted_by: _Optional[str] = ...) -> None: ...

class ExpiredEvent(_message.Message):
    __slots__ = ["identifier"]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    identifier: str
    def __init__(self, identifier: _Optional[str] = ...) -> None: ...

class HeldEvent(_message.Message):
    __slots__ = ["collapsed_count", "late_by", "notification", "replaced_delivery", "snoozed_delivery", "until"]
    COLLAPSED_COUNT_FIELD_NUMBER: _ClassVar[int]
    LATE_BY_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    REPLACED_DELIVERY_FIELD_NUMBER: _ClassVar[int]
    SNOOZED_DELIVERY_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    collapsed_count: int
    late_by: _duration_pb2.Duration
    notification: _request_pb2.Notification
    replaced_delivery: int
    snoozed_delivery: int
    until: _timestamp_pb2.Timestamp
    def __init__(self, notification: _Optional[_Union[_request_pb2.Notification, _Mapping]] = ..., until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., late_by: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., replaced_delivery: _Optional[int] = ..., collapsed_count: _Optional[int] = ..., snoozed_delivery: _Optional[int] = ...) -> None: ...

class MissedEvent(_message.Message):
    __slots__ = ["due_at", "identifier", "late_by", "trace"]
    DUE_AT_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    LATE_BY_FIELD_NUMBER: _ClassVar[int]
    TRACE_FIELD_NUMBER: _ClassVar[int]
    due_at: _timestamp_pb2.Timestamp
    identifier: str
    late_by: _duration_pb2.Duration
    trace: _request_pb2.TraceContext
    def __init__(self, identifier: _Optional[str] = ..., due_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., late_by: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., trace: _Optional[_Union[_request_pb2.TraceContext, _Mapping]] = ...) -> None: ...

class OpenSettingsEvent(_message.Message):
    __slots__ = ["notification"]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    notification: _request_pb2.NotificationRef
    def __init__(self, notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ...) -> None: ...

class Presentation(_message.Message):
    __slots__ = ["options", "quiet", "silenced_by_focus", "timed_out"]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    QUIET_FIELD_NUMBER: _ClassVar[int]
    SILENCED_BY_FOCUS_FIELD_NUMBER: _ClassVar[int]
    TIMED_OUT_FIELD_NUMBER: _ClassVar[int]
    options: _containers.RepeatedScalarFieldContainer[_content_pb2.PresentationOption]
    quiet: bool
    silenced_by_focus: str
    timed_out: bool
    def __init__(self, options: _Optional[_Iterable[_Union[_content_pb2.PresentationOption, str]]] = ..., quiet: bool = ..., timed_out: bool = ..., silenced_by_focus: _Optional[str] = ...) -> None: ...

class RemovedEvent(_message.Message):
    __slots__ = ["cause", "delivery", "identifier", "state"]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    cause: RemovalCause
    delivery: int
    identifier: str
    state: _request_pb2.RequestState
    def __init__(self, identifier: _Optional[str] = ..., state: _Optional[_Union[_request_pb2.RequestState, str]] = ..., delivery: _Optional[int] = ..., cause: _Optional[_Union[RemovalCause, str]] = ...) -> None: ...

class ResponseCompletedEvent(_message.Message):
    __slots__ = ["action_identifier", "notification", "user_text"]
    ACTION_IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    USER_TEXT_FIELD_NUMBER: _ClassVar[int]
    action_identifier: str
    notification: _request_pb2.NotificationRef
    user_text: str
    def __init__(self, notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ..., action_identifier: _Optional[str] = ..., user_text: _Optional[str] = ...) -> None: ...

class ResponseExpiredEvent(_message.Message):
    __slots__ = ["action_identifier", "notification", "user_text"]
    ACTION_IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    USER_TEXT_FIELD_NUMBER: _ClassVar[int]
    action_identifier: str
    notification: _request_pb2.NotificationRef
    user_text: str
    def __init__(self, notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ..., action_identifier: _Optional[str] = ..., user_text: _Optional[str] = ...) -> None: ...

class SettingsChangedEvent(_message.Message):
    __slots__ = ["settings"]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    settings: _settings_pb2.NotificationSettings
    def __init__(self, settings: _Optional[_Union[_settings_pb2.NotificationSettings, _Mapping]] = ...) -> None: ...

class SnoozedEvent(_message.Message):
    __slots__ = ["delivery", "identifier", "until"]
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    delivery: int
    identifier: str
    until: _timestamp_pb2.Timestamp
    def __init__(self, identifier: _Optional[str] = ..., delivery: _Optional[int] = ..., until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SummaryPresentedEvent(_message.Message):
    __slots__ = ["notifications"]
    NOTIFICATIONS_FIELD_NUMBER: _ClassVar[int]
    notifications: _containers.RepeatedCompositeFieldContainer[_request_pb2.NotificationRef]
    def __init__(self, notifications: _Optional[_Iterable[_Union[_request_pb2.NotificationRef, _Mapping]]] = ...) -> None: ...

class SuppressedEvent(_message.Message):
    __slots__ = ["due_at", "identifier", "reason", "replaced_delivery", "snoozed_delivery", "trace"]
    DUE_AT_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REPLACED_DELIVERY_FIELD_NUMBER: _ClassVar[int]
    SNOOZED_DELIVERY_FIELD_NUMBER: _ClassVar[int]
    TRACE_FIELD_NUMBER: _ClassVar[int]
    due_at: _timestamp_pb2.Timestamp
    identifier: str
    reason: SuppressionReason
    replaced_delivery: int
    snoozed_delivery: int
    trace: _request_pb2.TraceContext
    def __init__(self, identifier: _Optional[str] = ..., reason: _Optional[_Union[SuppressionReason, str]] = ..., due_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., replaced_delivery: _Optional[int] = ..., snoozed_delivery: _Optional[int] = ..., trace: _Optional[_Union[_request_pb2.TraceContext, _Mapping]] = ...) -> None: ...

class TokenChangedEvent(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SuppressionReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class RemovalCause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class BackgroundPushEnd(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
