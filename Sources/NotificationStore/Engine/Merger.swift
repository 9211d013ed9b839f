internal import BelfryLMDB
internal import BelfryLocking
internal import NotificationCore
internal import NotificationRecords

/// The thread that writes changes into the trees, behind the log.
///
/// It begins where a batch has made enough changes. The batches wait for the disk and for
/// processors while it writes, so it rests between slices while it is ahead of them, writes small
/// slices while it is in time, and stands back for the threads that calls wait for. The writer
/// helps where it falls behind.
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
    /// How long it rests after a slice at most: a merge ends soon also where nothing comes.
    private static let restNanoseconds = Int64.nanosecondsPerSecond / 50

    /// A slice of so many rows is written while the merge is in time: a sync of the log that meets
    /// it waits less.
    private static let rowsInTime = 256

    /// A tenth of a processor is left to it beside others that want all of it: no less, since the
    /// writer may have to wait for the end of a slice.
    private static let niceness: Int32 = 10

    init(_ context: StoreContext) {
        self.context = context
    }

    /// Why a slice could not be written, so that the store has failed; nil where nothing but space
    /// was lacking.
    var failure: StoreFailure? { state.withLock { $0.failure } }

    func start() {
        context.tables.keeper.whenMergeBegins { [wakeup] in wakeup.signal() }
        let thread = SystemThread(named: "merger", niceness: Self.niceness) { self.run() }
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
            let keeper = context.tables.keeper
            var pause: Int64?
            do throws(StoreFailure) {
                let limit = keeper.pace == .behind ? nil : Self.rowsInTime
                if try keeper.mergeSlice(context.environment, atMost: limit) {
                    guard keeper.pace == .ahead else { continue }
                    pause = Self.restNanoseconds
                }
            } catch {
                guard context.isOutOfSpace(error) else {
                    return state.withLock { $0.failure = error }
                }
                pause = Self.pauseNanoseconds
            }
            wakeup.wait(untilBootNanoseconds: pause.map { SystemTime.sinceBoot() + $0 })
        }
    }
}
