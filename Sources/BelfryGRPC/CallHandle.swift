internal import CBelfryGRPC

/// A call on the server, of gRPC or of another protocol: the common part of ``ServerCall``,
/// ``ServerStream`` and ``Caller``.
///
/// A handle does not keep a call of gRPC: its owner retains and releases the call.
enum CallHandle: Sendable {
    /// A call of gRPC.
    case grpc(cgrpc_call)
    /// A call of another protocol.
    case carried(any CallCarrier)

    func retain() {
        if case .grpc(let call) = self { cgrpc_call_retain(call) }
    }

    func release() {
        if case .grpc(let call) = self { cgrpc_call_release(call) }
    }

    var path: String {
        switch self {
        case .grpc(let call): call.path
        case .carried(let call): call.path
        }
    }

    var remainingTime: Duration? {
        switch self {
        case .grpc(let call): call.remainingTime
        case .carried(let call): call.remainingTime
        }
    }

    var isCancelled: Bool {
        switch self {
        case .grpc(let call): call.isCancelled
        case .carried(let call): call.isCancelled
        }
    }

    var peer: Peer {
        switch self {
        case .grpc(let call): call.peer
        case .carried(let call): call.peer
        }
    }

    var connection: ConnectionIdentifier {
        switch self {
        case .grpc(let call): ConnectionIdentifier(number: cgrpc_call_connection(call))
        case .carried(let call): call.connection
        }
    }

    /// Whether a cancelled stream ended because its connection was lost.
    ///
    /// Over HTTP/1.1 every cancelled call is cut, since a client cancels by closing the connection.
    var isCut: Bool {
        switch self {
        case .grpc(let call): cgrpc_call_is_cut(call)
        case .carried: true
        }
    }

    /// The name in the client's certificate; nil without one.
    var certificate: String? {
        guard case .grpc(let call) = self else { return nil }
        let name = unsafe cgrpc_call_certificate(call)
        return unsafe name.count == 0 ? nil : String(name)
    }

    func metadata(named name: String) -> String? {
        switch self {
        case .grpc(let call): call.metadata(named: name).first
        case .carried(let call): call.metadata(named: name)
        }
    }

    /// Every value of the metadata for a name, with commas between them; HTTP has them so.
    func joinedMetadata(named name: String) -> String? {
        switch self {
        case .grpc(let call):
            let values = call.metadata(named: name)
            return values.isEmpty ? nil : values.joined(separator: ",")
        case .carried(let call): return call.metadata(named: name)
        }
    }

    func finish(message: [UInt8], keeping object: (any AnyObject & Sendable)? = nil) {
        switch self {
        case .grpc(let call):
            if let object { call.keep(object) }
            call.finish(message: message)
        case .carried(let call): call.finish(with: message, keeping: object)
        }
    }

    func finish(_ status: Status) {
        switch self {
        case .grpc(let call): call.finish(status)
        case .carried(let call): call.finish(status)
        }
    }

    func abort(_ status: Status) {
        switch self {
        case .grpc(let call):
            unsafe status.withCStatus { status in unsafe cgrpc_call_abort(call, &status) }
        case .carried(let call): call.abort(status)
        }
    }

    func send(_ message: [UInt8]) {
        switch self {
        case .grpc(let call):
            let isOnlySend = unsafe message.withBytes { unsafe cgrpc_call_send(call, $0) }
            precondition(isOnlySend, "a stream has one outstanding send at most")
        case .carried(let call): call.send(message)
        }
    }

    /// Asks for the next message of a client that sends several: only gRPC has such calls.
    func read() {
        if case .grpc(let call) = self { cgrpc_call_read(call) }
    }
}
