internal import BelfryLocking
public import NotificationCore

/// What a subscriber asks for.
public struct SubscriptionRequest: Hashable, Sendable {
    /// The center whose events it follows.
    public var center: CenterName
    /// The last event that it knows; 0 tells it from the oldest kept, nil from now on.
    public var after: UInt64?
    /// Whether the delivered list is told first; it then follows from that instant.
    public var wantsSnapshot = false
    /// Names the subscription; no other has it.
    public var identifier: String
    /// What it answers for the app, which it then is the primary of; nil only looks on.
    public var role: DelegateRole?
    /// What the app does.
    public var appState = AppState.notRunning
    /// The subscription that it takes up, whose identifier, role and state are its own then.
    public var resumedIdentifier: String?

    /// Asks for the events of `center` from now on, as an observer.
    public init(center: CenterName, identifier: String) {
        self.center = center
        self.identifier = identifier
    }
}

/// A part of the snapshot that a subscription may begin with.
public struct SnapshotPart: Hashable, Sendable {
    /// The center as of ``CenterState/lastEvent``.
    public var center: CenterState
    /// Delivered notifications, the oldest first.
    public var delivered: [DeliveredNotification]
    /// Whether it is the last part.
    public var isComplete: Bool
}

/// How a subscription began.
public struct SubscriptionBeginning: Hashable, Sendable {
    /// Names it.
    public var identifier: String
    /// Whether the app is asked here.
    public var isPrimary: Bool
    /// The newest event at that time.
    public var lastEvent: UInt64
    /// What the app is believed to do.
    public var appState = AppState.notRunning
}

