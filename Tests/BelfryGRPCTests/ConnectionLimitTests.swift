internal import BelfryGRPC
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
        // gRPC greets each connection that it serves.
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
            // Leave room for exactly one more descriptor in this process, which the client's end
            // takes: the holes below the highest one, which it inherited, are filled.
            let highest = (0..<4096).last { fcntl($0, F_GETFD) >= 0 } ?? 2
            var filler: Int32
            repeat { filler = dup(0) } while filler < highest
            close(filler)
            var limit = rlimit()
            _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let enough = limit.rlim_cur
            limit.rlim_cur = rlim_t(highest) + 2
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            for _ in 0..<5 {
                let connection = RawConnection(to: listener)
                precondition(connection?.isRefused == true, "the server had a descriptor, or hangs")
            }
            limit.rlim_cur = enough
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let isServedAgain = await eventually {
                RawConnection(to: listener)?.isServed ?? false
            }
            precondition(isServedAgain, "the server stayed deaf")
            #expect(try await test.channel.unary(Echo.unary, [1]) == [1])
            test.stop()
        }
    }
}
