internal import BelfryLMDB
internal import BelfryLocking
internal import NotificationCore
internal import NotificationRecords

/// The thread that writes changes into the trees, behind the log.
///
/// It begins where a batch has made enough changes. The writer helps where it falls behind.
final class Merger: Sendable {
    private struct State {
        var isStopped = false
        /// Why a slice could not be written; the next try clears it.
        var failure: StoreFailure?
        var thread: SystemThread?
    }

    private let environment: Environment
    private let keeper: ChangeKeeper
    private let wakeup = Wakeup()
    private let state = Guarded(State())

    /// After a failure, such as of a disk that is full, a merge is tried again so much later.
    private static let pauseNanoseconds = Int64.nanosecondsPerSecond

    init(_ environment: Environment, _ keeper: ChangeKeeper) {
        self.environment = environment
        self.keeper = keeper
    }

    /// Why the last slice could not be written; nil where it was.
    var failure: StoreFailure? { state.withLock { $0.failure } }

    func start() {
        keeper.whenMergeBegins { [wakeup] in wakeup.signal() }
        let thread = SystemThread(named: "merger") { self.run() }
        state.withLock { $0.thread = thread }
    }

    /// Ends the thread after the slice that it writes.
    func stop() {
        let thread = state.withLock { state in
            state.isStopped = true
            return state.thread.take()
        }
        wakeup.signal()
        thread?.join()
    }

    private func run() {
        while !state.withLock({ $0.isStopped }) {
            var retry: Int64?
            do throws(StoreFailure) {
                let isMore = try keeper.mergeSlice(environment)
                state.withLock { $0.failure = nil }
                if isMore { continue }
            } catch {
                state.withLock { $0.failure = error }
                retry = SystemTime.sinceBoot() + Self.pauseNanoseconds
            }
            wakeup.wait(untilBootNanoseconds: retry)
        }
    }
}
