/// Which handler answers which path, and what is judged before it does.
///
/// A value: the server takes a copy. Handlers run on a polling thread and must not block.
public struct Router: Sendable {
    /// Judges a call before its message is read; a status refuses it.
    public typealias Authorizer =
        @Sendable (_ role: Int, _ peer: Peer, _ authorization: String?) -> Status?
    /// Answers a unary call.
    ///
    /// The message is lent until the return; the call may be finished later.
    public typealias UnaryHandler = @Sendable (RawSpan, consuming ServerCall) -> Void
    /// Opens a stream for one request message, which is lent until the return.
    public typealias ServerStreamHandler =
        @Sendable (RawSpan, ServerStream) -> any ServerStreamDelegate
    /// Opens a stream whose messages the delegate will receive.
    public typealias MessageStreamHandler = @Sendable (ServerStream) -> any ServerStreamDelegate

    private(set) var routes: [Route] = []
    private(set) var authorizer: Authorizer?
    /// What runs first when the server stops, in the order of adding.
    private(set) var stopHandlers: [@Sendable () -> Void] = []

    /// Creates a router that knows no path.
    public init() {}

    /// Sets the check of every call whose route has a role.
    ///
    /// The last one set counts.
    ///
    /// It is given the role that the route was registered with, the peer, and the value of the
    /// `authorization` metadata. Without it, everyone may call everything.
    public mutating func authorize(_ check: @escaping Authorizer) {
        authorizer = check
    }

    /// Registers a unary method; one without a role is never judged.
    ///
    /// - Precondition: Nothing is registered for `path`.
    public mutating func unary(
        _ path: String,
        role: Int?,
        _ handler: @escaping UnaryHandler
    ) {
        add(Route(path: path, role: role, handler: .unary(handler)))
    }

    /// Registers a server-streaming method; one without a role is never judged.
    ///
    /// - Precondition: Nothing is registered for `path`.
    public mutating func serverStream(
        _ path: String,
        role: Int?,
        _ handler: @escaping ServerStreamHandler
    ) {
        add(Route(path: path, role: role, handler: .serverStream(handler)))
    }

    /// Registers a client-streaming method: its delegate sends one message and finishes with OK.
    ///
    /// One without a role is never judged.
    ///
    /// - Precondition: Nothing is registered for `path`.
    public mutating func clientStream(
        _ path: String,
        role: Int?,
        _ handler: @escaping MessageStreamHandler
    ) {
        add(Route(path: path, role: role, handler: .messageStream(handler)))
    }

    /// Registers a bidirectional method; one without a role is never judged.
    ///
    /// - Precondition: Nothing is registered for `path`.
    public mutating func bidirectional(
        _ path: String,
        role: Int?,
        _ handler: @escaping MessageStreamHandler
    ) {
        add(Route(path: path, role: role, handler: .messageStream(handler)))
    }

    /// Adds what runs first when the server stops, before any stream is ended.
    ///
    /// It must not block. It may run more than once.
    public mutating func atStop(_ body: @escaping @Sendable () -> Void) {
        stopHandlers.append(body)
    }

    private mutating func add(_ route: Route) {
        precondition(
            !routes.contains { $0.path == route.path },
            "\(route.path) is registered twice"
        )
        routes.append(route)
    }
}
