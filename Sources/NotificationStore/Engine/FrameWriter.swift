internal import BelfryLocking
internal import NotificationRecords

/// Appends the frame of a batch to the log while the writer makes the next batch.
///
/// The writer's thread begins a frame after the one before has ended.
final class FrameWriter: Sendable {
    /// The end of a frame: it is on disk, or is not.
    struct Outcome: Sendable {
        var appended: BatchFrame.Appended
        /// How long it took.
        var nanoseconds: Int64
    }

    private let thread = ReaderPool(threadCount: 1, named: "log")
    private let outcome = Guarded<Outcome?>(nil)
    private let semaphore = JobSemaphore()

    /// Begins to append a frame.
    func begin(_ frame: BatchFrame) {
        thread.submit { [self] in
            let began = SystemTime.sinceBoot()
            let appended = frame.append()
            let nanoseconds = SystemTime.sinceBoot() - began
            outcome.withLock { $0 = Outcome(appended: appended, nanoseconds: nanoseconds) }
            semaphore.signal()
        }
    }

    /// Waits until the frame that was begun is on disk, or is not.
    func end() -> Outcome {
        semaphore.wait()
        guard let outcome = outcome.withLock({ $0.take() }) else {
            preconditionFailure("a frame ended without an outcome")
        }
        return outcome
    }

    /// Ends the thread, after the frame that was begun.
    func stop() { thread.stop() }
}
