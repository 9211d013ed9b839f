internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

@testable internal import NotificationFeeds

@Suite("Subscriptions (FD-1, W-13)")
struct EventFeedTests {
    let test: TestStore

    init() throws {
        test = try TestStore { $0.limits.eventsPerMessage = 4 }
    }

    /// Registers the app and delivers, so that the newest event is `count`.
    private func record(_ count: Int) async throws {
        try await test.authorize()
        for index in 1..<count { try await test.add(.titled("\(index)")) }
    }

    /// The messages of a subscription have told all that there is.
    private func expectCaughtUp(_ subscription: TestSubscription) async {
        await test.settle()
        #expect(subscription.sink.waitingCount == 0)
    }

    /// The message that has to be there, without waiting for one that may never come.
    private func message(of subscription: TestSubscription) async throws -> EventFeedMessage {
        await test.settle()
        try #require(subscription.sink.waitingCount == 1)
        return try await subscription.peek()
    }

    @Test("From now on: nothing of the past, then each event as it is recorded")
    func fromNow() async throws {
        try await record(3)
        let subscription = try test.subscribe()
        let first = try await subscription.next()
        #expect(first.beginning?.lastEvent == 3)
        #expect(first.isCaughtUp)
        #expect(first.events.isEmpty)
        #expect(first.bookmark == 3)
        try await test.add(.titled("new"))
        let second = try await subscription.next()
        #expect(second.events.map(\.number) == [4])
        #expect(second.beginning == nil)
        #expect(!second.isCaughtUp)
        #expect(second.bookmark == 4)
        await expectCaughtUp(subscription)
    }

