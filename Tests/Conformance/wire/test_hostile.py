"""Values that hurt, in every field of every rpc: no call is slow, none silences the others."""

from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from harness import wire
from harness.canary import Canary
from harness.client import App, Client, request
from harness.hostile import LARGEST_TEXT, Attempt, Hostile, marks
from harness.launcher import Launcher
from harness.mutation import MOVES_THE_CLOCK
from harness.processor import processor_seconds
from harness.refusals import Expected, refusal_of
from harness.server import BOUND, Server
from harness.torture import Torture

# What a call may take of the processors, in seconds, and how long others may wait meanwhile, which
# a machine that is busy makes longer. A value that hurts does so each time.
RELEASE_LIMIT = 0.1
DEBUG_LIMIT = 2.0
SILENCE_LIMIT = 2.0
TRIES = 4

# A server that is broken for good is soon known.
MOST_FINDINGS = 20

# Calls whose work is as much as they ask for: they take their time, and no other call waits.
LONG = (*MOVES_THE_CLOCK, "Backup")

# A broken server's codes. The last is that of a call that never ended.
BAD = (
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DATA_LOSS,
    grpc.StatusCode.DEADLINE_EXCEEDED,
)

HEALTH = "/grpc.health.v1.Health/"
REFLECTION = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"


@pytest.fixture
def limit(pytestconfig: pytest.Config) -> float:
    """What a call of this binary may take."""
    is_release = "release" in str(pytestconfig.getoption("--server"))
    return RELEASE_LIMIT if is_release else DEBUG_LIMIT


def field(number: int, value: bytes) -> bytes:
    """A field of bytes, as protobuf writes it."""
    length, size = len(value), b""
    while length >= 0x80:
        size += bytes([length & 0x7F | 0x80])
        length >>= 7
    return bytes([number << 3 | 2]) + size + bytes([length]) + value


def once(client: Client, path: str, data: bytes) -> grpc.StatusCode:
    """Makes a call, and takes the first answer of a stream as its end."""
    call = client.channel.stream_stream(path)(iter([data]), timeout=BOUND)
    try:
        answers: Iterator[bytes] = iter(call)
        next(answers, None)
    except grpc.RpcError as error:
        return error.code()
    finally:
        call.cancel()
    return grpc.StatusCode.OK


def least_work(server: Server, limit: float, call: Callable[[], None]) -> float:
    """What a call takes of the server's processors, the least of a few tries."""
    least = float("inf")
    for _ in range(TRIES):
        before = processor_seconds(server.pid)
        call()
        least = min(least, processor_seconds(server.pid) - before)
        if least < limit:
            break
    return least


class Judge:
    """Measures calls, and how long the canary waits meanwhile."""

    def __init__(self, server: Server, client: Client, canary: Canary, limit: float) -> None:
        self._server = server
        self._client = client
        self._canary = canary
        self._limit = limit
        # What went wrong: a long run tells more than its first finding.
        self.findings: list[str] = []
        self.slowest = (0.0, "none")
        self.longest_silence = (0.0, "none")

    def judge(self, path: str, data: bytes, what: str, *, is_long: bool = False) -> None:
        """Finds a call that is slow, or others wait for it, each time that it is made."""
        times, waits = [], []
        for _ in range(TRIES):
            self._canary.begin()
            before = processor_seconds(self._server.pid)
            code = once(self._client, path, data)
            times.append(0 if is_long else processor_seconds(self._server.pid) - before)
            waits.append(self._canary.longest())
            # What takes its time may have no answer yet; what others wait is still measured.
            if code in BAD and not (is_long and code is grpc.StatusCode.DEADLINE_EXCEEDED):
                return self._find(f"{what}: {code}")
            if min(times) < self._limit and min(waits) < SILENCE_LIMIT:
                break
        self.slowest = max(self.slowest, (min(times), what))
        self.longest_silence = max(self.longest_silence, (min(waits), what))
        if min(times) >= self._limit:
            self._find(f"{what}: took {times}")
        if min(waits) >= SILENCE_LIMIT:
            self._find(f"{what}: others waited {waits}")

    def _find(self, what: str) -> None:
        self.findings.append(what)
        assert len(self.findings) < MOST_FINDINGS, "\n".join(self.findings)


def prepare(client: Client) -> App:
    """An app that may do everything, with what the requests speak of."""
    app = App(client, wire.Center(app_id="org.example.hostile", device_id="hostile"))
    app.authorize()
    return app


@pytest.mark.torture
def test_no_value_of_any_field_is_slow(
    launch: Launcher, torture: Torture, limit: float, report: Callable[[str], None]
) -> None:
    server = launch()
    with Client(server.targets["unix"]) as client, Canary(server.targets["tcp"]) as canary:
        hostile = Hostile(prepare(client).center, torture.seed)
        judge = Judge(server, client, canary, limit)
        for attempt in hostile.whole():
            _judge(judge, attempt)
        for number in torture.rounds("fuzz"):
            # Hostile calls may take the app away, or its permission.
            if number % 500 == 499:
                prepare(client)
            _judge(judge, hostile.attempt())
        client.call("GetServerInfo")
        assert not judge.findings, "\n".join(judge.findings)
    server.terminate()
    assert server.wait() == 0
    # The values that are stored now are read as fast.
    server = launch(server.home)
    with Client(server.targets["unix"]) as client, Canary(server.targets["tcp"]) as canary:
        judge_again = Judge(server, client, canary, limit)
        for attempt in hostile.whole():
            _judge(judge_again, attempt)
        assert not judge_again.findings, "\n".join(judge_again.findings)
    report(
        f"fuzz: {torture.count('fuzz')} hostile calls, slowest {judge.slowest[0] * 1e3:.0f} ms "
        f"({judge.slowest[1]}); the others waited at most "
        f"{judge.longest_silence[0] * 1e3:.0f} ms ({judge.longest_silence[1]})"
    )


