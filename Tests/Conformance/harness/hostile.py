"""Requests with values that hurt, for each field of each rpc, as the descriptors have them."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from harness import wire
from harness.client import request
from harness.mutation import samples

MARKS = "\u0323\u0301\u0345\u0316"
LARGEST_TEXT = 990_000
# What a message has beside its hostile value.
LARGEST_MESSAGE = 1 << 20

DEEPEST = 7
NAN = float("nan")


def marks(count: int, first: str = "e", last: str = "") -> str:
    """One letter with so many bytes of marks on it."""
    return first + MARKS * (count // 8) + last


def texts() -> dict[str, str]:
    """Texts by what is wrong with them."""
    large = {
        f"{count} bytes of {name}": make(count)
        for count in (1_000, 60_000, LARGEST_TEXT)
        for name, make in {
            "marks": marks,
            "marks and a letter": lambda count: marks(count, last="a"),
            "jamo": lambda count: "\u1100\u1161\u11a8" * (count // 9),
            "joined emoji": lambda count: "\U0001f469\u200d" * (count // 7),
            "flags": lambda count: "\U0001f1e6" * (count // 4),
            "right to left": lambda count: "\u202e\u05d0" * (count // 5),
            "slashes": lambda count: "/" * count,
            "hyphens": lambda count: "-" * count,
            "dots": lambda count: "." * count,
            "per cents": lambda count: "%" * count,
            "digits": lambda count: "9" * count,
            "letters": lambda count: "a" * count,
            "brackets": lambda count: '{"a":' + "[" * (count - 5),
            "objects": lambda count: '{"a":' * (count // 5),
            "escapes": lambda count: '{"a":"' + "\\u0301" * (count // 6) + '"}',
            "places": lambda count: "%1$@%@%u" * (count // 8),
        }.items()
    }
    small = [
        "", "\0", "a\0b", " ", "\u202e", "\ufeff", "\uffff", "\U0010ffff", "\ud7ff", "\u2028",
        "e\u0301", "\u00e9", "../../etc/passwd", "/", "-1", "18446744073709551616", "NaN", "null",
        "{}", '{"a":NaN}', "%n%s", "org.example.app", "UTC", "en", "0", "local", "focus",
        *("a" * count for count in (35, 36, 37, 64, 65, 155, 156, 255, 256, 257, 1_024, 1_025)),
        *(marks(count) for count in (64, 128, 255, 256, 512, 1_024, 4_096)),
    ]  # fmt: skip
    return large | {repr(text[:20]) + f" of {len(text)}": text for text in small}


TEXTS = texts()

INTEGERS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_ENUM: (-(2**31), 2**31 - 1),
}

NUMBERS = [
    0, 1, -1, 2, 7, 59, 60, 61, 64, 255, 256, 999_999_999, 10**9, -(10**9), 2**31 - 1, 2**31,
    -(2**31), 2**32 - 1, 2**32, 2**53, 253_402_300_799, 253_402_300_800, 315_576_000_000,
    -62_135_596_800, 9_223_372_036, 9_223_372_037, -9_223_372_037, 2**63 - 1, -(2**63), 2**64 - 1,
]  # fmt: skip

FRACTIONS = [
    0.0, -0.0, 0.5, 1.0, 1.0000001, -1.0, NAN, float("inf"), float("-inf"), 5e-324, 1.7e308, -1.7e308,
]  # fmt: skip

COUNTS = [0, 2, 65, 1_001, 20_000]


@dataclass(frozen=True)
class Leaf:
    """A field by the fields that lead to it."""

    path: tuple[FieldDescriptor, ...]

    @property
    def field(self) -> FieldDescriptor:
        return self.path[-1]

    def __str__(self) -> str:
        return ".".join(field.name for field in self.path)


def leaves(message: Descriptor, path: tuple[FieldDescriptor, ...] = ()) -> Iterator[Leaf]:
    """All fields of a message and of those in it; a repeated message is a leaf too."""
    for field in message.fields:
        here = (*path, field)
        if field.message_type is None:
            yield Leaf(here)
        elif len(here) < DEEPEST and field.message_type not in [step.message_type for step in path]:
            if field.is_repeated:
                yield Leaf(here)
            yield from leaves(field.message_type, here)


def one(field: FieldDescriptor, choices: random.Random) -> tuple[str, Any]:
    """A value for a field, or for an element of it, and what is wrong with it."""
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING if field.type == FieldDescriptor.TYPE_BYTES:
            count = choices.choice([0, 1, 257, 60_000, 262_145, 786_433, LARGEST_TEXT])
            return f"{count} bytes", b"\xcc\x81" * (count // 2)
        case FieldDescriptor.CPPTYPE_STRING:
            return choices.choice(list(TEXTS.items()))
        case FieldDescriptor.CPPTYPE_BOOL:
            value = choices.choice([False, True])
            return str(value), value
        case FieldDescriptor.CPPTYPE_FLOAT | FieldDescriptor.CPPTYPE_DOUBLE:
            fraction = choices.choice(FRACTIONS)
            return str(fraction), fraction
        case kind:
            least, greatest = INTEGERS[kind]
            number = choices.choice([n for n in NUMBERS if least <= n <= greatest])
            return str(number), number


def many(field: FieldDescriptor, choices: random.Random) -> tuple[str, list[Any]]:
    """Values for a repeated field, and what is wrong with them."""
    count = choices.choice(COUNTS)
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING and choices.random() < 0.5:
        # All are of one letter and one hash, as long as so many may be.
        length = max(16, min(1_024, LARGEST_TEXT // max(1, count)) - 16)
        return f"{count} of {length} bytes", [
            marks(length, last=chr(0x4E00 + index)) for index in range(count)
        ]
    name, value = one(field, choices)
    size = len(value.encode()) if isinstance(value, str) else 10
    count = max(1, min(count, LARGEST_TEXT // (size + 4)))
    return f"{count} of {name}", [value] * count


def spoil(message: Message, leaf: Leaf, choices: random.Random) -> str:
    """Puts a hostile value into a message; tells which."""
    for step in leaf.path[:-1]:
        part = getattr(message, step.name)
        if step.is_repeated:
            message = part[0] if part else part.add()
        else:
            part.SetInParent()
            message = part
    field = leaf.field
    if not field.is_repeated:
        name, value = one(field, choices)
        setattr(message, field.name, value)
    elif field.message_type is not None:
        part = getattr(message, field.name)
        count = choices.choice(COUNTS)
        name = f"{count} elements"
        sample = part[0] if part else part.add()
        count = min(count, LARGEST_TEXT // (sample.ByteSize() + 6))
        for _ in range(count):
            part.add().CopyFrom(sample)
    else:
        name, values = many(field, choices)
        del getattr(message, field.name)[:]
        getattr(message, field.name).extend(values)
    return f"{leaf} = {name}"


def is_years(message: Message) -> bool:
    """Whether it asks to live through years, second by second: that is work, and no attack."""
    if not isinstance(message, wire.AdvanceClockRequest):
        return False
    return 3_600 < message.by.seconds < 4 * 10**9 or 10**9 < message.to.seconds < 10**10


@dataclass(frozen=True)
class Attempt:
    """One hostile request."""

    rpc: str
    data: bytes
    what: str

    def __str__(self) -> str:
        return f"{self.rpc}: {self.what} ({len(self.data)} bytes)"


class Hostile:
    """Makes requests that are whole but for one field, or two."""

    def __init__(self, center: wire.Center, seed: int) -> None:
        self._choices = random.Random(seed)
        self._bases: list[tuple[str, Message, list[Leaf]]] = []
        for rpc, message in [*zip(wire.METHODS, samples(center), strict=True), *_more(center)]:
            found = list(leaves(message.DESCRIPTOR))
            if found:
                self._bases.append((rpc, message, found))

    def whole(self) -> list[Attempt]:
        """Each rpc's request as it is meant."""
        return [Attempt(rpc, message.SerializeToString(), "whole") for rpc, message, _ in self._bases]

    def attempt(self) -> Attempt:
        """A request of which a field or two are hostile, and all else as it is meant."""
        while True:
            rpc, base, found = self._choices.choice(self._bases)
            message = type(base)()
            message.CopyFrom(base)
            count = 2 if self._choices.random() < 0.3 else 1
            what = [spoil(message, leaf, self._choices) for leaf in self._choices.choices(found, k=count)]
            if message.ByteSize() <= LARGEST_MESSAGE and not is_years(message):
                return Attempt(rpc, message.SerializeToString(), " and ".join(what))


