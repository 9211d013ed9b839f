"""Servers that answer a call with its own bytes: the pace of gRPC alone."""

from dataclasses import dataclass
from pathlib import Path

from harness.figures import Sample
from harness.peers.peer import Place
from harness.process import Missing, Server, cpu_seconds, run


@dataclass(frozen=True)
class Echo:
    """An echo server, which takes the address to listen on as its argument."""

    name: str
    program: Path
    how_to_build: str
    does: str

    def measure(self, place: Place, in_flight: int, seconds: float) -> Sample:
        """Starts it, puts the load on it and stops it."""
        if not self.program.exists():
            raise Missing(f"it is not built: {self.how_to_build}")
        if place.transport == "unix":
            path = place.directory / "echo.sock"
            path.unlink(missing_ok=True)
            listen = target = f"unix:{path}"
        else:
            listen = str(place.free_port())
            target = f"127.0.0.1:{listen}"
        server = Server([str(self.program), listen], place.directory / "echo.log")
        try:
            command = [place.program("echo-load"), target, str(in_flight), str(seconds)]
            sample = parse_echo(run(command, seconds * 2 + 60), seconds)
            # With its warm-up, a quarter more; so the CPU time is by the rate of all its calls.
            sample.server_cpu_seconds = cpu_seconds(server.pid) * sample.measured / sample.total
            return sample
        finally:
            server.stop()


def parse_echo(text: str, seconds: float) -> Sample:
    """Reads the line of Benchmarks/Echo/LoadClient."""
    rate, p50, p99, total = (float(word) for word in text.split())
    return Sample(
        measured=round(rate * seconds), seconds=seconds, total=int(total), p50_us=p50, p99_us=p99
    )


def echoes(place: Place, root: Path) -> list[Echo]:
    """The servers, Belfry's first."""
    return [
        Echo("Belfry, echo", root / ".build/release/EchoServer", "make bench-peers builds it",
             "Belfry's shim and router, one handler in Swift."),
        Echo("gRPC C++, echo", Path(place.program("echo-server")), "make bench-peers builds it",
             "AsyncGenericService with one queue and one thread, as its documentation has it."),
        Echo("grpc-swift-2, echo", root / ".build/grpc-swift-echo/release/EchoServer",
             "make bench-peers builds it, if it can",
             "Swift's own gRPC on SwiftNIO, with its own event loops."),
    ]
