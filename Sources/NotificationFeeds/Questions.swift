internal import Faults
internal import NotificationCore
internal import NotificationStore

/// The callbacks that a subscriber or an extension was told, and the ends that it is still to be
/// told.
struct Questions: Sendable {
    /// The last callback that was told.
    private var asked: CallbackNumber = 0
    /// The newest callback that is durable.
    private var committed: CallbackNumber
    /// The newest callback that the message in the making may tell.
    private var asking: CallbackNumber = 0
    /// The callbacks that were told and are open.
    private var told: Set<CallbackNumber> = []
    /// The callbacks that ended during the making of a message that may tell them.
    private(set) var endedMeanwhile: [CallbackEnd] = []
    /// The ends of callbacks that are still to be told.
    private(set) var ended: [CallbackEnd] = []

    /// How many ends wait to be told at most: a slower subscriber learns of older ends when it
    /// answers.
    private static let keptEnds = 1_024

    init(newest: CallbackNumber) {
        committed = newest
    }

    /// Notes the newest callback and the callbacks that ended; the ends of told callbacks are to be
    /// told.
    mutating func commit(newest: CallbackNumber, ended: [CallbackEnd]) {
        committed = max(committed, newest)
        for end in ended {
            let isToldAnyway = Fault.endedThoughNotAsked.isPlanted && end.callback <= asked
            if told.remove(end.callback) != nil || isToldAnyway {
                self.ended.append(end)
            } else if asked < asking && asked < end.callback {
                endedMeanwhile.append(end)
            }
        }
        limitEnds()
    }

    /// Begins a message with the callbacks that were not told yet; nil where there are none.
    mutating func begin() -> (after: CallbackNumber, upTo: CallbackNumber)? {
        guard asked < committed else { return nil }
        asking = committed
        return (asked, committed)
    }

    /// Whether a callback was told and is open.
    func isTold(_ callback: CallbackNumber) -> Bool { told.contains(callback) }

    /// Notes that all callbacks up to a number were told or do not concern the subscriber.
    mutating func noteAsked(upTo callback: CallbackNumber, told callbacks: [CallbackNumber]) {
        asked = max(asked, callback)
        // The message is made: an end from now on concerns it only if it told the callback.
        if !Fault.endsKeptWithoutAMessage.isPlanted { asking = asked }
        told.formUnion(callbacks)
        for end in endedMeanwhile where told.remove(end.callback) != nil { ended.append(end) }
        endedMeanwhile = []
        limitEnds()
    }

    mutating func takeEnds() -> [CallbackEnd] {
        defer { ended = [] }
        return ended
    }

    private mutating func limitEnds() {
        let excess = ended.count - Self.keptEnds
        if excess > 0 { ended.removeFirst(excess) }
    }
}
