internal import BelfryLocking
internal import NotificationCore
internal import NotificationStore

/// A position in a center's event log, with at most one message on its way.
///
/// There is no queue: a subscriber that is slow is simply further behind in the log.
public final class EventFeed: PumpedFeed {
    /// What the next message is about.
    enum Turn: Sendable {
        case start
        case notices(isDemoted: Bool, ended: [CallbackEnd])
        case callbacks(after: UInt64, upTo: UInt64)
        case snapshot(CenterSnapshot?)
        case events(after: UInt64)
        case heartbeat
    }

    private struct State {
        var turnstile: Turnstile<EventFeed, EventFeedMessage>
        /// The last event that was told.
        var position: UInt64
        /// The newest event that is durable.
        var committed: UInt64
        /// Whether the app is asked here.
        var isPrimary: Bool
        var questions: Questions
        var isDemoted = false
        /// Read by the thread that has the first turn of the snapshot.
        var snapshot: CenterSnapshot?
        var wantsSnapshot: Bool
        var isStarted = false
        var isCaughtUp = false
        var isSnapshotTold = false
    }

    let request: SubscriptionRequest
    /// Names it in the app's answers.
    public var identifier: String { request.identifier }
    /// The center's number.
    let number: UInt32
    /// The newest event when it began.
    private let lastEventAtStart: UInt64
    // Weak, since whoever reads the stream may speak to it after the store is gone.
    private weak let feeds: Feeds?
    private let state: Guarded<State>

    init(
        request: SubscriptionRequest,
        from end: LogEnd,
        sink: any FeedSink<EventFeed, EventFeedMessage>,
        feeds: Feeds
    ) {
        self.request = request
        self.feeds = feeds
        number = end.number
        let lastEvent = end.center.lastEvent
        lastEventAtStart = lastEvent
        // 0 asks for the oldest event that is kept.
        let after = request.after.map { max($0, end.center.firstEvent - 1) }
        state = Guarded(
            State(
                turnstile: Turnstile(sink),
                position: request.wantsSnapshot ? lastEvent : after ?? lastEvent,
                committed: lastEvent,
                isPrimary: request.role != nil,
                questions: Questions(newest: end.newestCallback),
                wantsSnapshot: request.wantsSnapshot
            )
        )
    }

    /// Whether it has ended.
    var isEnded: Bool { state.withLock { $0.turnstile.isEnded } }

    /// Lets the first message be made, now that the sink knows its feed.
    func open() { state.withLock { $0.turnstile.open() } }

    /// Says that the last message was taken and the next may come; from any thread.
    public func sent() {
        state.withLock { $0.turnstile.sent() }
        feeds?.pump.schedule(self)
    }

    /// Ends the feed without a word; from any thread.
    ///
    /// - Parameter isCut: Whether its reader was cut off, so that it can be taken up again; asked
    ///   only where it has a role or a state to keep.
    public func cancel(isCut: @autoclosure () -> Bool = false) {
        let (wasOpen, sink) = state.withLock { $0.turnstile.end() }
        // One that was ended before is forgotten, and its identifier may be another's by now.
        guard wasOpen else { return }
        withExtendedLifetime(sink) { leave(isCut: isCut()) }
    }

    func end(_ refusal: Refusal) {
        let (wasOpen, sink) = state.withLock { $0.turnstile.end(refusal) }
        sink?.end(refusal)
        if wasOpen { leave(isCut: false) }
    }

    /// Has the pump and the app's session forget it, or keep what it said for a while.
    private func leave(isCut: @autoclosure () -> Bool) {
        guard let feeds else { return }
        let owner = ObjectIdentifier(self)
        if feeds.sessions.speaks(identifier, for: number) && isCut() {
            let now = feeds.store.clock.now().elapsed
            feeds.sessions.cut(identifier, owner: owner, from: number, at: now)
        } else {
            feeds.sessions.detach(identifier, owner: owner, from: number)
        }
        feeds.pump.forget(self)
    }

    /// Notes what of a batch is durable, all at once: a message that is made meanwhile would tell
    /// an event before the question or the end that came with it.
    ///
    /// - Parameters:
    ///   - event: The newest event.
    ///   - callback: The newest callback: the app is asked, if this is where it is asked.
    ///   - ended: The callbacks that ended; those that were asked here are told so.
    func commit(event: UInt64, callback: UInt64, ended: [CallbackEnd] = []) {
        state.withLock { state in
            state.committed = max(state.committed, event)
            state.questions.commit(newest: callback, ended: ended)
        }
    }

    /// Notes that another feed took over.
    func demote() {
        state.withLock { state in
            state.isPrimary = false
            state.isDemoted = true
        }
    }

