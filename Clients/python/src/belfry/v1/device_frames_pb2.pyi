from belfry.v1 import action_pb2 as _action_pb2
from belfry.v1 import authorization_prompt_pb2 as _authorization_prompt_pb2
from belfry.v1 import center_pb2 as _center_pb2
from belfry.v1 import content_pb2 as _content_pb2
from belfry.v1 import delegate_service_pb2 as _delegate_service_pb2
from belfry.v1 import device_pb2 as _device_pb2
from belfry.v1 import extension_pb2 as _extension_pb2
from belfry.v1 import notification_list_pb2 as _notification_list_pb2
from belfry.v1 import request_pb2 as _request_pb2
from belfry.v1 import settings_pb2 as _settings_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
LAUNCH_MODE_BACKGROUND: LaunchMode
LAUNCH_MODE_FOREGROUND: LaunchMode
LAUNCH_MODE_UNSPECIFIED: LaunchMode
LIST_CHANGE_ADDED: ListChange
LIST_CHANGE_MOVED: ListChange
LIST_CHANGE_PRESENTED: ListChange
LIST_CHANGE_REMOVED: ListChange
LIST_CHANGE_REPLACED: ListChange
LIST_CHANGE_SNOOZED: ListChange
LIST_CHANGE_UNSPECIFIED: ListChange

class BadgeFrame(_message.Message):
    __slots__ = ["badge", "center"]
    BADGE_FIELD_NUMBER: _ClassVar[int]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    badge: int
    center: _center_pb2.Center
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., badge: _Optional[int] = ...) -> None: ...

class BannerFrame(_message.Message):
    __slots__ = ["notification", "style", "wakes_display"]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    STYLE_FIELD_NUMBER: _ClassVar[int]
    WAKES_DISPLAY_FIELD_NUMBER: _ClassVar[int]
    notification: _notification_list_pb2.RenderedNotification
    style: _settings_pb2.AlertStyle
    wakes_display: bool
    def __init__(self, notification: _Optional[_Union[_notification_list_pb2.RenderedNotification, _Mapping]] = ..., style: _Optional[_Union[_settings_pb2.AlertStyle, str]] = ..., wakes_display: bool = ...) -> None: ...

class DeviceChangedFrame(_message.Message):
    __slots__ = ["app", "removed_app", "state"]
    APP_FIELD_NUMBER: _ClassVar[int]
    REMOVED_APP_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    app: _device_pb2.DeviceApp
    removed_app: _center_pb2.Center
    state: _device_pb2.DeviceState
    def __init__(self, state: _Optional[_Union[_device_pb2.DeviceState, _Mapping]] = ..., app: _Optional[_Union[_device_pb2.DeviceApp, _Mapping]] = ..., removed_app: _Optional[_Union[_center_pb2.Center, _Mapping]] = ...) -> None: ...

