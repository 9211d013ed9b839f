/// The way into a server's methods for calls of another protocol than gRPC: they meet the same
/// authorizer and the same handlers.
package struct CallGate: Sendable {
    private let dispatcher: Dispatcher
    private let authorizer: (any CallAuthorizer)?

    package init(_ router: Router) {
        dispatcher = Dispatcher(router)
        authorizer = router.authorizer
    }

    /// Has the authorizer take note of a request that was refused before it was a call.
    package func refused(
        _ reason: String,
        _ message: String,
        at path: String,
        from peer: Peer
    ) {
        authorizer?.refused(reason, message, at: path, from: peer)
    }

    /// Finds the method of a call, and decides whether its caller may make it, before a message is
    /// read.
    ///
    /// - Throws: The status that refuses the call, also one that sends more than one message.
    package func admit(_ call: any CallCarrier) throws(Status) -> AdmittedCall {
        let path = Array(call.path.utf8)
        let route = unsafe try dispatcher.route(of: .carried(call), at: path.span.bytes).get()
        if case .messageStream = route.handler {
            throw Status(
                code: .unimplemented,
                message: "\(call.path) takes a stream of messages: call it by gRPC"
            )
        }
        return AdmittedCall(route: route, call: call)
    }
}

/// A call that its caller may make.
package struct AdmittedCall: Sendable {
    fileprivate let route: Route
    fileprivate let call: any CallCarrier

    /// Gives the request message to the method's handler.
    ///
    /// - Returns: For a stream the receiver of its callbacks, which are then the carrier's to make,
    ///   one at a time; nil for a unary call.
    package func request(_ message: [UInt8]) -> (any ServerStreamDelegate)? {
        switch route.handler {
        case .unary(let handler):
            unsafe handler(message.span.bytes, ServerCall(retaining: .carried(call)))
            return nil
        case .serverStream(let handler):
            return unsafe handler(message.span.bytes, ServerStream(retaining: .carried(call)))
        case .messageStream:
            preconditionFailure("a message stream is not admitted")
        }
    }
}
