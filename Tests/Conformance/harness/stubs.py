"""The Python stubs of `belfry.v1`, generated from the contract as it is now."""

import atexit
import shutil
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

PROTOS = Path(__file__).parents[3] / "Protos"


def install() -> None:
    """Generates the stubs into a temporary directory and puts that on the path."""
    directory = tempfile.mkdtemp(prefix="belfry-stubs-")
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    sources = sorted(str(path) for path in PROTOS.glob("belfry/**/*.proto"))
    arguments = [
        "protoc",
        f"--proto_path={PROTOS}",
        f"--proto_path={files('grpc_tools') / '_proto'}",
        f"--python_out={directory}",
        f"--grpc_python_out={directory}",
        *sources,
    ]
    if protoc.main(arguments) != 0:
        raise RuntimeError(f"the stubs of {PROTOS} cannot be generated")
    sys.path.insert(0, directory)
