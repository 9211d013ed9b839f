internal import CBelfryGRPC

/// Gives each call from the shim to its handler.
///
/// Only the dispatcher refuses a call because of its path or its caller.
///
/// The dispatcher is called on the polling threads. It has no mutable state, so it needs no lock.
final class Dispatcher: Sendable {
    private let table: RouteTable
    private let authorizer: Router.Authorizer?

    init(_ router: Router) {
        table = RouteTable(router.routes)
        authorizer = router.authorizer
    }

    /// Finds the route of a new call, and attaches the object that the call's callbacks need.
    func opened(_ call: cgrpc_call, path: cgrpc_bytes) -> cgrpc_shape {
        guard let route = unsafe path.withSpan(table.route(for:)) else {
            return refuse(
                call,
                Status(code: .unimplemented, message: unsafe "there is no method \(String(path))")
            )
        }
        if let role = route.role, let authorizer {
            let authorization = call.metadata(named: "authorization")
            if let refusal = authorizer(role, call.peer, authorization) {
                return refuse(call, refusal)
            }
        }
        switch route.handler {
        case .unary:
            unsafe cgrpc_call_attach(call, Unmanaged.passUnretained(route).toOpaque())
            return CGRPC_UNARY
        case .serverStream:
            unsafe cgrpc_call_attach(call, Unmanaged.passUnretained(route).toOpaque())
            return CGRPC_SERVER_STREAM
        case .messageStream(let handler):
            let stream = ServerStream(retaining: call)
            OpenStream(stream, delegate: handler(stream)).attach(to: call)
            stream.readOn()
            return CGRPC_MESSAGE_STREAM
        }
    }

    private func refuse(_ call: cgrpc_call, _ status: Status) -> cgrpc_shape {
        call.finish(status)
        return CGRPC_REFUSED
    }
}

extension Route {
    /// Gives the request message of a unary or server-streaming call to the call's handler.
    func requested(_ call: cgrpc_call, message: cgrpc_bytes) {
        switch handler {
        case .unary(let handler):
            unsafe message.withSpan { handler($0, ServerCall(retaining: call)) }
        case .serverStream(let handler):
            let stream = ServerStream(retaining: call)
            let delegate = unsafe message.withSpan { handler($0, stream) }
            OpenStream(stream, delegate: delegate).attach(to: call)
        case .messageStream:
            preconditionFailure("a message stream has no request message")
        }
    }
}

/// A stream and its delegate; the shim's call owns this object until the call ends.
final class OpenStream: Sendable {
    let stream: ServerStream
    let delegate: any ServerStreamDelegate

    init(_ stream: ServerStream, delegate: any ServerStreamDelegate) {
        self.stream = stream
        self.delegate = delegate
    }

    /// Gives one reference to `call`; the last callback releases that reference.
    func attach(to call: cgrpc_call) {
        unsafe cgrpc_call_attach(call, Unmanaged.passRetained(self).toOpaque())
    }
}
