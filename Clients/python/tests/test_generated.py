"""What the package carries is what Protos and its own sources say now."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import grpc
import pytest
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.descriptor_pb2 import ServiceDescriptorProto

import belfry
from belfry import errors, reasons, rpc, v1
from belfry._rpc import Exchange, Stream, Unary, Upload
from belfry._status import error_of_item
from belfry.v1 import (
    admin_service_pb2, attachment_service_pb2, delegate_service_pb2, device_service_pb2,
    extension_service_pb2, installation_service_pb2, notification_center_service_pb2,
    push_service_pb2, rich_push_service_pb2, server_service_pb2,
)  # fmt: skip

PACKAGE = Path(__file__).parents[1]
ROOT = PACKAGE.parents[1]

# Reasons of the server that no comment of the protos names: they are told by the class of their code.
UNNAMED = {"CANCELLED"}


@pytest.mark.skipif(shutil.which("protoc") is None, reason="protoc is not installed")
def test_it_is_generated_from_the_protos_as_they_are() -> None:
    check = [sys.executable, str(PACKAGE / "generate.py"), "--check"]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_is_installed_together_is_of_one_version() -> None:
    """The package, the wheel with the program, and the extra that asks for it."""
    texts = [(PACKAGE / path).read_text() for path in ("pyproject.toml", "server/pyproject.toml")]
    found = [re.findall(r'^version = "(.+)"$', text, re.MULTILINE) for text in texts]
    assert found == [[belfry.__version__]] * 2
    assert f'server = ["belfry-server=={belfry.__version__}"]' in texts[0]


def services() -> list[ServiceDescriptor]:
    modules = [
        admin_service_pb2, attachment_service_pb2, delegate_service_pb2, device_service_pb2,
        extension_service_pb2, installation_service_pb2, notification_center_service_pb2,
        push_service_pb2, rich_push_service_pb2, server_service_pb2,
    ]  # fmt: skip
    return [each for module in modules for each in module.DESCRIPTOR.services_by_name.values()]


def test_every_call_can_be_made() -> None:
    for service in services():
        described = ServiceDescriptorProto()
        service.CopyToProto(described)
        for method, said in zip(service.methods, described.method):
            known = getattr(rpc, method.name)
            assert known.path == f"/{service.full_name}/{method.name}"
            assert known.request.DESCRIPTOR is method.input_type
            assert known.response.DESCRIPTOR is method.output_type
            kinds = {
                (False, False): Unary, (False, True): Stream,
                (True, False): Upload, (True, True): Exchange,
            }  # fmt: skip
            assert type(known) is kinds[(said.client_streaming, said.server_streaming)]


def test_the_services_are_those_of_the_protos() -> None:
    protos = (ROOT / "Protos/belfry/v1").glob("*.proto")
    texts = [path.read_text() for path in protos]
    said = {name for text in texts for name in re.findall(r"^service (\w+)", text, re.MULTILINE)}
    assert {service.name for service in services()} == said


def server_reasons() -> set[str]:
    """The reasons that the server may give."""
    text = (ROOT / "Sources/NotificationCore/Refusals/Reason.swift").read_text()
    # A case goes on in the next line behind a comma.
    lines = re.findall(r"^ +case (.*(?:(?<=,)\n.*)*)$", text, re.MULTILINE)
    cases = [case.strip() for line in lines for case in line.split(",")]
    names = [re.sub(r'.* = "(\w+)"', r"\1", case) for case in cases]
    return {re.sub(r"(?=[A-Z])", "_", name).upper() for name in names}


def test_every_reason_of_the_server_has_an_exception() -> None:
    assert len(server_reasons()) > 100
    assert server_reasons() - reasons.BY_NAME.keys() == UNNAMED


@pytest.mark.parametrize("reason", sorted(reasons.BY_NAME))
def test_a_reason_is_below_its_code(reason: str) -> None:
    kind = reasons.BY_NAME[reason]
    code = (kind.__doc__ or "").split(",")[0].split(" ")[0]
    number = getattr(grpc.StatusCode, code, None)
    item = v1.ItemError(code=number.value[0] if number else 3, message="no", reason=reason)
    made = error_of_item(item)
    assert isinstance(made, kind)
    by_code = error_of_item(v1.ItemError(code=item.code, message="no"))
    assert isinstance(made, type(by_code))


def test_the_exceptions_that_people_catch() -> None:
    def made(code: int, reason: str = "") -> errors.BelfryError:
        return error_of_item(v1.ItemError(code=code, message="no", reason=reason))

    assert isinstance(made(3), ValueError)
    assert isinstance(made(5), LookupError)
    assert isinstance(made(14), ConnectionError)
    assert isinstance(made(4), TimeoutError)
    assert isinstance(made(8, "STORE_FULL"), belfry.StoreFull)
    # A reason that comes with two codes is caught by either, and one that is new by its code.
    for code, kind in ((8, belfry.LimitReached), (13, belfry.BelfryError)):
        moved = made(code, "ATTACHMENT_MOVE_INTO_DATA_STORE_FAILED")
        assert isinstance(moved, reasons.AttachmentMoveIntoDataStoreFailed)
        assert isinstance(moved, kind)
    assert type(made(9, "OF_A_LATER_VERSION")) is belfry.NotPossible
