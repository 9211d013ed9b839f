"""The description of the calls over HTTP, tried by somebody else's program with all its checks."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from access.serving import own_token
from harness.launcher import Launcher
from harness.torture import Torture
from web.http_server import serve, url

DESCRIPTION = Path(__file__).parents[3] / "Documentation/openapi.json"
PROGRAM = Path(sys.executable).parent / "schemathesis"

# A deadline of the caller's that has passed is 504.
SETTINGS = '[checks]\nnot_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 504]\n'

# Who calls, and the checks that are left out, since Connect and protobuf's JSON mean something else.
KINDS = {
    "nobody": [],
    # In protobuf's JSON null is a default and no field is required, and many rules are no JSON
    # schema's: `test_http_wrong_fields.py` tries each field of each request.
    "the owner": ["positive_data_acceptance", "negative_data_rejection"],
    # A stream answers 200, also to a call that is refused, and its body is envelopes:
    # `test_openapi.py` reads them to their end. Whoever may open one keeps it open, so that nobody
    # calls with a token.
    "nobody, of streams": [
        "ignored_auth", "negative_data_rejection", "response_schema_conformance",
    ],
}  # fmt: skip


def streams() -> list[str]:
    """The paths whose answer has no end of its own."""
    paths = json.loads(DESCRIPTION.read_text())["paths"]
    found = [
        path
        for path, methods in paths.items()
        for method in methods.values()
        if isinstance(method, dict)
        and "application/connect+json" in method.get("requestBody", {}).get("content", {})
    ]
    assert found
    return found


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_the_description_holds_for_whatever_is_sent(
    launch: Launcher,
    torture: Torture,
    tmp_path: Path,
    report: Callable[[str], None],
    kind: str,
) -> None:
    server, _ = serve(launch)
    settings = tmp_path / "schemathesis.toml"
    settings.write_text(SETTINGS)
    option = "--include-path" if kind.endswith("streams") else "--exclude-path"
    chosen = [argument for path in streams() for argument in (option, path)]
    if kind == "the owner":
        chosen += ["--header", f"Authorization: Bearer {own_token(server)}"]
    if KINDS[kind]:
        chosen += ["--exclude-checks", ",".join(KINDS[kind])]
    run = subprocess.run(
        [
            PROGRAM, "--config-file", settings, "--no-color", "run", DESCRIPTION, *chosen,
            "--url", url(server), "--checks", "all", "--max-examples", "3",
            "--phases", "examples,coverage,fuzzing", "--seed", str(torture.seed),
            "--request-timeout", "20", "--continue-on-failure",
        ],  # fmt: skip
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-6_000:] + run.stderr[-2_000:]
    [cases] = re.findall(r"^ *(\d+ generated.*)$", run.stdout, re.MULTILINE)
    report(f"schemathesis --checks all, as {kind}: {cases}")
    server.terminate()
    assert server.wait() == 0
