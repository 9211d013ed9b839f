internal import GRPC
internal import Glibc
internal import Testing

@Suite("Running out of connections and descriptors")
struct ConnectionLimitTests {
    @Test("A connection above the limit is closed, and one that ends makes room")
    func connectionLimit() async throws {
        let test = try TestServer(Echo.router()) { $0.connectionLimit = 3 }
        defer { test.stop() }
        let listener = test.server.boundListeners[0]
        var connections = (0..<3).compactMap { _ in RawConnection(to: listener) }
        // gRPC greets each one that it serves.
        for connection in connections { #expect(connection.isServed) }
        let fourth = try #require(RawConnection(to: listener))
        #expect(fourth.isRefused)
        connections.removeLast()
        #expect(
            await eventually { RawConnection(to: listener)?.isServed ?? false }
        )
    }

    @Test("A server that ran out of descriptors serves again when there are some")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            let test = try TestServer(Echo.router())
            let listener = test.server.boundListeners[0]
            #expect(try await test.channel.unary(Echo.unary, [1]) == [1])
            // Room for a few more descriptors in this process, for both ends of each connection.
            let first = dup(0)
            close(first)
            var limit = rlimit()
            _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = rlim_t(first) + 20
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            do {
                let spare = dup(0)
                var connections: [RawConnection] = []
                while let connection = RawConnection(to: listener) {
                    connections.append(connection)
                }
                // Either this end of one more connection takes the one descriptor that is free now,
                // and none is left to accept it with, or the server takes it, which lags behind.
                close(spare)
                if let connection = RawConnection(to: listener) { connections.append(connection) }
                precondition(connections.count > 5, "the limit was not reached")
            }
            let isServedAgain = await eventually {
                RawConnection(to: listener)?.isServed ?? false
            }
            precondition(isServedAgain, "the server stayed deaf")
            #expect(try await test.channel.unary(Echo.unary, [1]) == [1])
            test.stop()
        }
    }
}
