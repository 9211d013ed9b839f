internal import BelfryLocking
package import NotificationCore

/// A completion that was handed to the store, and its result in the end.
package final class Pending<Reply: Sendable>: Sendable {
    private struct State {
        var result: Result<Reply, Refusal>?
        var waiter: CheckedContinuation<Result<Reply, Refusal>, Never>?
    }

    private let state = Guarded(State())

    package init() {}

    package var isComplete: Bool { state.withLock { $0.result != nil } }

    /// Takes the completion's result; once.
    package func complete(_ result: Result<Reply, Refusal>) {
        let waiter = state.withLock { state in
            precondition(state.result == nil, "a completion was told twice")
            state.result = result
            return state.waiter.take()
        }
        waiter?.resume(returning: result)
    }

    /// The completion's result, once there is one; one task may wait.
    package var value: Result<Reply, Refusal> {
        get async {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state in
                    if state.result == nil { state.waiter = continuation }
                    return state.result
                }
                if let result { continuation.resume(returning: result) }
            }
        }
    }
}
