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
from contextlib import suppress
from pathlib import Path

from belfry import App, Client, Unavailable, connect, rpc, v1
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

APP = "org.example.secret"
PICTURE = Path(__file__).parents[1] / "cup.png"
NONCE_BYTES = 12


class Provider:
    """The app's server. Belfry carries what it sends, and cannot read it."""

    def __init__(self, client: Client, key: bytes) -> None:
        self._provider = client.provider(APP)
        self._cipher = AESGCM(key)

    def send(self, text: str) -> None:
        """Pushes a text: those who cannot decrypt it see the placeholder."""
        nonce = os.urandom(NONCE_BYTES)
        encrypted = nonce + self._cipher.encrypt(nonce, text.encode(), None)
        self._provider.push(
            "Secret message",
            "(encrypted)",
            aps={"mutable-content": 1},
            data={"encrypted-content": base64.b64encode(encrypted).decode()},
        )


class SecretMessages:
    """The service extension. It shares the key with the provider."""

    def __init__(self, client: Client, key: bytes) -> None:
        self._client = client
        self._cipher = AESGCM(key)
        self.serves = threading.Event()

    def serve(self) -> None:
        """Answers what is asked about each push, until the connection is closed."""
        described = v1.AppExtension(
            extension_id=f"{APP}.messages", kind="EXTENSION_KIND_SERVICE"
        )
        request = v1.ServeRequest(app_id=APP, extension=described)
        with suppress(Unavailable):
            for message in self._client.stream(rpc.Serve, request):
                for frame in message.frames:
                    if frame.HasField("started"):
                        self._serving = frame.started.serving_id
                        self.serves.set()
                    elif frame.HasField("callback"):
                        self._did_receive(frame.callback)

    def _did_receive(self, callback: v1.ExtensionCallback) -> None:
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
        request = v1.PutAttachmentRequest(
            app_id=APP, metadata={"file_name": path.name}, data=path.read_bytes()
        )
        return self._client.call(rpc.PutAttachment, request).attachment.attachment_id

    def _complete(
        self,
        callback: v1.ExtensionCallback,
        content: v1.NotificationContent,
        *,
        best_attempt: bool = False,
    ) -> None:
        self._client.call(
            rpc.CompleteServiceExtension,
            v1.CompleteServiceExtensionRequest(
                serving_id=self._serving,
                callback_id=callback.callback_id,
                content=content,
                best_attempt=best_attempt,
                app_id=APP,
            ),
        )


class Screen:
    """What the person sees of the app."""

    def __init__(self, client: Client, app: App) -> None:
        self._person = client.device()
        told = [event.number for event in app.events(after=0, follow=False)]
        self._events = app.events(after=max(told, default=0))

    def show(self) -> None:
        """Waits until a notification is delivered, and prints the newest."""
        next(event for event in self._events if event.kind == "delivered")
        newest = self._person.screen(APP)[0]
        print(f"{newest.title}: {newest.body}")
        for file in newest.raw.attachments:
            print(f"    {file.identifier}, {file.type}")


def main() -> None:
    """Sends a message that the extension can read, and one that it cannot."""
    with connect(*sys.argv[1:2]) as client:
        app = client.app(APP)
        app.authorize(alert=True)
        key, other = (AESGCM.generate_key(bit_length=256) for _ in range(2))
        service = SecretMessages(client, key)
        threading.Thread(target=service.serve).start()
        service.serves.wait()
        screen = Screen(client, app)
        Provider(client, key).send("Tea is at five, bring the blue cup.")
        screen.show()
        Provider(client, other).send("Who reads this?")
        screen.show()


if __name__ == "__main__":
    main()
