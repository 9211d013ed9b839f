"""GetServerInfo."""

from harness import wire
from harness.client import Client
from harness.server import START_SECONDS


def test_tells_version_profile_limits_and_clock(own_client: Client) -> None:
    info = own_client.call("GetServerInfo")
    assert info.version.count(".") == 2
    assert info.profile == wire.PROFILE_SERVER
    assert info.clock.kind == wire.CLOCK_KIND_MANUAL
    assert info.clock.now.seconds == START_SECONDS
    assert info.supports_content_extensions
    assert info.limits.pending_limit_policy == wire.PENDING_LIMIT_POLICY_REJECT_NEW
    assert info.limits.delivered_per_center == 1_000
    assert info.limits.delivered_retention.seconds == 7 * 86_400
    assert info.limits.event_retention.seconds == 7 * 86_400
    assert info.limits.event_bytes_per_center == 64 * 1024 * 1024
    assert info.limits.content_bytes == 64 * 1024
    assert info.limits.identifier_bytes == 256
    assert info.limits.message_bytes == 1024 * 1024
    assert info.limits.batch_requests == 1_000
    assert info.limits.page_size == 1_000
