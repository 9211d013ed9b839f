internal import BelfryLocking
internal import DequeModule
internal import Faults

/// Threads for work for which neither a polling thread nor the writer waits.
///
/// Such are reads that are longer than a point read, and replies. One thread keeps their order.
package final class ReaderPool: Sendable {
    private struct State {
        var jobs = Deque<@Sendable () -> Void>()
        var isStopped = false
    }

    private static let shared = ReaderPool(threadCount: 2)

    private let state = Guarded(State())
    private let semaphore = JobSemaphore()
    private let threads = Guarded<[SystemThread]>([])

    /// Starts the threads.
    package init(threadCount: Int, named name: String = "reader") {
        threads.withLock { threads in
            threads = (0..<threadCount).map { _ in SystemThread(named: name) { self.run() } }
        }
    }

    /// Runs `job` on a thread of the pool; false where the pool has stopped.
    @discardableResult
    package func submit(_ job: @escaping @Sendable () -> Void) -> Bool {
        if Fault.listsStarveFeeders.isPlanted && self !== Self.shared {
            return Self.shared.submit(job)
        }
        let isTaken = state.withLock { state in
            guard !state.isStopped else { return false }
            state.jobs.append(job)
            return true
        }
        if isTaken { semaphore.signal() }
        return isTaken
    }

    /// Ends the threads once they have done all jobs.
    package func stop() {
        let threads = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        state.withLock { $0.isStopped = true }
        for _ in threads { semaphore.signal() }
        for thread in threads { thread.join() }
    }

    private func run() {
        while true {
            semaphore.wait()
            guard let job = state.withLock({ $0.jobs.popFirst() }) else { return }
            job()
        }
    }
}
