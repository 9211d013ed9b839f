"""Server reflection, v1 and v1alpha: a client that has no stubs can find and call everything."""

from collections.abc import Iterator

import grpc
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from grpc_reflection.v1alpha import reflection_pb2
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)

from harness import wire
from harness.client import Client
from harness.server import BOUND

VERSIONS = ["grpc.reflection.v1", "grpc.reflection.v1alpha"]

Request = reflection_pb2.ServerReflectionRequest
Response = reflection_pb2.ServerReflectionResponse


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    """Which reflection is asked; both have the same messages."""
    return request.param


def ask(client: Client, version: str, *questions: Request) -> list[Response]:
    call = client.channel.stream_stream(
        f"/{version}.ServerReflection/ServerReflectionInfo",
        request_serializer=Request.SerializeToString,
        response_deserializer=Response.FromString,
    )
    responses: Iterator[Response] = call(iter(questions), timeout=BOUND)
    return list(responses)


def files(response: Response) -> dict[str, descriptor_pb2.FileDescriptorProto]:
    parsed = [
        descriptor_pb2.FileDescriptorProto.FromString(data)
        for data in response.file_descriptor_response.file_descriptor_proto
    ]
    return {file.name: file for file in parsed}


def test_it_lists_the_services(client: Client, version: str) -> None:
    [response] = ask(client, version, Request(list_services=""))
    names = {service.name for service in response.list_services_response.service}
    services = [name for file in wire.SERVICE_FILES for name in file.services_by_name]
    standard = {"grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection"}
    assert {f"belfry.v1.{name}" for name in services} | standard == names


# Each with the file that it is in.
SYMBOLS = {
    "belfry.v1.NotificationCenterService": "belfry/v1/notification_center_service.proto",
    "belfry.v1.NotificationCenterService.Add": "belfry/v1/notification_center_service.proto",
    "belfry.v1.NotificationContent": "belfry/v1/content.proto",
    "belfry.v1.Trigger.calendar": "belfry/v1/trigger.proto",
    "belfry.v1.RequestState": "belfry/v1/request.proto",
    "belfry.v1.REQUEST_STATE_PENDING": "belfry/v1/request.proto",
    "google.protobuf.Timestamp": "google/protobuf/timestamp.proto",
    "grpc.health.v1.Health.Check": "grpc/health/v1/health.proto",
    "grpc.reflection.v1.ServerReflection": "grpc/reflection/v1/reflection.proto",
    "google.rpc.Status": "google/rpc/status.proto",
    "google.rpc.ErrorInfo": "google/rpc/error_details.proto",
    "google.rpc.BadRequest.FieldViolation": "google/rpc/error_details.proto",
    "google.rpc.RetryInfo": "google/rpc/error_details.proto",
}


@pytest.mark.parametrize("symbol, file", SYMBOLS.items(), ids=SYMBOLS.keys())
def test_it_gives_the_file_of_a_symbol_and_what_that_needs(
    client: Client, version: str, symbol: str, file: str
) -> None:
    [response] = ask(client, version, Request(file_containing_symbol=symbol))
    found = files(response)
    assert next(iter(found)) == file
    pool = descriptor_pool.DescriptorPool()
    for each in dependency_order(found):
        pool.Add(each)
    assert symbol.startswith(pool.FindFileByName(file).package)


def dependency_order(
    files: dict[str, descriptor_pb2.FileDescriptorProto],
) -> list[descriptor_pb2.FileDescriptorProto]:
    """The files, each after those that it imports."""
    ordered: dict[str, descriptor_pb2.FileDescriptorProto] = {}

    def visit(name: str) -> None:
        if name not in ordered:
            for dependency in files[name].dependency:
                visit(dependency)
            ordered[name] = files[name]

    for name in files:
        visit(name)
    return list(ordered.values())


def test_its_files_are_those_of_the_contract(client: Client, version: str) -> None:
    names = {file.name for file in wire.SERVICE_FILES}
    for name in names:
        [response] = ask(client, version, Request(file_by_filename=name))
        described = files(response)[name]
        expected = descriptor_pb2.FileDescriptorProto()
        next(file for file in wire.SERVICE_FILES if file.name == name).CopyToProto(expected)
        described.ClearField("source_code_info")
        for message in (described, expected):
            strip_json_names(message)
        assert described == expected


def strip_json_names(file: descriptor_pb2.FileDescriptorProto) -> None:
    """Takes out what one compiler writes and the other implies."""
    messages = list(file.message_type)
    # Those of maps are inside others.
    for message in messages:
        messages += message.nested_type
        for field in message.field:
            field.ClearField("json_name")


NOWHERE = [
    Request(file_by_filename="belfry/v1/none.proto"),
    Request(file_containing_symbol="belfry.v1.None"),
    Request(all_extension_numbers_of_type="belfry.v1.None"),
]


@pytest.mark.parametrize("question", NOWHERE, ids=lambda it: it.WhichOneof("message_request"))
def test_what_is_not_there_is_not_found(client: Client, version: str, question: Request) -> None:
    [response] = ask(client, version, question)
    assert response.error_response.error_code == grpc.StatusCode.NOT_FOUND.value[0]
    assert response.error_response.error_message


def test_questions_of_one_stream_are_answered_in_order(client: Client, version: str) -> None:
    questions = [Request(host=f"{number}", file_containing_symbol=symbol)
                 for number, symbol in enumerate([*SYMBOLS, "none"] * 5)]  # fmt: skip
    responses = ask(client, version, *questions)
    assert [response.original_request for response in responses] == questions


def test_a_client_without_stubs_can_call(client: Client) -> None:
    database = ProtoReflectionDescriptorDatabase(client.channel)
    pool = descriptor_pool.DescriptorPool(database)
    assert "belfry.v1.ServerService" in database.get_services()
    service = pool.FindServiceByName("belfry.v1.ServerService")
    method = service.FindMethodByName("GetServerInfo")
    call = client.channel.unary_unary(
        wire.path(method),
        request_serializer=message_factory.GetMessageClass(method.input_type).SerializeToString,
        response_deserializer=message_factory.GetMessageClass(method.output_type).FromString,
    )
    info = call(message_factory.GetMessageClass(method.input_type)(), timeout=BOUND)
    assert info.version == client.call("GetServerInfo").version
