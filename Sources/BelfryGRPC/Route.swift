/// One registered method.
final class Route: Sendable {
    enum Handler: Sendable {
        case unary(Router.UnaryHandler)
        case serverStream(Router.ServerStreamHandler)
        case messageStream(Router.MessageStreamHandler)
    }

    let path: String
    let handler: Handler
    /// Has large requests read; nil where the polling threads read all.
    let largeMessages: (any LargeMessageReader)?

    init(path: String, handler: Handler, largeMessages: (any LargeMessageReader)? = nil) {
        self.path = path
        self.handler = handler
        self.largeMessages = largeMessages
    }

    /// The same method, whose large requests `reader` has read.
    func reading(large reader: any LargeMessageReader) -> Route {
        Route(path: path, handler: handler, largeMessages: reader)
    }
}

/// A method as a server offers it: to which callers, and with which handler.
final class OfferedRoute: Sendable {
    /// Decides who may call the method; nil where every peer may.
    let authorizer: (any MethodAuthorizer)?
    /// The method for callers whose messages are not checked.
    let plain: Route
    /// The method for callers whose messages are checked.
    let checked: Route
    /// The method for callers whose streams alone are taken note of.
    var held: Route { if case .unary = plain.handler { plain } else { checked } }

    init(_ route: Route, _ authorizer: (any MethodAuthorizer)?) {
        self.authorizer = authorizer
        plain = route
        checked = authorizer.map { route.checked(by: $0) } ?? route
    }
}

extension Route {
    /// The same method, whose messages are checked before the handler gets them.
    fileprivate func checked(by authorizer: any MethodAuthorizer) -> Route {
        switch handler {
        case .unary(let handler):
            return Route(
                path: path,
                handler: .unary { message, call in
                    if let refusal = authorizer.refusal(of: message, from: call.caller) {
                        call.finish(refusal)
                    } else {
                        handler(message, call)
                    }
                },
                largeMessages: largeMessages
            )
        case .serverStream(let handler):
            return Route(
                path: path,
                handler: .serverStream { message, stream in
                    if let refusal = authorizer.refusal(of: message, from: stream.caller) {
                        stream.finish(refusal)
                        return RefusedStream()
                    }
                    let hold = authorizer.opened(stream, of: stream.caller)
                    return CheckedStream(handler(message, stream), stream, authorizer, hold)
                },
                largeMessages: largeMessages
            )
        case .messageStream(let handler):
            return Route(
                path: path,
                handler: .messageStream { stream in
                    let hold = authorizer.opened(stream, of: stream.caller)
                    return CheckedStream(handler(stream), stream, authorizer, hold)
                }
            )
        }
    }
}

private final class RefusedStream: ServerStreamDelegate {
    func received(_ message: RawSpan) {}
    func receivedEnd() {}
    func sent() {}
    func ended(cancelled: Bool) {}
}

/// Checks the messages of a stream before its delegate gets them.
private final class CheckedStream: ServerStreamDelegate {
    private let delegate: any ServerStreamDelegate
    private let stream: ServerStream
    private let authorizer: any MethodAuthorizer
    /// The object that the authorizer keeps while the stream is open.
    private let hold: (any Sendable & AnyObject)?

    init(
        _ delegate: any ServerStreamDelegate,
        _ stream: ServerStream,
        _ authorizer: any MethodAuthorizer,
        _ hold: (any Sendable & AnyObject)?
    ) {
        self.delegate = delegate
        self.stream = stream
        self.authorizer = authorizer
        self.hold = hold
    }

    func received(_ message: RawSpan) {
        if let refusal = authorizer.refusal(of: message, from: stream.caller) {
            stream.finish(refusal)
        } else {
            delegate.received(message)
        }
    }

    func receivedEnd() { delegate.receivedEnd() }
    func sent() { delegate.sent() }
    func ended(cancelled: Bool) { delegate.ended(cancelled: cancelled) }
}
