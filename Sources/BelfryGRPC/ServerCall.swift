internal import CBelfryGRPC

/// A unary call that waits for its answer.
///
/// It is finished exactly once, from any thread: now or later, and also after a cancellation.
/// Both ways of finishing consume it, and letting it go unfinished is a programmer error that a
/// release build answers with INTERNAL. A call that stays open at the server's stop is cancelled
/// when the bound of the stop has passed; finishing it then does nothing.
public struct ServerCall: ~Copyable, Sendable {
    private let handle: cgrpc_call

    init(retaining handle: cgrpc_call) {
        cgrpc_call_retain(handle)
        self.handle = handle
    }

    deinit {
        assertionFailure("a call to \(handle.path) was let go unfinished")
        handle.finish(Status(code: .internalError, message: "the server lost this call"))
        cgrpc_call_release(handle)
    }

    /// The method, such as `/belfry.v1.NotificationCenterService/Add`.
    ///
    /// Allocates.
    public var path: String { handle.path }

    /// The time until the client's deadline, negative when it has passed; nil without one.
    public var remainingTime: Duration? { handle.remainingTime }

    /// Whether the client cancelled, left or ran into its deadline, as far as is known.
    public var isCancelled: Bool { handle.isCancelled }

    /// Who is calling.
    ///
    /// Allocates.
    public var peer: Peer { handle.peer }

    /// What the calls of one connection have in common, and no call of another one while one of
    /// them that was asked for it is unfinished.
    ///
    /// For counting; it is not authenticated.
    public var connection: ConnectionIdentifier {
        ConnectionIdentifier(number: cgrpc_call_connection(handle))
    }

    /// The first value of the request's metadata for `name`, which is in lower case.
    ///
    /// - Complexity: O(*n*) in the number of pairs; allocates only the value.
    public func metadata(named name: String) -> String? { handle.metadata(named: name) }

    /// Answers with `message` and OK.
    ///
    /// The bytes are copied.
    public consuming func finish(_ message: [UInt8]) {
        handle.finish(message: message)
        cgrpc_call_release(handle)
        discard self
    }

    /// Answers with an error.
    ///
    /// An OK status without a message is not an answer and becomes INTERNAL.
    public consuming func finish(_ status: Status) {
        let lost = Status(code: .internalError, message: "the server gave no answer")
        handle.finish(status.code == .ok ? lost : status)
        cgrpc_call_release(handle)
        discard self
    }
}
