"""Makes the calls that standard input asks for, of the server that the argument names."""

import base64
import importlib
import json
import sys
import threading
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import json_format, symbol_database

output = threading.Lock()


def write(**line: Any) -> None:
    """Writes one whole line."""
    with output:
        print(json.dumps(line), flush=True)


def start(channel: grpc.Channel, command: dict[str, Any]) -> grpc.Call:
    """Begins a call. One with a single answer is a future, a stream an iterator."""
    types = symbol_database.Default()
    request = types.GetSymbol(command["input"])()
    json_format.Parse(command["request"], request)
    kind = channel.unary_stream if command["streams"] else channel.unary_unary
    method = kind(
        command["method"],
        request_serializer=type(request).SerializeToString,
        response_deserializer=types.GetSymbol(command["output"]).FromString,
    )
    send = method if command["streams"] else method.future
    return send(request, timeout=command["timeout"])


def run(call: Any, command: dict[str, Any]) -> None:
    """Tells all that a call gives, to its end."""
    try:
        for response in call if command["streams"] else [call.result()]:
            write(id=command["id"], message=json_format.MessageToJson(response))
    except (grpc.RpcError, grpc.FutureCancelledError):
        pass
    metadata = dict(call.trailing_metadata() or ())
    write(
        id=command["id"],
        code=call.code().value[0],
        text=call.details(),
        details=base64.b64encode(metadata.get("grpc-status-details-bin", b"")).decode(),
    )


def main(target: str, stubs: str) -> None:
    """Follows the commands until there are no more."""
    sys.path.insert(0, stubs)
    for file in Path(stubs).rglob("*_pb2.py"):
        importlib.import_module(".".join(file.relative_to(stubs).with_suffix("").parts))
    running = {}
    with grpc.insecure_channel(target) as channel:
        for line in sys.stdin:
            command = json.loads(line)
            if command.get("cancel"):
                running[command["id"]].cancel()
                continue
            call = running[command["id"]] = start(channel, command)
            threading.Thread(target=run, args=(call, command), daemon=True).start()


main(*sys.argv[1:])
