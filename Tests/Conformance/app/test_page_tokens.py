"""Page tokens: the store's own alone are taken, whatever is on the list, and after a restart too."""

import random
import struct
from collections.abc import Iterator

import grpc
import pytest

from harness import wire
from harness.client import App, Client, request
from harness.device import listed
from harness.launcher import Launcher
from harness.refusals import Expected, refusal_of

BY_DATE = wire.PENDING_ORDER_NEXT_TRIGGER_DATE
INVALID = Expected(grpc.StatusCode.INVALID_ARGUMENT, "PAGE_TOKEN_INVALID", ("page_token",))

# What an instant may say that nobody means well with.
INSTANTS = [-(2**63), -(2**63) + 1, -1, 0, 2**63 - 1]


def fnv(value: int, data: bytes) -> int:
    """The checksum, without a key, that tokens once had."""
    for byte in data:
        value = (value ^ byte) * 0x100_0000_01B3 % 2**64
    return value


def forged(app: App, clock: int, instant: int) -> str:
    """A token with the checksum that tokens once had: anybody could make it."""
    value = 0xCBF2_9CE4_8422_2325
    for text in ["ListPending", app.center.app_id, "local", "nextFireDate"]:
        value = fnv(value, b"\1" + text.encode() + b"\xff")
    # No thread and no category.
    value = fnv(value, b"\0\0")
    position = struct.pack(">Bq", clock, instant) + b"b"
    return (struct.pack("<Q", fnv(value, position)) + position).hex()


def device_pages(app: App, size: int) -> Iterator[list[str]]:
    """The apps of the notifications of each page of the device's list."""
    token = ""
    while True:
        page = listed(app, page_size=size, page_token=token)
        yield [
            shown.notification.center.app_id
            for group in page.groups
            for shown in group.notifications
        ]
        token = page.next_page_token
        if not token:
            return


@pytest.mark.parametrize("instant", INSTANTS)
@pytest.mark.parametrize("clock", [1, 2])
def test_a_forged_token_is_refused(app: App, clock: int, instant: int) -> None:
    app.call("AddBatch", requests=[request(name, 60) for name in "abc"])
    token = forged(app, clock, instant)
    INVALID.check(
        refusal_of(lambda: app.call("ListPending", order=BY_DATE, page_size=1, page_token=token))
    )
    assert app.pending() == ["a", "b", "c"]


def test_a_true_token_with_any_byte_changed_is_refused(app: App) -> None:
    app.call("AddBatch", requests=[request(name, 60) for name in "abc"])
    token = app.call("ListPending", order=BY_DATE, page_size=1).next_page_token
    rng = random.Random(1)
    for place in range(len(token)):
        digit = rng.choice("0123456789abcdef".replace(token[place], ""))
        other = token[:place] + digit + token[place + 1 :]
        INVALID.check(
            refusal_of(
                lambda other=other: app.call(
                    "ListPending", order=BY_DATE, page_size=1, page_token=other
                )
            )
        )


@pytest.mark.parametrize("count", [8, 17, 40])
def test_apps_that_deliver_in_one_batch_are_all_on_the_pages(client: Client, count: int) -> None:
    device = f"batch.{client.app().center.app_id}"
    apps = [client.app(device=device) for _ in range(count)]
    for app in apps:
        app.authorize()
        app.add("a", 60)
    client.advance(60)
    pages = list(device_pages(apps[0], 3))
    assert sorted(sum(pages, [])) == sorted(app.center.app_id for app in apps)
    assert all(len(page) == 3 for page in pages[:-1])


def test_a_page_may_end_within_a_thread_with_the_longest_name(own_device: App) -> None:
    thread = "t" * 1_024
    for name in ["a", "b", "c"]:
        own_device.add(name, title="A title", thread_identifier=thread)
    assert [len(page) for page in device_pages(own_device, 1)] == [1, 1, 1]


def test_a_page_by_date_may_end_at_the_longest_identifier(app: App) -> None:
    names = ["a" * 256, "b" * 256]
    app.call("AddBatch", requests=[request(name, 60) for name in names])
    first = app.call("ListPending", order=BY_DATE, page_size=1)
    rest = app.call("ListPending", order=BY_DATE, page_token=first.next_page_token)
    assert [entry.request.identifier for page in [first, rest] for entry in page.requests] == names


def test_a_token_is_good_after_a_restart_and_in_its_own_store_only(launch: Launcher) -> None:
    servers = [launch(), launch()]
    tokens = []
    for server in servers:
        with Client(server.targets["unix"]) as client:
            app = App(client, wire.Center(app_id="org.example.pages"))
            app.authorize()
            app.call("AddBatch", requests=[request(name, 60) for name in "ab"])
            tokens.append(app.call("ListPending", page_size=1).next_page_token)
    servers[0].terminate()
    assert servers[0].wait() == 0
    with Client(launch(servers[0].home).targets["unix"]) as client:
        app = App(client, wire.Center(app_id="org.example.pages"))
        assert app.pending(page_token=tokens[0]) == ["b"]
        INVALID.check(refusal_of(lambda: app.pending(page_token=tokens[1])))
