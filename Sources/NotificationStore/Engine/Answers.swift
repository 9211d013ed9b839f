internal import BelfryLocking
internal import Faults

/// Tells callers the replies of durable batches, in the order of the batches.
///
/// The replies of a batch that has several are told on a thread of their own, and the writer makes
/// the next batch meanwhile: handing a reply to gRPC takes a third of what an add takes the writer.
final class Answers: Sendable {
    private struct Answered {
        let commands: [QueuedCommand]
        /// When their commit ended, by the boot-time clock.
        let committedNanoseconds: Int64
    }

    private struct State {
        var waiting: [Answered] = []
        var isAnswering = false
        var isStopped = false
    }

    /// The replies from which on a batch is worth waking the thread.
    private static let several = 4

    private let state = Guarded(State())
    private let semaphore = JobSemaphore()
    private let thread = Guarded<SystemThread?>(nil)
    private let durations = Guarded(DurationHistogram())

    /// How long it took from the commits to the last of their replies; from any thread.
    var times: DurationHistogram { durations.withLock { $0 } }

    func start() { thread.withLock { $0 = SystemThread(named: "answers") { self.run() } } }

    /// Tells all replies that wait, and ends the thread; the writer has ended.
    func stop() {
        state.withLock { $0.isStopped = true }
        semaphore.signal()
        thread.withLock { $0.take() }?.join()
    }

    /// Tells the replies of a batch; from the writer's thread alone.
    func tell(_ commands: [QueuedCommand], committedAt nanoseconds: Int64) {
        guard !commands.isEmpty else { return }
        let answered = Answered(commands: commands, committedNanoseconds: nanoseconds)
        let (isHere, wakes) = state.withLock { state in
            // No reply overtakes one of an earlier batch.
            let isNext = !state.isAnswering || Fault.answersOvertake.isPlanted
            if commands.count < Self.several, isNext { return (true, false) }
            state.waiting.append(answered)
            defer { state.isAnswering = true }
            return (false, !state.isAnswering)
        }
        if isHere { tell(answered) }
        if wakes { semaphore.signal() }
    }

    private func tell(_ answered: Answered) {
        for command in answered.commands { command.finish() }
        let time = SystemTime.sinceBoot() - answered.committedNanoseconds
        durations.withLock { $0.record(time) }
    }

    private func run() {
        while true {
            semaphore.wait()
            while let next = takeNext() { for answered in next { tell(answered) } }
            if state.withLock({ $0.isStopped }) { return }
        }
    }

    /// The batches that are to be answered; nil where there are none.
    private func takeNext() -> [Answered]? {
        state.withLock { state in
            let next = state.waiting
            state.waiting = []
            state.isAnswering = !next.isEmpty
            return next.isEmpty ? nil : next
        }
    }
}
