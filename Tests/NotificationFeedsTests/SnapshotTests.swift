internal import NotificationCore
internal import NotificationFeeds
internal import NotificationStore
internal import TestSupport
internal import Testing

@Suite("Subscriptions that begin with a snapshot (FD-3)")
struct SnapshotTests {
    let test: TestStore

    init() throws {
        test = try TestStore { $0.limits.eventsPerMessage = 4 }
    }

    @Test(
        "The delivered list comes in parts, the oldest first, and then it follows",
        arguments: [0, 1, 4, 5, 8, 9]
    )
    func parts(count: Int) async throws {
        try await test.authorize()
        for index in 0..<count { try await test.add(.titled("\(index)")) }
        try await test.add(.titled("pending", in: .seconds(60)))
        try await test.setBadge(7)
        let state = try test.state()
        let subscription = try test.subscribe(wantsSnapshot: true)
        let messages = try await subscription.messagesUntilCaughtUp()
        #expect(messages.first?.beginning?.lastEvent == state.lastEvent)
        let parts = messages.compactMap(\.snapshot)
        #expect(messages.count == parts.count + 1)
        #expect(parts.map(\.isComplete) == parts.indices.map { $0 == parts.count - 1 })
        #expect(parts.allSatisfy { $0.center == state && $0.delivered.count <= 4 })
        let delivered = try await test.delivered()
        #expect(parts.flatMap(\.delivered) == delivered.reversed())
        #expect(messages.flatMap(\.events).isEmpty)
        #expect(messages.last?.bookmark == state.lastEvent)

        try await test.add(.titled("new"))
        #expect(try await subscription.next().events.map(\.number) == [state.lastEvent.next])
    }

    @Test("What happens while the parts are told comes after them as events")
    func changesMeanwhile() async throws {
        try await test.authorize()
        for index in 0..<9 { try await test.add(.titled("\(index)")) }
        let delivered = try await test.delivered()
        let subscription = try test.subscribe(wantsSnapshot: true)
        var messages = [try await subscription.next(), try await subscription.peek()]
        try await test.removeDelivered(["8", "7"])
        try await test.add(.titled("6"))
        try await test.add(.titled("new"))
        subscription.feed.sent()
        messages += try await subscription.messagesUntilCaughtUp()
        // The snapshot is the list as it was when the subscription began.
        let parts = messages.compactMap(\.snapshot)
        #expect(parts.flatMap(\.delivered) == delivered.reversed())
        #expect(parts.allSatisfy { $0.center.deliveredCount == 9 })
        #expect(messages.flatMap(\.events).map(\.number) == [11, 12, 13, 14])
        let firstEvents = try #require(messages.firstIndex { !$0.events.isEmpty })
        let lastPart = try #require(messages.lastIndex { $0.snapshot != nil })
        #expect(lastPart < firstEvents)
    }

    @Test("A part ends after a number of bytes")
    func byteLimit() async throws {
        try test.reopen { $0.limits.eventBytesPerMessage = 1_000 }
        try await test.authorize()
        for index in 0..<5 {
            let body = String(repeating: "b", count: 600)
            try await test.add(.titled("\(index)") { $0.body = body })
        }
        let subscription = try test.subscribe(wantsSnapshot: true)
        let messages = try await subscription.messagesUntilCaughtUp()
        #expect(messages.compactMap(\.snapshot).map(\.delivered.count) == [2, 2, 1])
    }
}
