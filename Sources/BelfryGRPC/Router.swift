/// The handlers by path, and the authorizer that checks a call before its handler runs.
///
/// A router is a value: the server takes a copy. Handlers run on a polling thread and must not
/// block.
package struct Router: Sendable {
    /// Checks a call before its message is read; a returned status refuses the call.
    package typealias Authorizer =
        @Sendable (_ role: Int, _ peer: Peer, _ authorization: String?) -> Status?
    /// Answers a unary call.
    ///
    /// The message is lent until the handler returns; the call may be finished later.
    package typealias UnaryHandler = @Sendable (RawSpan, consuming ServerCall) -> Void
    /// Opens a stream for one request message, which is lent until the handler returns.
    package typealias ServerStreamHandler =
        @Sendable (RawSpan, ServerStream) -> any ServerStreamDelegate
    /// Opens a stream whose delegate receives the messages.
    package typealias MessageStreamHandler = @Sendable (ServerStream) -> any ServerStreamDelegate

    private(set) var routes: [Route] = []
    private(set) var authorizer: Authorizer?
    /// The stop handlers, in the order in which they run when the server stops.
    private(set) var stopHandlers: [@Sendable () -> Void] = []

    /// Creates a router without methods.
    package init() {}

    /// Sets the authorizer, which checks every call of a method with a role.
    ///
    /// A second authorizer replaces the first.
    ///
    /// The authorizer gets the role of the method, the peer, and the value of the `authorization`
    /// metadata. Without an authorizer, every peer may call every method.
    package mutating func authorize(_ check: @escaping Authorizer) {
        authorizer = check
    }

    /// Registers a unary method; a method without a role is open to every peer.
    ///
    /// - Precondition: No method is registered for `path`.
    package mutating func unary(
        _ path: String,
        role: Int?,
        _ handler: @escaping UnaryHandler
    ) {
        add(Route(path: path, role: role, handler: .unary(handler)))
    }

    /// Registers a server-streaming method; a method without a role is open to every peer.
    ///
    /// - Precondition: No method is registered for `path`.
    package mutating func serverStream(
        _ path: String,
        role: Int?,
        _ handler: @escaping ServerStreamHandler
    ) {
        add(Route(path: path, role: role, handler: .serverStream(handler)))
    }

    /// Registers a client-streaming method, whose delegate sends one message and finishes with OK.
    ///
    /// A method without a role is open to every peer.
    ///
    /// - Precondition: No method is registered for `path`.
    package mutating func clientStream(
        _ path: String,
        role: Int?,
        _ handler: @escaping MessageStreamHandler
    ) {
        add(Route(path: path, role: role, handler: .messageStream(handler)))
    }

    /// Registers a bidirectional method; a method without a role is open to every peer.
    ///
    /// - Precondition: No method is registered for `path`.
    package mutating func bidirectional(
        _ path: String,
        role: Int?,
        _ handler: @escaping MessageStreamHandler
    ) {
        add(Route(path: path, role: role, handler: .messageStream(handler)))
    }

    /// Adds a stop handler, which runs when the server stops, before any stream is ended.
    ///
    /// The handler must not block. It may run more than once.
    package mutating func atStop(_ body: @escaping @Sendable () -> Void) {
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
