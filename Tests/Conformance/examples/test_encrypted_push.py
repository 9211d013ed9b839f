"""The example of a push that only the app's service extension can read (§18, NSE-9)."""

from harness.examples import run_example
from harness.launcher import Launcher


def test_the_extension_decrypts_and_attaches_or_leaves_the_placeholder(launch: Launcher) -> None:
    assert run_example("EncryptedPush/encrypted_push.py", launch()) == [
        "Secret message: Tea is at five, bring the blue cup.",
        "    picture, public.png",
        "Secret message: (encrypted)",
    ]
