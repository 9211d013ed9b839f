"""Azure's tutorial on rich push (§23.3): the backend sends a picture, the app fetches and shows it.

With `--front` the app is in front of the person: it shows an alert of its own, and the picture.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc

from belfry.v1 import category_pb2 as category
from belfry.v1 import delegate_service_pb2 as delegate
from belfry.v1 import delegate_service_pb2_grpc as delegate_rpcs
from belfry.v1 import notification_center_service_pb2 as center
from belfry.v1 import notification_center_service_pb2_grpc as center_rpcs
from belfry.v1 import push_service_pb2 as push
from belfry.v1 import push_service_pb2_grpc as push_rpcs
from belfry.v1 import remote_notifications_pb2 as remote
from belfry.v1 import rich_push_service_pb2 as rich
from belfry.v1 import rich_push_service_pb2_grpc as rich_rpcs
from belfry.v1 import settings_pb2 as settings
from belfry_connect import connect

APP = "org.example.rich"
PICTURE = Path(__file__).parents[1] / "cup.png"
MORE = "richPushMore"


class Backend:
    """The app's server: it knows its users, and alone sets their tags."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._push = push_rpcs.PushServiceStub(channel)
        self._rich = rich_rpcs.RichPushServiceStub(channel)

    def signed_in(self, user: str, token: str) -> None:
        """Notes a device of a user whose password was right."""
        self._push.SetTags(push.SetTagsRequest(app_id=APP, token=token, tags=[f"username:{user}"]))

    def send(self, user: str, message: str) -> int:
        """Sends a picture to the user's devices."""
        return self._rich.CreateRichPush(
            rich.CreateRichPushRequest(
                app_id=APP,
                tag_expression=f"username:{user}",
                message=message,
                rich_type="img",
                payload=PICTURE.read_bytes(),
                media_type="image/png",
            )
        ).rich_id


class App:
    """The app on a user's device."""

    def __init__(self, channel: grpc.Channel, device: str, *, is_in_front: bool) -> None:
        self.center = {"app_id": APP, "device_id": device}
        self._center = center_rpcs.NotificationCenterServiceStub(channel)
        self._delegate = delegate_rpcs.DelegateServiceStub(channel)
        self._rich = rich_rpcs.RichPushServiceStub(channel)
        self._is_in_front = is_in_front
        self._subscription = ""
        self._pictures: dict[int, bytes] = {}

    def launch(self) -> str:
        """Asks for permission, sets the category, and registers: gives the token."""
        options = [
            settings.AUTHORIZATION_OPTION_ALERT,
            settings.AUTHORIZATION_OPTION_SOUND,
            settings.AUTHORIZATION_OPTION_BADGE,
        ]
        self._center.RequestAuthorization(
            center.RequestAuthorizationRequest(center=self.center, options=options)
        )
        more = category.NotificationAction(
            identifier=MORE, title="More", options=[category.ACTION_OPTION_FOREGROUND]
        )
        self._center.SetNotificationCategories(
            category.SetNotificationCategoriesRequest(
                center=self.center, categories=[{"identifier": "richPush", "actions": [more]}]
            )
        )
        return self._center.RegisterForRemoteNotifications(
            remote.RegisterForRemoteNotificationsRequest(center=self.center)
        ).token

    def callbacks(self) -> Iterator[delegate.Callback]:
        """What the app is asked, from now on; first that it is connected."""
        stream = self._delegate.Subscribe(
            delegate.SubscribeRequest(
                center=self.center,
                role=delegate.SUBSCRIBER_ROLE_PRIMARY,
                capabilities=[
                    delegate.DELEGATE_CAPABILITY_WILL_PRESENT,
                    delegate.DELEGATE_CAPABILITY_DID_RECEIVE,
                    delegate.DELEGATE_CAPABILITY_BACKGROUND_PUSH,
                ],
                app_state=delegate.APP_STATE_FOREGROUND
                if self._is_in_front
                else delegate.APP_STATE_BACKGROUND,
            )
        )
        for response in stream:
            for frame in response.frames:
                if frame.HasField("started"):
                    self._subscription = frame.started.subscription_id
                    yield delegate.Callback()
                if frame.HasField("callback"):
                    yield frame.callback

    def answer(self, callback: delegate.Callback) -> None:
        """Does what the app is asked."""
        match callback.WhichOneof("question"):
            case "background_push":
                done = self._fetch(callback.background_push.user_info_json)
                answer: dict[str, Any] = {"callback_id": callback.callback_id, "result": done}
                self._delegate.CompleteBackgroundPush(
                    delegate.CompleteBackgroundPushRequest(answers=[answer], **self._who())
                )
            case "will_present":
                request = callback.will_present.notification.request
                print(f"alert in the app: {request.content.body}", flush=True)
                # Nothing is shown beside the alert; the person taps its "More".
                answer = {"callback_id": callback.callback_id, "presentation": {}}
                self._delegate.CompleteWillPresent(
                    delegate.CompleteWillPresentRequest(answers=[answer], **self._who())
                )
                self._open(request.content.user_info_json)
            case "did_receive":
                # The server has marked the rich push as read already.
                request = callback.did_receive.notification.request
                self._delegate.CompleteResponse(
                    delegate.CompleteResponseRequest(
                        answers=[{"callback_id": callback.callback_id}], **self._who()
                    )
                )
                self._open(request.content.user_info_json)

    def _who(self) -> dict[str, Any]:
        return {"center": self.center, "subscription_id": self._subscription}

    def _fetch(self, payload: str) -> int:
        """Fetches the picture of a push, and notifies of it in 5 s."""
        info = json.loads(payload)
        if info.get("richType") != "img":
            return delegate.BACKGROUND_FETCH_RESULT_NO_DATA
        number = int(info["richId"])
        try:
            parts = self._rich.DownloadRichPayload(
                rich.DownloadRichPayloadRequest(center=self.center, rich_id=number)
            )
            self._pictures[number] = b"".join(part.chunk for part in parts)
        except grpc.RpcError as error:
            print(f"failed: {error.details()}", flush=True)
            return delegate.BACKGROUND_FETCH_RESULT_FAILED
        content = {
            "body": info["richMessage"],
            "user_info_json": payload,
            "category_identifier": "richPush",
        }
        trigger = {"time_interval": {"interval": {"seconds": 5}}}
        request: Any = {"identifier": f"rich-{number}", "content": content, "trigger": trigger}
        self._center.Add(center.AddRequest(center=self.center, request=request))
        print(f"fetched {number}: {len(self._pictures[number])} bytes", flush=True)
        return delegate.BACKGROUND_FETCH_RESULT_NEW_DATA

    def _open(self, payload: str) -> None:
        """Shows the page of a picture."""
        number = int(json.loads(payload)["richId"])
        self._rich.MarkRichPushRead(
            rich.MarkRichPushReadRequest(center=self.center, rich_id=number)
        )
        print(f"opened {number}", flush=True)


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if argument != "--front"]
    channel = connect(*arguments[:1])
    backend = Backend(channel)
    app = App(channel, "phone", is_in_front="--front" in sys.argv)
    backend.signed_in("ana", app.launch())
    for callback in app.callbacks():
        if callback.WhichOneof("question"):
            app.answer(callback)
        else:
            print(f"sent {backend.send('ana', 'Check this image out!')}", flush=True)


if __name__ == "__main__":
    main()
