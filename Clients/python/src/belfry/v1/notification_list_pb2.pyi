from belfry.v1 import action_pb2 as _action_pb2
from belfry.v1 import center_pb2 as _center_pb2
from belfry.v1 import content_pb2 as _content_pb2
from belfry.v1 import request_pb2 as _request_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class NotificationGroup(_message.Message):
    __slots__ = ["info", "notifications"]
    INFO_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATIONS_FIELD_NUMBER: _ClassVar[int]
    info: NotificationGroupInfo
    notifications: _containers.RepeatedCompositeFieldContainer[RenderedNotification]
    def __init__(self, info: _Optional[_Union[NotificationGroupInfo, _Mapping]] = ..., notifications: _Optional[_Iterable[_Union[RenderedNotification, _Mapping]]] = ...) -> None: ...

class NotificationGroupInfo(_message.Message):
    __slots__ = ["as_of_event", "center", "count", "date", "group_id", "summary", "thread_identifier"]
    AS_OF_EVENT_FIELD_NUMBER: _ClassVar[int]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    THREAD_IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    as_of_event: int
    center: _center_pb2.Center
    count: int
    date: _timestamp_pb2.Timestamp
    group_id: str
    summary: str
    thread_identifier: str
    def __init__(self, group_id: _Optional[str] = ..., center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., thread_identifier: _Optional[str] = ..., count: _Optional[int] = ..., summary: _Optional[str] = ..., date: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., as_of_event: _Optional[int] = ...) -> None: ...

class RenderedNotification(_message.Message):
    __slots__ = ["actions", "app_name", "attachments", "body", "communication", "date", "extension_id", "held", "icon_attachment_id", "interruption_level", "notification", "progress", "prompt_id", "redacted", "silenced_by_focus", "subtitle", "title"]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    APP_NAME_FIELD_NUMBER: _ClassVar[int]
    ATTACHMENTS_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    COMMUNICATION_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    EXTENSION_ID_FIELD_NUMBER: _ClassVar[int]
    HELD_FIELD_NUMBER: _ClassVar[int]
    ICON_ATTACHMENT_ID_FIELD_NUMBER: _ClassVar[int]
    INTERRUPTION_LEVEL_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    PROMPT_ID_FIELD_NUMBER: _ClassVar[int]
    REDACTED_FIELD_NUMBER: _ClassVar[int]
    SILENCED_BY_FOCUS_FIELD_NUMBER: _ClassVar[int]
    SUBTITLE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedCompositeFieldContainer[_action_pb2.NotificationAction]
    app_name: str
    attachments: _containers.RepeatedCompositeFieldContainer[_content_pb2.AttachmentReference]
    body: str
    communication: _content_pb2.Communication
    date: _timestamp_pb2.Timestamp
    extension_id: str
    held: bool
    icon_attachment_id: str
    interruption_level: _content_pb2.InterruptionLevel
    notification: _request_pb2.NotificationRef
    progress: float
    prompt_id: str
    redacted: bool
    silenced_by_focus: str
    subtitle: str
    title: str
    def __init__(self, notification: _Optional[_Union[_request_pb2.NotificationRef, _Mapping]] = ..., app_name: _Optional[str] = ..., icon_attachment_id: _Optional[str] = ..., date: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., title: _Optional[str] = ..., subtitle: _Optional[str] = ..., body: _Optional[str] = ..., attachments: _Optional[_Iterable[_Union[_content_pb2.AttachmentReference, _Mapping]]] = ..., actions: _Optional[_Iterable[_Union[_action_pb2.NotificationAction, _Mapping]]] = ..., redacted: bool = ..., communication: _Optional[_Union[_content_pb2.Communication, _Mapping]] = ..., interruption_level: _Optional[_Union[_content_pb2.InterruptionLevel, str]] = ..., held: bool = ..., extension_id: _Optional[str] = ..., prompt_id: _Optional[str] = ..., silenced_by_focus: _Optional[str] = ..., progress: _Optional[float] = ...) -> None: ...

class SnoozedNotification(_message.Message):
    __slots__ = ["notification", "until"]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    notification: RenderedNotification
    until: _timestamp_pb2.Timestamp
    def __init__(self, notification: _Optional[_Union[RenderedNotification, _Mapping]] = ..., until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
