from belfry.v1 import authorization_prompt_pb2 as _authorization_prompt_pb2
from belfry.v1 import center_pb2 as _center_pb2
from belfry.v1 import device_pb2 as _device_pb2
from belfry.v1 import device_frames_pb2 as _device_frames_pb2
from belfry.v1 import extension_pb2 as _extension_pb2
from belfry.v1 import history_pb2 as _history_pb2
from belfry.v1 import notification_list_pb2 as _notification_list_pb2
from belfry.v1 import request_pb2 as _request_pb2
from belfry.v1 import sensors_pb2 as _sensors_pb2
from belfry.v1 import settings_pb2 as _settings_pb2
from belfry.v1 import snooze_pb2 as _snooze_pb2
from belfry.v1 import web_push_pb2 as _web_push_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
DISMISS_KIND_CLEAR: DismissKind
DISMISS_KIND_SWIPE_AWAY: DismissKind
DISMISS_KIND_UNSPECIFIED: DismissKind
RESPOND_OUTCOME_HANDLED_BY_EXTENSION: RespondOutcome
RESPOND_OUTCOME_SENT: RespondOutcome
RESPOND_OUTCOME_SNOOZED: RespondOutcome
RESPOND_OUTCOME_UNSPECIFIED: RespondOutcome
RESPOND_OUTCOME_WAITING_FOR_UNLOCK: RespondOutcome

