internal import Locking
public import NotificationCore

/// What a subscriber asks for.
public struct SubscriptionRequest: Hashable, Sendable {
    /// The center whose events it follows.
    public var center: CenterName
    /// The last event that it knows; 0 tells it from the oldest kept, nil from now on.
    public var after: UInt64?
    /// Whether the delivered list is told first; it then follows from that instant.
    public var wantsSnapshot = false

    /// Asks for the events of `center` from now on.
    public init(center: CenterName) {
        self.center = center
    }
}

/// A part of the snapshot that a subscription may begin with.
public struct SnapshotPart: Hashable, Sendable {
    /// The center as of ``NotificationCenter/lastEvent``.
    public var center: NotificationCenter
    /// Delivered notifications, the oldest first.
    public var delivered: [Notification]
    /// Whether it is the last part.
    public var isComplete: Bool
}

/// What one message to a subscriber holds.
public struct SubscriptionMessage: Sendable {
    /// In the first message: the newest event when the subscription began.
    public var startedAt: UInt64?
    /// A part of the snapshot.
    public var snapshot: SnapshotPart?
    /// Events, shared with other subscribers.
    public var slice: EventSlice?
    /// Events, in the order of their numbers.
    public var events: [Event] { slice?.events ?? [] }
    /// Whether this is the first time that nothing more waits.
    public var isCaughtUp = false
    /// Whether it only says that the server is there.
    public var isHeartbeat = false
    /// The last event told, this message included: where a later subscription goes on.
    public var bookmark: UInt64
}

/// Where a subscription's messages go.
///
/// Called on a reader thread or the subscriptions' own, one call at a time; must not block.
public protocol SubscriptionSink: AnyObject, Sendable {
    /// Sends one message; the next one comes after ``Subscription/sent()``.
    func send(_ message: SubscriptionMessage)
    /// Ends the stream; nothing follows.
    func end(_ refusal: Refusal)
}

/// A position in a center's event log, with at most one message on its way.
///
/// There is no queue: a subscriber that is slow is simply further behind in the log.
public final class Subscription: Sendable {
    /// What the next message is about.
    enum Turn {
        case start
        case snapshot([SnapshotRow])
        case events(after: UInt64)
        case heartbeat
    }

    /// A delivered notification of the snapshot, not yet read.
    struct SnapshotRow {
        var delivery: UInt64
        var record: DeliveredRecord
    }

    private struct State {
        /// The last event that was told.
        var position: UInt64
        /// The newest event that is durable.
        var committed: UInt64
        var snapshot: [SnapshotRow]
        var wantsSnapshot: Bool
        var isStarted = false
        var isCaughtUp = false
        var isSnapshotTold = false
        /// Whether a thread makes the next message, or one is on its way.
        var isBusy = false
        var isOnItsWay = false
        /// Whether a thread has a turn, in which it may be calling the sink.
        var isServed = false
        var isEnded = false
        /// What the sink is told at the end of the turn that was under way when it ended.
        var lastWord: Refusal?
        /// Let go at the end, since a sink may hold its subscription.
        var sink: (any SubscriptionSink)?
        var lastSentBootNanoseconds: Int64
    }

    let request: SubscriptionRequest
    let number: UInt32
    /// The center when the subscription began.
    let center: NotificationCenter
    // Weak, since whoever reads the stream may speak to it after the store is gone.
    private weak let hub: Subscriptions?
    private let state: Guarded<State>

    init(
        request: SubscriptionRequest,
        number: UInt32,
        center: NotificationCenter,
        snapshot: [SnapshotRow],
        sink: any SubscriptionSink,
        hub: Subscriptions
    ) {
        self.request = request
        self.number = number
        self.center = center
        self.hub = hub
        // 0 asks for the oldest event that is kept.
        let after = request.after.map { max($0, center.firstEvent - 1) }
        let position = request.wantsSnapshot ? center.lastEvent : after ?? center.lastEvent
        state = Guarded(
            State(
                position: position,
                committed: center.lastEvent,
                snapshot: snapshot,
                wantsSnapshot: request.wantsSnapshot,
                sink: sink,
                lastSentBootNanoseconds: SystemTime.now().bootNanoseconds
            )
        )
    }

