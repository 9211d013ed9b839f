from belfry.v1 import center_pb2 as _center_pb2
from belfry.v1 import clock_pb2 as _clock_pb2
from belfry.v1 import stages_pb2 as _stages_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

CLOCK_STOP_CALLBACK: ClockStop
CLOCK_STOP_NOTHING_DUE: ClockStop
CLOCK_STOP_TARGET: ClockStop
CLOCK_STOP_UNSPECIFIED: ClockStop
CONDITION_CALLER_AT_LIMIT: Condition
CONDITION_CLOCK_NOT_SET: Condition
CONDITION_DUE_WORK_WAITS: Condition
CONDITION_OVERLOADED: Condition
CONDITION_ROWS_DAMAGED: Condition
CONDITION_STORE_FULL: Condition
CONDITION_UNSPECIFIED: Condition
DESCRIPTOR: _descriptor.FileDescriptor
TOKEN_REVOCATION_EXPIRED: TokenRevocation
TOKEN_REVOCATION_UNREGISTERED: TokenRevocation
TOKEN_REVOCATION_UNSPECIFIED: TokenRevocation

class AccessToken(_message.Message):
    __slots__ = ["created_at", "expires_at", "id", "name", "roles"]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    created_at: _timestamp_pb2.Timestamp
    expires_at: _timestamp_pb2.Timestamp
    id: str
    name: str
    roles: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., roles: _Optional[_Iterable[str]] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AdvanceClockRequest(_message.Message):
    __slots__ = ["by", "expire_callbacks", "idempotency_key", "to", "to_next_due"]
    BY_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_CALLBACKS_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    TO_NEXT_DUE_FIELD_NUMBER: _ClassVar[int]
    by: _duration_pb2.Duration
    expire_callbacks: bool
    idempotency_key: str
    to: _timestamp_pb2.Timestamp
    to_next_due: NextDue
    def __init__(self, idempotency_key: _Optional[str] = ..., by: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., to: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., to_next_due: _Optional[_Union[NextDue, _Mapping]] = ..., expire_callbacks: bool = ...) -> None: ...

class AdvanceClockResponse(_message.Message):
    __slots__ = ["callback_id", "clock", "events", "fired", "positions", "stopped_by"]
    CALLBACK_ID_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    FIRED_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    STOPPED_BY_FIELD_NUMBER: _ClassVar[int]
    callback_id: str
    clock: _clock_pb2.ClockState
    events: int
    fired: int
    positions: _containers.RepeatedCompositeFieldContainer[CenterPosition]
    stopped_by: ClockStop
    def __init__(self, clock: _Optional[_Union[_clock_pb2.ClockState, _Mapping]] = ..., fired: _Optional[int] = ..., events: _Optional[int] = ..., positions: _Optional[_Iterable[_Union[CenterPosition, _Mapping]]] = ..., stopped_by: _Optional[_Union[ClockStop, str]] = ..., callback_id: _Optional[str] = ...) -> None: ...

class Backup(_message.Message):
    __slots__ = ["as_of", "attachment_count", "attachments_path", "attachments_size_bytes", "name", "path", "sha256", "size_bytes"]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    ATTACHMENTS_PATH_FIELD_NUMBER: _ClassVar[int]
    ATTACHMENTS_SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    ATTACHMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    as_of: _timestamp_pb2.Timestamp
    attachment_count: int
    attachments_path: str
    attachments_size_bytes: int
    name: str
    path: str
    sha256: str
    size_bytes: int
    def __init__(self, name: _Optional[str] = ..., path: _Optional[str] = ..., size_bytes: _Optional[int] = ..., sha256: _Optional[str] = ..., as_of: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., attachments_path: _Optional[str] = ..., attachment_count: _Optional[int] = ..., attachments_size_bytes: _Optional[int] = ...) -> None: ...

class BackupProgress(_message.Message):
    __slots__ = ["copied_bytes", "total_bytes"]
    COPIED_BYTES_FIELD_NUMBER: _ClassVar[int]
    TOTAL_BYTES_FIELD_NUMBER: _ClassVar[int]
    copied_bytes: int
    total_bytes: int
    def __init__(self, copied_bytes: _Optional[int] = ..., total_bytes: _Optional[int] = ...) -> None: ...

class BackupRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class BackupResponse(_message.Message):
    __slots__ = ["backup", "progress"]
    BACKUP_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    backup: Backup
    progress: BackupProgress
    def __init__(self, progress: _Optional[_Union[BackupProgress, _Mapping]] = ..., backup: _Optional[_Union[Backup, _Mapping]] = ...) -> None: ...

class CallerUsage(_message.Message):
    __slots__ = ["app_count", "file_bytes", "name", "store_bytes"]
    APP_COUNT_FIELD_NUMBER: _ClassVar[int]
    FILE_BYTES_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STORE_BYTES_FIELD_NUMBER: _ClassVar[int]
    app_count: int
    file_bytes: int
    name: str
    store_bytes: int
    def __init__(self, name: _Optional[str] = ..., app_count: _Optional[int] = ..., file_bytes: _Optional[int] = ..., store_bytes: _Optional[int] = ...) -> None: ...

class CenterPosition(_message.Message):
    __slots__ = ["center", "last_event_number"]
    CENTER_FIELD_NUMBER: _ClassVar[int]
    LAST_EVENT_NUMBER_FIELD_NUMBER: _ClassVar[int]
    center: _center_pb2.Center
    last_event_number: int
    def __init__(self, center: _Optional[_Union[_center_pb2.Center, _Mapping]] = ..., last_event_number: _Optional[int] = ...) -> None: ...

class Counters(_message.Message):
    __slots__ = ["adds", "batches", "commands", "delivered", "events", "evicted", "fired", "missed", "refused_calls", "refused_calls_by_reason", "removes", "suppressed", "web_pushes_dropped", "web_pushes_failed", "web_pushes_sent"]
    ADDS_FIELD_NUMBER: _ClassVar[int]
    BATCHES_FIELD_NUMBER: _ClassVar[int]
    COMMANDS_FIELD_NUMBER: _ClassVar[int]
    DELIVERED_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    EVICTED_FIELD_NUMBER: _ClassVar[int]
    FIRED_FIELD_NUMBER: _ClassVar[int]
    MISSED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_CALLS_BY_REASON_FIELD_NUMBER: _ClassVar[int]
    REFUSED_CALLS_FIELD_NUMBER: _ClassVar[int]
    REMOVES_FIELD_NUMBER: _ClassVar[int]
    SUPPRESSED_FIELD_NUMBER: _ClassVar[int]
    WEB_PUSHES_DROPPED_FIELD_NUMBER: _ClassVar[int]
    WEB_PUSHES_FAILED_FIELD_NUMBER: _ClassVar[int]
    WEB_PUSHES_SENT_FIELD_NUMBER: _ClassVar[int]
    adds: int
    batches: int
    commands: int
    delivered: int
    events: int
    evicted: int
    fired: int
    missed: int
    refused_calls: int
    refused_calls_by_reason: _containers.RepeatedCompositeFieldContainer[RefusedCalls]
    removes: int
    suppressed: int
    web_pushes_dropped: int
    web_pushes_failed: int
    web_pushes_sent: int
    def __init__(self, adds: _Optional[int] = ..., removes: _Optional[int] = ..., fired: _Optional[int] = ..., delivered: _Optional[int] = ..., suppressed: _Optional[int] = ..., missed: _Optional[int] = ..., batches: _Optional[int] = ..., commands: _Optional[int] = ..., events: _Optional[int] = ..., evicted: _Optional[int] = ..., refused_calls: _Optional[int] = ..., refused_calls_by_reason: _Optional[_Iterable[_Union[RefusedCalls, _Mapping]]] = ..., web_pushes_sent: _Optional[int] = ..., web_pushes_failed: _Optional[int] = ..., web_pushes_dropped: _Optional[int] = ...) -> None: ...

class CreateTokenRequest(_message.Message):
    __slots__ = ["expires_in", "idempotency_key", "name", "roles"]
    EXPIRES_IN_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    expires_in: _duration_pb2.Duration
    idempotency_key: str
    name: str
    roles: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, idempotency_key: _Optional[str] = ..., name: _Optional[str] = ..., roles: _Optional[_Iterable[str]] = ..., expires_in: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class CreateTokenResponse(_message.Message):
    __slots__ = ["text", "token"]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    text: str
    token: AccessToken
    def __init__(self, text: _Optional[str] = ..., token: _Optional[_Union[AccessToken, _Mapping]] = ...) -> None: ...

