/// A unary call that waits for its reply.
///
/// Finish a call exactly once, from any thread, also after a cancellation. Both `finish` methods
/// consume the call. Releasing an unfinished call is a programmer error, which a release build
/// answers with INTERNAL. A call that is still open when the bound of `Server.stop(within:)` has
/// passed is cancelled; finishing the call then does nothing.
package struct ServerCall: ~Copyable, Sendable {
    /// Nil once the call is finished.
    private var unfinished: CallHandle?

    init(retaining handle: CallHandle) {
        handle.retain()
        unfinished = handle
    }

    deinit {
        guard let handle = unfinished else { return }
        assertionFailure("a call to \(handle.path) was let go unfinished")
        handle.finish(Status(code: .internalError, message: "the server lost this call"))
        handle.release()
    }

    private var handle: CallHandle {
        guard let unfinished else { preconditionFailure("a finished call is consumed") }
        return unfinished
    }

    /// The path of the called method, such as `/belfry.v1.NotificationCenterService/Add`.
    ///
    /// Reading the property allocates.
    package var path: String { handle.path }

    package var remainingTime: Duration? { handle.remainingTime }

    /// Whether the server knows that the call's client cancelled it, disconnected or reached its
    /// deadline.
    ///
    /// It learns of that from the first question on, or once the call has lasted for half a second.
    package var isCancelled: Bool { handle.isCancelled }

    /// The client at the other end of the call.
    ///
    /// Reading the property allocates.
    package var peer: Peer { handle.peer }

    package var caller: Caller { Caller(of: handle) }

    /// The identifier of the call's connection.
    ///
    /// No other connection has the same identifier until every call that was asked for it is
    /// finished.
    ///
    /// The identifier is for counting; it is not authenticated.
    package var connection: ConnectionIdentifier { handle.connection }

    /// The first value of the request's metadata for `name`, which is in lower case.
    ///
    /// - Complexity: O(*n*) in the number of pairs; allocates only the value.
    package func metadata(named name: String) -> String? { handle.metadata(named: name) }

    package func joinedMetadata(named name: String) -> String? {
        handle.joinedMetadata(named: name)
    }

    /// The end of the call, also after its finish; safe on any thread.
    package var ending: CallEnding { CallEnding(handle) }

    /// Finishes the call with `message` and OK.
    ///
    /// The bytes are copied. `object` is kept until the client has the message or the call is over.
    package consuming func finish(
        _ message: [UInt8],
        keeping object: (any AnyObject & Sendable)? = nil
    ) {
        guard let handle = unfinished.take() else { return }
        handle.finish(message: message, keeping: object)
        handle.release()
    }

    /// Finishes the call with an error.
    ///
    /// An OK status without a message is not a reply and becomes INTERNAL.
    package consuming func finish(_ status: Status) {
        let lost = Status(code: .internalError, message: "the server gave no answer")
        guard let handle = unfinished.take() else { return }
        handle.finish(status.code == .ok ? lost : status)
        handle.release()
    }
}

/// Ends a unary call whose reply is not read.
package final class CallEnding: Sendable {
    private enum Call: Sendable {
        case grpc(CallHandle)
        case carried(WeakCarrier)
    }

    private let call: Call

    init(_ handle: CallHandle) {
        switch handle {
        case .grpc:
            handle.retain()
            call = .grpc(handle)
        case .carried(let carrier): call = .carried(WeakCarrier(carrier))
        }
    }

    deinit { if case .grpc(let handle) = call { handle.release() } }

    /// Ends the call at once with `status`, whose details are not sent; nothing happens where it is
    /// over.
    package func abort(_ status: Status) {
        switch call {
        case .grpc(let handle): handle.abort(status)
        case .carried(let carrier): carrier.value?.abort(status)
        }
    }
}

/// A call of another protocol, which may keep the object that would end it.
private struct WeakCarrier: Sendable {
    weak let value: (any CallCarrier)?

    init(_ value: any CallCarrier) { self.value = value }
}
