from belfry.v1 import center_pb2 as _center_pb2
from belfry.v1 import content_pb2 as _content_pb2
from belfry.v1 import error_pb2 as _error_pb2
from belfry.v1 import event_pb2 as _event_pb2
from belfry.v1 import request_pb2 as _request_pb2
from belfry.v1 import settings_pb2 as _settings_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

APP_STATE_BACKGROUND: AppState
APP_STATE_FOREGROUND: AppState
APP_STATE_NOT_RUNNING: AppState
APP_STATE_SUSPENDED: AppState
BACKGROUND_FETCH_RESULT_FAILED: BackgroundFetchResult
BACKGROUND_FETCH_RESULT_NEW_DATA: BackgroundFetchResult
BACKGROUND_FETCH_RESULT_NO_DATA: BackgroundFetchResult
CALLBACK_OUTCOME_COMPLETED: CallbackOutcome
CALLBACK_OUTCOME_TIMED_OUT: CallbackOutcome
CALLBACK_OUTCOME_UNSPECIFIED: CallbackOutcome
CALLBACK_OUTCOME_WITHDRAWN: CallbackOutcome
DELEGATE_CAPABILITY_BACKGROUND_PUSH: DelegateCapability
DELEGATE_CAPABILITY_DID_RECEIVE: DelegateCapability
DELEGATE_CAPABILITY_OPEN_SETTINGS: DelegateCapability
DELEGATE_CAPABILITY_UNSPECIFIED: DelegateCapability
DELEGATE_CAPABILITY_WILL_PRESENT: DelegateCapability
DESCRIPTOR: _descriptor.FileDescriptor
NO_ANSWER_REASON_DISMISSED: NoAnswerReason
NO_ANSWER_REASON_EVICTED: NoAnswerReason
NO_ANSWER_REASON_EXPIRED: NoAnswerReason
NO_ANSWER_REASON_MISSED: NoAnswerReason
NO_ANSWER_REASON_NOT_PRESENTED: NoAnswerReason
NO_ANSWER_REASON_REMOVED: NoAnswerReason
NO_ANSWER_REASON_REPLACED: NoAnswerReason
NO_ANSWER_REASON_UNSPECIFIED: NoAnswerReason
SUBSCRIBER_ROLE_OBSERVER: SubscriberRole
SUBSCRIBER_ROLE_PRIMARY: SubscriberRole

class Answer(_message.Message):
    __slots__ = ["action_identifier", "callback_id", "delivery", "user_text"]
    ACTION_IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    CALLBACK_ID_FIELD_NUMBER: _ClassVar[int]
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    USER_TEXT_FIELD_NUMBER: _ClassVar[int]
    action_identifier: str
    callback_id: str
    delivery: int
    user_text: str
    def __init__(self, action_identifier: _Optional[str] = ..., user_text: _Optional[str] = ..., delivery: _Optional[int] = ..., callback_id: _Optional[str] = ...) -> None: ...

class AwaitAnswerRequest(_message.Message):
    __slots__ = ["after", "center", "identifier", "request_number"]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    REQUEST_NUMBER_FIELD_NUMBER: _ClassVar[int]
    after: int
    center: _center_pb2.Center
    identifier: str
    request_number: int
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., identifier: _Optional[str] = ..., request_number: _Optional[int] = ..., after: _Optional[int] = ...) -> None: ...

class AwaitAnswerResponse(_message.Message):
    __slots__ = ["answer", "no_answer"]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    NO_ANSWER_FIELD_NUMBER: _ClassVar[int]
    answer: Answer
    no_answer: NoAnswer
    def __init__(self, answer: _Optional[_Union[Answer, _Mapping]] = ..., no_answer: _Optional[_Union[NoAnswer, _Mapping]] = ...) -> None: ...

