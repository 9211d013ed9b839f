internal import BelfryGRPC
internal import BelfryLocking
internal import HTTPTypes

/// One call that came over HTTP/1.1: the messages of its handler wait here until they are written.
final class HTTPCall: CallCarrier {
    /// The facts of a call before its message is read.
    struct Facts: Sendable {
        let path: String
        let peer: Peer
        let connection: ConnectionIdentifier
        let fields: HTTPFields
        /// When the client gives up; nil where it waits for ever.
        let deadline: ContinuousClock.Instant?
    }

    /// A message of a handler, or the end.
    enum Output: Sendable {
        case message([UInt8])
        case end(Status)
        /// The client has heard nothing for a while.
        case keepAlive
    }

    private struct State {
        var isCancelled = false
        var hasEnded = false
        var keepAliveWaits = false
        var kept: (any AnyObject & Sendable)?
    }

    private let facts: Facts
    private let state = Guarded(State())
    private let sink: AsyncStream<Output>.Continuation
    /// Closes the connection, whatever waits to be written.
    private let cut: @Sendable () -> Void

    /// The outputs of the handler, in order; one task reads them.
    let outputs: AsyncStream<Output>

    init(_ facts: Facts, cut: @escaping @Sendable () -> Void) {
        self.facts = facts
        self.cut = cut
        // A handler sends one message at a time, and waits until it is written.
        (outputs, sink) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    var path: String { facts.path }
    var peer: Peer { facts.peer }
    var connection: ConnectionIdentifier { facts.connection }
    var remainingTime: Duration? { facts.deadline.map { $0 - .now } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func metadata(named name: String) -> String? {
        guard let value = HTTPField.Name(name).flatMap({ facts.fields[$0] }) else { return nil }
        return name == "authorization" ? BasicCredentials.bearer(value) ?? value : value
    }

    func send(_ message: [UInt8]) {
        if !state.withLock({ $0.hasEnded }) { sink.yield(.message(message)) }
    }

    func finish(with message: [UInt8], keeping object: (any AnyObject & Sendable)?) {
        state.withLock { if !$0.hasEnded { $0.kept = object } }
        send(message)
        finish(.ok)
    }

    /// Lets the object go that is kept until the client has the reply.
    func letGo() {
        withExtendedLifetime(state.withLock { $0.kept.take() }) {}
    }

    func finish(_ status: Status) {
        let isFirst = state.withLock { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
        guard isFirst else { return }
        sink.yield(.end(status))
        sink.finish()
    }

    func abort(_ status: Status) {
        finish(status)
        cut()
    }

    /// Ends the call, since its client has gone or its deadline has passed.
    func cancel(_ status: Status) {
        state.withLock { $0.isCancelled = true }
        finish(status)
    }

    /// Sends a sign of life, unless one waits to be written.
    func keepAlive() {
        let waits = state.withLock { state in
            defer { state.keepAliveWaits = true }
            return state.keepAliveWaits || state.hasEnded
        }
        if !waits { sink.yield(.keepAlive) }
    }

    /// Notes that the sign of life was written.
    func wroteKeepAlive() { state.withLock { $0.keepAliveWaits = false } }

    /// Waits for the answer of a unary call.
    func answer() async -> Result<[UInt8], Status> {
        var message: [UInt8]?
        for await output in outputs {
            switch output {
            case .message(let bytes): message = bytes
            case .keepAlive: break
            case .end(let status):
                if status.code == .ok, let message { return .success(message) }
                return .failure(status)
            }
        }
        return .failure(Status(code: .unavailable, message: "the server is stopping"))
    }
}
