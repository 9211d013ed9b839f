internal import BelfryGRPC
internal import BelfryLocking
internal import NotificationClient

/// Ends something that waits when nothing has come for too long.
final class Patience: Sendable {
    private struct State {
        var end: ContinuousClock.Instant
        var wasRenewed = false
        var isOver = false
    }

    /// How long nothing may come; nil is for ever.
    private let bound: Duration?
    private let state: Guarded<State>

    /// Begins to wait.
    init(_ bound: Duration?) {
        self.bound = bound
        state = Guarded(State(end: .now + (bound ?? .zero)))
    }

    /// Takes note that something came.
    func renew() {
        guard let bound else { return }
        state.withLock { state in
            state.end = .now + bound
            state.wasRenewed = true
        }
    }

    /// Whether something came.
    var wasRenewed: Bool { state.withLock { $0.wasRenewed } }

    /// Runs `body`, and cancels it when nothing has come for too long, or the caller is cancelled.
    ///
    /// - Returns: What `body` returns; nil where it was cancelled.
    func run<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R? {
        let work = Task { try await body() }
        let watch = bound.map { _ in
            Task {
                try await wait()
                work.cancel()
            }
        }
        defer { watch?.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                work.cancel()
            }
        } catch {
            guard Self.isCancellation(error), state.withLock({ $0.isOver }) else { throw error }
            return nil
        }
    }

    private static func isCancellation(_ error: any Error) -> Bool {
        error is CancellationError || (error as? ClientError)?.code == .cancelled
    }

    /// Waits until nothing has come for too long.
    private func wait() async throws {
        while true {
            let end = state.withLock { state in
                state.isOver = state.end <= .now
                return state.isOver ? nil : state.end
            }
            guard let end else { return }
            try await Task.sleep(until: end)
        }
    }
}