/// What one message to a subscriber holds.
public struct SubscriptionMessage: Sendable {
    /// In the first message: how the subscription began.
    public var beginning: SubscriptionBeginning?
    /// A part of the snapshot.
    public var snapshot: SnapshotPart?
    /// Events, shared with other subscribers.
    public var slice: EventSlice?
    /// Events, in the order of their numbers.
    public var events: [Event] { slice?.events ?? [] }
    /// Questions to the app, in the order of their numbers.
    public var callbacks: [Callback] = []
    /// Questions that were asked here and have ended.
    public var endedCallbacks: [CallbackEnd] = []
    /// Whether another subscription took over: this one only looks on from now on.
    public var isDemoted = false
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
    /// Takes the subscription, on the thread that opens it and before anything is sent: a message
    /// may be taken at once, and then it is this subscription that has to hear so.
    func begin(_ subscription: Subscription)
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
        case notices(isDemoted: Bool, ended: [CallbackEnd])
        case callbacks(after: UInt64, upTo: UInt64)
        case snapshot(OpenSnapshot?)
        case events(after: UInt64)
        case heartbeat
    }

    /// A delivered notification of the snapshot, not yet read.
    struct SnapshotRow {
        var delivery: UInt64
        var record: DeliveredRecord
    }

    /// A snapshot that is being told: the center as it was, and what is still to be read.
    struct OpenSnapshot {
        var center: CenterState
        var rows: [SnapshotRow]
    }

    private struct State {
        /// The last event that was told.
        var position: UInt64
        /// The newest event that is durable.
        var committed: UInt64
        /// Whether the app is asked here.
        var isPrimary: Bool
        /// The last callback that was told, and the newest that is durable.
        var asked: UInt64 = 0
        var committedCallback: UInt64
        /// The newest callback that the message under way may tell.
        var asking: UInt64 = 0
        /// The questions that were told and are open.
        var toldCallbacks: Set<UInt64> = []
        /// What ended while a message was made that may tell it.
        var endedMeanwhile: [CallbackEnd] = []
        var endedCallbacks: [CallbackEnd] = []
        var isDemoted = false
        /// Read by the thread that has the first turn of the snapshot.
        var snapshot: OpenSnapshot?
        var wantsSnapshot: Bool
        var isStarted = false
        var isCaughtUp = false
        var isSnapshotTold = false
        /// Whether a thread makes the next message, or one is on its way; until ``open()`` nobody
        /// makes the first.
        var isBusy = true
        var isOnItsWay = false
        /// Whether a thread has a turn, in which it may be calling the sink.
        var isServed = false
        var isEnded = false
        /// What the sink is told at the end of the turn that was under way when it ended.
        var lastWord: Refusal?
        /// Let go at the end, since a sink may hold its subscription.
        var sink: (any SubscriptionSink)?
        var lastSentBootNanoseconds: Int64

        /// Forgets the oldest ends: one that reads so slowly learns of them when it answers.
        mutating func limitEnds() {
            let excess = endedCallbacks.count - Subscription.keptEnds
            if excess > 0 { endedCallbacks.removeFirst(excess) }
        }
    }

    let request: SubscriptionRequest
    /// Names it in the app's answers.
    public var identifier: String { request.identifier }
    let number: UInt32
    /// The center when the subscription began.
    let center: CenterState
    // Weak, since whoever reads the stream may speak to it after the store is gone.
    private weak let hub: Subscriptions?
    private let state: Guarded<State>

    init(
        request: SubscriptionRequest,
        number: UInt32,
        center: CenterState,
        newestCallback: UInt64,
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
                isPrimary: request.role != nil,
                committedCallback: newestCallback,
                wantsSnapshot: request.wantsSnapshot,
                sink: sink,
                lastSentBootNanoseconds: SystemTime.now().bootNanoseconds
            )
        )
    }

    /// How it began, for its first message.
    var beginning: SubscriptionBeginning {
        SubscriptionBeginning(
            identifier: identifier,
            isPrimary: request.role != nil,
            lastEvent: center.lastEvent
        )
    }

    /// Whether it has ended.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Lets the first message be made, now that the sink knows its subscription.
    func open() { state.withLock { $0.isBusy = false } }

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
    ///
    /// - Parameter isCut: Whether its reader was cut off, so that it can be taken up again; asked
    ///   only where it has a role or a state to keep.
    public func cancel(isCut: @autoclosure () -> Bool = false) {
        let (wasOpen, sink) = state.withLock { state -> (Bool, (any SubscriptionSink)?) in
            let wasOpen = !state.isEnded
            state.isEnded = true
            return (wasOpen, state.isServed ? nil : state.sink.take())
        }
        // One that was ended before is forgotten, and its identifier may be another's by now.
        guard wasOpen else { return }
        withExtendedLifetime(sink) { hub?.forget(self, isCut: isCut()) }
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

    /// Notes what of a batch is durable, all at once: a message that is made meanwhile would tell
    /// an event before the question or the end that came with it.
    ///
    /// - Parameters:
    ///   - event: The newest event.
    ///   - callback: The newest callback: the app is asked, if this is where it is asked.
    ///   - ended: The callbacks that ended; those that were asked here are told so.
    func commit(
        event: UInt64,
        callback: UInt64,
        ended: [CallbackEnd] = []
    ) {
        state.withLock { state in
            state.committed = max(state.committed, event)
            state.committedCallback = max(state.committedCallback, callback)
            for end in ended {
                if state.toldCallbacks.remove(end.callback) != nil {
                    state.endedCallbacks.append(end)
                } else if state.asked < state.asking && state.asked < end.callback {
                    state.endedMeanwhile.append(end)
                }
            }
            state.limitEnds()
        }
    }

    fileprivate static let keptEnds = 1_024

    /// Notes that another subscription took over.
    func demote() {
        state.withLock { state in
            state.isPrimary = false
            state.isDemoted = true
        }
    }

    /// Takes the turn to make the next message, if there is one and nobody else makes it.
    func takeTurn(isHeartbeatDue: Bool = false) -> Turn? {
        state.withLock { state in
            guard !state.isBusy && !state.isServed && !state.isEnded else { return nil }
            let turn: Turn
            if !state.isStarted {
                turn = .start
            } else if state.isDemoted || !state.endedCallbacks.isEmpty {
                turn = .notices(isDemoted: state.isDemoted, ended: state.endedCallbacks)
                state.isDemoted = false
                state.endedCallbacks = []
            } else if state.isPrimary && state.asked < state.committedCallback {
                state.asking = state.committedCallback
                turn = .callbacks(after: state.asked, upTo: state.committedCallback)
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

    /// Notes that all callbacks up to a number are told, or do not concern the subscriber.
    func noteAsked(upTo callback: UInt64, told: [Callback]) {
        state.withLock { state in
            state.asked = max(state.asked, callback)
            state.toldCallbacks.formUnion(told.map(\.number))
            for end in state.endedMeanwhile where state.toldCallbacks.remove(end.callback) != nil {
                state.endedCallbacks.append(end)
            }
            state.endedMeanwhile = []
            state.limitEnds()
        }
    }

    /// Gives the turn back without a message.
    func skipTurn() {
        state.withLock { $0.isBusy = false }
    }

    /// Keeps what of the snapshot is still to be told; the events go on where it stands.
    func keep(_ snapshot: OpenSnapshot) {
        state.withLock { state in
            state.snapshot = snapshot
            state.position = snapshot.center.lastEvent
        }
    }

    /// Sends a message in a turn, unless the subscription ended meanwhile.
    func send(_ message: SubscriptionMessage) {
        guard let (sink, message) = tell(message) else { return }
        sink.send(message)
    }

    /// Notes what a message tells, and gives what else it has to say.
    private func tell(
        _ message: SubscriptionMessage
    ) -> (any SubscriptionSink, SubscriptionMessage)? {
        state.withLock { state in
            guard !state.isEnded, let sink = state.sink else { return nil }
            var message = message
            state.isStarted = true
            state.isOnItsWay = true
            state.lastSentBootNanoseconds = SystemTime.now().bootNanoseconds
            if let part = message.snapshot { state.isSnapshotTold = part.isComplete }
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

    /// The last event that was told, once it was told all that there were; nil before.
    var toldAsFollower: UInt64? {
        state.withLock { state in
            state.isCaughtUp && !state.isEnded ? state.position : nil
        }
    }

    /// How long nothing was sent, and whether a message is still on its way.
    func idle(at bootNanoseconds: Int64) -> (nanoseconds: Int64, isOnItsWay: Bool) {
        state.withLock { (bootNanoseconds - $0.lastSentBootNanoseconds, $0.isOnItsWay) }
    }
}
