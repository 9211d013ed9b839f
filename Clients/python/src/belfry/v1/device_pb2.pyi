from belfry.v1 import center_pb2 as _center_pb2
from belfry.v1 import settings_pb2 as _settings_pb2
from belfry.v1 import trigger_pb2 as _trigger_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
FOCUS_FILTER_MODE_EXCEPT: FocusFilterMode
FOCUS_FILTER_MODE_ONLY: FocusFilterMode
FOCUS_FILTER_MODE_UNSPECIFIED: FocusFilterMode
LOCATION_PERMISSION_AUTHORIZED_ALWAYS: LocationPermission
LOCATION_PERMISSION_AUTHORIZED_WHEN_IN_USE: LocationPermission
LOCATION_PERMISSION_DENIED: LocationPermission
LOCATION_PERMISSION_NOT_DETERMINED: LocationPermission
LOCATION_PERMISSION_RESTRICTED: LocationPermission
NOTIFICATION_GROUPING_AUTOMATIC: NotificationGrouping
NOTIFICATION_GROUPING_BY_APP: NotificationGrouping
NOTIFICATION_GROUPING_OFF: NotificationGrouping

class ActiveFocus(_message.Message):
    __slots__ = ["name", "until"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    name: str
    until: _timestamp_pb2.Timestamp
    def __init__(self, name: _Optional[str] = ..., until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DeviceApp(_message.Message):
    __slots__ = ["as_of_event", "badge", "center", "grouping", "icon_attachment_id", "location_permission", "name", "settings"]
    AS_OF_EVENT_FIELD_NUMBER: _ClassVar[int]
    BADGE_FIELD_NUMBER: _ClassVar[int]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    GROUPING_FIELD_NUMBER: _ClassVar[int]
    ICON_ATTACHMENT_ID_FIELD_NUMBER: _ClassVar[int]
    LOCATION_PERMISSION_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    as_of_event: int
    badge: int
    center: _center_pb2.Center
    grouping: NotificationGrouping
    icon_attachment_id: str
    location_permission: LocationPermission
    name: str
    settings: _settings_pb2.NotificationSettings
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., name: _Optional[str] = ..., icon_attachment_id: _Optional[str] = ..., settings: _Optional[_Union[_settings_pb2.NotificationSettings, _Mapping]] = ..., badge: _Optional[int] = ..., as_of_event: _Optional[int] = ..., grouping: _Optional[_Union[NotificationGrouping, str]] = ..., location_permission: _Optional[_Union[LocationPermission, str]] = ...) -> None: ...

class DeviceState(_message.Message):
    __slots__ = ["active_focus", "device_id", "display_off", "focus", "languages", "location_permission", "locked", "muted", "summary", "time_zone"]
    ACTIVE_FOCUS_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_OFF_FIELD_NUMBER: _ClassVar[int]
    FOCUS_FIELD_NUMBER: _ClassVar[int]
    LANGUAGES_FIELD_NUMBER: _ClassVar[int]
    LOCATION_PERMISSION_FIELD_NUMBER: _ClassVar[int]
    LOCKED_FIELD_NUMBER: _ClassVar[int]
    MUTED_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    active_focus: ActiveFocus
    device_id: str
    display_off: bool
    focus: Focus
    languages: _containers.RepeatedScalarFieldContainer[str]
    location_permission: LocationPermission
    locked: bool
    muted: bool
    summary: ScheduledSummary
    time_zone: str
    def __init__(self, device_id: _Optional[str] = ..., locked: bool = ..., display_off: bool = ..., focus: _Optional[_Union[Focus, _Mapping]] = ..., summary: _Optional[_Union[ScheduledSummary, _Mapping]] = ..., time_zone: _Optional[str] = ..., languages: _Optional[_Iterable[str]] = ..., location_permission: _Optional[_Union[LocationPermission, str]] = ..., muted: bool = ..., active_focus: _Optional[_Union[ActiveFocus, _Mapping]] = ...) -> None: ...

class Focus(_message.Message):
    __slots__ = ["allow_time_sensitive", "allowed_apps", "allowed_people", "filters", "name", "schedule"]
    ALLOWED_APPS_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_PEOPLE_FIELD_NUMBER: _ClassVar[int]
    ALLOW_TIME_SENSITIVE_FIELD_NUMBER: _ClassVar[int]
    FILTERS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    allow_time_sensitive: bool
    allowed_apps: _containers.RepeatedScalarFieldContainer[str]
    allowed_people: _containers.RepeatedScalarFieldContainer[str]
    filters: _containers.RepeatedCompositeFieldContainer[FocusFilter]
    name: str
    schedule: _containers.RepeatedCompositeFieldContainer[FocusWindow]
    def __init__(self, name: _Optional[str] = ..., allowed_apps: _Optional[_Iterable[str]] = ..., allowed_people: _Optional[_Iterable[str]] = ..., allow_time_sensitive: bool = ..., filters: _Optional[_Iterable[_Union[FocusFilter, _Mapping]]] = ..., schedule: _Optional[_Iterable[_Union[FocusWindow, _Mapping]]] = ...) -> None: ...

class FocusFilter(_message.Message):
    __slots__ = ["app_id", "mode", "values"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    mode: FocusFilterMode
    values: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, app_id: _Optional[str] = ..., mode: _Optional[_Union[FocusFilterMode, str]] = ..., values: _Optional[_Iterable[str]] = ...) -> None: ...

class FocusWindow(_message.Message):
    __slots__ = ["to", "weekdays"]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    WEEKDAYS_FIELD_NUMBER: _ClassVar[int]
    to: int
    weekdays: _containers.RepeatedScalarFieldContainer[_trigger_pb2.Weekday]
    def __init__(self, weekdays: _Optional[_Iterable[_Union[_trigger_pb2.Weekday, str]]] = ..., to: _Optional[int] = ..., **kwargs) -> None: ...

class ScheduledSummary(_message.Message):
    __slots__ = ["apps", "enabled", "times"]
    APPS_FIELD_NUMBER: _ClassVar[int]
    ENABLED_FIELD_NUMBER: _ClassVar[int]
    TIMES_FIELD_NUMBER: _ClassVar[int]
    apps: _containers.RepeatedScalarFieldContainer[str]
    enabled: bool
    times: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, enabled: bool = ..., times: _Optional[_Iterable[int]] = ..., apps: _Optional[_Iterable[str]] = ...) -> None: ...

class FocusFilterMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class LocationPermission(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class NotificationGrouping(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
