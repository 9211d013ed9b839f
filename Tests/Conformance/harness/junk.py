"""Bytes that no HTTP/2 client should send, each kind as the attacks of past years had it."""

import random
import struct
from collections.abc import Callable

from harness import wire
from harness.http2 import (
    ACK,
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    GOAWAY,
    HEADERS,
    LARGEST_WINDOW,
    PING,
    PREFACE,
    RST_STREAM,
    SETTINGS,
    call,
    frame,
    header_block,
    literal,
    reset,
    settings,
    whole,
    window_update,
)

PATH = wire.path(wire.METHODS["GetServerInfo"])
BLOCK = header_block(PATH)
GREETING = PREFACE + settings({})
ACKNOWLEDGED = GREETING + frame(SETTINGS, flags=ACK)

# A call may have headers of 8 KiB; before the client acknowledges that, 64 KiB.
LARGE = 9 * 1024
FLOOD = 2_000


def nothing(choices: random.Random) -> bytes:
    return b""


def noise(choices: random.Random) -> bytes:
    return choices.randbytes(choices.randint(1, 2_000))


def broken_preface(choices: random.Random) -> bytes:
    preface = bytearray(PREFACE)
    preface[choices.randrange(len(preface))] ^= 1 << choices.randrange(8)
    return bytes(preface) + settings({})


def part_of_the_preface(choices: random.Random) -> bytes:
    return GREETING[: choices.randrange(len(GREETING))]


def noise_after_the_preface(choices: random.Random) -> bytes:
    return choices.choice([PREFACE, GREETING, ACKNOWLEDGED]) + noise(choices)


def any_frames(choices: random.Random) -> bytes:
    """Frames of any kind, also unknown ones, with any flags on any stream."""
    return ACKNOWLEDGED + b"".join(
        frame(
            choices.randrange(12),
            choices.randbytes(choices.choice([0, 1, 4, 5, 6, 8, 9, 40])),
            flags=choices.choice([0, 1, 4, 5, 8, 0x20, choices.randrange(256)]),
            stream=choices.choice([0, 1, 2, 3, choices.getrandbits(32)]),
        )
        for _ in range(choices.randint(1, 30))
    )


def wrong_length(choices: random.Random) -> bytes:
    """A call in which one frame says another length than it has."""
    data = bytearray(call(1, BLOCK, whole(b"")))
    data[choices.choice([0, 1, 2, 2, 2])] = choices.randrange(256)
    return ACKNOWLEDGED + bytes(data) + call(3, BLOCK, whole(b""))


def wrong_stream(choices: random.Random) -> bytes:
    """Calls on streams that are even, zero, used twice or going back."""
    streams = [choices.choice([0, 1, 1, 2, 5, 3, 2**31 - 1, 2**32 - 1]) for _ in range(6)]
    return ACKNOWLEDGED + b"".join(call(stream, BLOCK, whole(b"")) for stream in streams)


def mutated_call(choices: random.Random) -> bytes:
    """A whole conversation with a few bits changed."""
    data = bytearray(ACKNOWLEDGED + b"".join(call(n, BLOCK, whole(b"")) for n in (1, 3, 5)))
    for _ in range(choices.randint(1, 8)):
        data[choices.randrange(len(PREFACE), len(data))] ^= 1 << choices.randrange(8)
    return bytes(data)


def broken_headers(choices: random.Random) -> bytes:
    """Header blocks that are noise, end early, or point into an empty table."""
    block = choices.choice(
        [
            choices.randbytes(choices.randint(1, 200)),
            BLOCK[: choices.randrange(len(BLOCK))],
            b"\xff" * 20,
            b"\xbe",
            b"\x3f\xe1\xff\xff\xff\x0f" + BLOCK,
            BLOCK + b"\0\x7f\xff\xff\xff\xff\x07x",
        ]
    )
    return ACKNOWLEDGED + frame(HEADERS, block, flags=END_HEADERS | END_STREAM, stream=1)


def strange_settings(choices: random.Random) -> bytes:
    values = {choices.randrange(10): choices.getrandbits(32) for _ in range(8)}
    odd = frame(SETTINGS, choices.randbytes(choices.randint(0, 13)))
    return PREFACE + settings(values) + odd + call(1, BLOCK, whole(b""))


def settings_flood(choices: random.Random) -> bytes:
    return GREETING + settings({3: 100}) * FLOOD


def settings_ack_flood(choices: random.Random) -> bytes:
    return GREETING + frame(SETTINGS, flags=ACK) * FLOOD


def ping_flood(choices: random.Random) -> bytes:
    return ACKNOWLEDGED + frame(PING, bytes(8)) * FLOOD


def ping_ack_flood(choices: random.Random) -> bytes:
    return ACKNOWLEDGED + frame(PING, bytes(8), flags=ACK) * FLOOD


