internal import BelfryLocking
internal import Glibc

/// Lets a command that waits clean up when a signal ends it.
enum Interruption {
    /// Runs `body`; where SIGINT, SIGTERM or SIGHUP comes meanwhile, cancels it, calls
    /// `onInterruption`, and ends the program by that signal.
    ///
    /// A second signal ends the program at once.
    static func run<R: Sendable>(
        _ body: @escaping @Sendable () async throws -> R,
        onInterruption: () async -> Void
    ) async throws -> R {
        let received = Guarded<Int32?>(nil)
        let work = Task { try await body() }
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            SignalSource(number) {
                signal(number, SIG_DFL)
                received.withLock { $0 = number }
                work.cancel()
            }
        }
        let result = await work.result
        if let number = received.withLock({ $0 }) {
            await onInterruption()
            // A thread of the task may block the signal: any other takes it, a moment later.
            kill(getpid(), number)
            try await Task.sleep(for: .seconds(60))
        }
        for source in sources { source.cancel() }
        return try result.get()
    }
}