    /// Says that the last message was taken and the next may come; from any thread.
    public func sent() {
        state.withLock { state in
            state.isBusy = false
            state.isOnItsWay = false
            state.lastSentBootNanoseconds = SystemTime.now().bootNanoseconds
        }
        hub?.schedule(self)
    }

    /// Ends the subscription without a word; from any thread.
    public func cancel() {
        let sink = state.withLock { state in
            state.isEnded = true
            return state.isServed ? nil : state.sink.take()
        }
        withExtendedLifetime(sink) { hub?.forget(self) }
    }

    /// Ends it with a word to the sink, after what a turn that is under way tells it.
    ///
    /// - Returns: Whether it was open.
    func end(_ refusal: Refusal) -> Bool {
        let (wasOpen, sink) = state.withLock { state -> (Bool, (any SubscriptionSink)?) in
            guard !state.isEnded else { return (false, nil) }
            state.isEnded = true
            guard state.isServed else { return (true, state.sink.take()) }
            state.lastWord = refusal
            return (true, nil)
        }
        sink?.end(refusal)
        return wasOpen
    }

    /// Notes that `event` is durable.
    func commit(_ event: UInt64) {
        state.withLock { $0.committed = max($0.committed, event) }
    }

    /// Takes the turn to make the next message, if there is one and nobody else makes it.
    func takeTurn(isHeartbeatDue: Bool = false) -> Turn? {
        state.withLock { state in
            guard !state.isBusy && !state.isServed && !state.isEnded else { return nil }
            let turn: Turn
            if !state.isStarted {
                turn = .start
            } else if state.wantsSnapshot && !state.isSnapshotTold {
                turn = .snapshot(state.snapshot)
            } else if state.position < state.committed || !state.isCaughtUp {
                turn = .events(after: state.position)
            } else if isHeartbeatDue {
                turn = .heartbeat
            } else {
                return nil
            }
            state.isBusy = true
            state.isServed = true
            return turn
        }
    }

    /// Gives the turn back, and tells the sink the end that came meanwhile.
    func endTurn() {
        let (sink, lastWord) = state.withLock { state in
            state.isServed = false
            return (state.isEnded ? state.sink.take() : nil, state.lastWord.take())
        }
        if let sink, let lastWord { sink.end(lastWord) }
    }

    /// Sends a message in a turn, unless the subscription ended meanwhile.
    func send(_ message: SubscriptionMessage, snapshotRows: Int) {
        guard let (sink, message) = tell(message, snapshotRows: snapshotRows) else { return }
        sink.send(message)
    }

    /// Notes what a message tells, and gives what else it has to say.
    private func tell(
        _ message: SubscriptionMessage,
        snapshotRows: Int
    ) -> (any SubscriptionSink, SubscriptionMessage)? {
        state.withLock { state in
            guard !state.isEnded, let sink = state.sink else { return nil }
            var message = message
            state.isStarted = true
            state.isOnItsWay = true
            state.lastSentBootNanoseconds = SystemTime.now().bootNanoseconds
            if let part = message.snapshot {
                state.snapshot.removeFirst(snapshotRows)
                state.isSnapshotTold = part.isComplete
            }
            state.position = message.events.last?.number ?? state.position
            message.bookmark = state.position
            let isAtTail =
                state.position >= state.committed && state.isSnapshotTold == state.wantsSnapshot
            if isAtTail && !state.isCaughtUp {
                state.isCaughtUp = true
                message.isCaughtUp = true
            }
            return (sink, message)
        }
    }

    /// How long nothing was sent, and whether a message is still on its way.
    func idle(at bootNanoseconds: Int64) -> (nanoseconds: Int64, isOnItsWay: Bool) {
        state.withLock { (bootNanoseconds - $0.lastSentBootNanoseconds, $0.isOnItsWay) }
    }
}
