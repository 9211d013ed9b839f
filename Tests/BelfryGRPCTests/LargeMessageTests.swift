internal import BelfryLocking
internal import Testing

@testable internal import BelfryGRPC

@Suite("Large messages are read elsewhere than on a polling thread (QU-1)")
struct LargeMessageTests {
    private static let path = "/test.Large/Unary"
    private static let large = [UInt8](repeating: 7, count: 16 * 1024 + 1)

    @Test("While a large request waits to be read, small calls are answered")
    func waits() async throws {
        let reader = ParkedReader()
        var router = Echo.router()
        router.readLargeMessages(by: reader)
        let test = try TestServer(router)
        defer { test.stop() }
        let channel = test.channel
        let answer = Task { try await channel.unary(Echo.unary, Self.large) }
        try #require(await eventually { reader.count == 1 })
        // The largest small message is read at once.
        let small = [UInt8](Self.large.dropLast())
        #expect(try await channel.unary(Echo.unary, small) == small)
        #expect(reader.count == 1)
        reader.runAll()
        #expect(try await answer.value == Self.large)
    }

    @Test("A call that its client has cancelled is not read")
    func cancelled() async throws {
        let reader = ParkedReader()
        let reads = Guarded(0)
        var router = Router()
        router.readLargeMessages(by: reader)
        router.unary(Self.path) { _, call in
            reads.withLock { $0 += 1 }
            call.finish([])
        }
        let test = try TestServer(router)
        defer { test.stop() }
        let channel = test.channel
        let call = Task { try await channel.unary(Self.path, Self.large) }
        try #require(await eventually { reader.count == 1 })
        call.cancel()
        #expect(await eventually { reader.lastCaller?.hasEnded == true })
        reader.runAll()
        #expect(reads.withLock { $0 } == 0)
        await #expect(throws: Status.self) { try await call.value }
    }

    @Test("A call that has no place to wait is refused with the reader's status")
    func refused() async throws {
        let refusal = Status(code: .resourceExhausted, message: "full", detailBytes: [1])
        let reader = ParkedReader(refusal)
        var router = Echo.router()
        router.readLargeMessages(by: reader)
        let test = try TestServer(router)
        defer { test.stop() }
        let error = await #expect(throws: Status.self) {
            try await test.channel.unary(Echo.unary, Self.large)
        }
        #expect(error == refusal)
        let stream = test.channel.stream(Echo.countTo)
        try await stream.send(Self.large)
        await stream.finishSending()
        let end = await #expect(throws: Status.self) { try await stream.next() }
        #expect(end == refusal)
    }

    @Test("A stream opens when its large request is read")
    func stream() async throws {
        let reader = ParkedReader()
        var router = Router()
        router.readLargeMessages(by: reader)
        router.serverStream(Self.path) { message, stream in
            // The caller is looked up when the request is read.
            let isWhole =
                message.byteCount == Self.large.count
                && stream.metadata(named: "user-agent") != nil
            return Counter(stream, limit: isWhole ? 3 : 0)
        }
        let test = try TestServer(router)
        defer { test.stop() }
        let stream = test.channel.stream(Self.path)
        try await stream.send(Self.large)
        await stream.finishSending()
        try #require(await eventually { reader.count == 1 })
        reader.runAll()
        #expect(try await stream.all() == [[1], [2], [3]])
    }

    @Test("What happens to a stream while its request is read is told afterwards, in order")
    func kept() async {
        let unread = UnreadStream()
        let recorder = Recorder()
        unread.open {
            unread.sent()
            unread.ended(cancelled: true)
            return recorder
        }
        #expect(
            await recorder.events.reduce(into: []) { $0.append($1) }
                == [.sent, .ended(cancelled: true)]
        )
    }

    @Test("A stream that has ended is not opened")
    func ended() {
        let unread = UnreadStream()
        unread.ended(cancelled: true)
        unread.open {
            Issue.record("the request was read")
            return Recorder()
        }
    }
}

/// Keeps the work of large messages until the test has it run.
private final class ParkedReader: LargeMessageReader {
    private let refusal: Status?
    private let waiting = Guarded<[(caller: Caller, work: @Sendable () -> Void)]>([])

    init(_ refusal: Status? = nil) { self.refusal = refusal }

    var count: Int { waiting.withLock { $0.count } }
    var lastCaller: Caller? { waiting.withLock { $0.last?.caller } }

    func runAll() {
        let taken = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for message in taken { message.work() }
    }

    func read(
        ofBytes byteCount: Int,
        from caller: Caller,
        _ work: @escaping @Sendable () -> Void
    ) -> Status? {
        if let refusal { return refusal }
        waiting.withLock { $0.append((caller, work)) }
        return nil
    }

    func stop() { runAll() }
}
