"""Makes the calls that standard input asks for in a page of headless Chromium.

The page comes from this process, with the security policy of a careful site: it gets the commands
as Server-Sent Events, and posts the reports. The server has to let this origin call.
"""

import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[5]
PAGE = '<!doctype html><script type="module" src="/{}"></script>'
SCRIPT = Path(__file__).with_name("page.mjs").relative_to(ROOT)
POLICY = "default-src 'none'; script-src 'self'; connect-src 'self' {}"

commands: "queue.Queue[str | None]" = queue.Queue()
server = sys.argv[1]


class Site(BaseHTTPRequestHandler):
    """The page, the modules that it loads, and the ways of the commands and the reports."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path == "/commands":
            self._stream()
        elif path == "/":
            self._answer("text/html", PAGE.format(SCRIPT).encode())
        elif path.endswith((".js", ".mjs")):
            self._answer("text/javascript", (ROOT / path[1:]).read_bytes())
        else:
            self._answer("text/plain", b"", status=404)

    def do_POST(self) -> None:
        report = self.rfile.read(int(self.headers["Content-Length"]))
        self._answer("text/plain", b"")
        sys.stdout.buffer.write(report + b"\n")
        sys.stdout.buffer.flush()

    def _answer(self, kind: str, body: bytes, *, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", POLICY.format(server))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        while (line := commands.get()) is not None:
            self.wfile.write(f"data: {line}\n\n".encode())
            self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Says nothing: standard error is shown with a test that fails."""


def main() -> int:
    browser = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))), None)
    if browser is None:
        print("there is no browser (Debian: chromium-headless-shell)", file=sys.stderr)
        return 1
    site = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PAGE_PORT"])), Site)
    site.daemon_threads = True
    threading.Thread(target=site.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{site.server_port}/?server={server}"
    with tempfile.TemporaryDirectory() as profile:
        # It ends when its pipe does, also where this process is killed.
        process = subprocess.Popen(
            [
                "sh", "-c", 'exec "$@" 3<&0 4>/dev/null', "sh",
                browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--disable-dev-shm-usage", "--disable-background-networking", "--no-proxy-server",
                f"--user-data-dir={profile}", "--remote-debugging-pipe", address,
            ],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert process.stdin
        try:
            for line in sys.stdin:
                commands.put(line.strip())
        finally:
            commands.put(None)
            process.stdin.close()
            process.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
