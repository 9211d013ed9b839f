internal import ArgumentParser
internal import BelfryLocking
internal import Glibc

/// Lets a command that waits clean up when a signal ends it.
enum Interruption {
    /// Runs `body`; where SIGINT, SIGTERM or SIGHUP comes meanwhile, cancels it, calls
    /// `onInterruption`, and ends the program by that signal.
    ///
    /// A signal that was ignored when the program began stays so. A second signal ends the program
    /// at once.
    static func run<R: Sendable>(
        _ body: @escaping @Sendable () async throws -> R,
        onInterruption: () async -> Void
    ) async throws -> R {
        let received = Guarded<Int32?>(nil)
        let work = Task { try await body() }
        let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !SignalSource.isIgnored($0) }
        for number in numbers {
            _ = SignalSource(number) {
                for number in numbers { signal(number, SIG_DFL) }
                received.withLock { $0 = number }
                work.cancel()
            }
        }
        let result = await work.result
        for number in numbers { signal(number, SIG_DFL) }
        guard let number = received.withLock({ $0 }) else { return try result.get() }
        await onInterruption()
        // A thread of the task may block the signal: another one takes it, a moment later. The
        // first process of a container gets none.
        kill(getpid(), number)
        try await Task.sleep(for: .seconds(1))
        throw ExitCode(128 + number)
    }
}
