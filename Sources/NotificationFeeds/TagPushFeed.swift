internal import BelfryLocking
package import NotificationCore
internal import NotificationStore

/// The content of one message about a push to many.
package struct TagPushMessage: Sendable {
    /// Whether this is the first message, which says that the push is durable.
    package var isStart = false
    /// Outcomes, in the order of their numbers.
    package var outcomes: [TagPushOutcome] = []
    /// In the last message: how far the push is.
    package var status: TagPushStatus?
}

/// The reader of a push to many: a position among its outcomes, with at most one message on its
/// way.
///
/// There is no queue: a slow reader is only further behind in the rows of the outcomes.
package final class TagPushFeed: PumpedFeed {
    enum Turn: Sendable {
        case start
        case outcomes(after: UInt64)
        case totals(TagPushStatus)
    }

    private struct State {
        var turnstile: Turnstile<TagPushFeed, TagPushMessage>
        /// The last outcome that was told.
        var position: UInt64
        /// Whether there may be outcomes behind the position.
        var hasNews = true
        var isStarted = false
        /// The status with which the stream ends, once all outcomes are told.
        var last: TagPushStatus?
    }

    let number: TagPushNumber
    private let app: String
    // Weak, since the stream may call the feed after the store is gone.
    private weak let feeds: Feeds?
    private let state: Guarded<State>

    init(
        _ number: TagPushNumber,
        of app: String,
        after position: UInt64,
        sink: any FeedSink<TagPushFeed, TagPushMessage>,
        feeds: Feeds
    ) {
        self.number = number
        self.app = app
        self.feeds = feeds
        state = Guarded(State(turnstile: Turnstile(sink, nil), position: position))
    }

    func open() { state.withLock { $0.turnstile.open() } }

    package func sent() {
        state.withLock { $0.turnstile.sent() }
        feeds?.pump.schedule(self)
    }

    package func cancel() {
        let (wasOpen, sink) = state.withLock { $0.turnstile.end() }
        guard wasOpen else { return }
        withExtendedLifetime(sink) { feeds?.pump.forget(self) }
    }

    func end(_ refusal: Refusal) {
        let (wasOpen, sink) = state.withLock { $0.turnstile.end(refusal) }
        sink?.end(refusal)
        if wasOpen { feeds?.pump.forget(self) }
    }

    /// Notes that a durable batch changed the push.
    func commit() { state.withLock { $0.hasNews = true } }

    // MARK: On a thread of the pump

    func takeTurn(isHeartbeatDue: Bool) -> Turn? {
        state.withLock { state in
            guard state.turnstile.isFree else { return nil }
            let turn: Turn
            if !state.isStarted {
                state.isStarted = true
                turn = .start
            } else if let last = state.last {
                turn = .totals(last)
            } else if state.hasNews {
                state.hasNews = false
                turn = .outcomes(after: state.position)
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
            switch turn {
            case .start: send(TagPushMessage(isStart: true))
            case .totals(let status): send(TagPushMessage(status: status))
            case .outcomes(let position):
                let part = try feeds.reader.outcomes(of: number, of: app, after: position)
                guard let part else { return end(.pushNotFound) }
                try tell(part)
            }
        } catch {
            end(feeds.reader.refusal(for: error))
        }
    }

    func endTurn() {
        let (sink, lastWord) = state.withLock { $0.turnstile.endTurn() }
        if let sink, let lastWord { sink.end(lastWord) }
    }

    func idle(at bootNanoseconds: Int64) -> (nanoseconds: Int64, isOnItsWay: Bool) {
        let idle = state.withLock { $0.turnstile.idle(at: bootNanoseconds) }
        // Report no silence: a push has no heartbeat, and a reader that waits is not idle.
        return (idle.isOnItsWay ? idle.nanoseconds : 0, idle.isOnItsWay)
    }

    private func tell(_ part: TagPushPart) throws(ReadError) {
        let isAtEnd = state.withLock { state in
            state.position = part.outcomes.last?.number ?? state.position
            let isAtEnd = state.position >= part.status.deviceCount
            if !isAtEnd { state.hasNews = true }
            // End a stream about a push that waits for its instant, since it does not begin soon:
            // the caller asks again.
            let isWaiting = part.status.beganAt == nil
            if isAtEnd, isWaiting || part.status.endedAt != nil { state.last = part.status }
            return isAtEnd
        }
        guard part.outcomes.isEmpty else {
            return send(TagPushMessage(outcomes: part.outcomes))
        }
        guard isAtEnd else { throw StoreReader.contradiction }
        state.withLock { $0.turnstile.skip() }
    }

    private func send(_ message: TagPushMessage) {
        state.withLock { $0.turnstile.send() }?.send(message)
    }
}

extension Feeds {
    /// Follows a push to many; the messages begin at once, on a thread of the pump.
    ///
    /// `position` is the outcome after which to begin; 0 is from the first. `sink` takes the
    /// messages, and is kept until the feed ends.
    ///
    /// - Returns: The feed, to be cancelled when its reader is gone; the sink gets the feed, too.
    /// - Throws: `PUSH_NOT_FOUND`, that there is no such outcome yet, or a limit.
    @discardableResult
    package func followPush(
        _ number: TagPushNumber,
        of app: String,
        after position: UInt64,
        sink: any FeedSink<TagPushFeed, TagPushMessage>
    ) throws(Refusal) -> TagPushFeed {
        let status = try store.pushStatus(number, of: app)
        guard position <= status.deviceCount else {
            throw .outcomeUnknown(newest: status.deviceCount)
        }
        let feed = TagPushFeed(number, of: app, after: position, sink: sink, feeds: self)
        try pump.add(feed)
        sink.begin(feed)
        feed.open()
        pump.schedule(feed)
        return feed
    }
}
