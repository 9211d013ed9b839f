internal import BelfryLocking
internal import Foundation
internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

@testable internal import NotificationFeeds

@Suite("The calls of a subscription's sink come one at a time")
struct SinkTests {
    @Test("A message that is taken at once does not let the next one overtake it")
    func takenAtOnce() async throws {
        let test = try TestStore { $0.limits.eventsPerMessage = 1 }
        try await test.authorize()
        try await test.addAll((0..<500).map { try .titled("\($0)") })
        var request = SubscriptionRequest(center: test.center, identifier: "a subscription")
        request.after = 0
        let sink = EagerSink()
        try test.feeds.subscribe(request, sink: sink)
        let (numbers, overlaps) = try await sink.told
        #expect(numbers == Array(1...501))
        #expect(overlaps == 0)
    }

    @Test("A stop waits for a message that is being sent, and ends the stream after it")
    func stopDuringSend() async throws {
        let test = try TestStore()
        try await test.authorize()
        let sink = SlowSink<EventFeed, EventFeedMessage>()
        let request = SubscriptionRequest(center: test.center, identifier: "a subscription")
        try test.feeds.subscribe(request, sink: sink)
        await stop(test.feeds, during: sink)
        #expect(sink.calls == ["begin", "send begins", "send ends", "end"])
    }

    @Test("A watcher's stop waits for a message that is being sent, too")
    func stopDuringSendToWatcher() async throws {
        let test = try TestStore()
        let sink = SlowSink<DeviceFeed, DeviceFeedMessage>()
        try test.feeds.watchDevice("tablet", sink: sink)
        await stop(test.feeds, during: sink)
        #expect(sink.calls == ["begin", "send begins", "send ends", "end"])
    }

    /// Stops while a sink is in its first `send`, which ends once the stop has come to the feed.
    private func stop<Feed, Message>(_ feeds: Feeds, during sink: SlowSink<Feed, Message>) async {
        await sink.begun.value
        let stopped = Signal()
        Thread.detachNewThread {
            feeds.stop()
            stopped.send()
        }
        // The stop has come to the feeds when they have forgotten this one.
        while feeds.subscriptionCount > 0 || feeds.pump.isWatched("tablet") { await Task.yield() }
        sink.mayEnd.signal()
        await stopped.value
    }

    @Test("A sink that holds its subscription is let go when that ends", arguments: [false, true])
    func letGo(byStop: Bool) async throws {
        let test = try TestStore()
        try await test.authorize()
        weak var weakSink: EagerSink?
        do {
            let sink = EagerSink()
            weakSink = sink
            let request = SubscriptionRequest(center: test.center, identifier: "a subscription")
            let subscription = try test.feeds.subscribe(request, sink: sink)
            _ = try await sink.told
            if !byStop { subscription.cancel() }
        }
        await test.settle()
        if byStop { test.close() }
        #expect(weakSink == nil)
    }
}

/// Something that happens once, to wait for.
private final class Signal: Sendable {
    private let pending = Pending<Bool>()

    func send() { pending.complete(.success(true)) }

    var value: Void {
        get async { _ = await pending.value }
    }
}

/// Says that each message was taken before its `send` returns.
private final class EagerSink: FeedSink {
    private struct State {
        var feed: EventFeed?
        var numbers: [EventNumber] = []
        var isSending = false
        var overlaps = 0
    }

    private let state = Guarded(State())
    private let whole = Pending<(numbers: [EventNumber], overlaps: Int)>()

    /// The numbers of all events, and how often a call began before the one before it returned.
    var told: (numbers: [EventNumber], overlaps: Int) {
        get async throws { try await whole.value.get() }
    }

    func begin(_ feed: EventFeed) {
        state.withLock { $0.feed = feed }
    }

    func send(_ message: EventFeedMessage) {
        let subscription = state.withLock { state in
            if state.isSending { state.overlaps += 1 }
            state.isSending = true
            state.numbers += message.events.map(\.number)
            return state.feed
        }
        subscription?.sent()
        // Time for the other reader thread to come here, if it may.
        sched_yield()
        let result = state.withLock { state in
            state.isSending = false
            return (numbers: state.numbers, overlaps: state.overlaps)
        }
        if message.isCaughtUp { whole.complete(.success(result)) }
    }

    func end(_ refusal: Refusal) {}
}

/// Keeps its first message until it is told to go on.
private final class SlowSink<Feed, Message>: FeedSink {
    let begun = Signal()
    let mayEnd = DispatchSemaphore(value: 0)
    private let recorded = Guarded<[String]>([])

    var calls: [String] { recorded.withLock { $0 } }

    func begin(_ feed: Feed) { recorded.withLock { $0.append("begin") } }

    func send(_ message: Message) {
        recorded.withLock { $0.append("send begins") }
        begun.send()
        mayEnd.wait()
        recorded.withLock { $0.append("send ends") }
    }

    func end(_ refusal: Refusal) {
        recorded.withLock { $0.append("end") }
    }
}
