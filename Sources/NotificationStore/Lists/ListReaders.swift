internal import BelfryLocking
internal import DequeModule
internal import Faults
package import NotificationCore

package struct ReadCaller: Sendable {
    /// The share of the caller, such as its account: only one caller of a share reads at a time.
    package var share: TurnOwner
    /// Whether the caller no longer waits for the answer; from any thread.
    package var isGone: @Sendable () -> Bool

    package init(share: TurnOwner = .server, isGone: @escaping @Sendable () -> Bool = { false }) {
        self.share = share
        self.isGone = isGone
    }
}

/// Reads lists on threads of its own, so that subscribers do not wait for lists.
///
/// One caller of a share reads at a time, and the shares take turns: a caller of a thousand lists
/// delays only itself. A long read is made in steps, between which the other shares have their
/// turns. A read whose caller no longer waits is not begun.
package final class ListReaders: Sendable {
    /// Does a step of a read; gives whether it was the last.
    private typealias Job = @Sendable (_ isStopping: Bool) -> Bool

    private struct State {
        /// The jobs of each share that wait behind the share's current job, which is running or has
        /// its turn; a share without a current job has no entry.
        var lines: [TurnOwner: Deque<Job>] = [:]
        var isStopped = false

        /// Accepts a job; gives whether its share has no other job, so that it has its turn.
        mutating func take(_ job: @escaping Job, of share: TurnOwner) -> Result<Bool, Refusal> {
            guard !isStopped else { return .failure(.stopping) }
            guard let line = lines[share], !Fault.listsStarveFeeders.isPlanted else {
                lines[share] = []
                return .success(true)
            }
            guard line.count < ListReaders.waitingPerShare else { return .failure(.tooManyReads) }
            lines[share]?.append(job)
            return .success(false)
        }

        /// Gives the next job of a share whose job is done.
        mutating func next(of share: TurnOwner) -> Job? {
            if let next = lines[share]?.popFirst() { return next }
            lines[share] = nil
            return nil
        }
    }

    /// How many lists of one share may wait: as many as a connection has open calls, though an
    /// account may have several.
    private static let waitingPerShare = 1_024

    private let pool = ReaderPool(threadCount: 2)
    private let state = Guarded(State())

    /// Runs `read` on a thread when it is the turn of the caller's share.
    ///
    /// `completion` is told the result of `read`, on that thread.
    package func read<Value: Sendable>(
        for caller: ReadCaller,
        _ completion: @escaping Completion<Value>,
        _ read: @escaping @Sendable () throws(Refusal) -> Value
    ) {
        readInSteps(for: caller, completion) { () throws(Refusal) -> Value? in try read() }
    }

    /// Runs `step` on a thread when it is the turn of the caller's share, and again in its next
    /// turns until it gives a value.
    ///
    /// `completion` is told the value, or why there is none, on that thread.
    package func readInSteps<Value: Sendable>(
        for caller: ReadCaller,
        _ completion: @escaping Completion<Value>,
        _ step: @escaping @Sendable () throws(Refusal) -> Value?
    ) {
        let job: Job = { isStopping in
            do throws(Refusal) {
                if isStopping { throw .stopping }
                if caller.isGone() { throw .callerGone }
                guard let value = try step() else { return false }
                completion(.success(value))
            } catch {
                completion(.failure(error))
            }
            return true
        }
        switch state.withLock({ $0.take(job, of: caller.share) }) {
        case .success(true): begin(job, of: caller.share)
        case .success(false): break
        case .failure(let refusal): completion(.failure(refusal))
        }
    }

    private func begin(_ job: @escaping Job, of share: TurnOwner) {
        let isTaken = pool.submit { [self] in
            let next = job(false) ? state.withLock { $0.next(of: share) } : job
            if let next { begin(next, of: share) }
        }
        if !isTaken { _ = job(true) }
    }

    /// Refuses the waiting jobs, and ends the threads after the running jobs.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            defer { for share in state.lines.keys { state.lines[share] = [] } }
            return state.lines.values.flatMap(\.self)
        }
        for job in waiting { _ = job(true) }
        pool.stop()
    }
}

extension Refusal {
    /// The caller no longer waits; this refusal is told to nobody.
    package static let callerGone = Refusal(
        .aborted,
        reason: .cancelled,
        message: "the call was cancelled before the list was read"
    )

    /// The caller waits for as many lists as it may: a retry helps.
    static let tooManyReads = Refusal(
        .resourceExhausted,
        reason: .overloaded,
        message: """
            the caller waits for more lists than the server reads for one: retry after the delay
            """,
        retryAfterNanoseconds: 50_000_000
    )
}
