internal import BelfryLocking
internal import Faults
internal import NotificationCore
internal import NotificationStore

/// A subscription: a position in a center's event log, with at most one message on its way.
///
/// There is no queue: a slow subscriber is only further behind in the log.
package final class EventFeed: PumpedFeed {
    /// The content of the next message to a subscriber.
    enum Turn: Sendable {
        case start
        case notices(isDemoted: Bool, ended: [CallbackEnd])
        case callbacks(after: CallbackNumber, upTo: CallbackNumber)
        case snapshot(CenterSnapshot?)
        case events(after: EventNumber)
        case heartbeat
    }

    private struct State {
        var turnstile: Turnstile<EventFeed, EventFeedMessage>
        /// The last event that was told.
        var position: EventNumber
        /// The newest event that is durable.
        var committed: EventNumber
        /// Whether this is the primary subscription, through which the app is asked.
        var isPrimary: Bool
        var questions: Questions
        var isDemoted = false
        /// The snapshot to tell first; read by the thread that has the first turn.
        var snapshot: CenterSnapshot?
        var wantsSnapshot: Bool
        var isStarted = false
        var isCaughtUp = false
        var isSnapshotTold = false
    }

    let request: SubscriptionRequest
    /// The subscription's identifier, which the app's answers name.
    package var identifier: String { request.identifier }
    let number: CenterNumber
    /// The newest event of the center when the feed was made.
    private let lastEventAtStart: EventNumber
    // Weak, since the stream may call the feed after the store is gone.
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
        // Begin at the oldest kept event for 0.
        let after = request.after.map { max($0, end.center.firstEvent.previous) }
        state = Guarded(
            State(
                turnstile: Turnstile(sink, feeds.pump.rooms),
                position: request.wantsSnapshot ? lastEvent : after ?? lastEvent,
                committed: lastEvent,
                isPrimary: request.role != nil,
                questions: Questions(newest: end.newestCallback),
                wantsSnapshot: request.wantsSnapshot
            )
        )
    }

    var isEnded: Bool { state.withLock { $0.turnstile.isEnded } }

    func open() { state.withLock { $0.turnstile.open() } }

    package func sent() {
        state.withLock { $0.turnstile.sent() }
        feeds?.pump.schedule(self)
    }

    /// Ends the feed without telling its sink; from any thread.
    ///
    /// - Parameter isCut: Whether the connection was cut, so that the subscription can be resumed;
    ///   evaluated only where there is a role or a state to keep.
    package func cancel(isCut: @autoclosure () -> Bool = false) {
        let (wasOpen, sink) = state.withLock { $0.turnstile.end() }
        // Leave the sessions alone: a feed that ended before is already forgotten, and another feed
        // may have its identifier by now.
        guard wasOpen else { return }
        withExtendedLifetime(sink) { leave(isCut: isCut()) }
    }

    func end(_ refusal: Refusal) {
        let (wasOpen, sink) = state.withLock { $0.turnstile.end(refusal) }
        sink?.end(refusal)
        if wasOpen { leave(isCut: false) }
    }

    /// Removes the feed from the pump and the app's session, which keeps a cut feed's role for a
    /// while.
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

    /// Notes the durable events, callbacks and ends of a batch together: otherwise a message could
    /// tell an event before the callback of the same batch.
    ///
    /// - Parameters:
    ///   - event: The newest event.
    ///   - callback: The newest callback: a primary subscription is told the question.
    ///   - ended: The callbacks that ended; the subscription is told the end of each callback that
    ///     it was told.
    func commit(event: EventNumber, callback: CallbackNumber, ended: [CallbackEnd] = []) {
        state.withLock { state in
            let isIgnored = Fault.wakeIgnored.isPlanted && state.turnstile.idle(at: 0).isOnItsWay
            if !isIgnored { state.committed = max(state.committed, event) }
            state.questions.commit(newest: callback, ended: ended)
        }
    }

    /// Notes that another feed is now the primary.
    func demote() {
        state.withLock { state in
            state.isPrimary = false
            state.isDemoted = true
        }
    }

    /// The last event that was told, once the feed was caught up; nil before.
    var toldAsFollower: EventNumber? {
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
            case .failure(let refusal): if !Fault.trimmedNotTold.isPlanted { end(refusal) }
            }
        } catch {
            // The rows of an unregistered app may be deleted while they are read: that is no
            // damage.
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

    /// Reads the snapshot, events or questions of a turn; nil where there is nothing to tell.
    private func message(
        of turn: Turn,
        _ feeds: Feeds
    ) throws(ReadError) -> Result<EventFeedMessage?, Refusal> {
        let store = feeds.store
        let reader = feeds.reader(mayBeLarge: state.withLock { $0.turnstile.mayBeLarge })
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
            let found = try reader.callbacks(
                of: number,
                after: after,
                upTo: newest,
                asOf: store.clock.now()
            )
            let callbacks = found.callbacks.filter { callback in
                request.role?.answers(callback.question) == true
            }
            let told = callbacks.map(\.number)
            state.withLock { $0.questions.noteAsked(upTo: found.upTo, told: told) }
            guard !callbacks.isEmpty else { return .success(nil) }
            message.callbacks = callbacks
        case .snapshot(let begun):
            var snapshot = if let begun { begun } else { try reader.snapshot(of: number) }
            message.snapshot = try reader.nextPart(of: &snapshot)
            keep(snapshot)
        case .events(let after):
            switch try feeds.slice(of: number, after: after, reader) {
            case .success(let slice): message.slice = slice
            case .failure(let refusal): return .failure(refusal)
            }
        case .heartbeat:
            message.isHeartbeat = true
        }
        return .success(message)
    }

    /// Keeps the rest of the snapshot to tell; the events continue from the snapshot's instant.
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

    /// Notes what a message tells, and completes the message.
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
