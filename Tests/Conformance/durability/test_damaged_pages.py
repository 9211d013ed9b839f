"""Any page of a store is damaged in any way: a list is right, or the server tells the damage."""

import random
import time
from collections.abc import Callable

import grpc
import pytest

from durability.test_damaged_file import DAMAGED, PAGE, listed
from harness.client import App, Client
from harness.launcher import Launcher
from harness.server import ServerFailed
from harness.torture import Torture

ROW = "R16"
TOLD = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DATA_LOSS}
LISTS = (("ListPending", "requests"), ("ListDelivered", "notifications"))


def damage(contents: bytearray, chance: random.Random) -> str:
    """Damages a page, but for the two that LMDB itself checks; tells how."""
    page = chance.randrange(2, len(contents) // PAGE)
    begin = page * PAGE
    kind = chance.choice(["zeros", "half", "misdirected", "bit", "garbage"])
    if kind == "zeros":
        contents[begin : begin + PAGE] = bytes(PAGE)
    elif kind == "half":
        contents[begin + PAGE // 2 : begin + PAGE] = bytes(PAGE // 2)
    elif kind == "misdirected":
        other = chance.randrange(2, len(contents) // PAGE) * PAGE
        contents[begin : begin + PAGE] = contents[other : other + PAGE]
    elif kind == "bit":
        # Of what LMDB wrote around the rows: each row has a checksum of its own.
        contents[begin + chance.randrange(64)] ^= 1 << chance.randrange(8)
    else:
        contents[begin : begin + PAGE] = chance.randbytes(PAGE)
    return f"page {page}: {kind}"


@pytest.mark.torture
def test_any_damaged_page_is_told_and_makes_no_list_short(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    file, center = listed(launch)
    whole = file.read_bytes()
    chance = random.Random(torture.seed)
    refusals = stopped = right = 0
    slowest = 0.0
    for _ in torture.rounds(ROW):
        changed = bytearray(whole)
        what = damage(changed, chance)
        file.write_bytes(changed)
        began = time.monotonic()
        server = launch(file.parent.parent)
        told = False
        try:
            target = server.targets["unix"]
        except ServerFailed:
            target = None
        if target is not None:
            with Client(target) as client:
                app = App(client, center)
                for rpc, rows in LISTS:
                    try:
                        assert len(getattr(app.call(rpc, page_size=1_000), rows)) == 700, what
                        right += 1
                    except grpc.RpcError as error:
                        told = True
                        refusals += 1
                        # A page that is damaged, or a key by which its row is not found.
                        assert error.code() in TOLD, (what, error)
                slowest = max(slowest, time.monotonic() - began)
            server.terminate()
        status = server.wait()
        assert status in (0, DAMAGED), (what, status, server.log)
        stopped += status == DAMAGED
        assert not told or "damaged" in server.log, (what, server.log)
    assert right > 0
    assert refusals + stopped > 0
    report(
        f"{ROW}: {torture.count(ROW)} damaged pages: {right} lists right, {refusals} refused with a"
        f" line in the log, {stopped} servers ended with {DAMAGED}; start and lists took"
        f" {slowest * 1_000:.0f} ms at most"
    )
