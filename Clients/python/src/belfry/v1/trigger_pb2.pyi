from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

CALENDAR_UNIT_DAY: CalendarUnit
CALENDAR_UNIT_MONTH: CalendarUnit
CALENDAR_UNIT_UNSPECIFIED: CalendarUnit
CALENDAR_UNIT_WEEK: CalendarUnit
CALENDAR_UNIT_YEAR: CalendarUnit
DESCRIPTOR: _descriptor.FileDescriptor
SHORT_MONTH_POLICY_LAST_DAY: ShortMonthPolicy
SHORT_MONTH_POLICY_NEXT_DAY_MIDNIGHT: ShortMonthPolicy
SHORT_MONTH_POLICY_NEXT_DAY_SAME_TIME: ShortMonthPolicy
SHORT_MONTH_POLICY_SKIP: ShortMonthPolicy
WEEKDAY_FRIDAY: Weekday
WEEKDAY_MONDAY: Weekday
WEEKDAY_SATURDAY: Weekday
WEEKDAY_SUNDAY: Weekday
WEEKDAY_THURSDAY: Weekday
WEEKDAY_TUESDAY: Weekday
WEEKDAY_UNSPECIFIED: Weekday
WEEKDAY_WEDNESDAY: Weekday

class AnchoredIntervalTrigger(_message.Message):
    __slots__ = ["anchor", "calendar_step", "interval", "short_month_policy", "time_zone"]
    ANCHOR_FIELD_NUMBER: _ClassVar[int]
    CALENDAR_STEP_FIELD_NUMBER: _ClassVar[int]
    INTERVAL_FIELD_NUMBER: _ClassVar[int]
    SHORT_MONTH_POLICY_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    anchor: _timestamp_pb2.Timestamp
    calendar_step: CalendarStep
    interval: _duration_pb2.Duration
    short_month_policy: ShortMonthPolicy
    time_zone: str
    def __init__(self, anchor: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., interval: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., calendar_step: _Optional[_Union[CalendarStep, _Mapping]] = ..., time_zone: _Optional[str] = ..., short_month_policy: _Optional[_Union[ShortMonthPolicy, str]] = ...) -> None: ...

class BeaconRegion(_message.Message):
    __slots__ = ["major", "minor", "notify_entry_state_on_display", "uuid"]
    MAJOR_FIELD_NUMBER: _ClassVar[int]
    MINOR_FIELD_NUMBER: _ClassVar[int]
    NOTIFY_ENTRY_STATE_ON_DISPLAY_FIELD_NUMBER: _ClassVar[int]
    UUID_FIELD_NUMBER: _ClassVar[int]
    major: int
    minor: int
    notify_entry_state_on_display: bool
    uuid: str
    def __init__(self, uuid: _Optional[str] = ..., major: _Optional[int] = ..., minor: _Optional[int] = ..., notify_entry_state_on_display: bool = ...) -> None: ...

class CalendarStep(_message.Message):
    __slots__ = ["count", "unit"]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    count: int
    unit: CalendarUnit
    def __init__(self, count: _Optional[int] = ..., unit: _Optional[_Union[CalendarUnit, str]] = ...) -> None: ...

class CalendarTrigger(_message.Message):
    __slots__ = ["date_components", "short_month_policy", "weekdays"]
    DATE_COMPONENTS_FIELD_NUMBER: _ClassVar[int]
    SHORT_MONTH_POLICY_FIELD_NUMBER: _ClassVar[int]
    WEEKDAYS_FIELD_NUMBER: _ClassVar[int]
    date_components: DateComponents
    short_month_policy: ShortMonthPolicy
    weekdays: _containers.RepeatedScalarFieldContainer[Weekday]
    def __init__(self, date_components: _Optional[_Union[DateComponents, _Mapping]] = ..., short_month_policy: _Optional[_Union[ShortMonthPolicy, str]] = ..., weekdays: _Optional[_Iterable[_Union[Weekday, str]]] = ...) -> None: ...

class CircularRegion(_message.Message):
    __slots__ = ["latitude", "longitude", "radius_meters"]
    LATITUDE_FIELD_NUMBER: _ClassVar[int]
    LONGITUDE_FIELD_NUMBER: _ClassVar[int]
    RADIUS_METERS_FIELD_NUMBER: _ClassVar[int]
    latitude: float
    longitude: float
    radius_meters: float
    def __init__(self, latitude: _Optional[float] = ..., longitude: _Optional[float] = ..., radius_meters: _Optional[float] = ...) -> None: ...

