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


def settings(kind: str) -> str:
    """Which checks are not made, since Connect and protobuf's JSON mean something else.

    A stream answers 200 to a call that is refused, too: the hooks read its end. In protobuf's JSON
    null is a default and no field is required, and many rules are no JSON schema's: with a token,
    what is accepted and refused is a matter of `test_http_wrong_fields.py`. A deadline of the
    caller's that has passed is 504.
    """
    text = 'hooks = "schemathesis_hooks"\n'
    if kind == "with a token":
        return text + (
            "[checks]\npositive_data_acceptance.enabled = false\n"
            "negative_data_rejection.enabled = false\n"
            'not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 504]\n'
        )
    for path in streams():
        text += (
            f'[[operations]]\ninclude-path = "{path}"\n'
            "[operations.checks]\nignored_auth.enabled = false\n"
            "negative_data_rejection.enabled = false\n"
        )
    return text


@pytest.mark.full
@pytest.mark.parametrize("kind", ["with a token", "without"])
def test_the_description_holds_for_whatever_is_sent(
    launch: Launcher,
    torture: Torture,
    tmp_path: Path,
    report: Callable[[str], None],
    kind: str,
) -> None:
    server, _ = serve(launch)
    file = tmp_path / "schemathesis.toml"
    file.write_text(settings(kind))
    chosen: list[str] = []
    # Whoever may open a stream keeps it open: streams are tried without a token alone.
    if kind == "with a token":
        chosen = ["--header", f"Authorization: Bearer {own_token(server)}"]
        chosen += [argument for path in streams() for argument in ("--exclude-path", path)]
    run = subprocess.run(
        [
            PROGRAM, "--config-file", file, "--no-color", "run", DESCRIPTION, *chosen,
            "--url", url(server), "--checks", "all", "--max-examples", "3",
            "--phases", "examples,coverage,fuzzing", "--seed", str(torture.seed),
            "--request-timeout", "20", "--continue-on-failure",
        ],  # fmt: skip
        env={**os.environ, "PYTHONPATH": str(HERE)},
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