def continuation_flood(choices: random.Random) -> bytes:
    """A header block that does not end."""
    part = literal(b"x-more", b"m" * 100) * choices.choice([0, 1, 100])
    return (
        choices.choice([GREETING, ACKNOWLEDGED])
        + frame(HEADERS, BLOCK, stream=1)
        + frame(CONTINUATION, part, stream=1) * (FLOOD // 10)
    )


def continuation_of_nothing(choices: random.Random) -> bytes:
    return ACKNOWLEDGED + frame(CONTINUATION, BLOCK, flags=END_HEADERS, stream=1)


def interrupted_headers(choices: random.Random) -> bytes:
    return ACKNOWLEDGED + frame(HEADERS, BLOCK, stream=1) + frame(PING, bytes(8))


def window_overflow(choices: random.Random) -> bytes:
    stream = choices.choice([0, 1])
    opened = frame(HEADERS, BLOCK, flags=END_HEADERS, stream=1)
    return ACKNOWLEDGED + opened + window_update(LARGEST_WINDOW, stream=stream) * 3


def window_of_nothing(choices: random.Random) -> bytes:
    return ACKNOWLEDGED + window_update(0) + window_update(0, stream=1) + window_update(1, stream=9)


def empty_data_flood(choices: random.Random) -> bytes:
    opened = frame(HEADERS, BLOCK, flags=END_HEADERS, stream=1)
    return ACKNOWLEDGED + opened + frame(DATA, stream=1) * FLOOD


def more_data_than_the_window(choices: random.Random) -> bytes:
    opened = frame(HEADERS, BLOCK, flags=END_HEADERS, stream=1)
    return ACKNOWLEDGED + opened + frame(DATA, bytes(16_384), stream=1) * 100


def padding_beyond_the_end(choices: random.Random) -> bytes:
    opened = frame(HEADERS, b"\xff" + BLOCK, flags=END_HEADERS | 0x8, stream=1)
    return ACKNOWLEDGED + opened + frame(DATA, b"\xff\0", flags=0x8, stream=3)


def resets_of_nothing(choices: random.Random) -> bytes:
    return ACKNOWLEDGED + b"".join(reset(stream) for stream in range(1, FLOOD, 2))


def broken_goaway(choices: random.Random) -> bytes:
    ends = frame(GOAWAY, struct.pack(">II", 2**31 - 1, choices.randrange(20)) + b"end")
    return ACKNOWLEDGED + ends + frame(RST_STREAM, b"", stream=1) + call(1, BLOCK, whole(b""))


def giant_headers(choices: random.Random) -> bytes:
    """More than is allowed, before and after the server's settings were acknowledged."""
    large = literal(b"x-large", b"l" * 16_000)
    parts = [large] * choices.choice([1, 4, 40])
    return (
        choices.choice([GREETING, ACKNOWLEDGED])
        + frame(HEADERS, BLOCK, stream=1)
        + b"".join(frame(CONTINUATION, part, stream=1) for part in parts)
        + frame(CONTINUATION, flags=END_HEADERS, stream=1)
        + frame(DATA, whole(b""), flags=END_STREAM, stream=1)
    )


def aborting_headers(choices: random.Random) -> bytes:
    """CVE-2023-1428: an aborted process where these come with more than 8 KiB of others."""
    scheme = choices.choice([b"http", b"x", b""])
    fields = [
        field
        for field in [(b"te", b"x"), (b"grpclb_client_stats", b"x"), (b"x", b"l" * LARGE)]
        if choices.random() < 0.6
    ]
    block = header_block(PATH, *fields, scheme=scheme)
    return choices.choice([GREETING, ACKNOWLEDGED]) + call(1, block, whole(b""))


def strange_headers(choices: random.Random) -> bytes:
    """Fields that are twice there, in upper case, of no method, or with a value that is none."""
    fields = [
        (b":path", PATH.encode()),
        (b":status", b"200"),
        (b"Upper", b"case"),
        (b"", b""),
        (b"grpc-timeout", b"99999999999S"),
        (b"grpc-timeout", b"-1n"),
        (b"grpc-encoding", b"gzip"),
        (b"grpc-encoding", b"none-such"),
        (b"content-type", b"application/json"),
        (b"key-bin", b"!"),
        (b"key", b"\0\r\n"),
        (b"connection", b"close"),
    ]
    block = header_block(PATH, *choices.sample(fields, 3))
    return ACKNOWLEDGED + call(1, block, whole(b""))


def paths(choices: random.Random) -> bytes:
    path = choices.choice(["", "/", "*", "//", PATH + "/", PATH[1:], "/" + "p" * 3_000, "/a b"])
    return ACKNOWLEDGED + call(1, header_block(path), whole(b""))


def compressed_noise(choices: random.Random) -> bytes:
    block = header_block(PATH, (b"grpc-encoding", choices.choice([b"gzip", b"deflate"])))
    body = b"\1" + whole(choices.randbytes(choices.randint(0, 100)))[1:]
    return ACKNOWLEDGED + call(1, block, body)


def http_1(choices: random.Random) -> bytes:
    lines = ["GET / HTTP/1.1", "POST /x HTTP/1.1", "OPTIONS * HTTP/1.0", "PRI * HTTP/1.1"]
    return f"{choices.choice(lines)}\r\nHost: localhost\r\nUpgrade: h2c\r\n\r\n".encode()


def tls_hello(choices: random.Random) -> bytes:
    hello = b"\x01\0\0\xf8\x03\x03" + choices.randbytes(246)
    return b"\x16\x03\x01" + len(hello).to_bytes(2, "big") + hello


KINDS: list[Callable[[random.Random], bytes]] = [
    nothing,
    noise,
    broken_preface,
    part_of_the_preface,
    noise_after_the_preface,
    any_frames,
    wrong_length,
    wrong_stream,
    mutated_call,
    broken_headers,
    strange_settings,
    settings_flood,
    settings_ack_flood,
    ping_flood,
    ping_ack_flood,
    continuation_flood,
    continuation_of_nothing,
    interrupted_headers,
    window_overflow,
    window_of_nothing,
    empty_data_flood,
    more_data_than_the_window,
    padding_beyond_the_end,
    resets_of_nothing,
    broken_goaway,
    giant_headers,
    aborting_headers,
    strange_headers,
    paths,
    compressed_noise,
    http_1,
    tls_hello,
]
