internal import BelfryLocking

/// The standard `grpc.health.v1.Health` service: `Check` and `Watch`, with a status for each
/// service name.
///
/// The empty name stands for the server as a whole and is SERVING from the beginning.
///
/// Thread-safe. Health is open to all callers, as probes carry no token.
public final class Health: Sendable {
    /// Whether a service answers.
    public enum ServingStatus: Int64, Sendable {
        /// It answers.
        case serving = 1
        /// It exists and does not answer now.
        case notServing = 2
    }

    /// Bytes of a service's name: several times the longest.
    private static let nameBytes = 512

    // The wire's number for a service that nobody has set.
    static let unknownService: Int64 = 3

    private struct State {
        // By the bytes of the names: those that are asked for come from outside.
        var statuses: [[UInt8]: ServingStatus] = [[]: .serving]
        var watchers: [ObjectIdentifier: HealthWatcher] = [:]
        // After the end no status changes.
        var hasEnded = false
    }

    private let state = Guarded(State())

    init() {}

    /// Sets the status of a service, and tells those who watch it if it changed.
    public func set(_ status: ServingStatus, for service: String) {
        let service = Array(service.utf8)
        state.withLock { state in
            guard !state.hasEnded, state.statuses[service] != status else { return }
            state.statuses[service] = status
            for watcher in state.watchers.values where watcher.service == service {
                watcher.tell(status.rawValue)
            }
        }
    }

    /// Sets every service to NOT_SERVING for good.
    func end() {
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.hasEnded = true
            state.statuses = state.statuses.mapValues { _ in .notServing }
            for watcher in state.watchers.values where state.statuses[watcher.service] != nil {
                watcher.tell(ServingStatus.notServing.rawValue)
            }
        }
    }

    func register(with router: inout Router) {
        let check: Router.UnaryHandler = { message, call in
            do {
                let service = try Health.service(of: message)
                guard let status = self.state.withLock({ $0.statuses[service] }) else {
                    return call.finish(
                        Status(code: .notFound, message: "there is no such service")
                    )
                }
                call.finish(Health.response(status.rawValue))
            } catch {
                call.finish(Health.malformed)
            }
        }
        let watch: Router.ServerStreamHandler = { message, stream in
            do {
                return self.watch(try Health.service(of: message), on: stream)
            } catch {
                stream.finish(Health.malformed)
                return HealthWatcher(service: [], stream: stream) {}
            }
        }
        router.add(
            Route(path: "/grpc.health.v1.Health/Check", role: nil, handler: .unary(check))
        )
        router.add(
            Route(path: "/grpc.health.v1.Health/Watch", role: nil, handler: .serverStream(watch))
        )
    }

    private func watch(_ service: [UInt8], on stream: ServerStream) -> HealthWatcher {
        let id = ObjectIdentifier(stream)
        let watcher = HealthWatcher(service: service, stream: stream) {
            self.state.withLock { _ = $0.watchers.removeValue(forKey: id) }
        }
        state.withLock { state in
            state.watchers[id] = watcher
            watcher.tell(state.statuses[service]?.rawValue ?? Health.unknownService)
        }
        return watcher
    }

    static func response(_ status: Int64) -> [UInt8] {
        var writer = ProtoWriter()
        writer.integer(1, status)
        return writer.bytes
    }

    private static let malformed = Status(
        code: .invalidArgument,
        message: "the request is not a HealthCheckRequest"
    )

    /// The bytes of a name of a service that nobody has.
    private static let unknownName: [UInt8] = [0]

    /// The bytes of a service's name; one that is longer than any is told from all that are known.
    private static func service(of message: RawSpan) throws(ProtoError) -> [UInt8] {
        var reader = ProtoReader([UInt8](message))
        var service: [UInt8] = []
        while let field = try reader.next() {
            guard field.number == 1, let text = try field.text else { continue }
            service = text.utf8.count <= nameBytes ? Array(text.utf8) : unknownName
        }
        return service
    }
}

/// One `Watch` stream.
///
/// A status that changes while a send is outstanding is sent after it, and only the newest one.
final class HealthWatcher: ServerStreamDelegate {
    private struct State {
        var isSending = false
        // What to send after the outstanding send.
        var next: Int64?
    }

    let service: [UInt8]
    private let stream: ServerStream
    private let onEnd: @Sendable () -> Void
    private let state = Guarded(State())

    init(service: [UInt8], stream: ServerStream, onEnd: @escaping @Sendable () -> Void) {
        self.service = service
        self.stream = stream
        self.onEnd = onEnd
    }

    /// Sends a status, now or after the outstanding send.
    ///
    /// From any thread.
    func tell(_ status: Int64) {
        state.withLock { state in
            guard !state.isSending else { return state.next = status }
            state.isSending = true
            stream.send(Health.response(status))
        }
    }

    func sent() {
        state.withLock { state in
            state.isSending = false
            guard let status = state.next.take() else { return }
            state.isSending = true
            stream.send(Health.response(status))
        }
    }

    func received(_ message: RawSpan) {}

    func receivedEnd() {}

    func ended(cancelled: Bool) { onEnd() }
}
