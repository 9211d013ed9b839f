internal import NotificationCore
internal import NotificationStore

/// How far a subscriber was told the questions to its app, and which of them ended.
struct Questions: Sendable {
    /// The last callback that was told.
    private var asked: UInt64 = 0
    /// The newest callback that is durable.
    private var committed: UInt64
    /// The newest callback that the message under way may tell.
    private var asking: UInt64 = 0
    /// The questions that were told and are open.
    private var told: Set<UInt64> = []
    /// What ended while a message was made that may tell it.
    private var endedMeanwhile: [CallbackEnd] = []
    /// The ends that are still to be told.
    private(set) var ended: [CallbackEnd] = []

    /// More ends that are still to be told: who reads so slowly learns of the older ones when it
    /// answers.
    private static let keptEnds = 1_024

    init(newest: UInt64) {
        committed = newest
    }

    /// Notes the newest callback, and those that ended; those that were told here are told so.
    mutating func commit(newest: UInt64, ended: [CallbackEnd]) {
        committed = max(committed, newest)
        for end in ended {
            if told.remove(end.callback) != nil {
                self.ended.append(end)
            } else if asked < asking && asked < end.callback {
                endedMeanwhile.append(end)
            }
        }
        limitEnds()
    }

    /// Begins a message of those that were not told; nil where there are none.
    mutating func begin() -> (after: UInt64, upTo: UInt64)? {
        guard asked < committed else { return nil }
        asking = committed
        return (asked, committed)
    }

    /// Notes that all callbacks up to a number are told, or do not concern the subscriber.
    mutating func noteAsked(upTo callback: UInt64, told callbacks: [Callback]) {
        asked = max(asked, callback)
        told.formUnion(callbacks.map(\.number))
        for end in endedMeanwhile where told.remove(end.callback) != nil { ended.append(end) }
        endedMeanwhile = []
        limitEnds()
    }

    /// Gives the ends that are to be told now.
    mutating func takeEnds() -> [CallbackEnd] {
        defer { ended = [] }
        return ended
    }

    private mutating func limitEnds() {
        let excess = ended.count - Self.keptEnds
        if excess > 0 { ended.removeFirst(excess) }
    }
}
