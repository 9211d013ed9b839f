internal import BelfryGRPC
internal import Testing

@Suite("Stopping")
struct StopTests {
    @Test("Open streams end with UNAVAILABLE, and the stop does not wait for its bound")
    func openStream() async throws {
        let recorder = Recorder()
        var router = Router()
        router.serverStream("/test.Stream/Open") { _, stream in
            stream.send([1])
            return recorder
        }
        let test = try TestServer(router)
        defer { test.stop() }
        let client = test.channel.stream("/test.Stream/Open")
        try await client.send([])
        await client.finishSending()
        #expect(try await client.next() == [1])
        let clock = ContinuousClock()
        let took = clock.measure { test.server.stop(within: .seconds(600)) }
        // Real time: half of the bound that the stop would otherwise wait for.
        #expect(took < .seconds(300))
        let error = await #expect(throws: Status.self) { try await client.next() }
        #expect(error == Status(code: .unavailable, message: "the server is stopping"))
        // Leave out the sent messages: the client may have the message before the server hears that
        // it is sent, which it then does not.
        let told = await recorder.events.reduce(into: []) { $0.append($1) }.drop { $0 == .sent }
        #expect(told == [.ended(cancelled: false)])
    }

    @Test("A unary call may finish until the bound")
    func finishingCall() async throws {
        let park = CallPark()
        let test = try TestServer(park.router)
        defer { test.stop() }
        let channel = test.channel
        async let reply = channel.unary("/test.Park/Wait", [])
        await park.waitForCall()
        let server = test.server
        let stop = Task.detached { server.stop(within: .seconds(600)) }
        // New calls are refused from here on, which shows that the stop has begun.
        let isStopping = await isRefused(by: test)
        #expect(isStopping)
        park.finish([9])
        #expect(try await reply == [9])
        await stop.value
    }

    @Test("A unary call that never finishes is cancelled at the bound, and may finish later")
    func unfinishedCall() async throws {
        let park = CallPark()
        let test = try TestServer(park.router)
        defer { test.stop() }
        let channel = test.channel
        let call = Task { try await channel.unary("/test.Park/Wait", []) }
        await park.waitForCall()
        test.server.stop(within: .milliseconds(100))
        #expect(park.isCancelled)
        await #expect(throws: Status.self) { try await call.value }
        park.finish([9])
    }

    @Test("A stream whose client reads nothing does not hold up the stop beyond its bound")
    func stuckStream() async throws {
        let (flooders, opened) = AsyncStream<Flooder>.makeStream()
        var router = Router()
        router.serverStream("/test.Stream/Flood") { _, stream in
            let flooder = Flooder(stream)
            opened.yield(flooder)
            return flooder
        }
        let test = try TestServer(router)
        defer { test.stop() }
        let client = test.channel.stream("/test.Stream/Flood")
        try await client.send([])
        await client.finishSending()
        var arrivals = flooders.makeAsyncIterator()
        let flooder = try #require(await arrivals.next())
        test.server.stop(within: .milliseconds(100))
        var ends = flooder.ends.makeAsyncIterator()
        #expect(await ends.next() != nil)
        client.cancel()
    }

    @Test("A second stop does nothing, and a stop without a start only ends the listening")
    func idempotence() throws {
        let test = try TestServer(Echo.router())
        test.server.stop(within: .seconds(5))
        test.server.stop(within: .seconds(5))
        #expect(RawConnection(to: test.server.boundListeners[0]) == nil)
        test.stop()
    }

    /// Opens connections until one is refused.
    private func isRefused(by test: TestServer) async -> Bool {
        let listener = test.server.boundListeners[0]
        return await eventually { RawConnection(to: listener) == nil }
    }
}
