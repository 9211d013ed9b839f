internal import BelfryLocking
internal import CBelfryGRPC
internal import Faults

/// A gRPC server: listeners, polling threads and a router.
///
/// A server binds and listens when it is made, so that a failure is known early and clients may
/// connect. The server answers calls from `start()` until `stop(within:)`.
package final class Server: Sendable {
    private enum State {
        /// May become running or stopped.
        case listening
        /// May become stopped.
        case running
        /// Final.
        case stopped
    }

    /// The listeners in the order of the options, each with its real port.
    package let boundListeners: [Listener]

    private let handle: cgrpc_server
    // The shim's callbacks refer to the dispatcher without owning it.
    private let dispatcher: Dispatcher
    private let stopHandlers: [@Sendable () -> Void]
    private let largeMessages: (any LargeMessageReader)?
    private let state = Guarded(State.listening)

    /// Binds and listens.
    ///
    /// `options` says where to listen, and has the limits.
    ///
    /// - Throws: ``ServerError/cannotListen(_:reason:)`` for the first listener that fails, or
    ///   ``ServerError/cannotStart``; every listener is closed again.
    package init(router: Router, options: Options) throws(ServerError) {
        precondition(!options.listeners.isEmpty, "a server needs a listener")
        precondition(options.keys != nil || !options.usesTLS, "TLS needs a key")
        let dispatcher = Dispatcher(router)
        var callbacks = unsafe cgrpc_server_callbacks(unretained: dispatcher)
        let handle = unsafe options.withCOptions { options in
            unsafe cgrpc_server_create(&options, &callbacks)
        }
        guard handle.id != 0 else { throw .cannotStart }
        do throws(ServerError) {
            var bound: [Listener] = []
            for listener in options.listeners {
                if case .unix(let path) = listener { options.socketAccess.makeDirectory(of: path) }
                bound.append(try handle.listen(listener))
                guard case .unix(let path) = listener else { continue }
                if let reason = options.socketAccess.apply(to: path) {
                    throw .cannotListen(listener, reason: reason)
                }
            }
            boundListeners = bound
        } catch {
            cgrpc_server_destroy(handle)
            throw error
        }
        self.handle = handle
        self.dispatcher = dispatcher
        stopHandlers = router.stopHandlers
        largeMessages = router.largeMessages
    }

    deinit {
        stop(within: .zero)
        cgrpc_server_destroy(handle)
    }

    /// Starts to answer calls.
    ///
    /// - Precondition: The server has neither been started nor stopped.
    package func start() {
        state.withLock { state in
            guard case .listening = state else { preconditionFailure("a server starts once") }
            state = .running
            cgrpc_server_start(handle)
        }
    }

    /// The number of clients' open connections; each is looked at.
    package var connectionCount: Int { Int(cgrpc_server_connections(handle)) }

    /// Stops within `bound`: refuses new connections and calls, ends streams with UNAVAILABLE, and
    /// cancels the unary calls that do not finish within the bound.
    ///
    /// This method blocks, so do not call it from a handler. When it returns, no handler runs any
    /// more, and the unix sockets that still belong to this server are removed. A second call waits
    /// for the first and does nothing else.
    package func stop(within bound: Duration) {
        for handler in stopHandlers where !Fault.healthNotToldOfStop.isPlanted { handler() }
        state.withLock { state in
            guard state != .stopped else { return }
            state = .stopped
            cgrpc_server_stop(handle, bound.wholeNanoseconds)
            largeMessages?.stop()
        }
    }
}

extension cgrpc_server {
    /// Opens one listener and returns it with its real port.
    fileprivate func listen(_ listener: Server.Listener) throws(ServerError) -> Server.Listener {
        var result = listener
        let reason: String?
        switch listener {
        case .unix(let path):
            reason = unsafe withErrorText {
                unsafe cgrpc_server_listen_unix(self, path, -1, $0, $1)
            }
        case .tcp(let host, var port):
            reason = unsafe withErrorText {
                unsafe cgrpc_server_listen_tcp(self, host, &port, false, $0, $1)
            }
            result = .tcp(host: host, port: port)
        case .tls(let host, var port):
            reason = unsafe withErrorText {
                unsafe cgrpc_server_listen_tcp(self, host, &port, true, $0, $1)
            }
            result = .tls(host: host, port: port)
        case .inherited(let descriptor, let path):
            reason = unsafe withErrorText {
                unsafe cgrpc_server_listen_unix(self, path, descriptor, $0, $1)
            }
        }
        if let reason { throw .cannotListen(listener, reason: reason) }
        return result
    }
}

/// Runs `body` with a buffer for an error message, and returns the message if `body` fails.
private func withErrorText(_ body: (UnsafeMutablePointer<CChar>, Int) -> Bool) -> String? {
    let capacity = 512
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
        guard let text = buffer.baseAddress else { return nil }
        return unsafe body(text, capacity) ? nil : String(cString: text)
    }
}