class AllNotifications(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class CloseNotificationRequest(_message.Message):
    __slots__ = ["device_id", "idempotency_key", "presentation_id"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    PRESENTATION_ID_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    idempotency_key: str
    presentation_id: str
    def __init__(self, device_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., presentation_id: _Optional[str] = ...) -> None: ...

class CloseNotificationResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class CreateWebPushSubscriptionRequest(_message.Message):
    __slots__ = ["auth", "device_id", "endpoint", "idempotency_key", "p256dh"]
    AUTH_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    P256DH_FIELD_NUMBER: _ClassVar[int]
    auth: bytes
    device_id: str
    endpoint: str
    idempotency_key: str
    p256dh: bytes
    def __init__(self, device_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., endpoint: _Optional[str] = ..., p256dh: _Optional[bytes] = ..., auth: _Optional[bytes] = ...) -> None: ...

class CreateWebPushSubscriptionResponse(_message.Message):
    __slots__ = ["subscription"]
    SUBSCRIPTION_FIELD_NUMBER: _ClassVar[int]
    subscription: _web_push_pb2.WebPushSubscription
    def __init__(self, subscription: _Optional[_Union[_web_push_pb2.WebPushSubscription, _Mapping]] = ...) -> None: ...

class CustomAction(_message.Message):
    __slots__ = ["action_identifier", "user_text"]
    ACTION_IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    USER_TEXT_FIELD_NUMBER: _ClassVar[int]
    action_identifier: str
    user_text: str
    def __init__(self, action_identifier: _Optional[str] = ..., user_text: _Optional[str] = ...) -> None: ...

class DefaultAction(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class DeleteWebPushSubscriptionRequest(_message.Message):
    __slots__ = ["device_id", "id", "idempotency_key"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    id: str
    idempotency_key: str
    def __init__(self, device_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., id: _Optional[str] = ...) -> None: ...

class DeleteWebPushSubscriptionResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class DismissRequest(_message.Message):
    __slots__ = ["all", "device_id", "group_id", "idempotency_key", "kind", "notification", "notifications"]
    ALL_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATIONS_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    all: AllNotifications
    device_id: str
    group_id: str
    idempotency_key: str
    kind: DismissKind
    notification: _request_pb2.NotificationRef
    notifications: _containers.RepeatedCompositeFieldContainer[_request_pb2.NotificationRef]
    def __init__(self, device_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ..., group_id: _Optional[str] = ..., all: _Optional[_Union[AllNotifications, _Mapping]] = ..., kind: _Optional[_Union[DismissKind, str]] = ..., notifications: _Optional[_Iterable[_Union[_request_pb2.NotificationRef, _Mapping]]] = ...) -> None: ...

class DismissResponse(_message.Message):
    __slots__ = ["count", "dismissed"]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    DISMISSED_FIELD_NUMBER: _ClassVar[int]
    count: int
    dismissed: _containers.RepeatedCompositeFieldContainer[_request_pb2.NotificationRef]
    def __init__(self, dismissed: _Optional[_Iterable[_Union[_request_pb2.NotificationRef, _Mapping]]] = ..., count: _Optional[int] = ...) -> None: ...

class GetDeviceStateRequest(_message.Message):
    __slots__ = ["device_id"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    def __init__(self, device_id: _Optional[str] = ...) -> None: ...

class GetDeviceStateResponse(_message.Message):
    __slots__ = ["state"]
    STATE_FIELD_NUMBER: _ClassVar[int]
    state: _device_pb2.DeviceState
    def __init__(self, state: _Optional[_Union[_device_pb2.DeviceState, _Mapping]] = ...) -> None: ...

class ListAppsRequest(_message.Message):
    __slots__ = ["device_id", "page_size", "page_token"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    page_size: int
    page_token: str
    def __init__(self, device_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListAppsResponse(_message.Message):
    __slots__ = ["apps", "next_page_token"]
    APPS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    apps: _containers.RepeatedCompositeFieldContainer[_device_pb2.DeviceApp]
    next_page_token: str
    def __init__(self, apps: _Optional[_Iterable[_Union[_device_pb2.DeviceApp, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListNotificationCenterRequest(_message.Message):
    __slots__ = ["app_ids", "device_id", "page_size", "page_token"]
    APP_IDS_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    app_ids: _containers.RepeatedScalarFieldContainer[str]
    device_id: str
    page_size: int
    page_token: str
    def __init__(self, device_id: _Optional[str] = ..., app_ids: _Optional[_Iterable[str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListNotificationCenterResponse(_message.Message):
    __slots__ = ["groups", "next_page_token"]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    groups: _containers.RepeatedCompositeFieldContainer[_notification_list_pb2.NotificationGroup]
    next_page_token: str
    def __init__(self, groups: _Optional[_Iterable[_Union[_notification_list_pb2.NotificationGroup, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListWebPushSubscriptionsRequest(_message.Message):
    __slots__ = ["device_id"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    def __init__(self, device_id: _Optional[str] = ...) -> None: ...

class ListWebPushSubscriptionsResponse(_message.Message):
    __slots__ = ["application_server_key", "subscriptions"]
    APPLICATION_SERVER_KEY_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    application_server_key: str
    subscriptions: _containers.RepeatedCompositeFieldContainer[_web_push_pb2.WebPushSubscription]
    def __init__(self, subscriptions: _Optional[_Iterable[_Union[_web_push_pb2.WebPushSubscription, _Mapping]]] = ..., application_server_key: _Optional[str] = ...) -> None: ...

class OpenNotificationRequest(_message.Message):
    __slots__ = ["idempotency_key", "notification"]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    idempotency_key: str
    notification: _request_pb2.NotificationRef
    def __init__(self, notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class OpenNotificationResponse(_message.Message):
    __slots__ = ["presentation"]
    PRESENTATION_FIELD_NUMBER: _ClassVar[int]
    presentation: _device_frames_pb2.OpenPresentation
    def __init__(self, presentation: _Optional[_Union[_device_frames_pb2.OpenPresentation, _Mapping]] = ...) -> None: ...

class OpenSettingsRequest(_message.Message):
    __slots__ = ["center", "idempotency_key", "notification"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    idempotency_key: str
    notification: _request_pb2.NotificationRef
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ...) -> None: ...

class OpenSettingsResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class RespondRequest(_message.Message):
    __slots__ = ["action", "default_action", "device_id", "idempotency_key", "media", "notification", "presentation_id"]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_ACTION_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    MEDIA_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    PRESENTATION_ID_FIELD_NUMBER: _ClassVar[int]
    action: CustomAction
    default_action: DefaultAction
    device_id: str
    idempotency_key: str
    media: _extension_pb2.MediaCommand
    notification: _request_pb2.NotificationRef
    presentation_id: str
    def __init__(self, device_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ..., presentation_id: _Optional[str] = ..., default_action: _Optional[_Union[DefaultAction, _Mapping]] = ..., action: _Optional[_Union[CustomAction, _Mapping]] = ..., media: _Optional[_Union[_extension_pb2.MediaCommand, str]] = ...) -> None: ...

class RespondResponse(_message.Message):
    __slots__ = ["outcome"]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    outcome: RespondOutcome
    def __init__(self, outcome: _Optional[_Union[RespondOutcome, str]] = ...) -> None: ...

class UpdateDeviceStateRequest(_message.Message):
    __slots__ = ["device_id", "idempotency_key", "state", "update_mask"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    idempotency_key: str
    state: _device_pb2.DeviceState
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, device_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., state: _Optional[_Union[_device_pb2.DeviceState, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateDeviceStateResponse(_message.Message):
    __slots__ = ["state"]
    STATE_FIELD_NUMBER: _ClassVar[int]
    state: _device_pb2.DeviceState
    def __init__(self, state: _Optional[_Union[_device_pb2.DeviceState, _Mapping]] = ...) -> None: ...

class UpdateSettingsRequest(_message.Message):
    __slots__ = ["center", "grouping", "idempotency_key", "location_permission", "settings", "update_mask"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    GROUPING_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    LOCATION_PERMISSION_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    grouping: _device_pb2.NotificationGrouping
    idempotency_key: str
    location_permission: _device_pb2.LocationPermission
    settings: _settings_pb2.NotificationSettings
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., idempotency_key: _Optional[str] = ..., settings: _Optional[_Union[_settings_pb2.NotificationSettings, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., grouping: _Optional[_Union[_device_pb2.NotificationGrouping, str]] = ..., location_permission: _Optional[_Union[_device_pb2.LocationPermission, str]] = ...) -> None: ...

class UpdateSettingsResponse(_message.Message):
    __slots__ = ["as_of_event", "grouping", "location_permission", "settings"]
    AS_OF_EVENT_FIELD_NUMBER: _ClassVar[int]
    GROUPING_FIELD_NUMBER: _ClassVar[int]
    LOCATION_PERMISSION_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    as_of_event: int
    grouping: _device_pb2.NotificationGrouping
    location_permission: _device_pb2.LocationPermission
    settings: _settings_pb2.NotificationSettings
    def __init__(self, settings: _Optional[_Union[_settings_pb2.NotificationSettings, _Mapping]] = ..., as_of_event: _Optional[int] = ..., grouping: _Optional[_Union[_device_pb2.NotificationGrouping, str]] = ..., location_permission: _Optional[_Union[_device_pb2.LocationPermission, str]] = ...) -> None: ...

class WatchDeviceRequest(_message.Message):
    __slots__ = ["app_ids", "device_id"]
    APP_IDS_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    app_ids: _containers.RepeatedScalarFieldContainer[str]
    device_id: str
    def __init__(self, device_id: _Optional[str] = ..., app_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class WatchDeviceResponse(_message.Message):
    __slots__ = ["frames"]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    frames: _containers.RepeatedCompositeFieldContainer[_device_frames_pb2.DeviceFrame]
    def __init__(self, frames: _Optional[_Iterable[_Union[_device_frames_pb2.DeviceFrame, _Mapping]]] = ...) -> None: ...

class RespondOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class DismissKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