class DamagedRow(_message.Message):
    __slots__ = ["key", "problem", "table"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    key: str
    problem: str
    table: str
    def __init__(self, table: _Optional[str] = ..., key: _Optional[str] = ..., problem: _Optional[str] = ...) -> None: ...

class Floors(_message.Message):
    __slots__ = ["events", "idempotency_keys"]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEYS_FIELD_NUMBER: _ClassVar[int]
    events: _timestamp_pb2.Timestamp
    idempotency_keys: _timestamp_pb2.Timestamp
    def __init__(self, idempotency_keys: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., events: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GetClockRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetClockResponse(_message.Message):
    __slots__ = ["clock"]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    clock: _clock_pb2.ClockState
    def __init__(self, clock: _Optional[_Union[_clock_pb2.ClockState, _Mapping]] = ...) -> None: ...

class GetStatsRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetStatsResponse(_message.Message):
    __slots__ = ["conditions", "counters", "floors", "lateness", "queue", "stages", "started_at", "store", "subscriptions"]
    CONDITIONS_FIELD_NUMBER: _ClassVar[int]
    COUNTERS_FIELD_NUMBER: _ClassVar[int]
    FLOORS_FIELD_NUMBER: _ClassVar[int]
    LATENESS_FIELD_NUMBER: _ClassVar[int]
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    STORE_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    conditions: _containers.RepeatedScalarFieldContainer[Condition]
    counters: Counters
    floors: Floors
    lateness: Lateness
    queue: QueueStats
    stages: _stages_pb2.Stages
    started_at: _timestamp_pb2.Timestamp
    store: StoreStats
    subscriptions: int
    def __init__(self, started_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., counters: _Optional[_Union[Counters, _Mapping]] = ..., lateness: _Optional[_Union[Lateness, _Mapping]] = ..., store: _Optional[_Union[StoreStats, _Mapping]] = ..., queue: _Optional[_Union[QueueStats, _Mapping]] = ..., floors: _Optional[_Union[Floors, _Mapping]] = ..., subscriptions: _Optional[int] = ..., conditions: _Optional[_Iterable[_Union[Condition, str]]] = ..., stages: _Optional[_Union[_stages_pb2.Stages, _Mapping]] = ...) -> None: ...

class Lateness(_message.Message):
    __slots__ = ["count", "histogram", "max", "p50", "p99"]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    HISTOGRAM_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    P50_FIELD_NUMBER: _ClassVar[int]
    P99_FIELD_NUMBER: _ClassVar[int]
    count: int
    histogram: _stages_pb2.Histogram
    max: _duration_pb2.Duration
    p50: _duration_pb2.Duration
    p99: _duration_pb2.Duration
    def __init__(self, count: _Optional[int] = ..., p50: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., p99: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., max: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., histogram: _Optional[_Union[_stages_pb2.Histogram, _Mapping]] = ...) -> None: ...

class ListCallersRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCallersResponse(_message.Message):
    __slots__ = ["app_limit", "callers", "file_byte_limit", "next_page_token", "store_byte_limit"]
    APP_LIMIT_FIELD_NUMBER: _ClassVar[int]
    CALLERS_FIELD_NUMBER: _ClassVar[int]
    FILE_BYTE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STORE_BYTE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    app_limit: int
    callers: _containers.RepeatedCompositeFieldContainer[CallerUsage]
    file_byte_limit: int
    next_page_token: str
    store_byte_limit: int
    def __init__(self, callers: _Optional[_Iterable[_Union[CallerUsage, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., app_limit: _Optional[int] = ..., file_byte_limit: _Optional[int] = ..., store_byte_limit: _Optional[int] = ...) -> None: ...

class ListDamagedRowsRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListDamagedRowsResponse(_message.Message):
    __slots__ = ["rows"]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    rows: _containers.RepeatedCompositeFieldContainer[DamagedRow]
    def __init__(self, rows: _Optional[_Iterable[_Union[DamagedRow, _Mapping]]] = ...) -> None: ...

class ListTokensRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListTokensResponse(_message.Message):
    __slots__ = ["tokens"]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    tokens: _containers.RepeatedCompositeFieldContainer[AccessToken]
    def __init__(self, tokens: _Optional[_Iterable[_Union[AccessToken, _Mapping]]] = ...) -> None: ...

class NextDue(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class QueueStats(_message.Message):
    __slots__ = ["capacity", "length", "longest"]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    LONGEST_FIELD_NUMBER: _ClassVar[int]
    capacity: int
    length: int
    longest: int
    def __init__(self, length: _Optional[int] = ..., capacity: _Optional[int] = ..., longest: _Optional[int] = ...) -> None: ...

class RefusedCalls(_message.Message):
    __slots__ = ["count", "reason"]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    count: int
    reason: str
    def __init__(self, reason: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class RevokeDeviceTokenRequest(_message.Message):
    __slots__ = ["idempotency_key", "revocation", "token"]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    REVOCATION_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    idempotency_key: str
    revocation: TokenRevocation
    token: str
    def __init__(self, idempotency_key: _Optional[str] = ..., token: _Optional[str] = ..., revocation: _Optional[_Union[TokenRevocation, str]] = ...) -> None: ...

class RevokeDeviceTokenResponse(_message.Message):
    __slots__ = ["revoked_at"]
    REVOKED_AT_FIELD_NUMBER: _ClassVar[int]
    revoked_at: _timestamp_pb2.Timestamp
    def __init__(self, revoked_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RevokeTokenRequest(_message.Message):
    __slots__ = ["id", "idempotency_key"]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    idempotency_key: str
    def __init__(self, idempotency_key: _Optional[str] = ..., id: _Optional[str] = ...) -> None: ...

class RevokeTokenResponse(_message.Message):
    __slots__ = ["token"]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: AccessToken
    def __init__(self, token: _Optional[_Union[AccessToken, _Mapping]] = ...) -> None: ...

class SetClockRequest(_message.Message):
    __slots__ = ["idempotency_key", "to"]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    idempotency_key: str
    to: _timestamp_pb2.Timestamp
    def __init__(self, idempotency_key: _Optional[str] = ..., to: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SetClockResponse(_message.Message):
    __slots__ = ["clock"]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    clock: _clock_pb2.ClockState
    def __init__(self, clock: _Optional[_Union[_clock_pb2.ClockState, _Mapping]] = ...) -> None: ...

class StoreStats(_message.Message):
    __slots__ = ["arriving", "delivered", "file_bytes", "free_disk_bytes", "limit_bytes", "map_bytes", "pending", "records", "used_bytes"]
    ARRIVING_FIELD_NUMBER: _ClassVar[int]
    DELIVERED_FIELD_NUMBER: _ClassVar[int]
    FILE_BYTES_FIELD_NUMBER: _ClassVar[int]
    FREE_DISK_BYTES_FIELD_NUMBER: _ClassVar[int]
    LIMIT_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAP_BYTES_FIELD_NUMBER: _ClassVar[int]
    PENDING_FIELD_NUMBER: _ClassVar[int]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    USED_BYTES_FIELD_NUMBER: _ClassVar[int]
    arriving: int
    delivered: int
    file_bytes: int
    free_disk_bytes: int
    limit_bytes: int
    map_bytes: int
    pending: int
    records: int
    used_bytes: int
    def __init__(self, used_bytes: _Optional[int] = ..., file_bytes: _Optional[int] = ..., map_bytes: _Optional[int] = ..., limit_bytes: _Optional[int] = ..., free_disk_bytes: _Optional[int] = ..., records: _Optional[int] = ..., pending: _Optional[int] = ..., arriving: _Optional[int] = ..., delivered: _Optional[int] = ...) -> None: ...

class SuspendRequest(_message.Message):
    __slots__ = ["by", "idempotency_key"]
    BY_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    by: _duration_pb2.Duration
    idempotency_key: str
    def __init__(self, idempotency_key: _Optional[str] = ..., by: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class SuspendResponse(_message.Message):
    __slots__ = ["clock", "events", "fired", "positions"]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    FIRED_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    clock: _clock_pb2.ClockState
    events: int
    fired: int
    positions: _containers.RepeatedCompositeFieldContainer[CenterPosition]
    def __init__(self, clock: _Optional[_Union[_clock_pb2.ClockState, _Mapping]] = ..., fired: _Optional[int] = ..., events: _Optional[int] = ..., positions: _Optional[_Iterable[_Union[CenterPosition, _Mapping]]] = ...) -> None: ...

class Condition(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class TokenRevocation(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class ClockStop(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
