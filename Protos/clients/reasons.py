"""The reasons of refusals, which the comments of the protos name."""

import re

from contract import Contract

CODES = (
    "CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS"
    " PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED"
    " INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED"
).split()

_ANY_CODE = "|".join(CODES)
_WORD = r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*"

# "NOT_FOUND, GROUP_NOT_FOUND", and "UNErrorDomain 1400, NOTIFICATION_INVALID_NO_DATE".
_BEHIND_CODE = re.compile(rf"(?:\b(?:{_ANY_CODE})|UNErrorDomain \d+), ({_WORD})\b")
# A row of a table: "  STORE_FULL   RESOURCE_EXHAUSTED   the server is full".
_ROW = re.compile(rf"^ +(?:\d+ +)?({_WORD}) +(?:{_ANY_CODE})\b", re.MULTILINE)
# "otherwise TIME_INTERVAL_INVALID", "SOUND_LIMIT where there are more".
_ANYWHERE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
# How reasons are written, and what the health service says.
_NO_REASONS = {"UPPER_SNAKE_CASE", "NOT_SERVING"}


def all_reasons(contract: Contract) -> list[str]:
    """The reasons in alphabetical order."""
    texts = list(_texts(contract))
    said = {found for text in texts for found in _BEHIND_CODE.findall(" ".join(text.split()))}
    said |= {found for text in texts for found in _ROW.findall(text)}
    values = [value.name for each in contract.enums.values() for value in each.proto.value]
    ends = {value[at + 1 :] for value in values for at, letter in enumerate(value) if letter == "_"}
    others = {*values, *ends, *_NO_REASONS, *map(str.upper, contract.json_names)}
    said |= {found for text in texts for found in _ANYWHERE.findall(text)} - others
    return sorted(said - set(CODES))


def _texts(contract: Contract):
    yield from contract.services.values()
    for rpc in contract.rpcs:
        yield rpc.text
    for message in contract.messages.values():
        yield message.text
        for part in (*message.fields, *message.oneofs):
            yield part.text
    for enum in contract.enums.values():
        yield enum.text
        yield from enum.values.values()
