"""Apple's tutorial on notification service extensions: pushes that only the device can read.

    python encrypted_push.py [TARGET]

TARGET is a server that allows every app, your own unless told otherwise. The provider pushes
a placeholder and an encrypted message; the app's service extension decrypts the message and
attaches a picture before the person sees anything.
"""

import base64
import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import grpc
from belfry.v1 import attachment_service_pb2_grpc as attachment_rpcs
from belfry.v1 import delegate_service_pb2_grpc as delegate_rpcs
from belfry.v1 import device_service_pb2_grpc as device_rpcs
from belfry.v1 import extension_service_pb2 as extension
from belfry.v1 import extension_service_pb2_grpc as extension_rpcs
from belfry.v1 import notification_center_service_pb2_grpc as center_rpcs
from belfry.v1 import push_service_pb2_grpc as push_rpcs
from belfry.v1.attachment_service_pb2 import UploadAttachmentRequest
from belfry.v1.content_pb2 import NotificationContent
from belfry.v1.delegate_service_pb2 import SubscribeRequest
from belfry.v1.device_service_pb2 import ListNotificationCenterRequest
from belfry.v1.notification_center_service_pb2 import RequestAuthorizationRequest
from belfry.v1.push_service_pb2 import PushRequest
from belfry_connect import connect
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

APP = {"app_id": "org.example.secret"}
PICTURE = Path(__file__).parents[1] / "cup.png"
NONCE_BYTES = 12
CHUNK_BYTES = 256 * 1024


class Provider:
    """The app's server. Belfry carries what it sends, and cannot read it."""

    def __init__(self, channel: grpc.Channel, key: bytes) -> None:
        self._rpcs = push_rpcs.PushServiceStub(channel)
        self._cipher = AESGCM(key)

    def send(self, text: str) -> None:
        """Pushes a text: those who cannot decrypt it see the placeholder."""
        nonce = os.urandom(NONCE_BYTES)
        encrypted = nonce + self._cipher.encrypt(nonce, text.encode(), None)
        placeholder = {"title": "Secret message", "body": "(encrypted)"}
        payload = {
            "aps": {"alert": placeholder, "mutable-content": 1},
            "encrypted-content": base64.b64encode(encrypted).decode(),
        }
        self._rpcs.Push(PushRequest(center=APP, payload_json=json.dumps(payload)))


class SecretMessages:
    """The service extension. It shares the key with the provider."""

    def __init__(self, channel: grpc.Channel, key: bytes) -> None:
        self._rpcs = extension_rpcs.ExtensionServiceStub(channel)
        self._attachments = attachment_rpcs.AttachmentServiceStub(channel)
        self._cipher = AESGCM(key)
        self.serves = threading.Event()

    def serve(self) -> None:
        """Answers what is asked about each push, until the connection is closed."""
        described = {"extension_id": f"{APP['app_id']}.messages", "kind": "EXTENSION_KIND_SERVICE"}
        call = self._rpcs.Serve(extension.ServeRequest(extension=described, **APP))
        try:
            for frame in (frame for message in call for frame in message.frames):
                if frame.HasField("started"):
                    self._serving = frame.started.serving_id
                    self.serves.set()
                elif frame.HasField("callback"):
                    self._did_receive(frame.callback)
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.CANCELLED:
                raise

    def _did_receive(self, callback: extension.ExtensionCallback) -> None:
        content = callback.service.request.content
        try:
            content.body = self._decrypt(content.user_info_json)
        except InvalidTag:
            # The content as it came leaves the placeholder.
            self._complete(callback, content)
            return
        # Shown without the picture if that takes longer than the 30 s that there are.
        self._complete(callback, content, best_attempt=True)
        content.attachments.add(identifier="picture", attachment_id=self._upload(PICTURE))
        self._complete(callback, content)

    def _decrypt(self, payload: str) -> str:
        encrypted = base64.b64decode(json.loads(payload)["encrypted-content"])
        nonce, rest = encrypted[:NONCE_BYTES], encrypted[NONCE_BYTES:]
        return self._cipher.decrypt(nonce, rest, None).decode()

    def _upload(self, path: Path) -> str:
        def messages() -> Iterator[UploadAttachmentRequest]:
            yield UploadAttachmentRequest(metadata={"file_name": path.name}, **APP)
            with path.open("rb") as file:
                while chunk := file.read(CHUNK_BYTES):
                    yield UploadAttachmentRequest(chunk=chunk)

        return self._attachments.UploadAttachment(messages()).attachment.attachment_id

    def _complete(
        self,
        callback: extension.ExtensionCallback,
        content: NotificationContent,
        *,
        best_attempt: bool = False,
    ) -> None:
        self._rpcs.CompleteServiceExtension(
            extension.CompleteServiceExtensionRequest(
                serving_id=self._serving,
                callback_id=callback.callback_id,
                content=content,
                best_attempt=best_attempt,
                **APP,
            )
        )


class Screen:
    """What the person sees of the app."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._rpcs = device_rpcs.DeviceServiceStub(channel)
        call = delegate_rpcs.DelegateServiceStub(channel).Subscribe(SubscribeRequest(center=APP))
        self._frames = (frame for message in call for frame in message.frames)
        # Its first frame: from here on nothing that is delivered is missed.
        next(self._frames)

    def show(self) -> None:
        """Waits until a notification is delivered, and prints the newest."""
        next(frame for frame in self._frames if frame.event.HasField("delivered"))
        request = ListNotificationCenterRequest(app_ids=[APP["app_id"]])
        newest = self._rpcs.ListNotificationCenter(request).groups[0].notifications[0]
        print(f"{newest.title}: {newest.body}")
        for file in newest.attachments:
            print(f"    {file.identifier}, {file.type}")


def main() -> None:
    """Sends a message that the extension can read, and one that it cannot."""
    with connect(*sys.argv[1:2]) as channel:
        alert = RequestAuthorizationRequest(center=APP, options=["AUTHORIZATION_OPTION_ALERT"])
        center_rpcs.NotificationCenterServiceStub(channel).RequestAuthorization(alert)
        key, other = (AESGCM.generate_key(bit_length=256) for _ in range(2))
        service = SecretMessages(channel, key)
        threading.Thread(target=service.serve).start()
        service.serves.wait()
        screen = Screen(channel)
        Provider(channel, key).send("Tea is at five, bring the blue cup.")
        screen.show()
        Provider(channel, other).send("Who reads this?")
        screen.show()


if __name__ == "__main__":
    main()
