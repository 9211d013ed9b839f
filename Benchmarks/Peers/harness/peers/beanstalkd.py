"""beanstalkd with a log that is synced for every job."""

from harness.figures import Sample
from harness.peers.peer import Window, WirePeer
from harness.process import Missing, Server, run


class Beanstalkd(WirePeer):
    name = "beanstalkd"
    protocol = "beanstalkd"
    can_fire = False
    can_batch = False
    does = (
        "put with a delay, to the second. The server names the job: no identifier, no idempotency "
        "key, no replacement, no event log. What is due is reserved and deleted one by one."
    )

    @property
    def _program(self) -> str:
        return str(self.place.build / "debian/beanstalkd")

    def version(self) -> str:
        try:
            return run([self._program, "-v"], 10).split()[-1]
        except FileNotFoundError:
            raise Missing(
                "Debian's beanstalkd is not there: Benchmarks/Peers/setup fetches it"
            ) from None

    @property
    def settings(self) -> str:
        return "-b DIRECTORY -f0: each write is synced"

    def start(self, pending: int) -> None:
        directory = self.place.new_directory(self.name)
        if self.place.transport == "unix":
            self.target = f"unix:{self.place.directory / 'beanstalkd.sock'}"
            address = ["-l", self.target]
        else:
            port = self.place.free_port()
            self.target = f"127.0.0.1:{port}"
            address = ["-l", "127.0.0.1", "-p", str(port)]
        command = [self._program, *address, "-b", str(directory)]
        # Not synced until it is full, which only another start changes.
        self._serve([*command, "-F"])
        self.fill(pending)
        self.stop()
        self._serve([*command, "-f0"])

    def add(self, window: Window) -> Sample:
        return self.measured(self.wire("add", *self.window_options(window)), window.seconds)

    def _serve(self, command: list[str]) -> None:
        self.server = Server(command, self.place.directory / "beanstalkd.log")
        self.server.wait_for(self.accepts, 300)
