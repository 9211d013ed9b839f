internal import BelfryLocking
internal import Faults
package import NotificationCore
internal import NotificationStore

/// A call of an extension that wants to serve.
package struct ServingRequest: Hashable, Sendable {
    package var app: String
    package var `extension`: AppExtension
    /// Names the call in answers; no other call has it.
    package var identifier: String

    package init(app: String, extension: AppExtension, identifier: String) {
        self.app = app
        self.extension = `extension`
        self.identifier = identifier
    }
}

package struct ExtensionFeedMessage: Sendable {
    /// The name of the call; only in the first message.
    package var servingIdentifier: String?
    package var callbacks: [ExtensionCallback] = []
    /// The questions whose deadline is near (NSE-3): told before, or in this message.
    package var expiring: [ExtensionCallback.Name] = []
    /// The ends of questions that this call was told.
    package var ended: [(name: ExtensionCallback.Name, outcome: CallbackOutcome)] = []
    /// The news of open notifications.
    package var contents: [ToldContent] = []
    package var isHeartbeat = false
}

/// A call in which an extension serves its app on all devices: it is told the open questions that
/// it is to answer, of all centers, and when these end.
///
/// Both kinds of extensions have this feed. A question is a row of `callbacks` with a row of
/// `extension_questions`, through which ``StoreReader`` finds the questions of one extension; so a
/// new kind of question needs a case of ``ExtensionCallback/Question`` and a row, and nothing here.
/// News that need no answer (frames about a presentation) are in ``ExtensionNews``, and are told
/// before the questions: an extension knows of a presentation before it is asked about it.
package final class ExtensionFeed: PumpedFeed {
    /// The content of the next message to an extension.
    enum Turn: Sendable {
        case start
        case contents([ContentNews])
        case ended([CallbackEnd])
        case questions(after: CallbackNumber, upTo: CallbackNumber)
        case expiring([CallbackNumber])
        case heartbeat
    }

    private struct State {
        var turnstile: Turnstile<ExtensionFeed, ExtensionFeedMessage>
        var isStarted = false
        var questions = Questions(newest: 0)
        var contents = ContentQueue()
        /// The questions whose deadline is near, and that are still to be told so.
        var expiring: Set<CallbackNumber> = []
        /// The open questions that were told so.
        var warned: Set<CallbackNumber> = []
        /// The centers of the questions that were told, until their end is told.
        var centers: [CallbackNumber: CenterNumber] = [:]

        func name(of callback: CallbackNumber) -> ExtensionCallback.Name? {
            centers[callback].map { .init(center: $0, number: callback) }
        }
    }

    /// How many frames about presentations one message holds at most: each may hold the content of
    /// a notification.
    private static let contentsPerMessage = 8

    let request: ServingRequest
    // Weak, since the stream may call the feed after the store is gone.
    private weak let feeds: Feeds?
    private let state: Guarded<State>

    init(
        request: ServingRequest,
        sink: any FeedSink<ExtensionFeed, ExtensionFeedMessage>,
        feeds: Feeds
    ) {
        self.request = request
        self.feeds = feeds
        state = Guarded(State(turnstile: Turnstile(sink, feeds.pump.rooms)))
    }

    var isEnded: Bool { state.withLock { $0.turnstile.isEnded } }

    func open() { state.withLock { $0.turnstile.open() } }

    package func sent() {
        state.withLock { $0.turnstile.sent() }
        feeds?.pump.schedule(self)
    }

    /// Ends the feed of a call without telling its sink; from any thread.
    ///
    /// - Parameter isCut: Whether the connection was cut, so that the extension may come back.
    package func cancel(isCut: @autoclosure () -> Bool = false) {
        let (wasOpen, sink) = state.withLock { $0.turnstile.end() }
        guard wasOpen else { return }
        withExtendedLifetime(sink) { leave(isCut: isCut()) }
    }

    func end(_ refusal: Refusal) {
        let (wasOpen, sink) = state.withLock { $0.turnstile.end(refusal) }
        sink?.end(refusal)
        if wasOpen { leave(isCut: false) }
    }

    /// Removes the feed from the pump.
    ///
    /// A cut call keeps its place for a while. The open questions of any other call that served end
    /// now.
    private func leave(isCut: Bool) {
        guard let feeds else { return }
        let owner = ObjectIdentifier(self)
        if isCut {
            feeds.extensions.cut(request, owner: owner, at: feeds.store.clock.now().elapsed)
        } else if feeds.extensions.detach(request, owner: owner),
            !Fault.unservedQuestionsWait.isPlanted
        {
            feeds.store.endUnservedQuestions(of: request.app)
        }
        feeds.pump.forget(self)
    }

    /// Notes that there are questions up to a number.
    func note(newest: CallbackNumber) {
        state.withLock { $0.questions.commit(newest: newest, ended: []) }
    }

    /// Notes the open notifications when the extension begins to serve.
    func note(open contents: [ContentNews]) {
        state.withLock { $0.contents.begin(with: contents) }
    }

    /// Notes the news of a durable batch for the app's extensions.
    func commit(_ news: ExtensionNews) {
        let isTooLong = state.withLock { state in
            state.contents.append(news.contents, for: request.extension.identifier)
            state.questions.commit(newest: news.newest, ended: news.ended)
            state.expiring.formUnion(news.expiring)
            for end in news.ended {
                state.expiring.remove(end.callback)
                state.warned.remove(end.callback)
            }
            return state.contents.isTooLong
        }
        if isTooLong { end(.stalled) }
    }

    // MARK: On a thread of the pump

    func takeTurn(isHeartbeatDue: Bool) -> Turn? {
        state.withLock { state in
            guard state.turnstile.isFree else { return nil }
            let turn: Turn
            if !state.isStarted {
                turn = .start
            } else if !state.contents.isEmpty {
                let count = state.turnstile.isProven ? Self.contentsPerMessage : 1
                turn = .contents(state.contents.take(atMost: count))
            } else if !state.questions.ended.isEmpty {
                turn = .ended(state.questions.takeEnds())
            } else if let range = state.questions.begin() {
                turn = .questions(after: range.after, upTo: range.upTo)
            } else if let expiring = Self.takeExpiring(&state) {
                turn = .expiring(expiring)
            } else if isHeartbeatDue {
                turn = .heartbeat
            } else {
                return nil
            }
            state.turnstile.takeTurn()
            return turn
        }
    }

    /// Takes the told questions whose deadline is near; nil where there are none.
    private static func takeExpiring(_ state: inout State) -> [CallbackNumber]? {
        guard !state.expiring.isEmpty else { return nil }
        let expiring = state.expiring.filter { number in
            state.questions.isTold(number) && !state.warned.contains(number)
        }
        state.expiring = []
        state.warned.formUnion(expiring)
        return expiring.isEmpty ? nil : expiring.sorted()
    }

    func serve(_ turn: Turn) {
        guard let feeds else { return }
        do {
            if let message = try message(of: turn, feeds) {
                send(message)
            } else {
                state.withLock { $0.turnstile.skip() }
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

    /// Reads the frames, questions or ends of a turn; nil where there is nothing to tell.
    private func message(
        of turn: Turn,
        _ feeds: Feeds
    ) throws(ReadError) -> ExtensionFeedMessage? {
        let reader = feeds.reader(mayBeLarge: state.withLock { $0.turnstile.mayBeLarge })
        var message = ExtensionFeedMessage()
        switch turn {
        case .start: message.servingIdentifier = request.identifier
        case .contents(let contents):
            for item in contents {
                if let told = try ToldContent(item, reader) { message.contents.append(told) }
            }
            guard !message.contents.isEmpty else { return nil }
        case .ended(let ended):
            message.ended = state.withLock { state in
                ended.compactMap { end in
                    defer { state.centers[end.callback] = nil }
                    return state.name(of: end.callback).map { ($0, end.outcome) }
                }
            }
        case .expiring(let expiring):
            message.expiring = state.withLock { state in expiring.compactMap(state.name) }
        case .heartbeat: message.isHeartbeat = true
        case .questions(let after, let newest):
            let found = try reader.questions(
                to: request.extension,
                of: request.app,
                after: after,
                upTo: newest,
                asOf: feeds.store.clock.now()
            )
            let names = found.callbacks.map(\.name)
            message.callbacks = found.callbacks
            message.expiring = found.callbacks.filter(\.isExpiring).map(\.name)
            state.withLock { state in
                for name in names { state.centers[name.number] = name.center }
                state.questions.noteAsked(upTo: found.upTo, told: names.map(\.number))
                state.warned.formUnion(message.expiring.map(\.number))
            }
            guard !names.isEmpty else { return nil }
        }
        return message
    }

    private func send(_ message: ExtensionFeedMessage) {
        let sink = state.withLock { state in
            state.isStarted = true
            return state.turnstile.send()
        }
        sink?.send(message)
    }
}
