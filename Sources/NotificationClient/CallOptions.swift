internal import ServiceContextModule

/// The time limit and the credentials of calls.
public struct CallOptions: Sendable {
    /// How long to wait for the answer to a unary call; `nil` waits for ever.
    ///
    /// When the answer to a change does not arrive in time, the change may or may not have been
    /// made. Streams have no limit.
    public var timeout: Duration?

    /// The bearer token that identifies the caller.
    ///
    /// The server's own user needs no token on the unix socket.
    public var token: String?

    /// The W3C trace context that each call carries, as the value of `traceparent`; `nil` carries
    /// that of the task's `ServiceContext`, as the program's instrument writes it.
    ///
    /// The server keeps it with what the call schedules, and tells it in the notification's
    /// `trace`. It ignores a malformed one.
    public var traceparent: String?

    /// The value of `tracestate` that belongs to ``traceparent``.
    public var tracestate: String?

    /// Makes options: by default 10 seconds and no token.
    public init(timeout: Duration? = .seconds(10), token: String? = nil) {
        self.timeout = timeout
        self.token = token
    }

    var metadata: [(String, String)] {
        var metadata = token.map { [("authorization", "Bearer \($0)")] } ?? []
        let trace: TraceHeaders
        if let traceparent {
            trace = TraceHeaders(parent: traceparent, state: tracestate)
        } else {
            trace = TraceHeaders(of: ServiceContext.current)
        }
        metadata += trace.metadata
        return metadata
    }
}
