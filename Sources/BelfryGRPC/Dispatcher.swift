internal import CBelfryGRPC
internal import Faults

/// Gives each call from the shim to its handler.
///
/// Only the dispatcher refuses a call because of its path or its caller.
///
/// The dispatcher is called on the polling threads. It has no mutable state, so it needs no lock.
final class Dispatcher: Sendable {
    private let table: RouteTable

    init(_ router: Router) {
        table = RouteTable(
            router.routes.map { route in
                OfferedRoute(
                    router.largeMessages.map(route.reading(large:)) ?? route,
                    router.authorizer?.authorizer(of: route.path)
                )
            }
        )
    }

    /// Finds the route of a new call, and decides whether its caller may make it.
    ///
    /// - Returns: The route, or the status that refuses the call.
    func route(of call: CallHandle, at path: RawSpan) -> Result<Route, Status> {
        guard let offered = table.route(for: path) else {
            return .failure(
                Status(code: .unimplemented, message: "there is no method \(call.path)")
            )
        }
        guard let authorizer = offered.authorizer else { return .success(offered.plain) }
        switch authorizer.admission(of: Caller(of: call)) {
        case .admitted: return .success(offered.plain)
        case .held: return .success(offered.held)
        case .checked: return .success(offered.checked)
        case .refused(let status): return .failure(status)
        }
    }

    /// Finds the route of a new call of gRPC, and attaches the object that its callbacks need.
    func opened(_ call: cgrpc_call, path: cgrpc_bytes) -> cgrpc_shape {
        let route: Route
        switch unsafe path.withSpan({ self.route(of: .grpc(call), at: $0) }) {
        case .success(let found): route = found
        case .failure(let status):
            call.finish(status)
            return CGRPC_REFUSED
        }
        switch route.handler {
        case .unary:
            unsafe cgrpc_call_attach(call, Unmanaged.passUnretained(route).toOpaque())
            return CGRPC_UNARY
        case .serverStream:
            unsafe cgrpc_call_attach(call, Unmanaged.passUnretained(route).toOpaque())
            return CGRPC_SERVER_STREAM
        case .messageStream(let handler):
            let stream = ServerStream(retaining: .grpc(call))
            OpenStream(stream, delegate: handler(stream)).attach(to: call)
            stream.readOn()
            return CGRPC_MESSAGE_STREAM
        }
    }
}

extension Route {
    /// Gives the request message of a unary or server-streaming call to the call's handler.
    ///
    /// - Returns: Whether the handler runs later, and reads the call's metadata then.
    func requested(_ call: cgrpc_call, message: cgrpc_bytes) -> Bool {
        if unsafe message.count > Router.largestSmallByteCount, let largeMessages,
            !Fault.largeMessagesReadAtOnce.isPlanted
        {
            unsafe requested(.grpc(call), large: [UInt8](message), by: largeMessages)
            return true
        }
        switch handler {
        case .unary(let handler):
            unsafe message.withSpan { handler($0, ServerCall(retaining: .grpc(call))) }
        case .serverStream(let handler):
            let stream = ServerStream(retaining: .grpc(call))
            let delegate = unsafe message.withSpan { handler($0, stream) }
            OpenStream(stream, delegate: delegate).attach(to: call)
        case .messageStream:
            preconditionFailure("a message stream has no request message")
        }
        return false
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
