"""Rights for some apps or some devices: each rpc that names one, in the plain forms (W-11)."""

from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf import message_factory
from google.protobuf.message import Message

from access.serving import Answer, Caller, make_token, token_command
from harness import wire
from harness.client import Client
from harness.launcher import Launcher
from harness.server import Server

OWN, OTHER = "org.example.tea", "org.example.teapot"
PHONE, TABLET = "phone", "tablet"

DENIED = grpc.StatusCode.PERMISSION_DENIED

# By role, the services whose calls it may make; those of no app or device are left out.
SERVICES = {
    "app": {
        "NotificationCenterService", "DelegateService", "RichPushService", "AttachmentService",
    },
    "provider": {"PushService", "RichPushService", "AttachmentService"},
    "extension": {"ExtensionService", "AttachmentService"},
    "device": {"DeviceService"},
}  # fmt: skip


def rpcs(role: str) -> list[str]:
    """The calls of a role."""
    found = [
        rpc
        for rpc, method in wire.METHODS.items()
        if method.containing_service.name in SERVICES[role]
    ]
    if role in ("app", "provider"):
        # Of what the admin installs for an app, these may see it.
        found += ["ListStringTables", "ListSounds"]
    provided = {"CreateRichPush"}
    of_apps = {"GetRichPush", "ListRichPushes", "DownloadRichPayload", "MarkRichPushRead"}
    left_out = {"app": provided, "provider": of_apps}.get(role, set())
    return [rpc for rpc in found if rpc not in left_out]


APP_CALLS = [(role, rpc) for role in ("app", "provider", "extension") for rpc in rpcs(role)]


def naming(rpc: str, app: str, device: str = "") -> Message:
    """A request of an rpc that names an app, a device or both, wherever it has a place for them."""
    message = message_factory.GetMessageClass(wire.METHODS[rpc].input_type)()
    names = message.DESCRIPTOR.fields_by_name
    if "center" in names:
        message.center.SetInParent()
        message.center.app_id, message.center.device_id = app, device
    if "app_id" in names:
        message.app_id = app
    if "add" in names:
        message.add.center.SetInParent()
        message.add.center.app_id, message.add.center.device_id = app, device
    if "notification" in names:
        message.notification.center.app_id = app
        message.notification.center.device_id = device
    if "app_ids" in names and app:
        message.app_ids.append(app)
    if "device_id" in names:
        message.device_id = device
    return message


@pytest.fixture(scope="module")
def bound(shared_launch: Launcher, guarded: Server, tcp: Client) -> dict[str, Caller]:
    """Callers by their only right."""
    assert guarded.targets
    return {
        right: Caller(tcp, make_token(shared_launch, guarded.home, f"of {number}", right))
        for number, right in enumerate(RIGHTS)
    }


APP_RIGHTS = [f"{role}:{scope}" for role in ("app", "provider", "extension") for scope in
              (OWN, "org.example.tea.*")]  # fmt: skip
RIGHTS = [
    *APP_RIGHTS, "app:org.example.*", f"device:{PHONE}", "device:phone*", "device:local",
]  # fmt: skip


def test_the_calls_are_all_that_a_role_has() -> None:
    assert {role: len(rpcs(role)) for role in SERVICES} == {
        "app": 21 + 6 + 4 + 5 + 2, "provider": 7 + 1 + 5 + 2, "extension": 8 + 5, "device": 20,
    }  # fmt: skip


@pytest.mark.parametrize("role, rpc", APP_CALLS)
def test_a_right_for_an_app_is_for_no_other(
    bound: dict[str, Caller], role: str, rpc: str
) -> None:
    caller = bound[f"{role}:{OWN}"]
    own = caller.send(rpc, naming(rpc, OWN))
    assert own.is_let_in, own
    caller.send(rpc, naming(rpc, OTHER)).check(DENIED, "APP_REFUSED", app_id=OTHER)
    for empty in [b"", naming(rpc, "")]:
        if rpc != "UploadAttachment":
            caller.send(rpc, empty).check(DENIED, "APP_REFUSED", app_id="")
    many = bound[f"{role}:org.example.tea.*"]
    child = many.send(rpc, naming(rpc, f"{OWN}.one"))
    assert child.is_let_in, child
    for app in [OWN, OTHER]:
        many.send(rpc, naming(rpc, app)).check(DENIED, "APP_REFUSED", app_id=app)


