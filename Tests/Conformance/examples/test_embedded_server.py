"""The example of a Swift program with a server of its own."""

import subprocess
from pathlib import Path

import pytest

from harness.server import BOUND

ROOT = Path(__file__).parents[3]
PROGRAM = ROOT / ".build/debug/Tea"


@pytest.mark.full
def test_a_program_embeds_a_server(tmp_path: Path) -> None:
    if not PROGRAM.exists():
        # It shares the directory of the Swift tests, which has most of its modules.
        package = ["--package-path", "Examples/EmbeddedServer", "--scratch-path", ".build"]
        subprocess.run(
            ["swift", "build", *package, "--disable-build-manifest-caching"], cwd=ROOT, check=True
        )
    done = subprocess.run(
        [PROGRAM],
        env={"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=BOUND,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "refused: APP_NOT_REGISTERED",
        "pending until 2026-01-01T00:04:00Z",
        "delivered at 2026-01-01T00:04:00Z",
        "the person tapped tea",
    ]
    # The log says where it listened and that it stopped in order, and nothing is left.
    assert f"listening on unix:{tmp_path}" in done.stderr
    assert done.stderr.rstrip().endswith("stopped")
    assert list(tmp_path.iterdir()) == []
