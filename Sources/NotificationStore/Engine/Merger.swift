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
        /// Why a slice could not be written, other than for lack of space.
        var failure: StoreFailure?
        var thread: SystemThread?
    }

    private let context: StoreContext
    private let wakeup = Wakeup()
    private let state = Guarded(State())

    /// Where a disk was full, a merge is tried again so much later.
    private static let pauseNanoseconds = Int64.nanosecondsPerSecond

    init(_ context: StoreContext) {
        self.context = context
    }

    /// Why a slice could not be written, so that the store has failed; nil where nothing but space
    /// was lacking.
    var failure: StoreFailure? { state.withLock { $0.failure } }

    func start() {
        context.tables.keeper.whenMergeBegins { [wakeup] in wakeup.signal() }
        let thread = SystemThread(named: "merger") { self.run() }
        state.withLock { $0.thread = thread }
    }

    /// Goes on with a merge that the writer has begun.
    func goOn() { wakeup.signal() }

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
                if try context.tables.keeper.mergeSlice(context.environment) { continue }
            } catch {
                guard context.isOutOfSpace(error) else {
                    return state.withLock { $0.failure = error }
                }
                retry = SystemTime.sinceBoot() + Self.pauseNanoseconds
            }
            wakeup.wait(untilBootNanoseconds: retry)
        }
    }
}