def _judge(judge: Judge, attempt: Attempt) -> None:
    path = wire.path(wire.METHODS[attempt.rpc])
    judge.judge(path, attempt.data, str(attempt), is_long=attempt.rpc in LONG)


LONG_TEXTS: dict[str, tuple[str, Callable[[str], dict[str, Any]]]] = {
    "calendar": ("Add", lambda text: {"request": dated(calendar=text)}),
    "time zone of a date": ("Add", lambda text: {"request": dated(time_zone=text)}),
    "thread": ("Add", lambda text: {"request": request("a", title="t", thread_identifier=text)}),
    "idempotency key": ("RemoveAllPending", lambda text: {"idempotency_key": text}),
    "page token": ("ListPending", lambda text: {"page_token": text}),
    "zone of a preview": (
        "ListTriggerDates", lambda text: {"trigger": {"recurrence": {"cron": "@daily", "time_zone": text}}},
    ),
    "page token of dates": ("ListUpcoming", lambda text: {"page_token": text}),
    "thread of a filter": ("ListPending", lambda text: {"filter": {"thread_identifier": text}}),
    "path of a device": ("UpdateDeviceState", lambda text: masked(text)),
    "path of settings": ("UpdateSettings", lambda text: {"update_mask": {"paths": [text]}}),
    "focus's app": ("UpdateDeviceState", lambda text: masked("focus", allowed_apps=[text])),
    "focus's person": ("UpdateDeviceState", lambda text: masked("focus", allowed_people=[text])),
    "focus's filter": (
        "UpdateDeviceState",
        lambda text: masked("focus", filters=[wire.FocusFilter(app_id=text)]),
    ),
    "group": ("Dismiss", lambda text: {"group_id": f"a/thread/{text}", "kind": 0}),
    "key of a table": (
        "SetStringTable",
        lambda text: {
            "language": "en",
            "strings": [wire.StringTableEntry(key=text, value={"text": "t"})],
        },
    ),
    "language of a name": (
        "RegisterApp",
        lambda text: {"manifest": wire.AppManifest(names=[wire.AppName(language=text)])},
    ),
    "app": ("SetSound", lambda text: {"app_id": text}),
    "sound": ("SetSound", lambda text: {"name": text}),
    "file's type": (
        "PutAttachment",
        lambda text: {"metadata": wire.AttachmentMetadata(file_name="a", type_hint=text)},
    ),
}


def dated(**parts: str) -> wire.NotificationRequest:
    asked = request("a", title="t")
    components = wire.DateComponents(hour=8, **parts)
    asked.trigger.CopyFrom(
        wire.Trigger(calendar=wire.CalendarTrigger(date_components=components))
    )
    return asked


def masked(path: str, **focus: Any) -> dict[str, Any]:
    """A change of a device's state."""
    return {"state": wire.DeviceState(focus=focus), "update_mask": {"paths": [path]}}


@pytest.mark.parametrize("count", [60_000, LARGEST_TEXT])
@pytest.mark.parametrize("rpc, fields", LONG_TEXTS.values(), ids=LONG_TEXTS.keys())
def test_a_text_that_is_too_long_is_refused_at_once(
    server: Server,
    app: App,
    limit: float,
    rpc: str,
    fields: Callable[[str], dict[str, Any]],
    count: int,
) -> None:
    known = wire.METHODS[rpc].input_type.fields_by_name
    named = {"center": app.center, "app_id": app.center.app_id}
    asked = {name: value for name, value in named.items() if name in known}
    text = marks(count, last="a")

    def call() -> None:
        refusal = refusal_of(lambda: app.client.call(rpc, **asked | fields(text)))
        assert refusal.code in (
            grpc.StatusCode.INVALID_ARGUMENT,
            grpc.StatusCode.NOT_FOUND,
            grpc.StatusCode.FAILED_PRECONDITION,
        ), refusal

    assert least_work(server, limit, call) < limit


@pytest.mark.parametrize(
    "field, most",
    [
        ("category_identifier", 256),
        ("thread_identifier", 1_024),
        ("launch_image_name", 256),
        ("summary_argument", 1_024),
        ("target_content_identifier", 1_024),
        ("filter_criteria", 256),
    ],
)
def test_a_text_of_a_content_has_a_limit_of_its_own(app: App, field: str, most: int) -> None:
    app.add("a", title="t", **{field: "x" * most})
    too_large = Expected(
        grpc.StatusCode.INVALID_ARGUMENT, "CONTENT_TOO_LARGE", (f"request.content.{field}",)
    )
    too_large.check(refusal_of(lambda: app.add("b", title="t", **{field: "x" * (most + 1)})))


@pytest.mark.parametrize("rpc", ["Check", "Watch"])
@pytest.mark.parametrize("count", [600, 60_000, LARGEST_TEXT])
def test_the_health_of_a_long_name_is_told_at_once(
    server: Server, client: Client, limit: float, rpc: str, count: int
) -> None:
    data = field(1, marks(count).encode())

    def call() -> None:
        code = once(client, HEALTH + rpc, data)
        assert code == (grpc.StatusCode.NOT_FOUND if rpc == "Check" else grpc.StatusCode.OK)

    assert least_work(server, limit, call) < limit


@pytest.mark.parametrize("number", [1, 3, 4, 6])
@pytest.mark.parametrize("count", [600, 60_000, LARGEST_TEXT])
def test_reflection_answers_a_long_name_at_once(
    server: Server, client: Client, limit: float, number: int, count: int
) -> None:
    data = field(number, marks(count).encode())

    def call() -> None:
        assert once(client, REFLECTION, data) not in BAD

    assert least_work(server, limit, call) < limit
