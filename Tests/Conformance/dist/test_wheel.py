"""What `make wheel` makes is all that a program needs: the README's first lines, from an empty
environment, in a bare Debian with Python, without Swift.

The times are printed and not held to: they are this machine's. What pip takes from its index lies
there before.
"""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dist.serving import serving
from harness.bare_root import ROOT, BareRoot, bare_debian, distributed
from harness.eventually import eventually
from harness.readme import Block, blocks

pytestmark = pytest.mark.full

PERSON = 1_000
HOME = "/home/person"

WHEELS = ["belfry-*.whl", "belfry_server-*.whl"]

SIDECAR = """
import belfry
with belfry.start() as client:
    assert client.server is not None
    print(client.info().version, client.server.binary)
"""


@pytest.fixture
def root() -> Iterator[BareRoot]:
    """A bare Debian with Python, and the wheels; the person may use no network."""
    root = BareRoot(bare_debian("python3-venv"))
    try:
        root.directory(HOME, PERSON)
        wheels = root.path / "home/person/.dist"
        wheels.mkdir()
        for pattern in WHEELS:
            shutil.copy(distributed(pattern), wheels)
        needed = root.path / "srv/index"
        needed.mkdir()
        # For Debian's Python, whichever this one is.
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:",
             "--python-version=3.11", f"--dest={needed}", "grpcio", "protobuf"],
            check=True,
        )  # fmt: skip
        yield root
    finally:
        root.close()


ENVIRONMENT = {"HOME": HOME, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/srv/index"}


def as_person(root: BareRoot, script: str, **env: str) -> str:
    """Runs lines of a shell, the first that fails being the last."""
    return root.run(
        "sh", "-ec", f"cd {HOME}\n{script}", user=PERSON, env={**ENVIRONMENT, **env}
    )


def of_readme(*beginnings: str) -> Block:
    """The README's first block that begins like this."""
    return next(block for block in blocks() if block.text.startswith(beginnings))


def test_the_readme_from_an_empty_environment(root: BareRoot, tmp_path: Path) -> None:
    install, serve = of_readme("python3 -m venv"), of_readme(".build/client/bin/belfry serve")
    program = of_readme("from belfry import", "import belfry")
    assert program.path is not None
    began = time.monotonic()
    as_person(root, install.text)
    installed = time.monotonic()
    (root.path / "home/person" / program.path).write_text(program.text)
    words = serve.text.split()
    words[0] = f"{HOME}/{words[0]}"
    with serving(root, *words, user=PERSON, env=ENVIRONMENT, log=tmp_path / "log"):
        eventually(lambda: "listening on" in (tmp_path / "log").read_text())
        printed = as_person(root, f".build/client/bin/python {program.path}")
    ended = time.monotonic()
    assert [line.split(" 2")[0] for line in printed.splitlines()] == [
        "may notify: True", "pending until", "delivered at ",
    ]  # fmt: skip
    client = root.path / "home/person/.build/client"
    size = sum(path.lstat().st_size for path in client.rglob("*")) / 2**20
    sizes = {path.name: path.stat().st_size / 2**20 for path in map(distributed, WHEELS)}
    print(f"\nan environment and both wheels take {installed - began:.1f} s")
    print(f"with a server and the program: {ended - began:.1f} s, 5 of which it waits for its tea")
    print(*[f"{name}: {size:.1f} MiB" for name, size in {**sizes, "installed": size}.items()])


def test_a_sidecar_is_the_packages_own(root: BareRoot) -> None:
    """By the name that an index would have; the program is one that no PATH leads to."""
    as_person(
        root,
        "python3 -m venv client\nclient/bin/pip install --quiet 'belfry[server]'",
        PIP_FIND_LINKS="/srv/index .dist",
    )
    version, binary = as_person(root, f"client/bin/python -c '{SIDECAR}'").split()
    assert binary.startswith(HOME) and binary.endswith("/belfry_server/bin/belfry")
    assert as_person(root, "client/bin/belfry --version").strip() == version


def test_the_program_has_what_it_needs(root: BareRoot) -> None:
    """Each library is found: those of a wheel of its platform, and those that came along."""
    as_person(root, "python3 -m venv client\nclient/bin/pip install --quiet .dist/*.whl")
    (program,) = (root.path / "home/person/client").glob("lib/*/site-packages/belfry_server/bin/belfry")
    carried = {path.name.split("-")[0] for path in program.parents[2].glob("belfry_server.libs/*")}
    assert carried == {"libssl", "libcrypto"}
    listed = root.run(
        "/lib64/ld-linux-x86-64.so.2", "--list", f"/{program.relative_to(root.path)}"
    )
    assert "not found" not in listed
    licences = {path.name for path in (program.parents[1] / "licences").iterdir()}
    assert {"swift", "icu", "swift-nio", "libgrpc-dev", "liblmdb-dev", "libssl3"} <= licences
