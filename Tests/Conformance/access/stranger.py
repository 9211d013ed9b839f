"""Passes on what it is sent to a unix socket, as another user: `stranger.py UID GID SOCKET`.

It prints the port that it listens on. A line of its input that is a number has it open so many
connections of its own, and keep them; it prints how many of them the server has not ended.
"""

import os
import resource
import select
import socket
import sys
import threading

# What a client of HTTP/2 begins with, and empty settings.
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])


def pass_on(source: socket.socket, sink: socket.socket) -> None:
    """Copies until either end closes, and then closes both."""
    try:
        while data := source.recv(65_536):
            sink.sendall(data)
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def dial(path: str) -> socket.socket:
    """A connection to the server, whose kernel tells it the user now."""
    server = socket.socket(socket.AF_UNIX)
    server.settimeout(5)
    server.connect(path)
    server.settimeout(None)
    return server


def accept(listener: socket.socket, path: str) -> None:
    """Has a connection to the server for each that comes."""
    while True:
        client, _ = listener.accept()
        try:
            server = dial(path)
        except OSError:
            client.close()
            continue
        for ends in [(client, server), (server, client)]:
            threading.Thread(target=pass_on, args=ends, daemon=True).start()


def is_open(connection: socket.socket) -> bool:
    """Whether the server has not ended a connection, whatever it said on it."""
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    try:
        while poll.poll(0):
            if not connection.recv(65_536):
                return False
    except OSError:
        return False
    return True


def main() -> None:
    uid, gid, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    resource.setrlimit(resource.RLIMIT_NOFILE, (8_192, 8_192))
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=accept, args=(listener, path), daemon=True).start()
    print(listener.getsockname()[1], flush=True)
    kept: list[socket.socket] = []
    for line in sys.stdin:
        for _ in range(int(line)):
            try:
                connection = dial(path)
                connection.sendall(PREFACE)
            except OSError:
                continue
            kept.append(connection)
        print(sum(is_open(connection) for connection in kept), flush=True)


if __name__ == "__main__":
    main()
