internal import BelfryGRPC
internal import Testing

@Suite("Message counts and sizes")
struct LimitTests {
    @Test(
        "A one-message method takes exactly one message",
        arguments: [Echo.unary, Echo.countTo],
        [0, 1, 2, 3]
    )
    func messageCount(path: String, count: Int) async throws {
        let test = try TestServer(Echo.router())
        defer { test.stop() }
        let stream = test.channel.stream(path, timeout: .seconds(60))
        for _ in 0..<count {
            // The server may refuse before the last message.
            do { try await stream.send([1]) } catch { break }
        }
        await stream.finishSending()
        guard count != 1 else {
            #expect(try await stream.all() == [[1]])
            return
        }
        let error = await #expect(throws: Status.self) { try await stream.all() }
        #expect(error?.code == .invalidArgument)
    }

    @Test("A request above the limit is refused, and the connection goes on")
    func largeRequest() async throws {
        let test = try TestServer(Echo.router()) { $0.maximumReceiveBytes = 1000 }
        defer { test.stop() }
        let error = await #expect(throws: Status.self) {
            try await test.channel.unary(Echo.unary, [UInt8](repeating: 0, count: 1001))
        }
        #expect(error?.code == .resourceExhausted)
        #expect(
            try await test.channel.unary(Echo.unary, [UInt8](repeating: 0, count: 1000)).count
                == 1000
        )
    }

    @Test("A reply above the limit becomes an error", arguments: [false, true])
    func largeReply(isStream: Bool) async throws {
        let reply = [UInt8](repeating: 0, count: 1001)
        var router = Router()
        router.unary("/test.Large/Reply") { _, call in call.finish(reply) }
        router.serverStream("/test.Large/Stream") { _, stream in
            stream.send(reply)
            return Recorder()
        }
        let test = try TestServer(router) { $0.maximumSendBytes = 1000 }
        defer { test.stop() }
        let error = await #expect(throws: Status.self) {
            guard isStream else {
                _ = try await test.channel.unary("/test.Large/Reply", [])
                return
            }
            let stream = test.channel.stream("/test.Large/Stream")
            try await stream.send([])
            await stream.finishSending()
            _ = try await stream.all()
        }
        #expect(error?.code == .resourceExhausted)
    }
}
