internal import BelfryLocking
internal import CBelfryGRPC

/// A gRPC server: listeners, polling threads and a router.
///
/// It binds and listens when made, so that a failure is known early and clients may connect; it
/// answers from `start()` until `stop(within:)`.
public final class Server: Sendable {
    private enum State {
        /// May become running or stopped.
        case listening
        /// May become stopped.
        case running
        /// Final.
        case stopped
    }

    /// The listeners in the order of the options, with the ports that they really have.
    public let boundListeners: [Listener]

    private let handle: cgrpc_server
    // The shim's callbacks refer to it without owning it.
    private let dispatcher: Dispatcher
    private let stopHandlers: [@Sendable () -> Void]
    private let state = Guarded(State.listening)

    /// Binds and listens.
    ///
    /// - Parameters:
    ///   - router: The methods.
    ///   - options: Where to listen, and the limits.
    /// - Throws: ``ServerError/cannotListen(_:reason:)`` for the first listener that fails, or
    ///   ``ServerError/cannotStart``; nothing is left behind.
    public init(router: Router, options: Options) throws(ServerError) {
        precondition(!options.listeners.isEmpty, "a server needs a listener")
        let dispatcher = Dispatcher(router)
        var callbacks = unsafe cgrpc_server_callbacks(unretained: dispatcher)
        var cOptions = options.cOptions
        let handle = unsafe cgrpc_server_create(&cOptions, &callbacks)
        guard handle.id != 0 else { throw .cannotStart }
        do {
            var bound: [Listener] = []
            for listener in options.listeners { bound.append(try handle.listen(listener)) }
            boundListeners = bound
        } catch {
            cgrpc_server_destroy(handle)
            throw error
        }
        self.handle = handle
        self.dispatcher = dispatcher
        stopHandlers = router.stopHandlers
    }

    deinit {
        stop(within: .zero)
        cgrpc_server_destroy(handle)
    }

    /// Starts answering.
    ///
    /// - Precondition: It has neither been started nor stopped.
    public func start() {
        state.withLock { state in
            guard case .listening = state else { preconditionFailure("a server starts once") }
            state = .running
            cgrpc_server_start(handle)
        }
    }

    /// Stops within `bound`: takes no new connections and calls, ends streams with UNAVAILABLE,
    /// lets unary calls finish until the bound, then cancels them.
    ///
    /// Blocks, so not from a handler. When it returns, no handler runs any more, and unix sockets
    /// that are still this server's are gone. Later calls wait for the first and do nothing.
    public func stop(within bound: Duration) {
        for handler in stopHandlers { handler() }
        state.withLock { state in
            guard state != .stopped else { return }
            state = .stopped
            cgrpc_server_stop(handle, bound.wholeNanoseconds)
        }
    }
}

extension cgrpc_server {
    /// Makes one listener and gives it with its real port.
    fileprivate func listen(_ listener: Server.Listener) throws(ServerError) -> Server.Listener {
        var result = listener
        let reason: String?
        switch listener {
        case .unix(let path):
            reason = unsafe withErrorText { unsafe cgrpc_server_listen_unix(self, path, $0, $1) }
        case .tcp(let host, var port):
            reason = unsafe withErrorText {
                unsafe cgrpc_server_listen_tcp(self, host, &port, $0, $1)
            }
            result = .tcp(host: host, port: port)
        }
        if let reason { throw .cannotListen(listener, reason: reason) }
        return result
    }
}

/// Runs `body` with room for a line of text, and gives that line if `body` fails.
private func withErrorText(_ body: (UnsafeMutablePointer<CChar>, Int) -> Bool) -> String? {
    let capacity = 512
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
        guard let text = buffer.baseAddress else { return nil }
        return unsafe body(text, capacity) ? nil : String(cString: text)
    }
}