    /// The last event that was told, once it was told all that there were; nil before.
    var toldAsFollower: UInt64? {
        state.withLock { state in
            state.isCaughtUp && !state.turnstile.isEnded ? state.position : nil
        }
    }

    // MARK: On a thread of the pump

    func takeTurn(isHeartbeatDue: Bool) -> Turn? {
        state.withLock { state in
            guard state.turnstile.isFree else { return nil }
            let turn: Turn
            if !state.isStarted {
                turn = .start
            } else if state.isDemoted || !state.questions.ended.isEmpty {
                turn = .notices(isDemoted: state.isDemoted, ended: state.questions.takeEnds())
                state.isDemoted = false
            } else if state.isPrimary, let range = state.questions.begin() {
                turn = .callbacks(after: range.after, upTo: range.upTo)
            } else if state.wantsSnapshot && !state.isSnapshotTold {
                turn = .snapshot(state.snapshot)
            } else if state.position < state.committed || !state.isCaughtUp {
                turn = .events(after: state.position)
            } else if isHeartbeatDue {
                turn = .heartbeat
            } else {
                return nil
            }
            state.turnstile.takeTurn()
            return turn
        }
    }

    func serve(_ turn: Turn) {
        guard let feeds else { return }
        do {
            switch try message(of: turn, feeds) {
            case .success(let message?): send(message)
            case .success(nil): state.withLock { $0.turnstile.skip() }
            case .failure(let refusal): end(refusal)
            }
        } catch {
            // The rows of an app that is gone may go while they are read.
            let isThere = feeds.isRegistered(self)
            let reader = feeds.reader
            end(isThere ? reader.refusal(for: error) : .notRegistered(request.center))
        }
    }

    func endTurn() {
        let (sink, lastWord) = state.withLock { $0.turnstile.endTurn() }
        if let sink, let lastWord { sink.end(lastWord) }
    }

    func idle(at bootNanoseconds: Int64) -> (nanoseconds: Int64, isOnItsWay: Bool) {
        state.withLock { $0.turnstile.idle(at: bootNanoseconds) }
    }

    /// Reads what the message of a turn tells; nil where it is nothing.
    private func message(
        of turn: Turn,
        _ feeds: Feeds
    ) throws(ReadError) -> Result<EventFeedMessage?, Refusal> {
        let store = feeds.store
        var message = EventFeedMessage(bookmark: 0)
        switch turn {
        case .start:
            let now = store.clock.now().elapsed
            message.beginning = EventFeedBeginning(
                identifier: identifier,
                isPrimary: request.role != nil,
                lastEvent: lastEventAtStart,
                appState: feeds.sessions.appState(of: number, at: now)
            )
        case .notices(let isDemoted, let ended):
            message.isDemoted = isDemoted
            message.endedCallbacks = ended
        case .callbacks(let after, let newest):
            let found = try feeds.reader.callbacks(
                of: number,
                after: after,
                upTo: newest,
                asOf: store.clock.now()
            )
            let callbacks = found.callbacks.filter { callback in
                request.role?.answers(callback.question) == true
            }
            state.withLock { $0.questions.noteAsked(upTo: found.upTo, told: callbacks) }
            guard !callbacks.isEmpty else { return .success(nil) }
            message.callbacks = callbacks
        case .snapshot(let begun):
            var snapshot = if let begun { begun } else { try feeds.reader.snapshot(of: number) }
            message.snapshot = try feeds.reader.nextPart(of: &snapshot)
            keep(snapshot)
        case .events(let after):
            switch try feeds.slice(of: number, after: after) {
            case .success(let slice): message.slice = slice
            case .failure(let refusal): return .failure(refusal)
            }
        case .heartbeat:
            message.isHeartbeat = true
        }
        return .success(message)
    }

    /// Keeps what of the snapshot is still to be told; the events go on where it stands.
    private func keep(_ snapshot: CenterSnapshot) {
        state.withLock { state in
            state.snapshot = snapshot
            state.position = snapshot.center.lastEvent
        }
    }

    /// Sends a message in a turn, unless the feed ended meanwhile.
    private func send(_ message: EventFeedMessage) {
        guard let (sink, message) = tell(message) else { return }
        sink.send(message)
    }

    /// Notes what a message tells, and gives what else it has to say.
    private func tell(
        _ message: EventFeedMessage
    ) -> (any FeedSink<EventFeed, EventFeedMessage>, EventFeedMessage)? {
        state.withLock { state in
            guard let sink = state.turnstile.send() else { return nil }
            var message = message
            state.isStarted = true
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
}
