from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

ALERT_STYLE_ALERT: AlertStyle
ALERT_STYLE_BANNER: AlertStyle
ALERT_STYLE_NONE: AlertStyle
AUTHORIZATION_OPTION_ALERT: AuthorizationOption
AUTHORIZATION_OPTION_ANNOUNCEMENT: AuthorizationOption
AUTHORIZATION_OPTION_BADGE: AuthorizationOption
AUTHORIZATION_OPTION_CAR_PLAY: AuthorizationOption
AUTHORIZATION_OPTION_CRITICAL_ALERT: AuthorizationOption
AUTHORIZATION_OPTION_PROVIDES_APP_NOTIFICATION_SETTINGS: AuthorizationOption
AUTHORIZATION_OPTION_PROVISIONAL: AuthorizationOption
AUTHORIZATION_OPTION_SOUND: AuthorizationOption
AUTHORIZATION_OPTION_TIME_SENSITIVE: AuthorizationOption
AUTHORIZATION_OPTION_UNSPECIFIED: AuthorizationOption
AUTHORIZATION_STATUS_AUTHORIZED: AuthorizationStatus
AUTHORIZATION_STATUS_DENIED: AuthorizationStatus
AUTHORIZATION_STATUS_EPHEMERAL: AuthorizationStatus
AUTHORIZATION_STATUS_NOT_DETERMINED: AuthorizationStatus
AUTHORIZATION_STATUS_PROVISIONAL: AuthorizationStatus
DESCRIPTOR: _descriptor.FileDescriptor
NOTIFICATION_SETTING_DISABLED: NotificationSetting
NOTIFICATION_SETTING_ENABLED: NotificationSetting
NOTIFICATION_SETTING_NOT_SUPPORTED: NotificationSetting
SHOW_PREVIEWS_SETTING_ALWAYS: ShowPreviewsSetting
SHOW_PREVIEWS_SETTING_NEVER: ShowPreviewsSetting
SHOW_PREVIEWS_SETTING_WHEN_AUTHENTICATED: ShowPreviewsSetting

class NotificationSettings(_message.Message):
    __slots__ = ["alert_setting", "alert_style", "announcement_setting", "authorization_status", "badge_setting", "car_play_setting", "critical_alert_setting", "direct_messages_setting", "lock_screen_setting", "notification_center_setting", "provides_app_notification_settings", "scheduled_delivery_setting", "show_previews_setting", "sound_setting", "time_sensitive_setting"]
    ALERT_SETTING_FIELD_NUMBER: _ClassVar[int]
    ALERT_STYLE_FIELD_NUMBER: _ClassVar[int]
    ANNOUNCEMENT_SETTING_FIELD_NUMBER: _ClassVar[int]
    AUTHORIZATION_STATUS_FIELD_NUMBER: _ClassVar[int]
    BADGE_SETTING_FIELD_NUMBER: _ClassVar[int]
    CAR_PLAY_SETTING_FIELD_NUMBER: _ClassVar[int]
    CRITICAL_ALERT_SETTING_FIELD_NUMBER: _ClassVar[int]
    DIRECT_MESSAGES_SETTING_FIELD_NUMBER: _ClassVar[int]
    LOCK_SCREEN_SETTING_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_CENTER_SETTING_FIELD_NUMBER: _ClassVar[int]
    PROVIDES_APP_NOTIFICATION_SETTINGS_FIELD_NUMBER: _ClassVar[int]
    SCHEDULED_DELIVERY_SETTING_FIELD_NUMBER: _ClassVar[int]
    SHOW_PREVIEWS_SETTING_FIELD_NUMBER: _ClassVar[int]
    SOUND_SETTING_FIELD_NUMBER: _ClassVar[int]
    TIME_SENSITIVE_SETTING_FIELD_NUMBER: _ClassVar[int]
    alert_setting: NotificationSetting
    alert_style: AlertStyle
    announcement_setting: NotificationSetting
    authorization_status: AuthorizationStatus
    badge_setting: NotificationSetting
    car_play_setting: NotificationSetting
    critical_alert_setting: NotificationSetting
    direct_messages_setting: NotificationSetting
    lock_screen_setting: NotificationSetting
    notification_center_setting: NotificationSetting
    provides_app_notification_settings: bool
    scheduled_delivery_setting: NotificationSetting
    show_previews_setting: ShowPreviewsSetting
    sound_setting: NotificationSetting
    time_sensitive_setting: NotificationSetting
    def __init__(self, authorization_status: _Optional[_Union[AuthorizationStatus, str]] = ..., sound_setting: _Optional[_Union[NotificationSetting, str]] = ..., badge_setting: _Optional[_Union[NotificationSetting, str]] = ..., alert_setting: _Optional[_Union[NotificationSetting, str]] = ..., notification_center_setting: _Optional[_Union[NotificationSetting, str]] = ..., lock_screen_setting: _Optional[_Union[NotificationSetting, str]] = ..., car_play_setting: _Optional[_Union[NotificationSetting, str]] = ..., critical_alert_setting: _Optional[_Union[NotificationSetting, str]] = ..., announcement_setting: _Optional[_Union[NotificationSetting, str]] = ..., time_sensitive_setting: _Optional[_Union[NotificationSetting, str]] = ..., scheduled_delivery_setting: _Optional[_Union[NotificationSetting, str]] = ..., direct_messages_setting: _Optional[_Union[NotificationSetting, str]] = ..., alert_style: _Optional[_Union[AlertStyle, str]] = ..., show_previews_setting: _Optional[_Union[ShowPreviewsSetting, str]] = ..., provides_app_notification_settings: bool = ...) -> None: ...

class AuthorizationOption(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class AuthorizationStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class NotificationSetting(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class AlertStyle(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ShowPreviewsSetting(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
