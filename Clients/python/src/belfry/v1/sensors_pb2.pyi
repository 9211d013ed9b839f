from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

BEACON_PROXIMITY_FAR: BeaconProximity
BEACON_PROXIMITY_IMMEDIATE: BeaconProximity
BEACON_PROXIMITY_NEAR: BeaconProximity
BEACON_PROXIMITY_UNKNOWN: BeaconProximity
DESCRIPTOR: _descriptor.FileDescriptor

class BeaconSighting(_message.Message):
    __slots__ = ["major", "minor", "proximity", "time", "uuid"]
    MAJOR_FIELD_NUMBER: _ClassVar[int]
    MINOR_FIELD_NUMBER: _ClassVar[int]
    PROXIMITY_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    UUID_FIELD_NUMBER: _ClassVar[int]
    major: int
    minor: int
    proximity: BeaconProximity
    time: _timestamp_pb2.Timestamp
    uuid: str
    def __init__(self, uuid: _Optional[str] = ..., major: _Optional[int] = ..., minor: _Optional[int] = ..., proximity: _Optional[_Union[BeaconProximity, str]] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class LocationFix(_message.Message):
    __slots__ = ["accuracy_meters", "latitude", "longitude", "time"]
    ACCURACY_METERS_FIELD_NUMBER: _ClassVar[int]
    LATITUDE_FIELD_NUMBER: _ClassVar[int]
    LONGITUDE_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    accuracy_meters: float
    latitude: float
    longitude: float
    time: _timestamp_pb2.Timestamp
    def __init__(self, latitude: _Optional[float] = ..., longitude: _Optional[float] = ..., accuracy_meters: _Optional[float] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ReportBeaconsRequest(_message.Message):
    __slots__ = ["device_id", "idempotency_key", "sightings"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    SIGHTINGS_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    idempotency_key: str
    sightings: _containers.RepeatedCompositeFieldContainer[BeaconSighting]
    def __init__(self, device_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., sightings: _Optional[_Iterable[_Union[BeaconSighting, _Mapping]]] = ...) -> None: ...

class ReportBeaconsResponse(_message.Message):
    __slots__ = ["fired_count"]
    FIRED_COUNT_FIELD_NUMBER: _ClassVar[int]
    fired_count: int
    def __init__(self, fired_count: _Optional[int] = ...) -> None: ...

class ReportLocationRequest(_message.Message):
    __slots__ = ["device_id", "fixes", "idempotency_key"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    FIXES_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    fixes: _containers.RepeatedCompositeFieldContainer[LocationFix]
    idempotency_key: str
    def __init__(self, device_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., fixes: _Optional[_Iterable[_Union[LocationFix, _Mapping]]] = ...) -> None: ...

class ReportLocationResponse(_message.Message):
    __slots__ = ["fired_count"]
    FIRED_COUNT_FIELD_NUMBER: _ClassVar[int]
    fired_count: int
    def __init__(self, fired_count: _Optional[int] = ...) -> None: ...

class BeaconProximity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
