internal import BelfryGRPC
internal import Testing

@Suite("Messages that are not finished (SH-3)")
struct UnfinishedMessageTests {
    /// The end that closes the connections.
    enum Closer: CaseIterable, Sendable {
        case client, server
    }

    @Test(
        "The bytes of closed connections no longer count against the others",
        arguments: Closer.allCases
    )
    func closed(by closer: Closer) async throws {
        let test = try TestServer(Echo.router()) { $0.memoryLimitBytes = 16 << 20 }
        defer { test.stop() }
        let listener = test.server.boundListeners[0]
        #expect(await Self.takesLargeMessage(test))
        // Withhold more together than the half of the memory that unfinished messages may have, and
        // less each than every connection may have.
        var withheld = (0..<150).compactMap { _ in RawConnection(to: listener) }
        #expect(withheld.count == 150)
        for connection in withheld { connection.write(RawRequest.unfinished(60_000)) }
        #expect(await eventually { await !Self.takesLargeMessage(test) })
        if closer == .server {
            for connection in withheld {
                connection.write(RawRequest.misplacedSettings)
                while let read = connection.read(), !read.isEmpty {}
            }
        }
        withheld = []
        #expect(await eventually { await Self.takesLargeMessage(test) })
    }

    /// Whether the server takes a message of which more is unfinished for a time than every
    /// connection may have.
    private static func takesLargeMessage(_ test: TestServer) async -> Bool {
        let channel = Channel(target: test.server.boundListeners[0].description)
        defer { channel.close() }
        let message = [UInt8](repeating: 7, count: 1 << 19)
        return (try? await channel.unary(Echo.unary, message)) == message
    }
}