class DeviceFrame(_message.Message):
    __slots__ = ["badge", "banner", "changed", "heartbeat", "launch_app", "list_changed", "open_app_settings", "presentation", "prompt", "prompt_closed", "snapshot", "sound", "unlock_ended", "unlock_requested", "vibrate"]
    BADGE_FIELD_NUMBER: _ClassVar[int]
    BANNER_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    LAUNCH_APP_FIELD_NUMBER: _ClassVar[int]
    LIST_CHANGED_FIELD_NUMBER: _ClassVar[int]
    OPEN_APP_SETTINGS_FIELD_NUMBER: _ClassVar[int]
    PRESENTATION_FIELD_NUMBER: _ClassVar[int]
    PROMPT_CLOSED_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    SOUND_FIELD_NUMBER: _ClassVar[int]
    UNLOCK_ENDED_FIELD_NUMBER: _ClassVar[int]
    UNLOCK_REQUESTED_FIELD_NUMBER: _ClassVar[int]
    VIBRATE_FIELD_NUMBER: _ClassVar[int]
    badge: BadgeFrame
    banner: BannerFrame
    changed: DeviceChangedFrame
    heartbeat: _delegate_service_pb2.Heartbeat
    launch_app: LaunchAppFrame
    list_changed: ListChangedFrame
    open_app_settings: OpenAppSettingsFrame
    presentation: PresentationFrame
    prompt: _authorization_prompt_pb2.AuthorizationPrompt
    prompt_closed: PromptClosed
    snapshot: DeviceSnapshot
    sound: SoundFrame
    unlock_ended: UnlockEndedFrame
    unlock_requested: UnlockRequestedFrame
    vibrate: VibrateFrame
    def __init__(self, snapshot: _Optional[_Union[DeviceSnapshot, _Mapping]] = ..., prompt: _Optional[_Union[_authorization_prompt_pb2.AuthorizationPrompt, _Mapping]] = ..., prompt_closed: _Optional[_Union[PromptClosed, _Mapping]] = ..., banner: _Optional[_Union[BannerFrame, _Mapping]] = ..., sound: _Optional[_Union[SoundFrame, _Mapping]] = ..., vibrate: _Optional[_Union[VibrateFrame, _Mapping]] = ..., badge: _Optional[_Union[BadgeFrame, _Mapping]] = ..., list_changed: _Optional[_Union[ListChangedFrame, _Mapping]] = ..., unlock_requested: _Optional[_Union[UnlockRequestedFrame, _Mapping]] = ..., launch_app: _Optional[_Union[LaunchAppFrame, _Mapping]] = ..., open_app_settings: _Optional[_Union[OpenAppSettingsFrame, _Mapping]] = ..., presentation: _Optional[_Union[PresentationFrame, _Mapping]] = ..., heartbeat: _Optional[_Union[_delegate_service_pb2.Heartbeat, _Mapping]] = ..., changed: _Optional[_Union[DeviceChangedFrame, _Mapping]] = ..., unlock_ended: _Optional[_Union[UnlockEndedFrame, _Mapping]] = ...) -> None: ...

class DeviceSnapshot(_message.Message):
    __slots__ = ["apps", "complete", "groups", "presentations", "prompts", "state"]
    APPS_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    PRESENTATIONS_FIELD_NUMBER: _ClassVar[int]
    PROMPTS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    apps: _containers.RepeatedCompositeFieldContainer[_device_pb2.DeviceApp]
    complete: bool
    groups: _containers.RepeatedCompositeFieldContainer[_notification_list_pb2.NotificationGroup]
    presentations: _containers.RepeatedCompositeFieldContainer[OpenPresentation]
    prompts: _containers.RepeatedCompositeFieldContainer[_authorization_prompt_pb2.AuthorizationPrompt]
    state: _device_pb2.DeviceState
    def __init__(self, state: _Optional[_Union[_device_pb2.DeviceState, _Mapping]] = ..., apps: _Optional[_Iterable[_Union[_device_pb2.DeviceApp, _Mapping]]] = ..., groups: _Optional[_Iterable[_Union[_notification_list_pb2.NotificationGroup, _Mapping]]] = ..., prompts: _Optional[_Iterable[_Union[_authorization_prompt_pb2.AuthorizationPrompt, _Mapping]]] = ..., presentations: _Optional[_Iterable[_Union[OpenPresentation, _Mapping]]] = ..., complete: bool = ...) -> None: ...

class LaunchAppFrame(_message.Message):
    __slots__ = ["center", "launch_image_name", "mode", "notification", "target_content_identifier"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    LAUNCH_IMAGE_NAME_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    TARGET_CONTENT_IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    launch_image_name: str
    mode: LaunchMode
    notification: _request_pb2.NotificationRef
    target_content_identifier: str
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., mode: _Optional[_Union[LaunchMode, str]] = ..., notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ..., launch_image_name: _Optional[str] = ..., target_content_identifier: _Optional[str] = ...) -> None: ...