@pytest.mark.parametrize("role", ["app", "provider", "extension"])
@pytest.mark.parametrize("has_metadata", [True, False])
def test_a_file_of_no_app_is_refused(
    bound: dict[str, Caller], role: str, *, has_metadata: bool
) -> None:
    metadata = {"file_name": "a.txt", "purpose": 3, "size_bytes": 1} if has_metadata else None
    answer = bound[f"{role}:{OWN}"].ask("UploadAttachment", metadata=metadata)
    answer.check(DENIED, "APP_REFUSED", app_id="")


@pytest.mark.parametrize("role, rpc", APP_CALLS)
def test_a_right_for_an_app_is_for_all_devices(
    bound: dict[str, Caller], role: str, rpc: str
) -> None:
    answer = bound[f"{role}:{OWN}"].send(rpc, naming(rpc, OWN, TABLET))
    assert answer.is_let_in, answer


@pytest.mark.parametrize("rpc", rpcs("device"))
def test_a_right_for_a_device_is_for_no_other(bound: dict[str, Caller], rpc: str) -> None:
    caller = bound[f"device:{PHONE}"]
    for app in [OWN, OTHER]:
        # It is for all apps of the device.
        answer = caller.send(rpc, naming(rpc, app, PHONE))
        assert answer.is_let_in, answer
    other = caller.send(rpc, naming(rpc, OWN, TABLET))
    other.check(DENIED, "DEVICE_REFUSED", device_id=TABLET)
    unnamed = caller.send(rpc, naming(rpc, OWN))
    unnamed.check(DENIED, "DEVICE_REFUSED", device_id="local")
    local = bound["device:local"]
    for message in [b"", naming(rpc, OWN), naming(rpc, OWN, "local")]:
        answer = local.send(rpc, message)
        assert answer.is_let_in, answer
    several = bound["device:phone*"]
    assert several.send(rpc, naming(rpc, OWN, "phone-of-ann")).is_let_in
    refused = several.send(rpc, naming(rpc, OWN, "phon"))
    refused.check(DENIED, "DEVICE_REFUSED", device_id="phon")


@pytest.mark.parametrize("rpc", rpcs("device"))
def test_a_request_without_anything_is_for_the_local_device(
    bound: dict[str, Caller], rpc: str
) -> None:
    answer = bound[f"device:{PHONE}"].send(rpc, b"")
    answer.check(DENIED, "DEVICE_REFUSED", device_id="local")


