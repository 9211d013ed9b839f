"""The reasons of refusals: what the server says, the protos name, and the clients know."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SOURCES = ROOT / "Sources"

# Reasons that are told to nobody.
UNTOLD = {"CANCELLED"}

# Where reasons that are no cases of `Reason` stand as texts, for the gates and for HTTP.
GATES = ("NotificationService/Access/AccessRefusal.swift", "NotificationHTTP/OriginRules.swift",
         "NotificationHTTP/ConnectCode.swift")  # fmt: skip

_CASES = re.compile(r"case ([^\n]*(?:(?<=,)\n[^\n]*)*)")
_CASE = re.compile(r'(\w+)(?: = "(\w+)")?')
_TEXT = re.compile(r'"([A-Z]+(?:_[A-Z]+)+)"')


def said() -> set[str]:
    """The reasons in the server's sources."""
    source = (SOURCES / "NotificationCore/Refusals/Reason.swift").read_text()
    found = {
        re.sub("([A-Z])", r"_\1", name or case).upper()
        for cases in _CASES.findall(re.sub("//.*", "", source))
        for case, name in _CASE.findall(cases)
    }
    for gate in GATES:
        found |= set(_TEXT.findall((SOURCES / gate).read_text()))
    return found - UNTOLD


def in_go() -> set[str]:
    source = (ROOT / "Clients/go/reasons.go").read_text()
    return set(re.findall(r'^\tReason\w+ += "(\w+)"$', source, re.MULTILINE))


def in_typescript() -> set[str]:
    source = (ROOT / "Clients/js/contract.d.ts").read_text()
    union = re.search(r"^export type Reason =\n(.*?);\n", source, re.MULTILINE | re.DOTALL)
    assert union
    return set(re.findall(r'^  \| "(\w+)"$', union[1], re.MULTILINE))


@pytest.mark.parametrize("known", [in_go, in_typescript])
def test_a_client_knows_each_reason_that_the_server_gives(known) -> None:
    assert len(said()) > 150
    assert known() == said()
