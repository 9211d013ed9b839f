"""Compiles the generators and the loops, where their sources are newer."""

import os
from pathlib import Path

from harness.process import run

GRPC = ["-lgrpc++", "-lgrpc", "-lgpr", "-labsl_synchronization", "-pthread"]
CXX = [os.environ.get("CXX", "c++"), "-std=c++17", "-O2", "-Wall", "-Wextra"]
C = [os.environ.get("CC", "cc"), "-std=gnu17", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra"]


def programs(benchmarks: Path, directory: Path) -> None:
    """Builds all of them into a directory."""
    directory.mkdir(parents=True, exist_ok=True)
    sources = benchmarks / "Peers/programs"
    echo = benchmarks / "Echo"
    _compile(CXX, sorted((benchmarks / "Load").glob("*.cc")), directory / "load", GRPC)
    _compile(CXX, [echo / "RawServer.cc"], directory / "echo-server", GRPC)
    _compile(CXX, [echo / "LoadClient.cc"], directory / "echo-load", GRPC)
    _compile(C, sorted((sources / "wire").glob("*.c")), directory / "wire-load", [])
    _compile(C, sorted((sources / "lmdb").glob("*.c")), directory / "lmdb-loops", ["-llmdb"])


def _compile(compiler: list[str], sources: list[Path], target: Path, libraries: list[str]) -> None:
    read = [path for source in sources for path in (source, *source.parent.glob("*.h"))]
    newest = max(path.stat().st_mtime for path in read)
    if target.exists() and target.stat().st_mtime > newest:
        return
    print(f"Compiling {target.name}.", flush=True)
    run([*compiler, "-o", str(target), *map(str, sources), *libraries], 600)
