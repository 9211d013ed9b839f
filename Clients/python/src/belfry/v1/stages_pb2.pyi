from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Histogram(_message.Message):
    __slots__ = ["bounds", "counts", "sum"]
    BOUNDS_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    SUM_FIELD_NUMBER: _ClassVar[int]
    bounds: _containers.RepeatedCompositeFieldContainer[_duration_pb2.Duration]
    counts: _containers.RepeatedScalarFieldContainer[int]
    sum: _duration_pb2.Duration
    def __init__(self, bounds: _Optional[_Iterable[_Union[_duration_pb2.Duration, _Mapping]]] = ..., counts: _Optional[_Iterable[int]] = ..., sum: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class Stages(_message.Message):
    __slots__ = ["commit", "making", "queue_wait", "replies"]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    MAKING_FIELD_NUMBER: _ClassVar[int]
    QUEUE_WAIT_FIELD_NUMBER: _ClassVar[int]
    REPLIES_FIELD_NUMBER: _ClassVar[int]
    commit: Histogram
    making: Histogram
    queue_wait: Histogram
    replies: Histogram
    def __init__(self, queue_wait: _Optional[_Union[Histogram, _Mapping]] = ..., making: _Optional[_Union[Histogram, _Mapping]] = ..., commit: _Optional[_Union[Histogram, _Mapping]] = ..., replies: _Optional[_Union[Histogram, _Mapping]] = ...) -> None: ...
