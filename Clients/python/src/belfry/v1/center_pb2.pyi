from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class Center(_message.Message):
    __slots__ = ["app_id", "device_id"]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    device_id: str
    def __init__(self, app_id: _Optional[str] = ..., device_id: _Optional[str] = ...) -> None: ...
