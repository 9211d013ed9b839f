"""A state in which calls are refused says so: the log, GetStats, the metrics, status, probes (ST-2)."""

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from access.serving import belfry, own_token
from harness import wire
from harness.client import Client, request
from harness.eventually import eventually
from harness.launcher import Launcher
from harness.refusals import refusal_in
from harness.server import BOUND
from web.http_server import serve

LARGE = "x" * 60_000
STORE = "belfry.v1.store"
NAMES = {
    f"belfry_condition{{reason=\"{name.removeprefix('CONDITION_')}\"}}"
    for name in wire.Condition.keys()
    if name != "CONDITION_UNSPECIFIED"
}


def test_a_full_store_says_so_everywhere_and_once(launch: Launcher) -> None:
    server, web = serve(launch, "--max-store-size=16MiB")
    with Client(server.targets["unix"]) as client:
        app = client.app()
        app.authorize()
        token = own_token(server)

        def has_room() -> bool:
            asked = health_pb2.HealthCheckRequest(service=STORE)
            stub = health_pb2_grpc.HealthStub(client.channel)
            status = stub.Check(asked, timeout=BOUND).status
            return status == health_pb2.HealthCheckResponse.SERVING

        def metrics() -> dict[str, str]:
            reply = web.send("GET", "/metrics", Authorization=f"Bearer {token}")
            assert reply.status == 200
            lines = reply.body.decode().splitlines()
            return dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))

        eventually(has_room)
        assert list(client.call("GetStats").conditions) == []
        assert list(client.call("GetServerInfo").conditions) == []
        assert web.send("GET", "/readyz").body == b"ok\n"
        assert NAMES <= metrics().keys()
        assert metrics()['belfry_condition{reason="STORE_FULL"}'] == "0"

        refused = 0
        for number in range(1_000):
            added = request(f"{number}", 3_600)
            added.content.body = LARGE
            try:
                app.call("Add", request=added)
            except grpc.RpcError as error:
                assert refusal_in(error).reason == "STORE_FULL"
                refused += 1
            if refused == 20:
                break
        assert refused == 20

        eventually(lambda: not has_room())
        eventually(lambda: "STORE_FULL" in server.log)
        stats = client.call("GetStats")
        assert wire.CONDITION_STORE_FULL in stats.conditions
        assert wire.CONDITION_STORE_FULL in client.call("GetServerInfo").conditions
        assert metrics()['belfry_condition{reason="STORE_FULL"}'] == "1"
        ready = web.send("GET", "/readyz")
        assert ready.status == 200
        assert b"STORE_FULL: what makes the store grow is refused" in ready.body
        shown = belfry(launch, server.home, "status", f"--server=unix:{server.socket}")
        assert shown.returncode == 0
        assert "STORE_FULL" in shown.stdout
        assert "--max-store-size" in shown.stdout
        assert server.log.count("STORE_FULL") == 1
        # Removals have room, also with a key, and end it.
        app.call("RemoveAllPending")
        eventually(has_room)
        assert list(client.call("GetStats").conditions) == []
        app.add("after")
