internal import Dispatch

/// Runs `body`, which may block, on a thread that other tasks do not wait for.
///
/// The few threads that run tasks must not block, since the end of `body` may depend on another
/// task.
package func blocking<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
) async -> Result {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
}
