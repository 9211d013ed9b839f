internal import ArgumentParser
internal import BelfryGRPC
internal import NotificationCore
internal import Testing

@testable internal import belfry

@Suite("The arguments of belfry serve")
struct ServeArgumentsTests {
    @Test(
        "--listen is a unix socket or a TCP address",
        arguments: [
            ("unix:/run/b.sock", .unix(path: "/run/b.sock")),
            ("tcp:127.0.0.1:50061", .tcp(host: "127.0.0.1", port: 50_061)),
            ("tcp:localhost:0", .tcp(host: "localhost", port: 0)),
            ("tcp:[::1]:65535", .tcp(host: "::1", port: 65_535)),
            ("tcp:::1:80", .tcp(host: "::1", port: 80)),
        ] as [(String, Server.Listener)]
    )
    func listen(text: String, listener: Server.Listener) {
        #expect(ListenAddress(argument: text)?.listener == listener)
    }

    @Test(
        "What is no address is refused",
        arguments: [
            "", "unix:", "unix:b.sock", "unix:./b.sock", "/run/b.sock", "127.0.0.1:80", "tcp:",
            "tcp:127.0.0.1", "tcp::80", "tcp:127.0.0.1:", "tcp:127.0.0.1:65536",
            "tcp:127.0.0.1:-1", "tcp:127.0.0.1:http", "udp:127.0.0.1:80", "TCP:127.0.0.1:80",
        ]
    )
    func badListen(text: String) {
        #expect(ListenAddress(argument: text) == nil)
        #expect(throws: (any Error).self) { try ServeCommand.parse(["--listen", text]) }
    }

    @Test(
        "TCP off this machine needs --insecure",
        arguments: [
            ("unix:/run/b.sock", true), ("tcp:127.0.0.1:80", true), ("tcp:127.8.8.8:80", true),
            ("tcp:localhost:80", true), ("tcp:[::1]:80", true), ("tcp:0.0.0.0:80", false),
            ("tcp:[::]:80", false), ("tcp:192.168.0.1:80", false), ("tcp:example.org:80", false),
            ("tcp:127.0.example.org:80", false), ("tcp:127.0.0.1.example.org:80", false),
            ("tcp:[::ffff:127.0.0.1]:80", false),
        ]
    )
    func insecure(text: String, isOnThisMachine: Bool) throws {
        #expect(try #require(ListenAddress(argument: text)).isOnThisMachine == isOnThisMachine)
        let parsed = Result { try ServeCommand.parse(["--listen", text]) }
        #expect((try? parsed.get())?.addresses.listen.count == (isOnThisMachine ? 1 : nil))
        let insecure = try ServeCommand.parse(["--listen", text, "--insecure"])
        #expect(insecure.addresses.listen.count == 1)
    }

    @Test("One address off this machine among others is enough to be refused")
    func insecureAmongOthers() {
        let arguments = ["--listen", "unix:/run/b.sock", "--listen", "tcp:0.0.0.0:80"]
        let error = #expect(throws: (any Error).self) { try ServeCommand.parse(arguments) }
        let message = error.map(ServeCommand.message(for:)) ?? ""
        #expect(message.contains("tcp:0.0.0.0:80"))
        #expect(message.contains("--insecure"))
    }

    @Test(
        "--clock is the machine's, or manual from an instant on",
        arguments: [
            ("system", .system), ("manual", .manual(nil)),
            ("manual=1970-01-01T00:00:00Z", .manual(WallInstant(nanoseconds: 0))),
            (
                "manual=2026-01-01T00:00:00Z",
                .manual(WallInstant(nanoseconds: 1_767_225_600_000_000_000))
            ),
        ] as [(String, ClockArgument)]
    )
    func clock(text: String, clock: ClockArgument) throws {
        #expect(try ServeCommand.parse(["--clock", text]).behaviour.clock == clock)
    }

    @Test(
        "An instant that no clock can begin at is refused",
        arguments: [
            "", "now", "manual=", "manual=2026", "manual=2026-01-01", "manual=soon",
            "manual=2026-13-01T00:00:00Z", "manual=1969-12-31T23:59:59Z",
            "manual=2163-01-01T00:00:00Z", "manual=2262-05-01T00:00:00Z",
            "manual=9999-01-01T00:00:00Z", "manual=-9999-01-01T00:00:00Z",
        ]
    )
    func badClock(text: String) {
        #expect(throws: (any Error).self) { try ServeCommand.parse(["--clock", text]) }
    }

    @Test(
        "--max-store-size is a number of bytes with its unit",
        arguments: [
            ("64MiB", 64 << 20), ("10GiB", 10 << 30), ("1TiB", 1 << 40), ("20480KiB", 20_480 << 10),
        ]
    )
    func maxStoreSize(text: String, bytes: Int) throws {
        let command = try ServeCommand.parse(["--max-store-size", text])
        #expect(command.disk.maxStoreSize?.bytes == bytes)
    }

    @Test("Without arguments it listens on the user's socket and asks the person")
    func defaults() throws {
        let command = try ServeCommand.parse([])
        #expect(command.addresses.listen.isEmpty)
        #expect(command.behaviour.clock == .system)
        #expect(command.behaviour.prompts == .ask)
        #expect(command.rpcThreads == 1)
        #expect(!command.access.insecure)
        #expect(command.data == ServePaths.dataDirectory)
        #expect(command.disk.maxStoreSize == nil)
        #expect(command.stopTimeout.duration == .seconds(10))
    }

    @Test(
        "What has no meaning is refused",
        arguments: [
            ["--prompts", "maybe"], ["--pending-limit", "0"], ["--pending-limit", "many"],
            ["--rpc-threads", "0"], ["--rpc-threads", "65"], ["--stop-timeout", "soon"],
            ["--max-store-size", "0"], ["--max-store-size", "10"], ["--max-store-size", "1 GB"],
            ["--max-store-size", "-1GiB"], ["--max-store-size", "9999999999GiB"],
            ["--log-level", "loud"], ["--port", "80"], ["data"],
        ]
    )
    func refused(arguments: [String]) {
        #expect(throws: (any Error).self) { try ServeCommand.parse(arguments) }
    }
}
