"""grpc.health.v1.Health: Check and Watch."""

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from harness.client import Client
from harness.launcher import Launcher
from harness.server import BOUND

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
SERVICE_UNKNOWN = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN

SERVICES = [
    "",
    "belfry.v1.ServerService",
    "belfry.v1.NotificationCenterService",
    "belfry.v1.DelegateService",
    "belfry.v1.AdminService",
]


def health(client: Client) -> health_pb2_grpc.HealthStub:
    return health_pb2_grpc.HealthStub(client.channel)


def question(service: str) -> health_pb2.HealthCheckRequest:
    return health_pb2.HealthCheckRequest(service=service)


@pytest.mark.parametrize("service", SERVICES)
def test_every_service_serves(client: Client, service: str) -> None:
    assert health(client).Check(question(service), timeout=BOUND).status == SERVING


def test_an_unknown_service_is_not_found(client: Client) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        health(client).Check(question("belfry.v1.NoService"), timeout=BOUND)
    assert caught.value.code() == grpc.StatusCode.NOT_FOUND


def test_watching_an_unknown_service_says_so(client: Client) -> None:
    call = health(client).Watch(question("belfry.v1.NoService"), timeout=BOUND)
    assert next(call).status == SERVICE_UNKNOWN
    call.cancel()


@pytest.mark.parametrize("service", SERVICES)
def test_a_watcher_is_told_of_the_stop(launch: Launcher, transport: str, service: str) -> None:
    server = launch()
    with Client(server.targets[transport]) as client:
        call = health(client).Watch(question(service), timeout=BOUND)
        assert next(call).status == SERVING
        server.terminate()
        with pytest.raises(grpc.RpcError) as caught:
            statuses = [response.status for response in call]
            assert statuses == [NOT_SERVING]
        assert caught.value.code() == grpc.StatusCode.UNAVAILABLE
    assert server.wait() == 0
