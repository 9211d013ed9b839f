"""What a caller makes the store keep that it never gets to see: the replies to its keys (W-11)."""

from collections.abc import Callable

import grpc
import pytest

from harness import wire
from harness.client import Client
from harness.goodclient import GoodClient
from harness.keys import new_key
from harness.launcher import Launcher
from harness.memory import MIB
from harness.refusals import refusal_in
from harness.torture import Torture

ROW = "R9-kept"
LIMIT = 32 * MIB
# A sixteenth of the store's limit is for replies; what the file needs to change its pages comes in
# addition, and the good client's events, of which a slow machine sees more.
ROOM = LIMIT // 16 + 4 * MIB
EVENT = 1_024


@pytest.mark.torture
def test_refused_items_fill_no_store(
    launch: Launcher, torture: Torture, report: Callable[[str], None]
) -> None:
    server = launch(arguments=[f"--max-store-size={LIMIT // MIB}MiB"])
    wrong = wire.NotificationRequest(identifier="x" * 300)
    refused = 0
    with Client(server.targets["unix"]) as client, GoodClient(server) as good:
        app = client.app()
        app.authorize()
        before = most = client.call("GetStats").store.used_bytes
        for _ in torture.rounds(ROW):
            try:
                response = app.call(
                    "AddBatch", requests=[wrong] * 1_000, idempotency_key=new_key()
                )
                refused += sum(result.HasField("error") for result in response.results)
            except grpc.RpcError as error:
                assert refusal_in(error).reason in ("STORE_BYTES_LIMIT", "STORE_FULL")
            most = max(most, client.call("GetStats").store.used_bytes)
        # A removal needs the reserve, which none of these calls may have used.
        app.call("RemoveAllPending")
    assert refused > 0
    grown = most - before - len(good.delays) * EVENT
    assert grown < ROOM, (before, most, len(good.delays))
    report(
        f"{ROW}: {torture.count(ROW)} calls, {refused} refused items; the store grew by"
        f" {(most - before) / MIB:.1f} of {LIMIT // MIB} MiB; {good.figures()}"
    )