def _message(rpc: str, **fields: Any) -> tuple[str, Message]:
    return rpc, message_factory.GetMessageClass(wire.METHODS[rpc].input_type)(**fields)


def _more(center: wire.Center) -> list[tuple[str, Message]]:
    """Requests that reach what the plain samples do not."""
    now = request("now", title="t", thread_identifier="t", category_identifier="c")
    now.content.summary_argument = "s"
    said = request("said", title="t")
    said.content.communication.CopyFrom(wire.Communication(kind=1, sender="s"))
    dated = request("dated", title="t")
    dated.trigger.CopyFrom(
        wire.Trigger(
            repeats=True,
            calendar=wire.CalendarTrigger(date_components=wire.DateComponents(hour=8)),
        )
    )
    looked_up = request("looked-up", localized_title=wire.LocalizedText(key="k", args=["a"]))
    state = wire.DeviceState(
        languages=["en"],
        focus=wire.Focus(
            name="Work",
            allowed_apps=[center.app_id],
            allowed_people=["a"],
            filters=[wire.FocusFilter(app_id=center.app_id, mode=1, values=["v"])],
        ),
        summary=wire.ScheduledSummary(times=[480], apps=[center.app_id]),
    )
    category = wire.NotificationCategory(
        identifier="c",
        category_summary_format="%u more from %@",
        hidden_previews_body_placeholder="%u messages",
        actions=[wire.NotificationAction(identifier="a", title="t")],
    )
    entry = wire.StringTableEntry(key="k", value=wire.LocalizedString(text="t %@"))
    settings = wire.NotificationSettings(alert_setting=2)
    group = f"{center.app_id}/thread/t"
    return [
        *(_message("Add", center=center, request=it) for it in (now, said, dated, looked_up)),
        _message("AddBatch", center=center, requests=[now, dated]),
        _message(
            "UpdateDeviceState",
            device_id=center.device_id,
            state=state,
            update_mask={"paths": ["languages", "focus", "summary", "time_zone"]},
        ),
        _message("UpsertNotificationCategories", center=center, categories=[category]),
        _message("SetStringTable", app_id=center.app_id, language="en", strings=[entry]),
        _message(
            "UpdateSettings",
            center=center,
            settings=settings,
            update_mask={"paths": ["alert_setting"]},
        ),
        _message("ListNotificationCenter", device_id=center.device_id),
        _message("ListPending", center=center, filter={}),
        _message("ListDelivered", center=center, filter={}),
        _message("ListUpcoming", center=center, filter={}, window=wire.seconds(60)),
        _message("ListTriggerDates", center=center, trigger={"recurrence": {"cron": "* * * * *"}}),
        _message("Dismiss", device_id=center.device_id, group_id=group, kind=0),
        _message(
            "Subscribe",
            center=center,
            role=wire.SUBSCRIBER_ROLE_PRIMARY,
            capabilities=[wire.DELEGATE_CAPABILITY_WILL_PRESENT],
            snapshot=True,
        ),
        _message(
            "Add",
            center=center,
            request=now,
            idempotency_key="01890a5d-ac96-774b-bcce-b302099a8057",
        ),
    ]
