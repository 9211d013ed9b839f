"""What schemathesis has to know of Connect: a stream is envelopes, and its end says how it went."""

import json
import struct
from typing import Any

import schemathesis

MEDIA_TYPE = "application/connect+json"
END_FLAG = 2


@schemathesis.deserializer(MEDIA_TYPE)
def read_stream(_context: Any, response: Any) -> list[Any]:
    """The messages of a stream; the last envelope has to be its end, and nothing may follow."""
    rest = response.content
    messages = []
    while rest:
        flag, size = struct.unpack_from(">BI", rest)
        body, rest = rest[5 : 5 + size], rest[5 + size :]
        if len(body) != size:
            raise ValueError("an envelope was cut short")
        messages.append(json.loads(body))
        if flag == END_FLAG:
            break
    if not messages or flag != END_FLAG or rest:
        raise ValueError("the stream has no end, or goes on behind it")
    return messages


@schemathesis.check
def refused_streams_say_why(_context: Any, response: Any, case: Any) -> None:
    """A stream answers 200 by its protocol: a call that is refused has the error in its end."""
    if not response.headers.get("content-type", [""])[0].startswith(MEDIA_TYPE):
        return
    end = read_stream(None, response)[-1]
    if case.meta is not None and case.meta.generation.mode.is_negative:
        assert end.get("error", {}).get("code"), "a wrong request ended without an error"
