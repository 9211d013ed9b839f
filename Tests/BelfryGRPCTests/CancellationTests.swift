internal import BelfryGRPC
internal import Testing

@Suite("Deadlines and cancellation")
struct CancellationTests {
    @Test("A handler sees the time that is left, if there is a deadline")
    func remainingTime() async throws {
        var router = Router()
        router.unary("/test.Time/Left") { _, call in
            // On the wire a timeout is rounded up.
            let isWithin = call.remainingTime.map { $0 > .zero && $0 < .seconds(2000) }
            call.finish([isWithin.map { $0 ? 1 : 0 } ?? 2])
        }
        let test = try TestServer(router)
        defer { test.stop() }
        let path = "/test.Time/Left"
        #expect(try await test.channel.unary(path, [], timeout: .seconds(1000)) == [1])
        #expect(try await test.channel.unary(path, []) == [2])
    }

    @Test("A deadline ends the call at the client and cancels it at the server")
    func deadline() async throws {
        let park = CallPark()
        let test = try TestServer(park.router)
        defer { test.stop() }
        let error = await #expect(throws: Status.self) {
            try await test.channel.unary("/test.Park/Wait", [], timeout: .milliseconds(200))
        }
        #expect(error?.code == .deadlineExceeded)
        await park.waitForCall()
        #expect(await eventually { park.isCancelled })
        park.finish([])
    }

    @Test("Cancelling the task of a unary call reaches the server")
    func cancelUnary() async throws {
        let park = CallPark()
        let test = try TestServer(park.router)
        defer { test.stop() }
        let channel = test.channel
        let task = Task { try await channel.unary("/test.Park/Wait", []) }
        await park.waitForCall()
        #expect(!park.isCancelled)
        task.cancel()
        #expect(await eventually { park.isCancelled })
        park.finish([])
        let error = await #expect(throws: Status.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test("A call that waits is over once its client has gone, though no handler asks")
    func waitingCall() async throws {
        let park = CallPark()
        let test = try TestServer(park.router)
        defer { test.stop() }
        let channel = test.channel
        let task = Task { try await channel.unary("/test.Park/Wait", [7]) }
        await park.waitForCall()
        #expect(test.server.connectionCount == 1)
        channel.close()
        await #expect(throws: Status.self) { try await task.value }
        // gRPC keeps the connection until its last call is over.
        #expect(await eventually { test.server.connectionCount == 0 })
        park.finish([])
    }

    @Test("A cancelled stream ends as cancelled, once, and sends no longer count")
    func cancelStream() async throws {
        let recorder = Recorder()
        let (streams, opened) = AsyncStream<ServerStream>.makeStream()
        var router = Router()
        router.bidirectional("/test.Stream/Open") { stream in
            opened.yield(stream)
            return recorder
        }
        let test = try TestServer(router)
        defer { test.stop() }
        let client = test.channel.stream("/test.Stream/Open")
        try await client.send([1])
        var events = recorder.events.makeAsyncIterator()
        #expect(await events.next() == .received([1]))
        client.cancel()
        #expect(await events.next() == .ended(cancelled: true))
        #expect(await events.next() == nil)
        for await stream in streams {
            #expect(stream.isCancelled)
            stream.send([2])
            stream.finish(.ok)
            break
        }
        let error = await #expect(throws: Status.self) { try await client.next() }
        #expect(error?.code == .cancelled)
    }

    @Test("A stream that ended well is not cancelled")
    func endWell() async throws {
        let recorder = Recorder()
        var router = Router()
        router.serverStream("/test.Stream/Brief") { _, stream in
            stream.finish(.ok)
            return recorder
        }
        let test = try TestServer(router)
        defer { test.stop() }
        let client = test.channel.stream("/test.Stream/Brief")
        try await client.send([])
        await client.finishSending()
        #expect(try await client.all().isEmpty)
        var events = recorder.events.makeAsyncIterator()
        #expect(await events.next() == .ended(cancelled: false))
        #expect(await events.next() == nil)
    }

    @Test("An abort ends a stream whose client reads nothing")
    func abort() async throws {
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
        let status = Status(code: .resourceExhausted, message: "took nothing")
        try await flooder.waitUntilStuck()
        flooder.finishThenAbort(status)
        var ends = flooder.ends.makeAsyncIterator()
        #expect(await ends.next() == .ended(cancelled: true))
        await #expect(throws: status) { try await client.all() }
    }
}
