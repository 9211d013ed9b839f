package import BelfryGRPC
internal import BelfryLocking
package import NotificationCore
package import NotificationStore

/// Reads large messages one after another on a thread of its own; the callers take turns by the
/// bytes of their messages (QU-1).
///
/// Reading takes up to a thousand times as long as receiving, so on a polling thread one large
/// message would delay the calls of all.
package final class LargeMessages: LargeMessageReader {
    private struct Message {
        var owner: TurnOwner
        var byteCount: Int
        var work: @Sendable () -> Void
    }

    private struct State {
        var line = TurnLine<TurnOwner, Message>()
        /// The bytes that wait, of all owners and of each.
        var byteCount = 0
        /// Bounded: an owner has an entry while a message of it waits.
        var byteCounts: [TurnOwner: Int] = [:]
        var isStopped = false
        /// Nil until a message is large.
        var pool: ReaderPool?
    }

    /// How many bytes may wait.
    private let byteLimit: Int
    /// How many bytes of one owner may wait.
    private var ownerByteLimit: Int { byteLimit / 4 }
    private let registrant: @Sendable (Caller) -> Registrant?
    private let state = Guarded(State())

    /// Makes a reader without a thread, which the first large message starts.
    ///
    /// - Parameters:
    ///   - byteLimit: How many bytes of messages may wait, of which one caller may have a quarter.
    ///   - registrant: Tells who is called with limited rights; nil for another caller.
    package init(byteLimit: Int, registrant: @escaping @Sendable (Caller) -> Registrant?) {
        self.byteLimit = byteLimit
        self.registrant = registrant
    }

    package func read(
        ofBytes byteCount: Int,
        from caller: Caller,
        _ work: @escaping @Sendable () -> Void
    ) -> Status? {
        let owner = TurnOwner(registrant(caller), on: caller.connection)
        return read(ofBytes: byteCount, of: owner, work).map(Status.init)
    }

    /// Has `work` run once, when it is the owner's turn.
    ///
    /// - Returns: Why the message is not read, and its work not run; nil otherwise.
    package func read(
        ofBytes byteCount: Int,
        of owner: TurnOwner,
        _ work: @escaping @Sendable () -> Void
    ) -> Refusal? {
        let (refusal, pool) = state.withLock { state -> (Refusal?, ReaderPool?) in
            guard !state.isStopped else { return (.stopping, nil) }
            guard state.byteCount + byteCount <= byteLimit else { return (.messagesWait, nil) }
            let ofOwner = state.byteCounts[owner, default: 0] + byteCount
            guard ofOwner <= ownerByteLimit else { return (.messagesOfCallerWait, nil) }
            state.byteCount += byteCount
            state.byteCounts[owner] = ofOwner
            state.line.append(
                Message(owner: owner, byteCount: byteCount, work: work),
                of: owner,
                cost: max(2, byteCount / 1_024)
            )
            let pool = state.pool ?? ReaderPool(threadCount: 1)
            state.pool = pool
            return (nil, pool)
        }
        // Each message brings one job, and each job reads the message whose turn it is.
        if let pool, !pool.submit({ [self] in readNext() }) { readNext() }
        return refusal
    }

    private func readNext() {
        // A limit below the cost of any message takes one.
        let messages = state.withLock { state in
            let messages = state.line.take(atMost: 1)
            for message in messages {
                let left = state.byteCounts[message.owner, default: 0] - message.byteCount
                state.byteCount -= message.byteCount
                state.byteCounts[message.owner] = left > 0 ? left : nil
            }
            return messages
        }
        for message in messages { message.work() }
    }

    package func stop() {
        let pool = state.withLock { state in
            state.isStopped = true
            return state.pool.take()
        }
        pool?.stop()
    }
}

extension TurnOwner {
    /// The owner of the turns of what is about no app in particular.
    init(_ registrant: Registrant?, on connection: ConnectionIdentifier) {
        self = registrant.map { .registrant($0) } ?? .connection(connection.number)
    }
}

extension Refusal {
    /// Large messages of all callers wait to be read: nothing happened, and a retry helps.
    fileprivate static let messagesWait = Refusal(
        .resourceExhausted,
        reason: .overloaded,
        message: "the server has more large requests waiting than it takes: retry after the delay",
        retryAfterNanoseconds: 50_000_000
    )

    /// Large messages of the caller wait to be read: nothing happened, and a retry helps.
    fileprivate static let messagesOfCallerWait = Refusal(
        .resourceExhausted,
        reason: .overloaded,
        message: """
            the caller has more large requests waiting than the server takes of one: retry after \
            the delay
            """,
        retryAfterNanoseconds: 50_000_000
    )
}
