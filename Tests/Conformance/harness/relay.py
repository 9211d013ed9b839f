"""Stands between a client and a server, so that a test can cut the connection between them."""

import contextlib
import socket
import struct
import threading
from typing import Self


class Relay:
    """Passes on what a client and a server send each other, until it is cut."""

    def __init__(self, server: str) -> None:
        """`server` is a target of gRPC: unix:/path or 127.0.0.1:port."""
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self.target = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self.cut()

    def cut(self, *, resets: bool = False) -> None:
        """Ends the connections to the server without a word of HTTP/2, and those of the clients."""
        with self._lock:
            sockets, self._sockets = self._sockets, []
        for connection in sockets:
            if resets:
                linger = struct.pack("ii", 1, 0)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            with contextlib.suppress(OSError):
                # Wakes the thread that reads; a close alone would leave it waiting.
                connection.shutdown(socket.SHUT_RD if resets else socket.SHUT_RDWR)
            connection.close()

    def _connect(self) -> socket.socket:
        if self._server.startswith("unix:"):
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(self._server.removeprefix("unix:"))
            return connection
        host, port = self._server.rsplit(":", 1)
        return socket.create_connection((host, int(port)))

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = self._connect()
            with self._lock:
                self._sockets += [client, server]
            for ends in [(client, server), (server, client)]:
                threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    @staticmethod
    def _pass_on(source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
