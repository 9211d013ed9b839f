/// The handlers by path, and the authorizer that checks a call before its handler runs.
///
/// A router is a value: the server takes a copy. Handlers run on a polling thread, or on that of a
/// large message, and must not block.
package struct Router: Sendable {
    /// Answers a unary call.
    ///
    /// The message is lent until the handler returns; the call may be finished later.
    package typealias UnaryHandler = @Sendable (RawSpan, consuming ServerCall) -> Void
    /// Opens a stream for one request message, which is lent until the handler returns.
    package typealias ServerStreamHandler =
        @Sendable (RawSpan, ServerStream) -> any ServerStreamDelegate
    /// Opens a stream whose delegate receives the messages.
    package typealias MessageStreamHandler = @Sendable (ServerStream) -> any ServerStreamDelegate

    /// The size above which a message is large: one of this size is read so soon that a polling
    /// thread can do it.
    package static let largestSmallByteCount = 16 * 1024

    private(set) var routes: [Route] = []
    private(set) var authorizer: (any CallAuthorizer)?
    private(set) var largeMessages: (any LargeMessageReader)?
    /// The stop handlers, in the order in which they run when the server stops.
    private(set) var stopHandlers: [@Sendable () -> Void] = []

    /// Creates a router without methods.
    package init() {}

    /// Sets the authorizer, which decides about every call of the methods that it has an authorizer
    /// of.
    ///
    /// A second authorizer replaces the first. Without an authorizer, every peer may call every
    /// method.
    package mutating func authorize(by authorizer: any CallAuthorizer) {
        self.authorizer = authorizer
    }

    /// Has `reader` read the large requests of unary and server-streaming calls of gRPC, on another
    /// thread than the polling threads.
    ///
    /// A second reader replaces the first. Other protocols read requests on threads of their own.
    package mutating func readLargeMessages(by reader: any LargeMessageReader) {
        largeMessages = reader
    }

    /// Registers a unary method.
    ///
    /// - Precondition: No method is registered for `path`.
    package mutating func unary(
        _ path: String,
        _ handler: @escaping UnaryHandler
    ) {
        add(Route(path: path, handler: .unary(handler)))
    }

    /// Registers a server-streaming method.
    ///
    /// - Precondition: No method is registered for `path`.
    package mutating func serverStream(
        _ path: String,
        _ handler: @escaping ServerStreamHandler
    ) {
        add(Route(path: path, handler: .serverStream(handler)))
    }

    /// Registers a client-streaming method, whose delegate sends one message and finishes with OK.
    ///
    /// - Precondition: No method is registered for `path`.
    package mutating func clientStream(
        _ path: String,
        _ handler: @escaping MessageStreamHandler
    ) {
        add(Route(path: path, handler: .messageStream(handler)))
    }

    /// Registers a bidirectional method.
    ///
    /// - Precondition: No method is registered for `path`.
    package mutating func bidirectional(
        _ path: String,
        _ handler: @escaping MessageStreamHandler
    ) {
        add(Route(path: path, handler: .messageStream(handler)))
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