class BackgroundPush(_message.Message):
    __slots__ = ["apns_id", "trace", "user_info_json"]
    APNS_ID_FIELD_NUMBER: _ClassVar[int]
    TRACE_FIELD_NUMBER: _ClassVar[int]
    USER_INFO_JSON_FIELD_NUMBER: _ClassVar[int]
    apns_id: str
    trace: _request_pb2.TraceContext
    user_info_json: str
    def __init__(self, apns_id: _Optional[str] = ..., user_info_json: _Optional[str] = ..., trace: _Optional[_Union[_request_pb2.TraceContext, _Mapping]] = ...) -> None: ...

class BackgroundPushAnswer(_message.Message):
    __slots__ = ["callback_id", "result"]
    CALLBACK_ID_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    callback_id: str
    result: BackgroundFetchResult
    def __init__(self, callback_id: _Optional[str] = ..., result: _Optional[_Union[BackgroundFetchResult, str]] = ...) -> None: ...

class Callback(_message.Message):
    __slots__ = ["background_push", "callback_id", "deadline", "did_receive", "will_present"]
    BACKGROUND_PUSH_FIELD_NUMBER: _ClassVar[int]
    CALLBACK_ID_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_FIELD_NUMBER: _ClassVar[int]
    DID_RECEIVE_FIELD_NUMBER: _ClassVar[int]
    WILL_PRESENT_FIELD_NUMBER: _ClassVar[int]
    background_push: BackgroundPush
    callback_id: str
    deadline: _timestamp_pb2.Timestamp
    did_receive: NotificationResponse
    will_present: WillPresent
    def __init__(self, callback_id: _Optional[str] = ..., deadline: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., will_present: _Optional[_Union[WillPresent, _Mapping]] = ..., did_receive: _Optional[_Union[NotificationResponse, _Mapping]] = ..., background_push: _Optional[_Union[BackgroundPush, _Mapping]] = ...) -> None: ...

class CallbackEnded(_message.Message):
    __slots__ = ["callback_id", "outcome"]
    CALLBACK_ID_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    callback_id: str
    outcome: CallbackOutcome
    def __init__(self, callback_id: _Optional[str] = ..., outcome: _Optional[_Union[CallbackOutcome, str]] = ...) -> None: ...

class CaughtUp(_message.Message):
    __slots__ = ["last_event_number"]
    LAST_EVENT_NUMBER_FIELD_NUMBER: _ClassVar[int]
    last_event_number: int
    def __init__(self, last_event_number: _Optional[int] = ...) -> None: ...

class CompleteBackgroundPushRequest(_message.Message):
    __slots__ = ["answers", "center", "idempotency_key", "subscription_id"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[BackgroundPushAnswer]
    center: _center_pb2.Center
    idempotency_key: str
    subscription_id: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., subscription_id: _Optional[str] = ..., answers: _Optional[_Iterable[_Union[BackgroundPushAnswer, _Mapping]]] = ...) -> None: ...

class CompleteBackgroundPushResponse(_message.Message):
    __slots__ = ["refused"]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    refused: _containers.RepeatedCompositeFieldContainer[RefusedAnswer]
    def __init__(self, refused: _Optional[_Iterable[_Union[RefusedAnswer, _Mapping]]] = ...) -> None: ...

class CompleteResponseRequest(_message.Message):
    __slots__ = ["answers", "center", "idempotency_key", "subscription_id"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[ResponseAnswer]
    center: _center_pb2.Center
    idempotency_key: str
    subscription_id: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., subscription_id: _Optional[str] = ..., answers: _Optional[_Iterable[_Union[ResponseAnswer, _Mapping]]] = ...) -> None: ...

class CompleteResponseResponse(_message.Message):
    __slots__ = ["app_state", "refused"]
    APP_STATE_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    app_state: AppState
    refused: _containers.RepeatedCompositeFieldContainer[RefusedAnswer]
    def __init__(self, refused: _Optional[_Iterable[_Union[RefusedAnswer, _Mapping]]] = ..., app_state: _Optional[_Union[AppState, str]] = ...) -> None: ...

