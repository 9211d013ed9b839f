internal import BelfryLocking
internal import CBelfryGRPC

/// One unary call on the client: collects the reply and wakes the task that waits for the reply.
final class UnaryReply: ClientCallReceiver {
    private struct State {
        var continuation: CheckedContinuation<Result<[UInt8], Status>, Never>?
        var message: [UInt8]?
        // The call is released with this object, and is usable until then.
        var call: cgrpc_client_call?
        var isCancelled = false
    }

    private let state = Guarded(State())

    deinit {
        if let call = state.withLock({ $0.call }) { cgrpc_client_call_release(call) }
    }

    /// Sets the continuation of the waiting task.
    ///
    /// This is done before the call starts.
    func expect(_ continuation: CheckedContinuation<Result<[UInt8], Status>, Never>) {
        state.withLock { $0.continuation = continuation }
    }

    /// Takes ownership of the call's handle.
    ///
    /// The call may already have ended.
    func started(_ call: cgrpc_client_call) {
        let isCancelled = state.withLock { state in
            state.call = call
            return state.isCancelled
        }
        if isCancelled { cgrpc_client_call_cancel(call) }
    }

    /// Cancels the call, now or as soon as it has started.
    func cancel() {
        let call = state.withLock { state in
            state.isCancelled = true
            return state.call
        }
        if let call { cgrpc_client_call_cancel(call) }
    }

    func received(_ message: [UInt8]) {
        state.withLock { $0.message = message }
    }

    func sent(success: Bool) {}

    func ended(_ status: Status) {
        let (continuation, message) = state.withLock { state in
            (state.continuation.take(), state.message.take())
        }
        if status.code == .ok, let message {
            continuation?.resume(returning: .success(message))
        } else {
            continuation?.resume(returning: .failure(status))
        }
    }
}
