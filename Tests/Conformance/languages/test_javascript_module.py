"""The JavaScript module: what it promises, its size, and that its types say what it has."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from harness.launcher import Launcher
from harness.server import BOUND
from web.http_server import LISTEN, url

HERE = Path(__file__).parent
CLIENT = HERE.parents[2] / "Clients/js"
SOURCE = (CLIENT / "belfry.js").read_text()

# Later pages load it as it is.
MOST_BYTES = 33 << 10

# Prints the names that the module exports, and those of their methods and properties.
_NAMES = """
import * as module from "./belfry.js";
const clients = module.connect({ url: "http://localhost" });
const made = { App: clients.app("a"), Device: clients.device(), Client: clients };
for (const [name, value] of Object.entries(module)) {
  console.log(name);
  if (!made[name]) continue;
  for (const of of [value.prototype, made[name]]) {
    for (const each of Object.getOwnPropertyNames(of)) {
      if (each !== "constructor") console.log(`${name}.${each}`);
    }
  }
}
"""


def test_it_keeps_its_promises(launch: Launcher) -> None:
    server = launch(prompts="ask", arguments=[LISTEN])
    program = HERE / "programs/module.mjs"
    done = subprocess.run(
        ["node", program, url(server)],
        capture_output=True, text=True, timeout=2 * BOUND, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    parts = re.findall(r'^  async "(.+)"\(\) \{$', program.read_text(), re.MULTILINE)
    assert parts and done.stdout.splitlines() == parts


def test_it_is_one_small_file_that_any_page_may_load() -> None:
    assert len(SOURCE.encode()) <= MOST_BYTES
    refused = r"^import\b|\bimport\(|\beval\(|\bFunction\(|\brequire\("
    assert not re.findall(refused, SOURCE, re.MULTILINE)


def test_its_types_have_what_it_has() -> None:
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", _NAMES],
        cwd=CLIENT, capture_output=True, text=True, timeout=BOUND, check=True,
    )  # fmt: skip
    has = set(done.stdout.split())
    # Only the module itself opens streams by hand.
    assert has - {"Client.stream"} == declared((CLIENT / "belfry.d.ts").read_text())


def declared(types: str) -> set[str]:
    """The names of the values that a file of types declares, with those of three classes."""
    names = set(re.findall(r"^export (?:class|function) (\w+)", types, re.MULTILINE))
    for name in ("App", "Device", "Client"):
        body = re.search(rf"^export class {name} \{{\n(.*?)^\}}", types, re.MULTILINE | re.DOTALL)
        assert body
        members = re.findall(r"^  (?:readonly )?(\w+)[(<:?]", body[1], re.MULTILINE)
        names |= {f"{name}.{member}" for member in members}
    return names


@pytest.mark.full
def test_its_types_are_those_of_the_protos() -> None:
    compiler = shutil.which("tsc")
    assert compiler, "tsc is not installed (Debian: node-typescript)"
    done = subprocess.run(
        [
            compiler, "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext",
            "--moduleResolution", "nodenext", "--lib", "es2022,dom,dom.iterable,esnext",
            HERE / "types/uses.mts",
        ],
        capture_output=True, text=True, timeout=4 * BOUND, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
