internal import BelfryGRPC
internal import Testing

@Suite("The four shapes of a call, end to end")
struct ShapeTests {
    @Test("A unary call gets its answer", arguments: Transport.allCases)
    func unary(transport: Transport) async throws {
        let test = try TestServer(Echo.router(), on: transport)
        defer { test.stop() }
        let reply = try await test.channel.unary(Echo.unary, [1, 2, 3], timeout: .seconds(60))
        #expect(reply == [1, 2, 3])
    }

    @Test("An empty message is a message")
    func emptyMessage() async throws {
        let test = try TestServer(Echo.router())
        defer { test.stop() }
        #expect(try await test.channel.unary(Echo.unary, []) == [])
    }

    @Test("A message of many slices arrives whole")
    func largeMessage() async throws {
        let test = try TestServer(Echo.router(), on: .tcp)
        defer { test.stop() }
        let message = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try await test.channel.unary(Echo.unary, message) == message)
    }

    @Test("A server stream sends in order and ends", arguments: Transport.allCases)
    func serverStream(transport: Transport) async throws {
        let test = try TestServer(Echo.router(), on: transport)
        defer { test.stop() }
        let stream = test.channel.stream(Echo.countTo, timeout: .seconds(60))
        try await stream.send([UInt8](repeating: 0, count: 200))
        await stream.finishSending()
        #expect(try await stream.all() == (1...200).map { [UInt8($0)] })
    }

    @Test("A client stream is answered after its last message", arguments: Transport.allCases)
    func clientStream(transport: Transport) async throws {
        let test = try TestServer(Echo.router(), on: transport)
        defer { test.stop() }
        let stream = test.channel.stream(Echo.concatenate, timeout: .seconds(60))
        for byte in UInt8(0)..<50 { try await stream.send([byte, byte]) }
        await stream.finishSending()
        #expect(try await stream.all() == [(UInt8(0)..<50).flatMap { [$0, $0] }])
    }

    @Test("A bidirectional stream answers while it is sent to", arguments: Transport.allCases)
    func bidirectional(transport: Transport) async throws {
        let test = try TestServer(Echo.router(), on: transport)
        defer { test.stop() }
        let stream = test.channel.stream(Echo.each, timeout: .seconds(60))
        for byte in UInt8(0)..<50 {
            try await stream.send([byte])
            #expect(try await stream.next() == [byte])
        }
        await stream.finishSending()
        #expect(try await stream.next() == nil)
    }

    @Test("A paused stream makes its client wait, and loses nothing")
    func pausedReading() async throws {
        let test = try TestServer(Echo.router())
        defer { test.stop() }
        let stream = test.channel.stream(Echo.each, timeout: .seconds(60))
        // Send all at once: the repeater may have only one answer on its way at a time.
        for byte in UInt8(0)..<50 { try await stream.send([byte]) }
        await stream.finishSending()
        #expect(try await stream.all() == (UInt8(0)..<50).map { [$0] })
    }

    @Test("A stream that is resumed while it receives reads one message, not two")
    func resumedMeanwhile() async throws {
        let test = try TestServer(Echo.router())
        defer { test.stop() }
        let stream = test.channel.stream(Echo.inTurn, timeout: .seconds(60))
        for byte in UInt8(0)..<50 { try await stream.send([byte]) }
        await stream.finishSending()
        #expect(try await stream.all().isEmpty)
    }

    @Test("Many calls at once are all answered, each with its own")
    func concurrentCalls() async throws {
        let test = try TestServer(Echo.router()) { $0.pollingThreads = 2 }
        defer { test.stop() }
        let channel = test.channel
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in UInt8(0)..<200 {
                group.addTask {
                    try await channel.unary(Echo.unary, [number, 7]) == [number, 7]
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
