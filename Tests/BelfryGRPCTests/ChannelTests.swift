internal import BelfryGRPC
internal import Testing

@Suite("Closing a channel", .timeLimit(.minutes(2)))
struct ChannelTests {
    @Test("Closing cancels the open calls, of each shape, and returns when the last has ended")
    func openCalls() async throws {
        let park = CallPark()
        let recorder = Recorder()
        var router = park.router
        router.bidirectional("/test.Stream/Open") { _ in recorder }
        let test = try TestServer(router)
        defer { test.stop() }
        let channel = test.channel
        let unary = Task { try await channel.unary("/test.Park/Wait", []) }
        await park.waitForCall()
        let stream = channel.stream("/test.Stream/Open")
        try await stream.send([1])
        var events = recorder.events.makeAsyncIterator()
        #expect(await events.next() == .received([1]))

        channel.close()
        let ended = await #expect(throws: Status.self) { try await unary.value }
        #expect(ended?.code == .cancelled)
        let cut = await #expect(throws: Status.self) { try await stream.next() }
        #expect(cut?.code == .cancelled)
        #expect(await events.next() == .ended(cancelled: true))
        #expect(await eventually { park.isCancelled })
        park.finish([])
    }

    @Test("A closed channel makes no call and no connection, and can be closed again")
    func closed() async throws {
        let test = try TestServer(Echo.router())
        defer { test.stop() }
        let channel = Channel(target: test.server.boundListeners[0].description)
        #expect(try await channel.unary(Echo.unary, [1]) == [1])
        for _ in 0..<2 {
            channel.close()
            let refusal = Status(code: .cancelled, message: "the channel is closed")
            await #expect(throws: refusal) { try await channel.unary(Echo.unary, [1]) }
            let stream = channel.stream(Echo.each)
            await #expect(throws: refusal) { try await stream.next() }
            #expect(await !channel.waitUntilReady(timeout: .seconds(120)))
        }
        // Another channel to the server is not closed with it.
        #expect(try await test.channel.unary(Echo.unary, [2]) == [2])
    }

    @Test("A channel that nobody has any more is closed: the server loses its connection")
    func letGo() async throws {
        let test = try TestServer(Echo.router()) { $0.connectionLimit = 1 }
        defer { test.stop() }
        let target = test.server.boundListeners[0].description
        for _ in 0..<3 {
            // Each channel takes the one place, which the one before has to leave.
            let channel = Channel(target: target)
            #expect(await channel.waitUntilReady(timeout: .seconds(120)))
        }
    }
}
