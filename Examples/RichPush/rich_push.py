"""Azure's tutorial on rich push (§23.3): the backend sends a picture, the app fetches and shows it.

With `--front` the app is in front of the person: it shows an alert of its own, and the picture.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from belfry import BelfryError, Client, connect, rpc, v1

APP = "org.example.rich"
PICTURE = Path(__file__).parents[1] / "cup.png"
MORE = "richPushMore"


class Backend:
    """The app's server: it knows its users, and alone sets their tags."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def signed_in(self, user: str, token: str) -> None:
        """Notes a device of a user whose password was right."""
        self._client.provider(APP).set_tags(token, [f"username:{user}"])

    def send(self, user: str, message: str) -> int:
        """Sends a picture to the user's devices."""
        return self._client.call(
            rpc.CreateRichPush,
            v1.CreateRichPushRequest(
                app_id=APP,
                tag_expression=f"username:{user}",
                message=message,
                rich_type="img",
                payload=PICTURE.read_bytes(),
                media_type="image/png",
            ),
        ).rich_id


class App:
    """The app on a user's device."""

    def __init__(self, client: Client, device: str, *, is_in_front: bool) -> None:
        self.app = client.app(APP, device=device)
        self.center = self.app.center
        self._client = client
        self._is_in_front = is_in_front
        self._subscription = ""
        self._pictures: dict[int, bytes] = {}

    def launch(self) -> str:
        """Asks for permission, sets the category, and registers: gives the token."""
        self.app.authorize()
        more = v1.NotificationAction(
            identifier=MORE, title="More", options=[v1.ACTION_OPTION_FOREGROUND]
        )
        category = v1.NotificationCategory(identifier="richPush", actions=[more])
        self._client.call(
            rpc.SetNotificationCategories,
            v1.SetNotificationCategoriesRequest(center=self.center, categories=[category]),
        )
        register = v1.RegisterForRemoteNotificationsRequest(center=self.center)
        return self._client.call(rpc.RegisterForRemoteNotifications, register).token

    def callbacks(self) -> Iterator[v1.Callback]:
        """What the app is asked, from now on; first that it is connected."""
        stream = self._client.stream(
            rpc.Subscribe,
            v1.SubscribeRequest(
                center=self.center,
                role=v1.SUBSCRIBER_ROLE_PRIMARY,
                capabilities=[
                    v1.DELEGATE_CAPABILITY_WILL_PRESENT,
                    v1.DELEGATE_CAPABILITY_DID_RECEIVE,
                    v1.DELEGATE_CAPABILITY_BACKGROUND_PUSH,
                ],
                app_state=v1.APP_STATE_FOREGROUND
                if self._is_in_front
                else v1.APP_STATE_BACKGROUND,
            ),
        )
        for response in stream:
            for frame in response.frames:
                if frame.HasField("started"):
                    self._subscription = frame.started.subscription_id
                    yield v1.Callback()
                if frame.HasField("callback"):
                    yield frame.callback

    def answer(self, callback: v1.Callback) -> None:
        """Does what the app is asked."""
        match callback.WhichOneof("question"):
            case "background_push":
                done = self._fetch(callback.background_push.user_info_json)
                answer: dict[str, Any] = {"callback_id": callback.callback_id, "result": done}
                self._client.call(
                    rpc.CompleteBackgroundPush,
                    v1.CompleteBackgroundPushRequest(answers=[answer], **self._who()),
                )
            case "will_present":
                request = callback.will_present.notification.request
                print(f"alert in the app: {request.content.body}", flush=True)
                # Nothing is shown beside the alert; the person taps its "More".
                answer = {"callback_id": callback.callback_id, "presentation": {}}
                self._client.call(
                    rpc.CompleteWillPresent,
                    v1.CompleteWillPresentRequest(answers=[answer], **self._who()),
                )
                self._open(request.content.user_info_json)
            case "did_receive":
                # The server has marked the rich push as read already.
                request = callback.did_receive.notification.request
                self._client.call(
                    rpc.CompleteResponse,
                    v1.CompleteResponseRequest(
                        answers=[{"callback_id": callback.callback_id}], **self._who()
                    ),
                )
                self._open(request.content.user_info_json)

    def _who(self) -> dict[str, Any]:
        return {"center": self.center, "subscription_id": self._subscription}

    def _fetch(self, payload: str) -> int:
        """Fetches the picture of a push, and notifies of it in 5 s."""
        info = json.loads(payload)
        if info.get("richType") != "img":
            return v1.BACKGROUND_FETCH_RESULT_NO_DATA
        number = int(info["richId"])
        try:
            parts = self._client.stream(
                rpc.DownloadRichPayload,
                v1.DownloadRichPayloadRequest(center=self.center, rich_id=number),
            )
            self._pictures[number] = b"".join(part.chunk for part in parts)
        except BelfryError as error:
            print(f"failed: {error.message}", flush=True)
            return v1.BACKGROUND_FETCH_RESULT_FAILED
        self.app.add(
            body=info["richMessage"],
            id=f"rich-{number}",
            in_="5s",
            category="richPush",
            user_info=info,
        )
        print(f"fetched {number}: {len(self._pictures[number])} bytes", flush=True)
        return v1.BACKGROUND_FETCH_RESULT_NEW_DATA

    def _open(self, payload: str) -> None:
        """Shows the page of a picture."""
        number = int(json.loads(payload)["richId"])
        self._client.call(
            rpc.MarkRichPushRead, v1.MarkRichPushReadRequest(center=self.center, rich_id=number)
        )
        print(f"opened {number}", flush=True)


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if argument != "--front"]
    client = connect(*arguments[:1])
    backend = Backend(client)
    app = App(client, "phone", is_in_front="--front" in sys.argv)
    backend.signed_in("ana", app.launch())
    for callback in app.callbacks():
        if callback.WhichOneof("question"):
            app.answer(callback)
        else:
            print(f"sent {backend.send('ana', 'Check this image out!')}", flush=True)


if __name__ == "__main__":
    main()