    @Test("From the oldest: all of it in slices, then caught up once, then it follows")
    func fromOldest() async throws {
        try await record(10)
        let subscription = try test.subscribe(after: 0)
        let messages = try await subscription.messagesUntilCaughtUp()
        #expect(
            messages.map { $0.events.map(\.number) } == [
                [], [1, 2, 3, 4], [5, 6, 7, 8], [9, 10],
            ]
        )
        #expect(messages.map(\.beginning?.lastEvent) == [10, nil, nil, nil])
        #expect(messages.map(\.bookmark) == [0, 4, 8, 10])
        #expect(messages.map(\.isCaughtUp) == [false, false, false, true])
        await expectCaughtUp(subscription)
        for number in 11...13 {
            try await test.add(.titled("\(number)"))
            let message = try await subscription.next()
            #expect(message.events.map(\.number) == [EventNumber(number)])
            #expect(!message.isCaughtUp)
        }
    }

    @Test("From a bookmark: what comes after it, and nothing twice", arguments: 0...10)
    func fromBookmark(after: EventNumber) async throws {
        try await record(10)
        let subscription = try test.subscribe(after: after)
        let messages = try await subscription.messagesUntilCaughtUp()
        let numbers = messages.flatMap(\.events).map(\.number)
        #expect(numbers == Array(1...10).filter { $0 > after })
        #expect(messages.last?.bookmark == 10)
        #expect(messages.filter(\.isCaughtUp).count == 1)
        await expectCaughtUp(subscription)
    }

    @Test("A bookmark that lies ahead is refused")
    func ahead() async throws {
        try await record(3)
        let refusal = #expect(throws: Refusal.self) { try test.subscribe(after: 4) }
        #expect(refusal?.kind == .outOfRange)
        #expect(refusal?.reason == .eventNumberUnknown)
        #expect(refusal?.fields.map(\.path) == [[.after]])
        #expect(test.feeds.subscriptionCount == 0)
    }

    @Test("A subscription of an app that is not registered is refused")
    func notRegistered() throws {
        #expect(throws: Refusal.notRegistered(test.center)) { try test.subscribe() }
    }

    @Test("One message is on its way at a time, and slowness loses nothing")
    func oneMessageInFlight() async throws {
        try await record(1)
        let subscription = try test.subscribe()
        _ = try await subscription.peek()
        for index in 0..<6 { try await test.add(.titled("\(index)")) }
        await expectCaughtUp(subscription)
        subscription.feed.sent()
        #expect(try await message(of: subscription).events.map(\.number) == [2, 3, 4])
        await expectCaughtUp(subscription)
        subscription.feed.sent()
        #expect(try await message(of: subscription).events.map(\.number) == [5, 6, 7])
        await expectCaughtUp(subscription)
    }

    @Test("A message ends after a number of bytes")
    func byteLimit() async throws {
        try test.reopen { options in
            options.limits.eventsPerMessage = 256
            options.limits.eventBytesPerMessage = 1_000
        }
        try await test.authorize()
        for index in 0..<9 {
            let body = String(repeating: "b", count: 400)
            try await test.add(.titled("\(index)") { $0.body = body })
        }
        let subscription = try test.subscribe(after: 1)
        let messages = try await subscription.messagesUntilCaughtUp()
        #expect(messages.map(\.events.count) == [0, 3, 3, 3])
    }

    @Test("Only the events of its center are told")
    func centers() async throws {
        let other = CenterName.local("org.example.other")
        try await test.authorize()
        try await test.authorize(for: other)
        let subscription = try test.subscribe(after: 0)
        let neighbor = try test.subscribe(after: 0, to: other)
        _ = try await subscription.messagesUntilCaughtUp()
        _ = try await neighbor.messagesUntilCaughtUp()
        try await test.add(.titled("theirs"), to: other)
        try await test.add(.titled("ours"))
        for (one, identifier) in [(subscription, "ours"), (neighbor, "theirs")] {
            guard case .delivered(let event)? = try await one.next().events.first?.kind else {
                Issue.record("no delivery was told")
                continue
            }
            #expect(event.notification.request.identifier == identifier)
            await expectCaughtUp(one)
        }
    }

    @Test("Two subscribers of a center are told the same")
    func twoSubscribers() async throws {
        try await record(6)
        let first = try test.subscribe(after: 0)
        let second = try test.subscribe(after: 3)
        try await test.add(.titled("new"))
        let events = try await first.events(7)
        #expect(events.map(\.number) == Array(1...7))
        #expect(try await second.events(4) == Array(events.suffix(4)))
    }

    @Test("An event that is recorded while a subscription begins is told")
    func recordedMeanwhile() async throws {
        // Where a sync costs nothing, many rounds meet the instant.
        let test = try TestStore()
        try await test.authorize()
        let request = try NotificationRequest.titled("a")
        for round in 0..<2_000 {
            test.store.add(request, to: test.center) { _ in }
            // The add takes as long as some of these reads: how many depends on the machine.
            for _ in 0..<round % 61 { _ = try test.state() }
            let subscription = try test.subscribe()
            await test.settle()
            let newest = try test.state().lastEvent
            var told = try await subscription.next().bookmark
            await test.settle()
            while subscription.sink.waitingCount > 0 {
                told = try await subscription.next().bookmark
                await test.settle()
            }
            try #require(told == newest, "round \(round)")
            subscription.cancel()
        }
    }

    @Test("A cancelled subscription is told nothing more, and its place is free")
    func cancel() async throws {
        try test.reopen { $0.limits.subscriptions = 1 }
        try await record(3)
        let subscription = try test.subscribe()
        _ = try await subscription.next()
        await test.settle()
        let refusal = #expect(throws: Refusal.self) { try test.subscribe() }
        #expect(refusal?.kind == .resourceExhausted)
        #expect(refusal?.reason == .subscriptionLimit)
        #expect(test.feeds.subscriptionCount == 1)

        subscription.cancel()
        subscription.cancel()
        #expect(test.feeds.subscriptionCount == 0)
        try await test.add(.titled("new"))
        subscription.feed.sent()
        await expectCaughtUp(subscription)
        _ = try test.subscribe()
    }

    @Test("A stop ends each subscription once, and no new one begins")
    func stop() async throws {
        try await record(3)
        let idle = try test.subscribe(after: 0)
        _ = try await idle.messagesUntilCaughtUp()
        let busy = try test.subscribe(after: 0)
        _ = try await busy.peek()
        let feeds = test.feeds
        test.close()
        for subscription in [idle, busy] {
            #expect(throws: Refusal.stopping) { try subscription.sink.waiting.first?.get() }
            #expect(subscription.sink.waitingCount == 1)
            subscription.feed.sent()
            subscription.cancel()
            #expect(subscription.sink.waitingCount == 1)
        }
        let request = SubscriptionRequest(center: test.center, identifier: "a subscription")
        #expect(throws: Refusal.stopping) { try feeds.subscribe(request, sink: idle.sink) }
    }

    @Test("A subscription may be spoken to when its store is gone")
    func outlivesStore() async throws {
        try await record(3)
        let subscription = try test.subscribe()
        _ = try await subscription.peek()
        test.close()
        subscription.feed.sent()
        subscription.cancel()
    }

    @Test("A quiet subscriber is told that the server is there")
    func heartbeat() async throws {
        try await record(3)
        let subscription = try test.subscribe()
        _ = try await subscription.next()
        test.feeds.pump.schedule(subscription.feed, isHeartbeatDue: true)
        let message = try await subscription.peek()
        #expect(message.isHeartbeat)
        #expect(message.events.isEmpty)
        #expect(message.bookmark == 3)
        // Heartbeats are not sent while a message is on its way.
        test.feeds.pump.schedule(subscription.feed, isHeartbeatDue: true)
        await expectCaughtUp(subscription)
    }
}
