internal import BelfryLocking
package import NotificationCore
package import NotificationFeeds
internal import NotificationStore

/// A subscriber that a test reads message by message.
package final class TestSubscription: Sendable {
    package let feed: EventFeed
    /// Where its messages go.
    package let sink: RecordingSink<EventFeed, EventFeedMessage>

    init(_ feed: EventFeed, _ sink: RecordingSink<EventFeed, EventFeedMessage>) {
        self.feed = feed
        self.sink = sink
    }

    /// Waits for the next message, and leaves it on its way.
    ///
    /// - Throws: What the stream ended with.
    package func peek() async throws -> EventFeedMessage {
        try await sink.next().get()
    }

    /// Waits for the subscription's next message, and says that it was taken.
    ///
    /// - Throws: What the stream ended with.
    package func next() async throws -> EventFeedMessage {
        let message = try await peek()
        feed.sent()
        return message
    }

    /// Takes messages up to the one that says that nothing more waits.
    package func messagesUntilCaughtUp() async throws -> [EventFeedMessage] {
        var messages = [try await next()]
        while messages.last?.isCaughtUp == false { messages.append(try await next()) }
        return messages
    }

    /// Takes messages of the store until they held `count` events, and gives those.
    package func events(_ count: Int) async throws -> [Event] {
        var events: [Event] = []
        while events.count < count { events += try await next().events }
        return events
    }

    /// Takes messages until they held `count` questions, and gives those.
    package func callbacks(_ count: Int) async throws -> [Callback] {
        var callbacks: [Callback] = []
        while callbacks.count < count { callbacks += try await next().callbacks }
        return callbacks
    }

    /// Takes messages until one tells that a question ended, and gives how they did.
    package func callbackEnds() async throws -> [CallbackEnd] {
        var ends: [CallbackEnd] = []
        while ends.isEmpty { ends = try await next().endedCallbacks }
        return ends
    }

    package func cancel() {
        feed.cancel()
    }
}

/// Keeps the messages of a feed until they are asked for.
package final class RecordingSink<Feed: Sendable, Message: Sendable>: FeedSink {
    /// A message, or the refusal that ended the stream.
    package typealias Item = Result<Message, Refusal>

    private struct State {
        var items: [Item] = []
        var waiter: CheckedContinuation<Item, Never>?
    }

    private let state = Guarded(State())

    init() {}

    package var waiting: [Item] { state.withLock { $0.items } }

    /// How many messages were sent and not yet asked for.
    package var waitingCount: Int { waiting.count }

    /// Needs no feed: the test says itself that a message was taken.
    package func begin(_ feed: Feed) {}

    package func send(_ message: Message) { keep(.success(message)) }

    package func end(_ refusal: Refusal) { keep(.failure(refusal)) }

    /// Waits for the next message; one at a time.
    package func next() async -> Item {
        await withCheckedContinuation { continuation in
            let item = state.withLock { state -> Item? in
                guard state.items.isEmpty else { return state.items.removeFirst() }
                precondition(state.waiter == nil, "two wait for one message")
                state.waiter = continuation
                return nil
            }
            if let item { continuation.resume(returning: item) }
        }
    }

    private func keep(_ item: Item) {
        let waiter = state.withLock { state -> CheckedContinuation<Item, Never>? in
            if state.waiter == nil { state.items.append(item) }
            return state.waiter.take()
        }
        waiter?.resume(returning: item)
    }
}
