"""Scenarios: calls and what is expected of them, in files that every client follows.

`languages/scenarios/README.md` has their form.
"""

import json
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import yaml
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from harness import wire
from harness.driver import Call, Driver
from harness.keys import new_key
from harness.matching import differences, shown
from harness.refusals import Expected, Refusal
from harness.server import BOUND

SCENARIOS = Path(__file__).parents[1] / "languages/scenarios"

Step = dict[str, Any]

# How long nothing has to come where nothing is expected.
QUIET = 0.2

_EXPECTATIONS = {"gives", "fails", "capture"}

# What a step may say besides its kind, which is its first word.
_WORDS = {
    "call": {"with", "timeout", "as", "path"} | _EXPECTATIONS,
    "open": {"with", "timeout", "as"},
    "result": _EXPECTATIONS,
    "frames": {"are", "capture"},
    "quiet": set(),
    "cancel": set(),
    "ended": {"fails"},
}


class NotAsExpected(AssertionError):
    """A step went otherwise than its scenario says."""


class _Loader(yaml.SafeLoader):
    """YAML without dates, so that an instant is the text that JSON has."""

    yaml_implicit_resolvers = {
        first: [(tag, words) for tag, words in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


@dataclass(frozen=True)
class Scenario:
    """What one file says."""

    name: str
    shows: str
    steps: list[Step]
    # The options of its server, where they are not those of all.
    server: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def all(cls) -> list["Scenario"]:
        """Those of all files, by name."""
        return [cls._read(path) for path in sorted(SCENARIOS.glob("*.yaml"))]

    @classmethod
    def _read(cls, path: Path) -> "Scenario":
        scenario = cls(path.stem, **yaml.load(path.read_text(), _Loader))
        for number, step in enumerate(scenario.steps, 1):
            kind, *others = step
            if kind not in _WORDS or not _WORDS[kind].issuperset(others):
                raise ValueError(f"{path.name}: step {number} is none that there is: {step}")
        return scenario

    @property
    def rpcs(self) -> set[str]:
        """The rpcs that it calls and does not see refused."""
        made = [step for step in self.steps if not step.keys() & {"path", "fails"}]
        return {step[kind] for step in made for kind in ("call", "open") if kind in step}


@dataclass
class _Stream:
    """A stream that is open, or a call whose result is still to come."""

    call: Call
    frames: deque[Message] = field(default_factory=deque)
    # The message that the newest frame came in.
    newest: Message | None = None

    def next(self, bound: float) -> Message | None:
        """The next frame, or none at the end. A message without frames counts as one."""
        deadline = time.monotonic() + bound
        while not self.frames:
            message = self.call.message(max(0.0, deadline - time.monotonic()))
            if message is None:
                return None
            self.newest = message
            frames = message.frames if hasattr(message, "frames") else [message]
            self.frames.extend(frame for frame in frames if not _is_heartbeat(frame))
        return self.frames.popleft()


def _is_heartbeat(frame: Message) -> bool:
    return "heartbeat" in frame.DESCRIPTOR.fields_by_name and frame.HasField("heartbeat")


class Run:
    """One run of a scenario by a driver."""

    def __init__(self, driver: Driver, app: str, *, transport: str = "") -> None:
        self._driver = driver
        self._transport = transport
        self._values: dict[str, str] = {"app": app}
        self._streams: dict[str, _Stream] = {}

    def all(self, scenario: Scenario) -> None:
        """Makes all steps in order."""
        for number, step in enumerate(scenario.steps, 1):
            kind = next(iter(step))
            act: Callable[[str, Step], None] = getattr(self, f"_{kind}")
            try:
                act(step[kind], {word: self._filled(value) for word, value in step.items()})
            except (NotAsExpected, AssertionError, TimeoutError) as error:
                raise NotAsExpected(f"step {number}, {step}:\n{error}") from None

    # What a step says, with its values.

    def _filled(self, value: Any) -> Any:
        """A part of a step with its ${...} filled in."""
        if isinstance(value, dict):
            return {key: self._filled(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._filled(item) for item in value]
        if isinstance(value, str):
            return re.sub(r"\$\{([^}]+)\}", lambda match: self._value(match[1]), value)
        return value

    def _value(self, name: str) -> str:
        if match := re.fullmatch(r"(.+)\*(\d+)", name):
            return match[1] * int(match[2])
        if name.startswith("key ") and name not in self._values:
            self._values[name] = new_key()
        if name not in self._values:
            raise NotAsExpected(f"nothing is known as {name}")
        return self._values[name]

    def _capture(self, paths: dict[str, str], whole: dict[str, Any]) -> None:
        for name, path in paths.items():
            found: Any = whole
            try:
                for key in re.findall(r"\w+", path):
                    found = found[int(key) if isinstance(found, list) else key]
            except (KeyError, IndexError):
                found = None
            if found in (None, "", [], {}):
                raise NotAsExpected(f"{path} is not there to be known as {name}")
            self._values[name] = str(found)

    # The kinds of step.

    def _call(self, rpc: str, step: Step) -> None:
        stream = self._start(rpc, step)
        if "as" in step:
            self._streams[step["as"]] = stream
        else:
            self._judge(stream, step)

    def _open(self, rpc: str, step: Step) -> None:
        self._streams[step["as"]] = self._start(rpc, step)

    def _result(self, name: str, step: Step) -> None:
        self._judge(self._streams.pop(name), step)

    def _frames(self, name: str, step: Step) -> None:
        stream, seen = self._streams[name], {}
        for index, expected in enumerate(step["are"]):
            frame = stream.next(BOUND)
            if frame is None:
                raise NotAsExpected(f"the stream ended before frame {index}: {stream.call.end()}")
            _compare(expected, frame, f"frame {index}: ")
            # Of frames of one kind, the last.
            seen |= shown(stream.newest) | shown(frame)
        self._capture(step.get("capture", {}), seen)

    def _quiet(self, name: str, _: Step) -> None:
        stream = self._streams[name]
        try:
            frame = stream.next(QUIET)
        except TimeoutError:
            return
        found = stream.call.end() if frame is None else shown(frame)
        raise NotAsExpected(f"should be quiet, but there is {found}")

    def _cancel(self, name: str, _: Step) -> None:
        stream = self._streams.pop(name)
        self._driver.cancel(stream.call)
        self._expect_end(stream, {"code": "CANCELLED"})

    def _ended(self, name: str, step: Step) -> None:
        self._expect_end(self._streams.pop(name), step.get("fails"))

    def _start(self, rpc: str, step: Step) -> _Stream:
        method = wire.METHODS[rpc]
        request = _with_center(step.get("with", {}), method.input_type, self._values["app"])
        call = self._driver.start(
            method, request, timeout=step.get("timeout", BOUND), path=step.get("path", "")
        )
        return _Stream(call)

    def _judge(self, stream: _Stream, step: Step) -> None:
        """Holds a call with one answer against what is expected of it."""
        response = None if "fails" in step else stream.call.message()
        self._expect_end(stream, step.get("fails"))
        if "fails" not in step:
            if response is None:
                raise NotAsExpected("the call is OK and gives nothing")
            _compare(step.get("gives", {}), response)
            self._capture(step.get("capture", {}), shown(response))

    def _expect_end(self, stream: _Stream, fails: dict[str, Any] | None) -> None:
        if (frame := stream.next(BOUND)) is not None:
            raise NotAsExpected(f"nobody expects {shown(frame)}")
        end = stream.call.end()
        if fails is None:
            if end.code != grpc.StatusCode.OK:
                raise NotAsExpected(f"the call failed: {end}")
        elif self._transport == "http" and "overHttp" in fails:
            _check_refusal(fails | {"reason": fails["overHttp"]}, end)
        else:
            _check_refusal(fails, end)


def _with_center(value: Any, kind: Descriptor | None, app: str) -> Any:
    """A message in JSON in which each one that is about a center has the app's, or its own."""
    if kind is None or not isinstance(value, dict):
        return value
    fields = {field.json_name: field for field in kind.fields}
    inner = {
        name: _with_center(item, fields[name].message_type if name in fields else None, app)
        for name, item in value.items()
    }
    return {"center": {"appId": app}, **inner} if "center" in fields else inner


def _compare(expected: dict[str, Any], message: Message, what: str = "") -> None:
    if found := differences(expected, message):
        lines = [*(f"{what}{line}" for line in found), f"in {json.dumps(shown(message))}"]
        raise NotAsExpected("\n".join(lines))


def _check_refusal(fails: dict[str, Any], end: Refusal) -> None:
    """Holds a status against the expected code, reason, fields, number of Apple's and metadata."""
    code = grpc.StatusCode[fails["code"]]
    if "reason" in fails:
        fields = tuple(fails.get("fields", []))
        Expected(code, fails["reason"], fields, fails.get("apple")).check(end)
        for key, value in fails.get("metadata", {}).items():
            assert end.metadata.get(key) == value, end
    else:
        # It comes from gRPC, on either side, and not from the server's own rules.
        assert (end.code, end.reason) == (code, ""), end

