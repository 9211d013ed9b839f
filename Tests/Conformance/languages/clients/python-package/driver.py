"""Makes the calls that standard input asks for, through the Python package and its asyncio client."""

import asyncio
import base64
import json
import sys
from datetime import timedelta
from typing import Any

import belfry
import grpc
from belfry import BelfryError, rpc, v1
from belfry._details.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from belfry._details.status_pb2 import Status
from google.protobuf import json_format

# Longer than any scenario waits.
BOUND = timedelta(minutes=5)


def write(**line: Any) -> None:
    """Writes one whole line."""
    print(json.dumps(line), flush=True)


def message(name: str) -> Any:
    """A message of the contract, by its full name."""
    return getattr(v1, name.rpartition(".")[2])


def details(error: BelfryError) -> bytes:
    """The details of a refusal, as the exception has them."""
    if not error.reason:
        return b""
    code = getattr(grpc.StatusCode, error.code).value[0]
    status = Status(code=code, message=error.message)
    info = ErrorInfo(reason=error.reason, domain=error.domain, metadata=error.metadata)
    packed: list[Any] = [info]
    if error.fields:
        wrong = [{"field": each.path, "description": each.problem} for each in error.fields]
        packed.append(BadRequest(field_violations=wrong))
    if error.retry_after is not None:
        retry = RetryInfo()
        retry.retry_delay.FromNanoseconds(round(error.retry_after * 1e9))
        packed.append(retry)
    for each in packed:
        url = f"type.googleapis.com/google.rpc.{each.DESCRIPTOR.name}"
        status.details.add(type_url=url, value=each.SerializeToString())
    return status.SerializeToString()


async def run(client: belfry.aio.Client, command: dict[str, Any]) -> None:
    """Makes a call, and tells all that it gives, to its end."""
    number = command["id"]
    request = json_format.Parse(command["request"], message(command["input"])())
    kind = rpc.Stream if command["streams"] else rpc.Unary
    method: Any = kind(command["method"], type(request), message(command["output"]))
    timeout = timedelta(seconds=command["timeout"])
    try:
        if command["streams"]:
            async for response in client.stream(method, request, timeout=timeout):
                write(id=number, message=json_format.MessageToJson(response))
        else:
            response = await client.call(method, request, timeout=timeout)
            write(id=number, message=json_format.MessageToJson(response))
        write(id=number, code=0)
    except asyncio.CancelledError:
        write(id=number, code=grpc.StatusCode.CANCELLED.value[0])
    except BelfryError as error:
        code = getattr(grpc.StatusCode, error.code).value[0]
        encoded = base64.b64encode(details(error)).decode()
        write(id=number, code=code, text=error.message, details=encoded)


async def main(target: str) -> None:
    """Follows the commands until there are no more."""
    running: dict[int, asyncio.Task[None]] = {}
    async with belfry.aio.connect(target, timeout=BOUND) as client:
        while line := await asyncio.to_thread(sys.stdin.readline):
            command = json.loads(line)
            if command.get("cancel"):
                running[command["id"]].cancel()
            else:
                running[command["id"]] = asyncio.create_task(run(client, command))
        for task in running.values():
            task.cancel()


asyncio.run(main(*sys.argv[1:]))
