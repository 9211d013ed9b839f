"""One story: another user's programs schedule a notification, the person answers it, and the app
reads the answer, all with two rights and without a token (W-11)."""

import json
from pathlib import Path

from access.serving import DONE, NOT_PERMITTED, Caller, start
from access.users import STRANGER, calling_as, needs_root, open_home, run_as
from harness import wire
from harness.client import Client
from harness.launcher import Launcher
from harness.server import BOUND
from harness.subscription import Subscription

pytestmark = needs_root

APP, DEVICE = "org.example.tea", "phone"
CENTER = wire.Center(app_id=APP, device_id=DEVICE)

SCRIPT = """
set -euo pipefail
belfry authorize > /dev/null
belfry categories add - > /dev/null <<'END'
{"identifier":"drawn","actions":[{"identifier":"reply","title":"Reply","textInput":{}}]}
END
belfry add Tea --body 'It has drawn.' --id tea --category drawn --in 1s > /dev/null
test "$(belfry pending --json | wc -l)" = 1
until belfry delivered tea --json | grep -q '"tea"'; do sleep 0.1; done
belfry respond tea --action reply --text 'On my way' > /dev/null
echo 'answered'
"""

# Each with what it is refused as.
REFUSED = {
    "belfry pending --app org.example.coffee": "APP_REFUSED",
    "belfry device --device tablet": "DEVICE_REFUSED",
    "belfry push --alert x": "ROLE_REQUIRED",
    "belfry register": "ROLE_REQUIRED",
    "belfry clock": "ROLE_REQUIRED",
    "belfry backup": "ROLE_REQUIRED",
}


def read_answer(client: Client) -> wire.NotificationResponse:
    """What the app, which comes back later, is told that the person did; it says that it knows."""
    caller = Caller(client)
    asked = wire.SubscribeRequest(
        center=CENTER,
        role=wire.SUBSCRIBER_ROLE_PRIMARY,
        capabilities=[wire.DELEGATE_CAPABILITY_DID_RECEIVE],
    )
    with Subscription(client.stub("Subscribe")(asked, timeout=BOUND)) as stream:
        name = stream.started().subscription_id
        callback = stream.callback()
        answers = [wire.ResponseAnswer(callback_id=callback.callback_id)]
        caller.call("CompleteResponse", center=CENTER, subscription_id=name, answers=answers)
        assert stream.callback_ended().outcome == wire.CALLBACK_OUTCOME_COMPLETED
    return callback.did_receive


def test_another_users_programs_notify_and_hear_the_answer(launch: Launcher, binary: Path) -> None:
    home = open_home(launch)
    users = [f"--allow-uid={STRANGER}={right}" for right in (f"app:{APP}", f"device:{DEVICE}")]
    server = start(launch, "--socket-mode=0666", *users, home=home, clock="system")
    assert server.targets
    variables = {
        "PATH": f"{binary.parent}:/usr/bin:/bin",
        "BELFRY_SERVER": f"unix:{server.socket}",
        "BELFRY_APP": APP,
        "BELFRY_DEVICE": DEVICE,
    }
    result = run_as(home, "bash", "-c", SCRIPT, **variables)
    assert (result.returncode, result.stdout) == (DONE, "answered\n"), result
    with calling_as(server.socket) as client:
        response = read_answer(client)
    assert response.notification.request.identifier == "tea"
    assert response.action_identifier == "reply"
    assert response.user_text == "On my way"
    # And nothing more than its rights are.
    for command, reason in REFUSED.items():
        result = run_as(home, "bash", "-c", command, **variables)
        assert result.returncode == NOT_PERMITTED, (command, result)
        assert result.stdout == "" and reason in result.stderr, (command, result)
    status = run_as(home, "bash", "-c", "belfry status --json", **variables)
    assert status.returncode == DONE, status.stderr
    assert json.loads(status.stdout)
