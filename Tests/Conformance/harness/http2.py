"""A bare HTTP/2 client, for what a gRPC library would not send, and for more of it a second."""

import socket
import ssl
import struct
from collections.abc import Iterator
from typing import Self

from harness.server import BOUND

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE = range(9)
CONTINUATION = 9

END_STREAM, ACK, END_HEADERS = 0x1, 0x1, 0x4

CANCEL = 8

HEADER_TABLE_SIZE, INITIAL_WINDOW_SIZE = 1, 4

LARGEST_WINDOW = 2**31 - 1
FIRST_WINDOW = 65_535

# What a call is said to have ended with where its stream was reset without a status.
RESET = -1

_STATUS = b"grpc-status"


# The certificate is not checked: these connections are about frames.
_TLS = ssl.create_default_context()
_TLS.check_hostname, _TLS.verify_mode = False, ssl.CERT_NONE
_TLS.set_alpn_protocols(["h2"])


class Closed(Exception):
    """The server closed the connection, or said that it will."""


def frame(kind: int, payload: bytes = b"", *, flags: int = 0, stream: int = 0) -> bytes:
    return len(payload).to_bytes(3, "big") + struct.pack(">BBI", kind, flags, stream) + payload


def settings(values: dict[int, int]) -> bytes:
    """A SETTINGS frame."""
    return frame(SETTINGS, b"".join(struct.pack(">HI", *item) for item in values.items()))


def window_update(increment: int, *, stream: int = 0) -> bytes:
    """A WINDOW_UPDATE frame."""
    return frame(WINDOW_UPDATE, struct.pack(">I", increment), stream=stream)


def reset(stream: int) -> bytes:
    """A RST_STREAM frame that cancels a call."""
    return frame(RST_STREAM, struct.pack(">I", CANCEL), stream=stream)


def literal(name: bytes, value: bytes) -> bytes:
    """A header field that leaves no trace in either side's table, so that it can be used again."""
    return b"\0" + _text(name) + _text(value)


def _text(value: bytes) -> bytes:
    if len(value) < 127:
        return bytes([len(value)]) + value
    rest, size = len(value) - 127, bytearray([127])
    while rest >= 128:
        size.append(rest & 127 | 128)
        rest >>= 7
    return bytes([*size, rest]) + value


def header_block(path: str, *more: tuple[bytes, bytes], scheme: bytes = b"http") -> bytes:
    """The header fields of a call to a method, and others after them."""
    fields = [
        (b":method", b"POST"),
        (b":scheme", scheme),
        (b":path", path.encode()),
        (b":authority", b"localhost"),
        (b"te", b"trailers"),
        (b"content-type", b"application/grpc"),
        *more,
    ]
    return b"".join(literal(name, value) for name, value in fields)


def whole(message: bytes) -> bytes:
    """A message as gRPC frames it."""
    return b"\0" + len(message).to_bytes(4, "big") + message


def call(stream: int, block: bytes, *bodies: bytes) -> bytes:
    """The frames of a call whose body comes in one or several DATA frames."""
    frames = [frame(HEADERS, block, flags=END_HEADERS, stream=stream)]
    frames += [frame(DATA, body, stream=stream) for body in bodies[:-1]]
    frames.append(frame(DATA, bodies[-1], flags=END_STREAM, stream=stream))
    return b"".join(frames)


def dial(target: str) -> socket.socket:
    """Connects to the target of a server, and says nothing."""
    if target.startswith("unix:"):
        connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connected.settimeout(BOUND)
        connected.connect(target.removeprefix("unix:"))
        return connected
    host, _, port = target.removeprefix("tls:").rpartition(":")
    connected = socket.create_connection((host, int(port)), BOUND)
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return _TLS.wrap_socket(connected) if target.startswith("tls:") else connected


def greeting(window: int = LARGEST_WINDOW) -> bytes:
    """What a client says first; each of its streams takes so many bytes before it is asked again.

    The server is told to keep no header table, so that a status is readable where it stands.
    """
    return (
        PREFACE
        + settings({HEADER_TABLE_SIZE: 0, INITIAL_WINDOW_SIZE: window})
        + window_update(LARGEST_WINDOW - FIRST_WINDOW)
    )


class Connection:
    """A connection that speaks HTTP/2 and leaves to the test what is said after the greeting."""

    def __init__(self, target: str, hello: bytes = greeting()) -> None:
        self.socket = dial(target)
        # By stream: the status of each call that ended, and the calls that a message came to.
        self.statuses: dict[int, int] = {}
        self.answered: set[int] = set()
        self.next_stream = 1
        self._buffer = bytearray()
        self._credit = FIRST_WINDOW
        self._unacknowledged = 0
        self.socket.sendall(hello)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes it without a word."""
        self.socket.close()

    def new_stream(self) -> int:
        """The number of the next call."""
        stream = self.next_stream
        self.next_stream += 2
        return stream

    def send(self, data: bytes, *, body_size: int = 0) -> None:
        """Sends frames, whose bodies have so many bytes, once the server's window allows it."""
        while self._credit < body_size:
            self.read()
        self._credit -= body_size
        self.socket.sendall(data)

    def start(self, block: bytes, *bodies: bytes) -> int:
        """Starts a call and gives its stream."""
        stream = self.new_stream()
        self.send(call(stream, block, *bodies), body_size=sum(map(len, bodies)))
        return stream

    def status_of(self, stream: int) -> int:
        """Waits for the end of a call and gives its status."""
        while stream not in self.statuses:
            self.read()
        return self.statuses.pop(stream)

    def read(self) -> None:
        """Waits for what comes next and notes what it means."""
        data = self.socket.recv(1 << 18)
        if not data:
            raise Closed("the server closed the connection")
        self._buffer += data
        for kind, flags, stream, payload in self._frames():
            self._note(kind, flags, stream, payload)
        if self._unacknowledged > 1 << 28:
            self.socket.sendall(window_update(self._unacknowledged))
            self._unacknowledged = 0

    def _frames(self) -> Iterator[tuple[int, int, int, bytes]]:
        place, buffer = 0, bytes(self._buffer)
        while len(buffer) >= place + 9:
            end = place + 9 + int.from_bytes(buffer[place : place + 3], "big")
            if len(buffer) < end:
                break
            kind, flags, stream = struct.unpack_from(">BBI", buffer, place + 3)
            yield kind, flags, stream, buffer[place + 9 : end]
            place = end
        del self._buffer[:place]

    def _note(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == DATA:
            self._unacknowledged += len(payload)
            self.answered.add(stream)
        elif kind == HEADERS and flags & END_STREAM:
            self.statuses[stream] = status_in(payload)
        elif kind == RST_STREAM:
            self.statuses.setdefault(stream, RESET)
        elif kind == SETTINGS and not flags & ACK:
            self.socket.sendall(frame(SETTINGS, flags=ACK))
        elif kind == PING and not flags & ACK:
            self.socket.sendall(frame(PING, payload, flags=ACK))
        elif kind == GOAWAY:
            raise Closed(f"the server sends the connection away: {payload[8:]!r}")
        elif kind == WINDOW_UPDATE and stream == 0:
            self._credit += int.from_bytes(payload, "big")


def status_in(block: bytes) -> int:
    """The status in a block of trailers that were sent as literals."""
    place = block.index(_STATUS) + len(_STATUS)
    return int(block[place + 1 : place + 1 + block[place]])