class DateComponents(_message.Message):
    __slots__ = ["calendar", "day", "day_of_year", "era", "first_weekday", "hour", "is_leap_month", "minimum_days_in_first_week", "minute", "month", "nanosecond", "quarter", "second", "time_zone", "week_of_month", "week_of_year", "weekday", "weekday_ordinal", "year", "year_for_week_of_year"]
    CALENDAR_FIELD_NUMBER: _ClassVar[int]
    DAY_FIELD_NUMBER: _ClassVar[int]
    DAY_OF_YEAR_FIELD_NUMBER: _ClassVar[int]
    ERA_FIELD_NUMBER: _ClassVar[int]
    FIRST_WEEKDAY_FIELD_NUMBER: _ClassVar[int]
    HOUR_FIELD_NUMBER: _ClassVar[int]
    IS_LEAP_MONTH_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_DAYS_IN_FIRST_WEEK_FIELD_NUMBER: _ClassVar[int]
    MINUTE_FIELD_NUMBER: _ClassVar[int]
    MONTH_FIELD_NUMBER: _ClassVar[int]
    NANOSECOND_FIELD_NUMBER: _ClassVar[int]
    QUARTER_FIELD_NUMBER: _ClassVar[int]
    SECOND_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    WEEKDAY_FIELD_NUMBER: _ClassVar[int]
    WEEKDAY_ORDINAL_FIELD_NUMBER: _ClassVar[int]
    WEEK_OF_MONTH_FIELD_NUMBER: _ClassVar[int]
    WEEK_OF_YEAR_FIELD_NUMBER: _ClassVar[int]
    YEAR_FIELD_NUMBER: _ClassVar[int]
    YEAR_FOR_WEEK_OF_YEAR_FIELD_NUMBER: _ClassVar[int]
    calendar: str
    day: int
    day_of_year: int
    era: int
    first_weekday: Weekday
    hour: int
    is_leap_month: bool
    minimum_days_in_first_week: int
    minute: int
    month: int
    nanosecond: int
    quarter: int
    second: int
    time_zone: str
    week_of_month: int
    week_of_year: int
    weekday: Weekday
    weekday_ordinal: int
    year: int
    year_for_week_of_year: int
    def __init__(self, era: _Optional[int] = ..., year: _Optional[int] = ..., month: _Optional[int] = ..., day: _Optional[int] = ..., hour: _Optional[int] = ..., minute: _Optional[int] = ..., second: _Optional[int] = ..., nanosecond: _Optional[int] = ..., weekday: _Optional[_Union[Weekday, str]] = ..., weekday_ordinal: _Optional[int] = ..., quarter: _Optional[int] = ..., week_of_month: _Optional[int] = ..., week_of_year: _Optional[int] = ..., year_for_week_of_year: _Optional[int] = ..., day_of_year: _Optional[int] = ..., is_leap_month: bool = ..., time_zone: _Optional[str] = ..., calendar: _Optional[str] = ..., first_weekday: _Optional[_Union[Weekday, str]] = ..., minimum_days_in_first_week: _Optional[int] = ...) -> None: ...

class LocalDate(_message.Message):
    __slots__ = ["day", "month", "year"]
    DAY_FIELD_NUMBER: _ClassVar[int]
    MONTH_FIELD_NUMBER: _ClassVar[int]
    YEAR_FIELD_NUMBER: _ClassVar[int]
    day: int
    month: int
    year: int
    def __init__(self, year: _Optional[int] = ..., month: _Optional[int] = ..., day: _Optional[int] = ...) -> None: ...

class LocationTrigger(_message.Message):
    __slots__ = ["region"]
    REGION_FIELD_NUMBER: _ClassVar[int]
    region: Region
    def __init__(self, region: _Optional[_Union[Region, _Mapping]] = ...) -> None: ...

