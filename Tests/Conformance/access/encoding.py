"""Protobuf's bytes, also such as no library writes."""


def varint(value: int, size: int = 0) -> bytes:
    """A number; with `size`, in so many bytes, which may be more than it needs."""
    result = bytearray()
    while value >= 0x80 or len(result) + 1 < size:
        result.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*result, value])


def field(number: int, value: bytes | str, *, tag_size: int = 0, length_size: int = 0) -> bytes:
    """A field of bytes, a text or a message."""
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2, tag_size) + varint(len(data), length_size) + data


def number_field(number: int, value: int, *, size: int = 0) -> bytes:
    return varint(number << 3) + varint(value, size)


def group(number: int, content: bytes) -> bytes:
    """A field as proto2 had them, which every reader has to pass over."""
    return varint(number << 3 | 3) + content + varint(number << 3 | 4)


def center(app: str = "", device: str = "") -> bytes:
    """A belfry.v1.Center, with what is not empty."""
    return (field(1, app) if app else b"") + (field(2, device) if device else b"")
