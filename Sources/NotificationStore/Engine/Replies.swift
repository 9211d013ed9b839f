internal import BelfryLocking
internal import Faults

/// Tells callers the replies of durable batches, in the order of the batches.
///
/// The replies of a batch that has several are told on a thread of their own, and the writer makes
/// the next batch meanwhile: handing a reply to gRPC takes a third of what an add takes the writer.
final class Replies: Sendable {
    private struct State {
        /// The batches that the thread has still to tell.
        var batchCount = 0
        var times = DurationHistogram()
    }

    /// The replies from which on a batch is worth waking the thread.
    private static let several = 4

    private let thread = ReaderPool(threadCount: 1, named: "replies")
    private let state = Guarded(State())

    /// How long it took from the commits to the last of their replies; from any thread.
    var times: DurationHistogram { state.withLock { $0.times } }

    /// Tells all replies that wait, and ends the thread; the writer has ended.
    func stop() { thread.stop() }

    /// Tells the replies of a batch; from the writer's thread alone.
    ///
    /// `nanoseconds` is when its commit ended, by the boot-time clock.
    func tell(_ commands: [QueuedCommand], committedAt nanoseconds: Int64) {
        guard !commands.isEmpty else { return }
        let isHere = state.withLock { state in
            // No reply overtakes one of an earlier batch.
            let isNext = state.batchCount == 0 || Fault.repliesOvertake.isPlanted
            if commands.count < Self.several, isNext { return true }
            state.batchCount += 1
            return false
        }
        guard !isHere else { return finish(commands, nanoseconds) }
        thread.submit { [self] in
            finish(commands, nanoseconds)
            state.withLock { $0.batchCount -= 1 }
        }
    }

    private func finish(_ commands: [QueuedCommand], _ committed: Int64) {
        for command in commands { command.finish() }
        state.withLock { $0.times.record(SystemTime.sinceBoot() - committed) }
    }
}
