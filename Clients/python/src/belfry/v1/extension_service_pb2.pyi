from belfry.v1 import action_pb2 as _action_pb2
from belfry.v1 import center_pb2 as _center_pb2
from belfry.v1 import content_pb2 as _content_pb2
from belfry.v1 import delegate_service_pb2 as _delegate_service_pb2
from belfry.v1 import extension_pb2 as _extension_pb2
from belfry.v1 import request_pb2 as _request_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CallbackExpiring(_message.Message):
    __slots__ = ["callback_id"]
    CALLBACK_ID_FIELD_NUMBER: _ClassVar[int]
    callback_id: str
    def __init__(self, callback_id: _Optional[str] = ...) -> None: ...

class CompleteContentExtensionRequest(_message.Message):
    __slots__ = ["app_id", "callback_id", "idempotency_key", "response_option", "serving_id"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    CALLBACK_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_OPTION_FIELD_NUMBER: _ClassVar[int]
    SERVING_ID_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    callback_id: str
    idempotency_key: str
    response_option: _extension_pb2.ContentExtensionResponseOption
    serving_id: str
    def __init__(self, app_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., serving_id: _Optional[str] = ..., callback_id: _Optional[str] = ..., response_option: _Optional[_Union[_extension_pb2.ContentExtensionResponseOption, str]] = ...) -> None: ...

class CompleteContentExtensionResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class CompleteServiceExtensionRequest(_message.Message):
    __slots__ = ["app_id", "best_attempt", "callback_id", "content", "idempotency_key", "serving_id"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    BEST_ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    CALLBACK_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    SERVING_ID_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    best_attempt: bool
    callback_id: str
    content: _content_pb2.NotificationContent
    idempotency_key: str
    serving_id: str
    def __init__(self, app_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., serving_id: _Optional[str] = ..., callback_id: _Optional[str] = ..., content: _Optional[_Union[_content_pb2.NotificationContent, _Mapping]] = ..., best_attempt: bool = ...) -> None: ...

class CompleteServiceExtensionResponse(_message.Message):
    __slots__ = ["outcome"]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    outcome: _extension_pb2.ExtensionOutcome
    def __init__(self, outcome: _Optional[_Union[_extension_pb2.ExtensionOutcome, str]] = ...) -> None: ...

class ContentFrame(_message.Message):
    __slots__ = ["center", "closed", "media", "presentation_id", "presented"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    MEDIA_FIELD_NUMBER: _ClassVar[int]
    PRESENTATION_ID_FIELD_NUMBER: _ClassVar[int]
    PRESENTED_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    closed: PresentationClosed
    media: _extension_pb2.MediaCommand
    presentation_id: str
    presented: PresentedNotification
    def __init__(self, presentation_id: _Optional[str] = ..., center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., presented: _Optional[_Union[PresentedNotification, _Mapping]] = ..., media: _Optional[_Union[_extension_pb2.MediaCommand, str]] = ..., closed: _Optional[_Union[PresentationClosed, _Mapping]] = ...) -> None: ...

class ContentQuestion(_message.Message):
    __slots__ = ["presentation_id", "response"]
    PRESENTATION_ID_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    presentation_id: str
    response: _delegate_service_pb2.NotificationResponse
    def __init__(self, presentation_id: _Optional[str] = ..., response: _Optional[_Union[_delegate_service_pb2.NotificationResponse, _Mapping]] = ...) -> None: ...

class DismissContentExtensionRequest(_message.Message):
    __slots__ = ["app_id", "idempotency_key", "presentation_id"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    PRESENTATION_ID_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    idempotency_key: str
    presentation_id: str
    def __init__(self, app_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., presentation_id: _Optional[str] = ...) -> None: ...

class DismissContentExtensionResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ExtensionCallback(_message.Message):
    __slots__ = ["callback_id", "center", "content", "deadline", "service"]
    CALLBACK_ID_FIELD_NUMBER: _ClassVar[int]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_FIELD_NUMBER: _ClassVar[int]
    SERVICE_FIELD_NUMBER: _ClassVar[int]
    callback_id: str
    center: _center_pb2.Center
    content: ContentQuestion
    deadline: _timestamp_pb2.Timestamp
    service: ServiceQuestion
    def __init__(self, callback_id: _Optional[str] = ..., deadline: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., service: _Optional[_Union[ServiceQuestion, _Mapping]] = ..., content: _Optional[_Union[ContentQuestion, _Mapping]] = ...) -> None: ...

class ExtensionFrame(_message.Message):
    __slots__ = ["callback", "callback_ended", "callback_expiring", "content", "heartbeat", "started"]
    CALLBACK_ENDED_FIELD_NUMBER: _ClassVar[int]
    CALLBACK_EXPIRING_FIELD_NUMBER: _ClassVar[int]
    CALLBACK_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    callback: ExtensionCallback
    callback_ended: _delegate_service_pb2.CallbackEnded
    callback_expiring: CallbackExpiring
    content: ContentFrame
    heartbeat: _delegate_service_pb2.Heartbeat
    started: ExtensionStarted
    def __init__(self, started: _Optional[_Union[ExtensionStarted, _Mapping]] = ..., callback: _Optional[_Union[ExtensionCallback, _Mapping]] = ..., callback_expiring: _Optional[_Union[CallbackExpiring, _Mapping]] = ..., callback_ended: _Optional[_Union[_delegate_service_pb2.CallbackEnded, _Mapping]] = ..., content: _Optional[_Union[ContentFrame, _Mapping]] = ..., heartbeat: _Optional[_Union[_delegate_service_pb2.Heartbeat, _Mapping]] = ...) -> None: ...

class ExtensionStarted(_message.Message):
    __slots__ = ["serving_id"]
    SERVING_ID_FIELD_NUMBER: _ClassVar[int]
    serving_id: str
    def __init__(self, serving_id: _Optional[str] = ...) -> None: ...

class GetNotificationActionsRequest(_message.Message):
    __slots__ = ["app_id", "presentation_id"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    PRESENTATION_ID_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    presentation_id: str
    def __init__(self, app_id: _Optional[str] = ..., presentation_id: _Optional[str] = ...) -> None: ...

class GetNotificationActionsResponse(_message.Message):
    __slots__ = ["actions"]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedCompositeFieldContainer[_action_pb2.NotificationAction]
    def __init__(self, actions: _Optional[_Iterable[_Union[_action_pb2.NotificationAction, _Mapping]]] = ...) -> None: ...

class PerformDefaultActionRequest(_message.Message):
    __slots__ = ["app_id", "idempotency_key", "presentation_id"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    PRESENTATION_ID_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    idempotency_key: str
    presentation_id: str
    def __init__(self, app_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., presentation_id: _Optional[str] = ...) -> None: ...

class PerformDefaultActionResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class PresentationClosed(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class PresentedNotification(_message.Message):
    __slots__ = ["actions", "notification"]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedCompositeFieldContainer[_action_pb2.NotificationAction]
    notification: _request_pb2.Notification
    def __init__(self, notification: _Optional[_Union[_request_pb2.Notification, _Mapping]] = ..., actions: _Optional[_Iterable[_Union[_action_pb2.NotificationAction, _Mapping]]] = ...) -> None: ...

class ServeRequest(_message.Message):
    __slots__ = ["app_id", "extension"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    EXTENSION_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    extension: _extension_pb2.AppExtension
    def __init__(self, app_id: _Optional[str] = ..., extension: _Optional[_Union[_extension_pb2.AppExtension, _Mapping]] = ...) -> None: ...

class ServeResponse(_message.Message):
    __slots__ = ["frames"]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    frames: _containers.RepeatedCompositeFieldContainer[ExtensionFrame]
    def __init__(self, frames: _Optional[_Iterable[_Union[ExtensionFrame, _Mapping]]] = ...) -> None: ...

class ServiceQuestion(_message.Message):
    __slots__ = ["request", "trace"]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    TRACE_FIELD_NUMBER: _ClassVar[int]
    request: _request_pb2.NotificationRequest
    trace: _request_pb2.TraceContext
    def __init__(self, request: _Optional[_Union[_request_pb2.NotificationRequest, _Mapping]] = ..., trace: _Optional[_Union[_request_pb2.TraceContext, _Mapping]] = ...) -> None: ...

class SetNotificationActionsRequest(_message.Message):
    __slots__ = ["actions", "app_id", "idempotency_key", "presentation_id"]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    PRESENTATION_ID_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedCompositeFieldContainer[_action_pb2.NotificationAction]
    app_id: str
    idempotency_key: str
    presentation_id: str
    def __init__(self, app_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., presentation_id: _Optional[str] = ..., actions: _Optional[_Iterable[_Union[_action_pb2.NotificationAction, _Mapping]]] = ...) -> None: ...

class SetNotificationActionsResponse(_message.Message):
    __slots__ = ["actions"]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedCompositeFieldContainer[_action_pb2.NotificationAction]
    def __init__(self, actions: _Optional[_Iterable[_Union[_action_pb2.NotificationAction, _Mapping]]] = ...) -> None: ...

class UpdateContentViewRequest(_message.Message):
    __slots__ = ["app_id", "idempotency_key", "presentation_id", "view"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    PRESENTATION_ID_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    idempotency_key: str
    presentation_id: str
    view: _extension_pb2.ContentView
    def __init__(self, app_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., presentation_id: _Optional[str] = ..., view: _Optional[_Union[_extension_pb2.ContentView, _Mapping]] = ...) -> None: ...

class UpdateContentViewResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...
