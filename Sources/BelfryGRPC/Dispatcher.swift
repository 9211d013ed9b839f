internal import CBelfryGRPC

/// Takes each call from the shim to its handler: the one place where a call is refused for its path
/// or its caller.
///
/// Called on the polling threads. It holds no mutable state, so it needs no lock.
final class Dispatcher: Sendable {
    private let table: RouteTable
    private let authorizer: Router.Authorizer?

    init(_ router: Router) {
        table = RouteTable(router.routes)
        authorizer = router.authorizer
    }

    /// Decides what an arriving call is, and attaches what its callbacks will need.
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
    /// Gives the one message of a one-message call to its handler.
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

/// A stream and its delegate, owned by the shim's call from its opening to its end.
final class OpenStream: Sendable {
    let stream: ServerStream
    let delegate: any ServerStreamDelegate

    init(_ stream: ServerStream, delegate: any ServerStreamDelegate) {
        self.stream = stream
        self.delegate = delegate
    }

    /// Passes one reference to `call`, which the last callback takes back.
    func attach(to call: cgrpc_call) {
        unsafe cgrpc_call_attach(call, Unmanaged.passRetained(self).toOpaque())
    }
}