class CompleteWillPresentRequest(_message.Message):
    __slots__ = ["answers", "center", "idempotency_key", "subscription_id"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[WillPresentAnswer]
    center: _center_pb2.Center
    idempotency_key: str
    subscription_id: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., subscription_id: _Optional[str] = ..., answers: _Optional[_Iterable[_Union[WillPresentAnswer, _Mapping]]] = ...) -> None: ...

class CompleteWillPresentResponse(_message.Message):
    __slots__ = ["app_state", "refused"]
    APP_STATE_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    app_state: AppState
    refused: _containers.RepeatedCompositeFieldContainer[RefusedAnswer]
    def __init__(self, refused: _Optional[_Iterable[_Union[RefusedAnswer, _Mapping]]] = ..., app_state: _Optional[_Union[AppState, str]] = ...) -> None: ...

class Demoted(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ["now"]
    NOW_FIELD_NUMBER: _ClassVar[int]
    now: _timestamp_pb2.Timestamp
    def __init__(self, now: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class NoAnswer(_message.Message):
    __slots__ = ["reason"]
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: NoAnswerReason
    def __init__(self, reason: _Optional[_Union[NoAnswerReason, str]] = ...) -> None: ...

class NotificationResponse(_message.Message):
    __slots__ = ["action_identifier", "notification", "user_text"]
    ACTION_IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    USER_TEXT_FIELD_NUMBER: _ClassVar[int]
    action_identifier: str
    notification: _request_pb2.Notification
    user_text: str
    def __init__(self, notification: _Optional[_Union[_request_pb2.Notification, _Mapping]] = ..., action_identifier: _Optional[str] = ..., user_text: _Optional[str] = ...) -> None: ...

class RefusedAnswer(_message.Message):
    __slots__ = ["callback_id", "error"]
    CALLBACK_ID_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    callback_id: str
    error: _error_pb2.ItemError
    def __init__(self, callback_id: _Optional[str] = ..., error: _Optional[_Union[_error_pb2.ItemError, _Mapping]] = ...) -> None: ...

class ResponseAnswer(_message.Message):
    __slots__ = ["callback_id"]
    CALLBACK_ID_FIELD_NUMBER: _ClassVar[int]
    callback_id: str
    def __init__(self, callback_id: _Optional[str] = ...) -> None: ...

class Snapshot(_message.Message):
    __slots__ = ["as_of_event", "badge", "complete", "delivered", "pending_count", "settings"]
    AS_OF_EVENT_FIELD_NUMBER: _ClassVar[int]
    BADGE_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    DELIVERED_FIELD_NUMBER: _ClassVar[int]
    PENDING_COUNT_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    as_of_event: int
    badge: int
    complete: bool
    delivered: _containers.RepeatedCompositeFieldContainer[_request_pb2.Notification]
    pending_count: int
    settings: _settings_pb2.NotificationSettings
    def __init__(self, as_of_event: _Optional[int] = ..., delivered: _Optional[_Iterable[_Union[_request_pb2.Notification, _Mapping]]] = ..., pending_count: _Optional[int] = ..., badge: _Optional[int] = ..., settings: _Optional[_Union[_settings_pb2.NotificationSettings, _Mapping]] = ..., complete: bool = ...) -> None: ...

class SubscribeRequest(_message.Message):
    __slots__ = ["after", "app_state", "capabilities", "center", "resume_subscription_id", "role", "snapshot", "standing_presentation"]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    APP_STATE_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    RESUME_SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    STANDING_PRESENTATION_FIELD_NUMBER: _ClassVar[int]
    after: int
    app_state: AppState
    capabilities: _containers.RepeatedScalarFieldContainer[DelegateCapability]
    center: _center_pb2.Center
    resume_subscription_id: str
    role: SubscriberRole
    snapshot: bool
    standing_presentation: _content_pb2.PresentationOptions
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., role: _Optional[_Union[SubscriberRole, str]] = ..., capabilities: _Optional[_Iterable[_Union[DelegateCapability, str]]] = ..., app_state: _Optional[_Union[AppState, str]] = ..., after: _Optional[int] = ..., resume_subscription_id: _Optional[str] = ..., snapshot: bool = ..., standing_presentation: _Optional[_Union[_content_pb2.PresentationOptions, _Mapping]] = ...) -> None: ...

class SubscribeResponse(_message.Message):
    __slots__ = ["bookmark", "frames"]
    BOOKMARK_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    bookmark: int
    frames: _containers.RepeatedCompositeFieldContainer[SubscriptionFrame]
    def __init__(self, frames: _Optional[_Iterable[_Union[SubscriptionFrame, _Mapping]]] = ..., bookmark: _Optional[int] = ...) -> None: ...

class SubscriptionFrame(_message.Message):
    __slots__ = ["callback", "callback_ended", "caught_up", "demoted", "event", "heartbeat", "snapshot", "started"]
    CALLBACK_ENDED_FIELD_NUMBER: _ClassVar[int]
    CALLBACK_FIELD_NUMBER: _ClassVar[int]
    CAUGHT_UP_FIELD_NUMBER: _ClassVar[int]
    DEMOTED_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    callback: Callback
    callback_ended: CallbackEnded
    caught_up: CaughtUp
    demoted: Demoted
    event: _event_pb2.Event
    heartbeat: Heartbeat
    snapshot: Snapshot
    started: SubscriptionStarted
    def __init__(self, started: _Optional[_Union[SubscriptionStarted, _Mapping]] = ..., snapshot: _Optional[_Union[Snapshot, _Mapping]] = ..., event: _Optional[_Union[_event_pb2.Event, _Mapping]] = ..., caught_up: _Optional[_Union[CaughtUp, _Mapping]] = ..., callback: _Optional[_Union[Callback, _Mapping]] = ..., callback_ended: _Optional[_Union[CallbackEnded, _Mapping]] = ..., demoted: _Optional[_Union[Demoted, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ...) -> None: ...

class SubscriptionStarted(_message.Message):
    __slots__ = ["app_state", "last_event_number", "role", "subscription_id"]
    APP_STATE_FIELD_NUMBER: _ClassVar[int]
    LAST_EVENT_NUMBER_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    app_state: AppState
    last_event_number: int
    role: SubscriberRole
    subscription_id: str
    def __init__(self, subscription_id: _Optional[str] = ..., role: _Optional[_Union[SubscriberRole, str]] = ..., last_event_number: _Optional[int] = ..., app_state: _Optional[_Union[AppState, str]] = ...) -> None: ...

class UpdateAppStateRequest(_message.Message):
    __slots__ = ["app_state", "center", "idempotency_key", "subscription_id"]
    APP_STATE_FIELD_NUMBER: _ClassVar[int]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    app_state: AppState
    center: _center_pb2.Center
    idempotency_key: str
    subscription_id: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., subscription_id: _Optional[str] = ..., app_state: _Optional[_Union[AppState, str]] = ...) -> None: ...

class UpdateAppStateResponse(_message.Message):
    __slots__ = ["app_state"]
    APP_STATE_FIELD_NUMBER: _ClassVar[int]
    app_state: AppState
    def __init__(self, app_state: _Optional[_Union[AppState, str]] = ...) -> None: ...

class WillPresent(_message.Message):
    __slots__ = ["notification"]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    notification: _request_pb2.Notification
    def __init__(self, notification: _Optional[_Union[_request_pb2.Notification, _Mapping]] = ...) -> None: ...

class WillPresentAnswer(_message.Message):
    __slots__ = ["callback_id", "presentation"]
    CALLBACK_ID_FIELD_NUMBER: _ClassVar[int]
    PRESENTATION_FIELD_NUMBER: _ClassVar[int]
    callback_id: str
    presentation: _content_pb2.PresentationOptions
    def __init__(self, callback_id: _Optional[str] = ..., presentation: _Optional[_Union[_content_pb2.PresentationOptions, _Mapping]] = ...) -> None: ...

class SubscriberRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class DelegateCapability(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class AppState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class CallbackOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class NoAnswerReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class BackgroundFetchResult(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
