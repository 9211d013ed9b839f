"""Calls by the name of their rpc, as a client of the generated stubs makes them."""

import itertools
import json
from typing import Any, Self

import grpc

from belfry.v1.admin_service_pb2_grpc import AdminServiceStub
from belfry.v1.attachment_service_pb2_grpc import AttachmentServiceStub
from belfry.v1.delegate_service_pb2_grpc import DelegateServiceStub
from belfry.v1.device_service_pb2_grpc import DeviceServiceStub
from belfry.v1.extension_service_pb2_grpc import ExtensionServiceStub
from belfry.v1.installation_service_pb2_grpc import InstallationServiceStub
from belfry.v1.notification_center_service_pb2_grpc import NotificationCenterServiceStub
from belfry.v1.push_service_pb2_grpc import PushServiceStub
from belfry.v1.rich_push_service_pb2_grpc import RichPushServiceStub
from belfry.v1.server_service_pb2_grpc import ServerServiceStub
from harness import wire
from harness.server import BOUND
from harness.subscription import Subscription

_app_numbers = itertools.count(1)


class Client:
    """One connection to a server."""

    def __init__(
        self, target: str, credentials: grpc.ChannelCredentials | None = None
    ) -> None:
        options = [
            # Every client has a connection of its own.
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.max_receive_message_length", -1),
            ("grpc.initial_reconnect_backoff_ms", 50),
            ("grpc.max_reconnect_backoff_ms", 200),
        ]
        self.channel = (
            grpc.insecure_channel(target, options)
            if credentials is None
            else grpc.secure_channel(target, credentials, options)
        )
        self._stubs = {
            "belfry.v1.ServerService": ServerServiceStub(self.channel),
            "belfry.v1.InstallationService": InstallationServiceStub(self.channel),
            "belfry.v1.NotificationCenterService": NotificationCenterServiceStub(self.channel),
            "belfry.v1.DelegateService": DelegateServiceStub(self.channel),
            "belfry.v1.ExtensionService": ExtensionServiceStub(self.channel),
            "belfry.v1.DeviceService": DeviceServiceStub(self.channel),
            "belfry.v1.PushService": PushServiceStub(self.channel),
            "belfry.v1.RichPushService": RichPushServiceStub(self.channel),
            "belfry.v1.AttachmentService": AttachmentServiceStub(self.channel),
            "belfry.v1.ExtensionService": ExtensionServiceStub(self.channel),
            "belfry.v1.AdminService": AdminServiceStub(self.channel),
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.channel.close()

    def call(self, rpc: str, **fields: Any) -> Any:
        """Calls an rpc of any service with the fields of its request."""
        return self.send(rpc, getattr(wire, f"{rpc}Request")(**fields))

    def send(self, rpc: str, message: Any, *, timeout: float | None = BOUND) -> Any:
        """Calls an rpc of any service with its request, or with an iterator of its requests."""
        return self.stub(rpc)(message, timeout=timeout)

    def stub(self, rpc: str) -> Any:
        """What calls an rpc of any service, also with many calls at a time."""
        return getattr(self._stubs[wire.METHODS[rpc].containing_service.full_name], rpc)

    def wait_until_ready(self) -> None:
        """Waits until the server answers."""
        self._stubs["belfry.v1.ServerService"].GetServerInfo(
            wire.GetServerInfoRequest(), timeout=BOUND, wait_for_ready=True
        )

    def advance(self, count: float) -> wire.AdvanceClockResponse:
        """Moves the manual clock on by seconds."""
        return self.call("AdvanceClock", by=wire.seconds(count))

    def now(self) -> int:
        """The server's wall clock in nanoseconds."""
        return wire.nanoseconds(self.call("GetClock").clock.now)

    def app(self, *, device: str = "") -> "App":
        """An app that no other test knows, not yet registered."""
        return App(
            self, wire.Center(app_id=f"org.example.app{next(_app_numbers)}", device_id=device)
        )


class App:
    """The center of one app, seen by the app."""

    def __init__(self, client: Client, center: wire.Center) -> None:
        self.client = client
        self.center = center

    def call(self, rpc: str, **fields: Any) -> Any:
        """Calls an rpc about this center with the other fields of its request."""
        return self.client.call(rpc, center=self.center, **fields)

    def authorize(self, *options: int) -> wire.RequestAuthorizationResponse:
        """Asks for permission: for alerts, sounds and the badge unless told otherwise."""
        default = (
            wire.AUTHORIZATION_OPTION_ALERT,
            wire.AUTHORIZATION_OPTION_SOUND,
            wire.AUTHORIZATION_OPTION_BADGE,
        )
        return self.call("RequestAuthorization", options=options or default)

    def register_for_pushes(self, **fields: Any) -> str:
        """Registers for pushes, and gives the token."""
        return self.call("RegisterForRemoteNotifications", **fields).token

    def push(self, payload: str = "", /, **fields: Any) -> wire.PushResponse:
        """Pushes to this center, with headers by their names; a text is shown as an alert."""
        aps = fields.pop("aps", {"alert": "A push"})
        payload = payload or json.dumps({"aps": aps} | fields.pop("data", {}))
        target = {"token": fields.pop("token")} if "token" in fields else {"center": self.center}
        key = fields.pop("idempotency_key", "")
        return self.client.call(
            "Push", payload_json=payload, headers=fields, idempotency_key=key, **target
        )

    def add(
        self, identifier: str = "", after: float | None = None, **content: Any
    ) -> wire.AddResponse:
        """Adds a notification that fires once after some seconds, or is delivered now."""
        return self.call("Add", request=request(identifier, after, **content))

    def pending(self, **fields: Any) -> list[str]:
        """The identifiers of one page of the pending requests."""
        page = self.call("ListPending", **fields)
        return [entry.request.identifier for entry in page.requests]

    def delivered(self, **fields: Any) -> list[str]:
        """The identifiers of one page of the delivered notifications."""
        page = self.call("ListDelivered", **fields)
        return [entry.request.identifier for entry in page.notifications]

    def subscribe(self, **fields: Any) -> Subscription:
        """Follows the center, for at most the time that a test may take."""
        return Subscription(self.call("Subscribe", **fields))

    def in_front(self, *capabilities: int, **fields: Any) -> Subscription:
        """Follows the center as the app in front, which is asked about presentation."""
        return self.subscribe(
            role=wire.SUBSCRIBER_ROLE_PRIMARY,
            capabilities=capabilities or [wire.DELEGATE_CAPABILITY_WILL_PRESENT],
            app_state=wire.APP_STATE_FOREGROUND,
            **fields,
        )

    def present(
        self, subscription_id: str, callback: wire.Callback, *options: int
    ) -> wire.CompleteWillPresentResponse:
        """Answers how to present a notification."""
        answer = wire.WillPresentAnswer(
            callback_id=callback.callback_id, presentation={"options": options}
        )
        return self.call("CompleteWillPresent", subscription_id=subscription_id, answers=[answer])

    def events(self, after: int = 0) -> list[wire.Event]:
        """The events that there are after a number."""
        with self.subscribe(after=after) as subscription:
            return subscription.events_until_caught_up()


def request(
    identifier: str = "", after: float | None = None, *, repeats: bool = False, **content: Any
) -> wire.NotificationRequest:
    """A request with a title unless told otherwise."""
    content = content or {"title": "A title"}
    return wire.NotificationRequest(
        identifier=identifier,
        content=wire.NotificationContent(**content),
        trigger=None if after is None else interval(after, repeats=repeats),
    )


def interval(count: float, *, repeats: bool = False) -> wire.Trigger:
    """A trigger that fires after some seconds."""
    return wire.Trigger(
        repeats=repeats,
        time_interval=wire.TimeIntervalTrigger(interval=wire.seconds(count)),
    )
