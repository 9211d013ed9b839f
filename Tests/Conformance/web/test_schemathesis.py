"""The description of the calls over HTTP, tried by somebody else's program with all its checks."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from access.serving import own_token
from harness.launcher import Launcher
from harness.torture import Torture
from web.http_server import serve, url
from web.schemathesis_hooks import MEDIA_TYPE

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
DESCRIPTION = ROOT / "Documentation/openapi.json"
PROGRAM = Path(sys.executable).parent / "schemathesis"


def streams() -> list[str]:
    """The paths whose answer has no end of its own."""
    paths = json.loads(DESCRIPTION.read_text())["paths"]
    found = [
        path
        for path, methods in paths.items()
        for method in methods.values()
        if isinstance(method, dict)
        and MEDIA_TYPE in method.get("requestBody", {}).get("content", {})
    ]
    assert found
    return found


# A stream answers 200 by its protocol, also to a call that is refused: the hooks read its end in the
# place of these two checks, which read the status.
SETTINGS = """
[checks]
ignored_auth.enabled = false
negative_data_rejection.enabled = false
"""


@pytest.mark.full
@pytest.mark.parametrize("kind", ["unary", "streams"])
def test_the_description_holds_for_whatever_is_sent(
    launch: Launcher,
    torture: Torture,
    tmp_path: Path,
    report: Callable[[str], None],
    kind: str,
) -> None:
    server, _ = serve(launch)
    settings = tmp_path / "schemathesis.toml"
    # Whoever may open a stream keeps it open: streams are tried by somebody without a token.
    if kind == "streams":
        settings.write_text(SETTINGS)
        chosen = [argument for path in streams() for argument in ("--include-path", path)]
    else:
        settings.write_text("")
        chosen = ["--header", f"Authorization: Bearer {own_token(server)}"]
        chosen += [argument for path in streams() for argument in ("--exclude-path", path)]
    run = subprocess.run(
        [
            PROGRAM, "--config-file", settings, "--no-color", "run", DESCRIPTION, *chosen,
            "--url", url(server), "--checks", "all", "--max-examples", "3",
            "--phases", "examples,coverage,fuzzing", "--seed", str(torture.seed),
            "--request-timeout", "20", "--continue-on-failure",
        ],  # fmt: skip
        env={**os.environ, "PYTHONPATH": str(HERE), "SCHEMATHESIS_HOOKS": "schemathesis_hooks"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-6_000:] + run.stderr[-2_000:]
    [cases] = [line.strip() for line in run.stdout.splitlines() if "generated" in line]
    report(f"schemathesis --checks all, {kind}: {cases}")
    server.terminate()
    assert server.wait() == 0