class ListChangedFrame(_message.Message):
    __slots__ = ["change", "group", "notification", "rendered", "replaced", "snoozed_until"]
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    RENDERED_FIELD_NUMBER: _ClassVar[int]
    REPLACED_FIELD_NUMBER: _ClassVar[int]
    SNOOZED_UNTIL_FIELD_NUMBER: _ClassVar[int]
    change: ListChange
    group: _notification_list_pb2.NotificationGroupInfo
    notification: _request_pb2.NotificationRef
    rendered: _notification_list_pb2.RenderedNotification
    replaced: _request_pb2.NotificationRef
    snoozed_until: _timestamp_pb2.Timestamp
    def __init__(self, change: _Optional[_Union[ListChange, str]] = ..., notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ..., rendered: _Optional[_Union[_notification_list_pb2.RenderedNotification, _Mapping]] = ..., replaced: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ..., group: _Optional[_Union[_notification_list_pb2.NotificationGroupInfo, _Mapping]] = ..., snoozed_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class OpenAppSettingsFrame(_message.Message):
    __slots__ = ["center", "notification"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    notification: _request_pb2.NotificationRef
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ...) -> None: ...

class OpenPresentation(_message.Message):
    __slots__ = ["actions", "extension", "notification", "presentation_id", "view"]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    EXTENSION_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    PRESENTATION_ID_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedCompositeFieldContainer[_action_pb2.NotificationAction]
    extension: _extension_pb2.AppExtension
    notification: _notification_list_pb2.RenderedNotification
    presentation_id: str
    view: _extension_pb2.ContentView
    def __init__(self, presentation_id: _Optional[str] = ..., notification: _Optional[_Union[_notification_list_pb2.RenderedNotification, _Mapping]] = ..., actions: _Optional[_Iterable[_Union[_action_pb2.NotificationAction, _Mapping]]] = ..., extension: _Optional[_Union[_extension_pb2.AppExtension, _Mapping]] = ..., view: _Optional[_Union[_extension_pb2.ContentView, _Mapping]] = ...) -> None: ...

class PresentationActions(_message.Message):
    __slots__ = ["actions"]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedCompositeFieldContainer[_action_pb2.NotificationAction]
    def __init__(self, actions: _Optional[_Iterable[_Union[_action_pb2.NotificationAction, _Mapping]]] = ...) -> None: ...

class PresentationEnded(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class PresentationFrame(_message.Message):
    __slots__ = ["actions_changed", "closed", "presentation_id", "view_updated"]
    ACTIONS_CHANGED_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    PRESENTATION_ID_FIELD_NUMBER: _ClassVar[int]
    VIEW_UPDATED_FIELD_NUMBER: _ClassVar[int]
    actions_changed: PresentationActions
    closed: PresentationEnded
    presentation_id: str
    view_updated: _extension_pb2.ContentView
    def __init__(self, presentation_id: _Optional[str] = ..., actions_changed: _Optional[_Union[PresentationActions, _Mapping]] = ..., view_updated: _Optional[_Union[_extension_pb2.ContentView, _Mapping]] = ..., closed: _Optional[_Union[PresentationEnded, _Mapping]] = ...) -> None: ...

class PromptClosed(_message.Message):
    __slots__ = ["center", "prompt_id", "status"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    PROMPT_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    prompt_id: str
    status: _settings_pb2.AuthorizationStatus
    def __init__(self, prompt_id: _Optional[str] = ..., center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., status: _Optional[_Union[_settings_pb2.AuthorizationStatus, str]] = ...) -> None: ...

class SoundFrame(_message.Message):
    __slots__ = ["attachment_id", "notification", "sound"]
    ATTACHMENT_ID_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    SOUND_FIELD_NUMBER: _ClassVar[int]
    attachment_id: str
    notification: _request_pb2.NotificationRef
    sound: _content_pb2.Sound
    def __init__(self, notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ..., sound: _Optional[_Union[_content_pb2.Sound, _Mapping]] = ..., attachment_id: _Optional[str] = ...) -> None: ...

class UnlockEndedFrame(_message.Message):
    __slots__ = ["action_identifier", "message", "notification", "reason"]
    ACTION_IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    action_identifier: str
    message: str
    notification: _request_pb2.NotificationRef
    reason: str
    def __init__(self, notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ..., action_identifier: _Optional[str] = ..., reason: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class UnlockRequestedFrame(_message.Message):
    __slots__ = ["action_identifier", "deadline", "notification"]
    ACTION_IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    action_identifier: str
    deadline: _timestamp_pb2.Timestamp
    notification: _request_pb2.NotificationRef
    def __init__(self, notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ..., action_identifier: _Optional[str] = ..., deadline: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class VibrateFrame(_message.Message):
    __slots__ = ["notification"]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    notification: _request_pb2.NotificationRef
    def __init__(self, notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ...) -> None: ...

class ListChange(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class LaunchMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