# A request that names two devices, of which one is another's.
def of_two_devices() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each call that has two places for a device, with one of each."""
    for first, second in [(PHONE, TABLET), (TABLET, PHONE)]:
        inner = {"center": {"app_id": OWN, "device_id": second}, "identifier": "one"}
        for rpc in ["Respond", "Dismiss"]:
            yield rpc, {"device_id": first, "notification": inner}
        yield "Dismiss", {"device_id": first, "notifications": [inner]}
        outer = {"app_id": OWN, "device_id": first}
        yield "OpenSettings", {"center": outer, "notification": inner}


@pytest.mark.parametrize("rpc, fields", of_two_devices())
def test_each_device_that_is_named_counts(
    bound: dict[str, Caller], rpc: str, fields: dict[str, Any]
) -> None:
    answer = bound[f"device:{PHONE}"].ask(rpc, **fields)
    answer.check(DENIED, "DEVICE_REFUSED", device_id=TABLET)


@pytest.mark.parametrize(
    "app",
    [
        "org.example.teapot", "org.example.tea.", "org.example.tea.pot", "org.example.te",
        "org.example", "org.example.", "ORG.EXAMPLE.TEA", "org.example.Tea", ".org.example.tea",
        "org.example..tea", " org.example.tea", "org.example.tea ", "org.example.tea\0",
        "org.example.tea\0pot", "\0", "org.example.*", "*", "org.example.tea*",
        "org.example.t\u0435a", "org.example.tea\n", "org.example.tea/", "x" * 200,
    ],
)  # fmt: skip
def test_an_app_that_looks_like_it_is_another(bound: dict[str, Caller], app: str) -> None:
    for right, rpc in [
        (f"app:{OWN}", "ListPending"), (f"provider:{OWN}", "ListRegistrations"),
        (f"extension:{OWN}", "Serve"),
    ]:  # fmt: skip
        answer = bound[right].send(rpc, naming(rpc, app))
        answer.check(DENIED, "APP_REFUSED")


@pytest.mark.parametrize(
    "app, is_one",
    [
        ("org.example.tea", True), ("org.example.teapot", True), ("org.example.a.b", True),
        ("org.example", False), ("org.exampleX", False), ("org.exampleX.tea", False),
        ("org.example-tea", False), ("Org.example.tea", False), ("ORG.EXAMPLE.TEA", False),
        ("org", False), ("", False), ("x.org.example.tea", False), ("org.example\0.tea", False),
    ],
)  # fmt: skip
def test_a_beginning_is_for_the_apps_below_it(
    bound: dict[str, Caller], app: str, *, is_one: bool
) -> None:
    answer = bound["app:org.example.*"].send("ListPending", naming("ListPending", app))
    if is_one:
        assert answer.is_let_in, answer
    else:
        answer.check(DENIED, "APP_REFUSED")


@pytest.mark.parametrize(
    "device", ["phones", "phon", "Phone", "PHONE", "phone.", "phone:1", "phone\0", " phone", "*",
               "phone*", "local", "LOCAL"]
)  # fmt: skip
def test_a_device_that_looks_like_it_is_another(bound: dict[str, Caller], device: str) -> None:
    for rpc in ["GetDeviceState", "UpdateSettings", "WatchDevice"]:
        answer = bound[f"device:{PHONE}"].send(rpc, naming(rpc, OWN, device))
        answer.check(DENIED, "DEVICE_REFUSED")


def test_a_device_shows_the_files_of_all_apps(bound: dict[str, Caller]) -> None:
    # The request of these has no place for a device.
    for rpc in ["GetAttachment", "DownloadAttachment"]:
        answer = bound[f"device:{PHONE}"].send(rpc, naming(rpc, OTHER))
        assert answer.is_let_in, answer


def test_one_role_that_may_make_the_call_is_enough(
    shared_launch: Launcher, guarded: Server, tcp: Client
) -> None:
    rights = [f"app:{OWN}", f"extension:{OTHER}", f"device:{PHONE}", "app:org.example.coffee"]
    caller = Caller(tcp, make_token(shared_launch, guarded.home, "many", *rights))

    def ask(rpc: str, app: str, device: str = "") -> Answer:
        return caller.send(rpc, naming(rpc, app, device))

    assert ask("ListPending", OWN).is_let_in
    assert ask("ListPending", "org.example.coffee").is_let_in
    ask("ListPending", OTHER).check(DENIED, "APP_REFUSED", app_id=OTHER)
    assert ask("Serve", OTHER).is_let_in
    ask("Serve", OWN).check(DENIED, "APP_REFUSED", app_id=OWN)
    # Each of its roles may read files, each of its own app; a device's is for all.
    assert ask("GetAttachment", "org.example.third").is_let_in
    assert ask("PutAttachment", OTHER).is_let_in
    ask("PutAttachment", "org.example.third").check(DENIED, "APP_REFUSED")
    assert ask("GetDeviceState", "", PHONE).is_let_in
    ask("GetDeviceState", "", TABLET).check(DENIED, "DEVICE_REFUSED", device_id=TABLET)
    ask("Push", OWN).check(DENIED, "ROLE_REQUIRED", roles="provider")
    # The server's own facts are for every role.
    assert caller.send("GetServerInfo", b"").is_let_in


@pytest.mark.parametrize(
    "role",
    [
        "", "boss", "APP", "app:", "device:", ":org.example.tea", "admin:org.example.tea",
        "admin:*", "app:*.tea", "app:org.*.tea", "app:org.example.**", "app:org example",
        "app:org.example.tea ", "app:a,app:b", "app:org.example.tea:x", "app:\u00e9",
        "app:" + "a" * 200, "device:a b", "app:org$example",
    ],
)  # fmt: skip
def test_what_is_no_role_makes_no_token(
    shared_launch: Launcher, guarded: Server, role: str
) -> None:
    made = token_command(shared_launch, guarded.home, "create", "x", f"--role={role}")
    assert made.returncode == 64, made
    assert not made.stdout
    assert "role" in made.stderr
