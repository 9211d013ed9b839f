"""A bash script that has nothing but curl: it notifies, the person answers, the app reads it."""

import subprocess

import pytest

from access.serving import belfry, own_token
from harness.launcher import Launcher
from harness.server import BOUND
from web.http_server import serve

SCRIPT = r"""
set -euo pipefail
call() { # RPC JSON
    curl --silent --show-error --fail-with-body --user ":$TOKEN" \
        --header 'Content-Type: application/json' --data "$2" "$URL/belfry.v1.$1"
}
app='"center":{"appId":"org.example.tea"}'
center=NotificationCenterService
call $center/RequestAuthorization "{$app,\"options\":[\"AUTHORIZATION_OPTION_ALERT\"]}" >/dev/null
call $center/SetNotificationCategories "{$app,\"categories\":[{\"identifier\":\"drawn\",
    \"actions\":[{\"identifier\":\"reply\",\"title\":\"Reply\",\"textInput\":{}}]}]}" >/dev/null
call $center/Add "{$app,\"request\":{\"identifier\":\"tea\",\"content\":{\"title\":\"Tea\",
    \"categoryIdentifier\":\"drawn\"},\"trigger\":{\"timeInterval\":{\"interval\":\"1s\"}}}}" >/dev/null
call $center/ListPending "{$app}" | grep -q '"identifier":"tea"'
until call $center/ListDelivered "{$app}" | grep -q '"identifier":"tea"'; do sleep 0.1; done
delivery=$(call $center/ListDelivered "{$app}" | grep -o '"delivery":"[0-9]*"' | grep -o '[0-9]*')
call DeviceService/Respond "{\"notification\":{$app,\"identifier\":\"tea\",\"delivery\":$delivery},
    \"action\":{\"actionIdentifier\":\"reply\",\"userText\":\"On my way\"}}" >/dev/null
{ curl --silent --no-buffer --max-time 20 --user ":$TOKEN" --header 'Accept: text/event-stream' \
    --header 'Content-Type: application/json' \
    --data "{$app,\"role\":\"SUBSCRIBER_ROLE_PRIMARY\",
        \"capabilities\":[\"DELEGATE_CAPABILITY_DID_RECEIVE\"]}" \
    "$URL/belfry.v1.DelegateService/Subscribe" || true; } | grep -m1 -o '"userText":"[^"]*"'
"""


@pytest.mark.parametrize("publishes", [False, True], ids=["rpcs", "publish"])
def test_curl_alone(launch: Launcher, publishes: bool) -> None:
    server, web = serve(launch, clock="system")
    script = SCRIPT
    if publishes:
        # The same notification as a text, with its answer given at the command line.
        script = r"""
        set -euo pipefail
        curl --silent --fail-with-body --user ":$TOKEN" --data 'It has drawn.' \
            --header 'Title: Tea' --header 'Actions: view, Come, https://tea.example' \
            "$URL/org.example.tea" | grep -q '"event":"message"'
        """
    done = subprocess.run(
        ["bash", "-c", script],
        env={"PATH": "/usr/bin:/bin", "TOKEN": own_token(server), "URL": web.url},
        capture_output=True, text=True, timeout=2 * BOUND, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr + done.stdout
    if not publishes:
        assert done.stdout.strip() == '"userText":"On my way"'
        return
    target = ["--server", server.targets["unix"], "--app", "org.example.tea"]
    listed = belfry(launch, server.home, "delivered", "--json", *target)
    assert "It has drawn." in listed.stdout, listed.stderr
