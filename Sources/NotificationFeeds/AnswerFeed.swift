internal import BelfryLocking
package import NotificationCore
internal import NotificationStore

/// A wait for the answer to one notification (RSP-10): a position in the log of its center, with at
/// most one message on its way.
///
/// A message is the outcome, which is the last, or nil, which says that the connection lives.
package final class AnswerFeed: PumpedFeed {
    struct Turn: Sendable {
        var isHeartbeatDue: Bool
    }

    private struct State {
        var turnstile: Turnstile<AnswerFeed, AnswerOutcome?>
        /// How far the search is; used by the thread that has the turn.
        var progress: AnswerProgress
        /// Whether the notification may have changed since the last look.
        var hasNews = true
        var isTold = false
    }

    let awaited: AwaitedRequest
    // Weak, since the stream may call the feed after the store is gone.
    private weak let feeds: Feeds?
    private let state: Guarded<State>

    init(
        _ awaited: AwaitedRequest,
        after position: EventNumber,
        sink: any FeedSink<AnswerFeed, AnswerOutcome?>,
        feeds: Feeds
    ) {
        self.awaited = awaited
        self.feeds = feeds
        state = Guarded(
            State(
                turnstile: Turnstile(sink, nil),
                progress: AnswerProgress(after: position)
            )
        )
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

    /// Notes that a durable batch changed something under the identifier.
    func commit() { state.withLock { $0.hasNews = true } }

    // MARK: On a thread of the pump

    func takeTurn(isHeartbeatDue: Bool) -> Turn? {
        state.withLock { state in
            guard state.turnstile.isFree, !state.isTold, state.hasNews || isHeartbeatDue else {
                return nil
            }
            state.hasNews = false
            state.turnstile.takeTurn()
            return Turn(isHeartbeatDue: isHeartbeatDue)
        }
    }

    func serve(_ turn: Turn) {
        guard let feeds else { return }
        do {
            var progress = state.withLock { $0.progress }
            let now = feeds.store.clock.now()
            let found = try feeds.reader.outcome(of: awaited, &progress, asOf: now)
            state.withLock { state in
                state.progress = progress
                // Read the rest of a long log in turns of its own, beside those of other feeds.
                if progress.hasMore { state.hasNews = true }
            }
            switch found {
            case .success(nil) where !turn.isHeartbeatDue: state.withLock { $0.turnstile.skip() }
            case .success(let outcome): send(outcome)
            case .failure(let refusal): end(refusal)
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
        state.withLock { $0.turnstile.idle(at: bootNanoseconds) }
    }

    private func send(_ outcome: AnswerOutcome?) {
        let sink = state.withLock { state in
            state.isTold = outcome != nil
            return state.turnstile.send()
        }
        sink?.send(outcome)
    }
}

extension Feeds {
    /// Waits for the answer to a request's notification; the look begins at once, on a thread of
    /// the pump.
    ///
    /// `position` is the event after which to look. `sink` takes the messages, and is kept until
    /// the feed ends.
    ///
    /// - Returns: The feed, to be cancelled when its reader is gone; the sink gets the feed, too.
    /// - Throws: That the app is not registered, that there is no such event yet, or a limit.
    @discardableResult
    package func awaitAnswer(
        to number: RequestNumber,
        named identifier: String,
        of center: CenterName,
        after position: EventNumber,
        sink: any FeedSink<AnswerFeed, AnswerOutcome?>
    ) throws(Refusal) -> AnswerFeed {
        let log = try store.end(of: center)
        guard position <= log.center.lastEvent else {
            throw .eventNumberUnknown(newest: log.center.lastEvent)
        }
        let feed = AnswerFeed(
            AwaitedRequest(center: log.number, identifier: identifier, number: number),
            after: position,
            sink: sink,
            feeds: self
        )
        try pump.add(feed)
        sink.begin(feed)
        feed.open()
        pump.schedule(feed)
        return feed
    }
}
