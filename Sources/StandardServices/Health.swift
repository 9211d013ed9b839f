package import BelfryGRPC
internal import BelfryLocking
internal import Glibc
internal import SwiftProtobuf

/// The standard `grpc.health.v1.Health` service: `Check` and `Watch`, with a status for each
/// service name.
///
/// The empty name means the server as a whole, which is SERVING from the beginning.
///
/// Health is thread-safe. Every caller may call it, because health probes send no token.
package final class Health: Sendable {
    package enum ServingStatus: Sendable {
        /// The service answers calls.
        case serving
        /// The service exists and does not answer calls now.
        case notServing

        fileprivate var wire: HealthWatcher.WireStatus {
            switch self {
            case .serving: .serving
            case .notServing: .notServing
            }
        }
    }

    /// The size of the longest accepted name of a service, in bytes: several times the longest
    /// known name.
    private static let nameBytes = 512

    private struct State {
        // Keyed by bytes, because callers send the names: hashing a hostile text by Unicode's rules
        // is slow.
        var statuses: [[UInt8]: ServingStatus] = [[]: .serving]
        var watchers: [ObjectIdentifier: HealthWatcher] = [:]
        // True once the server stops; after that no status changes.
        var hasEnded = false
    }

    private let state = Guarded(State())

    /// Creates the service, which knows only the server as a whole.
    package init() {}

    /// Sets the status of a service, and notifies the watchers of the service if the status
    /// changed.
    package func set(_ status: ServingStatus, for service: String) {
        let service = Array(service.utf8)
        state.withLock { state in
            guard !state.hasEnded, state.statuses[service] != status else { return }
            state.statuses[service] = status
            for watcher in state.watchers.values where watcher.service == service {
                watcher.tell(status.wire)
            }
        }
    }

    /// The longest that the stop of a server waits for watchers to be told, in milliseconds.
    private static let endMilliseconds = 100

    /// Sets every service to NOT_SERVING, for ever, and waits a moment until the watchers are told:
    /// the server ends their streams next.
    private func end() {
        let told = state.withLock { state -> [HealthWatcher] in
            guard !state.hasEnded else { return [] }
            state.hasEnded = true
            state.statuses = state.statuses.mapValues { _ in .notServing }
            let told = state.watchers.values.filter { state.statuses[$0.service] != nil }
            for watcher in told { watcher.tell(.notServing) }
            return told
        }
        for _ in 0..<Self.endMilliseconds where told.contains(where: \.isSending) {
            usleep(1_000)
        }
    }

    /// Registers the service with a router.
    ///
    /// When the router's server stops, every service becomes NOT_SERVING.
    package func register(in router: inout Router) {
        router.unary("/grpc.health.v1.Health/Check") { message, call in
            do {
                let service = try Health.service(of: message)
                guard let status = self.state.withLock({ $0.statuses[service] }) else {
                    return call.finish(
                        Status(code: .notFound, message: "there is no such service")
                    )
                }
                call.finish(HealthWatcher.response(status.wire))
            } catch {
                call.finish(Health.malformed)
            }
        }
        router.serverStream("/grpc.health.v1.Health/Watch") { message, stream in
            do {
                return self.watch(try Health.service(of: message), on: stream)
            } catch {
                stream.finish(Health.malformed)
                return HealthWatcher(service: [], stream: stream) {}
            }
        }
        router.atStop { self.end() }
    }

    private func watch(_ service: [UInt8], on stream: ServerStream) -> HealthWatcher {
        let id = ObjectIdentifier(stream)
        let watcher = HealthWatcher(service: service, stream: stream) {
            self.state.withLock { _ = $0.watchers.removeValue(forKey: id) }
        }
        state.withLock { state in
            state.watchers[id] = watcher
            watcher.tell(state.statuses[service]?.wire ?? .serviceUnknown)
        }
        return watcher
    }

    private static let malformed = Status(
        code: .invalidArgument,
        message: "the request is not a HealthCheckRequest"
    )

    /// The bytes of a name that no service has.
    private static let unknownName: [UInt8] = [0]

    /// The bytes of a service's name; a name that is too long becomes ``unknownName``.
    private static func service(of message: RawSpan) throws -> [UInt8] {
        let request = try Grpc_Health_V1_HealthCheckRequest(serializedBytes: message)
        let service = request.service.utf8
        return service.count <= nameBytes ? Array(service) : unknownName
    }
}

/// One `Watch` stream.
///
/// When the status changes while a send is outstanding, the newest status is sent after that send.
final class HealthWatcher: ServerStreamDelegate {
    typealias WireStatus = Grpc_Health_V1_HealthCheckResponse.ServingStatus

    private struct State {
        var isSending = false
        // The status to send after the outstanding send.
        var next: WireStatus?
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

    /// Whether a status is still to be sent, or a send is outstanding.
    var isSending: Bool { state.withLock { $0.isSending } }

    /// Sends a status, now or after the outstanding send.
    ///
    /// It may be called from any thread.
    func tell(_ status: WireStatus) {
        state.withLock { state in
            guard !state.isSending else { return state.next = status }
            state.isSending = true
            stream.send(Self.response(status))
        }
    }

    func sent() {
        state.withLock { state in
            state.isSending = false
            guard let status = state.next.take() else { return }
            state.isSending = true
            stream.send(Self.response(status))
        }
    }

    func received(_ message: RawSpan) {}

    func receivedEnd() {}

    func ended(cancelled: Bool) { onEnd() }

    /// The serialized `HealthCheckResponse`.
    static func response(_ status: WireStatus) -> [UInt8] {
        Grpc_Health_V1_HealthCheckResponse.with { $0.status = status }.encoded()
    }
}
