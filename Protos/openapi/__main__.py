"""Writes the OpenAPI document of the HTTP listener from what protoc says of the protos.

    python3 Protos/openapi SET >Documentation/openapi.json

SET is a FileDescriptorSet with comments. Protos/generate.sh runs this.
"""

import json
import sys
from pathlib import Path
from typing import Any

import contract as protos
import plain
import rpcs
import shared
from schemas import Schemas

_DESCRIPTION = """\
Belfry is a durable notification center. This is what `belfry serve --http-listen` answers; \
Documentation/Wire.md, W-23, has the rules. It is generated from the protos, which stay the \
reference.

Messages are protobuf's JSON: a field that has its default is left out, 64-bit numbers are texts, \
and so are durations (`90s`). Requests may also have the names of the protos, numbers for 64-bit \
numbers and enums, and null for none. Fields that the server does not know are refused. A message \
has 1 MiB at most.

The same rpcs take protobuf's own bytes as `application/proto`, or `application/connect+proto` for \
streams. Nothing may be compressed. The upload by a stream, UploadAttachment, is gRPC's alone: \
PutAttachment takes small files.
"""


def document(contract: protos.Contract) -> dict[str, Any]:
    """The whole document."""
    schemas = Schemas(contract)
    parts = [schemas.all(rpcs.types(contract)), shared.SCHEMAS, plain.SCHEMAS]
    named = {name: schema for part in parts for name, schema in part.items()}
    assert len(named) == sum(map(len, parts)), "two schemas have one name"
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Belfry",
            "version": protos.PACKAGE.rsplit(".", 1)[-1],
            "description": _DESCRIPTION,
            "license": {"name": "Apache License 2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "http://127.0.0.1:50080"}],
        "tags": rpcs.tags(contract) + plain.TAGS,
        "paths": rpcs.paths(contract, schemas) | plain.paths(contract),
        "components": {
            "schemas": dict(sorted(named.items())),
            "responses": shared.responses(plain.PUBLISH_STATUSES),
            "parameters": shared.PARAMETERS,
            "securitySchemes": shared.SECURITY_SCHEMES,
        },
    }


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python3 Protos/openapi SET", file=sys.stderr)
        return 64
    contract = protos.read(Path(sys.argv[1]))
    print(json.dumps(document(contract), indent=2, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
