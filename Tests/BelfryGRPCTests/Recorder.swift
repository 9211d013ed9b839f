internal import BelfryGRPC
internal import BelfryLocking

/// A callback of a stream's delegate.
enum StreamEvent: Sendable, Equatable {
    case received([UInt8])
    case receivedEnd
    case sent
    case ended(cancelled: Bool)
}

/// A delegate that does nothing but hand on what it is told, in order.
final class Recorder: ServerStreamDelegate {
    /// Everything that was told; it ends after `ended`.
    let events: AsyncStream<StreamEvent>
    private let continuation: AsyncStream<StreamEvent>.Continuation

    init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    func received(_ message: RawSpan) { continuation.yield(.received([UInt8](message))) }
    func receivedEnd() { continuation.yield(.receivedEnd) }
    func sent() { continuation.yield(.sent) }

    func ended(cancelled: Bool) {
        continuation.yield(.ended(cancelled: cancelled))
        continuation.finish()
    }
}

/// A delegate that sends without end, so that a client which reads nothing brings it to a halt.
final class Flooder: ServerStreamDelegate {
    let ends: AsyncStream<StreamEvent>
    private let stream: ServerStream
    private let continuation: AsyncStream<StreamEvent>.Continuation
    private let sendCount = Guarded(0)

    init(_ stream: ServerStream) {
        self.stream = stream
        (ends, continuation) = AsyncStream.makeStream()
        sent()
    }

    func sent() {
        sendCount.withLock { $0 += 1 }
        stream.send([UInt8](repeating: 0, count: 1 << 20))
    }

    /// Waits until a send is stuck, which shows only in that no further one follows it.
    func waitUntilStuck() async throws {
        var before: Int
        repeat {
            before = sendCount.withLock { $0 }
            try await Task.sleep(for: .milliseconds(300))
        } while sendCount.withLock { $0 } != before
    }

    func received(_ message: RawSpan) {}
    func receivedEnd() {}

    func ended(cancelled: Bool) {
        continuation.yield(.ended(cancelled: cancelled))
        continuation.finish()
    }

    /// Finishes with OK, which waits for the send that is stuck, and then aborts.
    func finishThenAbort(_ status: Status) {
        stream.finish(.ok)
        stream.abort(status)
    }
}

/// Keeps unary calls open until a test takes them.
final class CallPark: Sendable {
    private let calls = Guarded<ServerCall?>(nil)
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    init() {
        (arrivals, arrival) = AsyncStream.makeStream()
    }

    private func keep(_ call: consuming ServerCall) {
        var call = Optional(call)
        calls.withLock { $0 = call.take() }
        arrival.yield()
    }

    /// A router whose one method keeps its call here.
    var router: Router {
        var router = Router()
        router.unary("/test.Park/Wait") { _, call in self.keep(call) }
        return router
    }

    func waitForCall() async {
        for await _ in arrivals { return }
    }

    /// Whether the kept call has been cancelled.
    var isCancelled: Bool {
        calls.withLock { call in
            switch call {
            case .some(let call): call.isCancelled
            case .none: false
            }
        }
    }

    func finish(_ message: [UInt8]) {
        let call = calls.withLock { $0.take() }
        if let call { call.finish(message) }
    }
}

/// Waits until `condition` holds, looking again and again, and says whether it did within a limit
/// that only a failure reaches.
func eventually(_ condition: () async -> Bool) async -> Bool {
    let limit = ContinuousClock.now + .seconds(120)
    while ContinuousClock.now < limit {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return await condition()
}
