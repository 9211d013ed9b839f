internal import BelfryLocking
internal import DequeModule
package import NotificationCore

/// Who asks for a list.
public struct ReadCaller: Sendable {
    /// What those have in common who wait for each other, such as a connection: one of them reads
    /// at a time.
    public var share: UInt
    /// Whether nobody waits for the answer any more; from any thread.
    public var isGone: @Sendable () -> Bool

    /// Names a caller, who is there until the answer unless told otherwise.
    public init(share: UInt = 0, isGone: @escaping @Sendable () -> Bool = { false }) {
        self.share = share
        self.isGone = isGone
    }
}

/// Reads lists on threads of its own, so that those who follow events wait for no list.
///
/// Of the callers of one share one reads at a time, and the shares take turns: who asks for a
/// thousand lists waits for them alone. What its caller no longer waits for is not begun.
package final class ListReaders: Sendable {
    private typealias Job = @Sendable (_ isStopping: Bool) -> Void

    private struct State {
        /// What waits behind the job of its share that is at work or has its turn; a share without
        /// such a job is not there.
        var lines: [UInt: Deque<Job>] = [:]
        var isStopped = false

        /// Takes a job; gives whether its share has none else, so that it has its turn.
        mutating func take(_ job: @escaping Job, of share: UInt) -> Result<Bool, Refusal> {
            guard !isStopped else { return .failure(.stopping) }
            guard let line = lines[share] else {
                lines[share] = []
                return .success(true)
            }
            guard line.count < ListReaders.waitingPerShare else { return .failure(.tooManyReads) }
            lines[share]?.append(job)
            return .success(false)
        }

        /// Gives the next job of a share whose job is done.
        mutating func next(of share: UInt) -> Job? {
            if let next = lines[share]?.popFirst() { return next }
            lines[share] = nil
            return nil
        }
    }

    /// Lists of one share that wait: as many calls as a connection has open.
    private static let waitingPerShare = 1_024

    private let pool = ReaderPool(threadCount: 2)
    private let state = Guarded(State())

    /// Has a thread read for a caller, when it is the turn of its share.
    ///
    /// - Parameters:
    ///   - caller: Who waits for the answer.
    ///   - completion: Told what `read` gives, on that thread.
    ///   - read: Reads.
    package func read<Value: Sendable>(
        for caller: ReadCaller,
        _ completion: @escaping Completion<Value>,
        _ read: @escaping @Sendable () throws(Refusal) -> Value
    ) {
        let job: Job = { isStopping in
            if isStopping { return completion(.failure(.stopping)) }
            if caller.isGone() { return completion(.failure(.callerGone)) }
            completion(Result { () throws(Refusal) in try read() })
        }
        switch state.withLock({ $0.take(job, of: caller.share) }) {
        case .success(true): begin(job, of: caller.share)
        case .success(false): break
        case .failure(let refusal): completion(.failure(refusal))
        }
    }

    private func begin(_ job: @escaping Job, of share: UInt) {
        let isTaken = pool.submit { [self] in
            job(false)
            if let next = state.withLock({ $0.next(of: share) }) { begin(next, of: share) }
        }
        if !isTaken { job(true) }
    }

    /// Refuses what waits, and ends the threads after the lists that are being read.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            defer { for share in state.lines.keys { state.lines[share] = [] } }
            return state.lines.values.flatMap(\.self)
        }
        for job in waiting { job(true) }
        pool.stop()
    }
}

extension Refusal {
    /// Nobody waits for the answer: nobody is told this.
    package static let callerGone = Refusal(
        .aborted,
        reason: "CANCELLED",
        message: "the call was cancelled before the list was read"
    )

    /// The connection waits for as many lists as it may: a retry helps.
    static let tooManyReads = Refusal(
        .resourceExhausted,
        reason: "OVERLOADED",
        message: """
            the connection waits for more lists than the server reads for one: retry after the delay
            """,
        retryAfterNanoseconds: 50_000_000
    )
}