class PushTrigger(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class RecurrenceLimits(_message.Message):
    __slots__ = ["end_at", "max_occurrences", "skip_dates", "start_at"]
    END_AT_FIELD_NUMBER: _ClassVar[int]
    MAX_OCCURRENCES_FIELD_NUMBER: _ClassVar[int]
    SKIP_DATES_FIELD_NUMBER: _ClassVar[int]
    START_AT_FIELD_NUMBER: _ClassVar[int]
    end_at: _timestamp_pb2.Timestamp
    max_occurrences: int
    skip_dates: _containers.RepeatedCompositeFieldContainer[LocalDate]
    start_at: _timestamp_pb2.Timestamp
    def __init__(self, start_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., end_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., max_occurrences: _Optional[int] = ..., skip_dates: _Optional[_Iterable[_Union[LocalDate, _Mapping]]] = ...) -> None: ...

class RecurrenceTrigger(_message.Message):
    __slots__ = ["added_dates", "cron", "excluded_dates", "rule", "start", "time_zone"]
    ADDED_DATES_FIELD_NUMBER: _ClassVar[int]
    CRON_FIELD_NUMBER: _ClassVar[int]
    EXCLUDED_DATES_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    added_dates: _containers.RepeatedScalarFieldContainer[str]
    cron: str
    excluded_dates: _containers.RepeatedScalarFieldContainer[str]
    rule: str
    start: str
    time_zone: str
    def __init__(self, rule: _Optional[str] = ..., cron: _Optional[str] = ..., start: _Optional[str] = ..., added_dates: _Optional[_Iterable[str]] = ..., excluded_dates: _Optional[_Iterable[str]] = ..., time_zone: _Optional[str] = ...) -> None: ...

class Region(_message.Message):
    __slots__ = ["beacon", "circular", "identifier", "notify_on_entry", "notify_on_exit"]
    BEACON_FIELD_NUMBER: _ClassVar[int]
    CIRCULAR_FIELD_NUMBER: _ClassVar[int]
    IDENTIFIER_FIELD_NUMBER: _ClassVar[int]
    NOTIFY_ON_ENTRY_FIELD_NUMBER: _ClassVar[int]
    NOTIFY_ON_EXIT_FIELD_NUMBER: _ClassVar[int]
    beacon: BeaconRegion
    circular: CircularRegion
    identifier: str
    notify_on_entry: bool
    notify_on_exit: bool
    def __init__(self, identifier: _Optional[str] = ..., notify_on_entry: bool = ..., notify_on_exit: bool = ..., circular: _Optional[_Union[CircularRegion, _Mapping]] = ..., beacon: _Optional[_Union[BeaconRegion, _Mapping]] = ...) -> None: ...

class TimeIntervalTrigger(_message.Message):
    __slots__ = ["interval"]
    INTERVAL_FIELD_NUMBER: _ClassVar[int]
    interval: _duration_pb2.Duration
    def __init__(self, interval: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class Trigger(_message.Message):
    __slots__ = ["anchored_interval", "at", "calendar", "limits", "location", "push", "recurrence", "repeats", "time_interval"]
    ANCHORED_INTERVAL_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    CALENDAR_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    LOCATION_FIELD_NUMBER: _ClassVar[int]
    PUSH_FIELD_NUMBER: _ClassVar[int]
    RECURRENCE_FIELD_NUMBER: _ClassVar[int]
    REPEATS_FIELD_NUMBER: _ClassVar[int]
    TIME_INTERVAL_FIELD_NUMBER: _ClassVar[int]
    anchored_interval: AnchoredIntervalTrigger
    at: _timestamp_pb2.Timestamp
    calendar: CalendarTrigger
    limits: RecurrenceLimits
    location: LocationTrigger
    push: PushTrigger
    recurrence: RecurrenceTrigger
    repeats: bool
    time_interval: TimeIntervalTrigger
    def __init__(self, repeats: bool = ..., limits: _Optional[_Union[RecurrenceLimits, _Mapping]] = ..., time_interval: _Optional[_Union[TimeIntervalTrigger, _Mapping]] = ..., calendar: _Optional[_Union[CalendarTrigger, _Mapping]] = ..., location: _Optional[_Union[LocationTrigger, _Mapping]] = ..., push: _Optional[_Union[PushTrigger, _Mapping]] = ..., anchored_interval: _Optional[_Union[AnchoredIntervalTrigger, _Mapping]] = ..., at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., recurrence: _Optional[_Union[RecurrenceTrigger, _Mapping]] = ...) -> None: ...

class Weekday(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ShortMonthPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class CalendarUnit(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
