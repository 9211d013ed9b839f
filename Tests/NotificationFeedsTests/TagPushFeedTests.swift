internal import BelfryLocking
internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

@testable internal import NotificationFeeds

@Suite("What becomes of a push to many is told (W-22)", .timeLimit(.minutes(2)))
struct TagPushFeedTests {
    private let test: TestStore
    private let app = "org.example.app"

    init() throws {
        test = try TestStore()
    }

    private func push(to count: Int) async throws -> TagPushNumber {
        for number in 0..<count {
            _ = try await test.registerForPushes(of: CenterName(app: app, device: "d\(number)"))
        }
        let push = TagPush(
            app: app,
            expression: .everything,
            content: TagPushContent(
                headers: PushHeaders(),
                payload: #"{"aps":{"alert":"a"}}"#
            ),
            deliverAt: nil
        )
        let key = try OnceKey(
            "019b76da-a800-7000-8000-000000000001",
            method: "PushToTags",
            request: []
        )
        return try await test.result { $0.pushToTags(push, once: key, completion: $1) }.get()
    }

    @Test("Each outcome is told once, in order, then the totals", arguments: [0, 1, 299])
    func told(after position: UInt64) async throws {
        let number = try await push(to: 300)
        while try test.store.pushStatus(number, of: app).endedAt == nil { await test.settle() }
        let sink = OutcomeSink()
        try test.feeds.followPush(number, of: app, after: position, sink: sink)
        let messages = try await sink.messages.value.get()
        #expect(messages.first?.isStart == true)
        let outcomes = messages.flatMap(\.outcomes)
        #expect(outcomes.map(\.number) == Array(position + 1...300))
        #expect(messages.allSatisfy { $0.outcomes.count <= 256 })
        #expect(messages.compactMap(\.status).map(\.deviceCount) == [300])
        #expect(messages.last?.status != nil)
    }

    @Test("One who follows from the start is told while the push goes on")
    func live() async throws {
        let number = try await push(to: 600)
        let sink = OutcomeSink()
        try test.feeds.followPush(number, of: app, after: 0, sink: sink)
        let messages = try await sink.messages.value.get()
        #expect(messages.flatMap(\.outcomes).map(\.number) == Array(1...600))
    }

    @Test("What is not known, or has not been, cannot be followed")
    func unknown() async throws {
        let number = try await push(to: 1)
        let sink = OutcomeSink()
        #expect(throws: Refusal.pushNotFound) {
            try test.feeds.followPush(number, of: "org.example.other", after: 0, sink: sink)
        }
        let refusal = #expect(throws: Refusal.self) {
            try test.feeds.followPush(number, of: app, after: 2, sink: sink)
        }
        #expect(refusal?.fields.map(\.path) == [[.afterOutcome]])
    }

    @Test("A stop ends those who follow")
    func stop() async throws {
        let number = try await push(to: 1)
        let sink = OutcomeSink(takesAll: false)
        try test.feeds.followPush(number, of: app, after: 0, sink: sink)
        test.close()
        await #expect(throws: Refusal.stopping) { try await sink.messages.value.get() }
    }
}

/// Takes all messages, or none, and tells them at the end.
private final class OutcomeSink: FeedSink {
    let messages = Pending<[TagPushMessage]>()
    private let takesAll: Bool
    private let state = Guarded<(feed: TagPushFeed?, messages: [TagPushMessage])>((nil, []))

    init(takesAll: Bool = true) {
        self.takesAll = takesAll
    }

    func begin(_ feed: TagPushFeed) { state.withLock { $0.feed = feed } }

    func send(_ message: TagPushMessage) {
        let (feed, all) = state.withLock { state in
            state.messages.append(message)
            return (state.feed, state.messages)
        }
        if message.status != nil {
            // Cancel first: a waiting test may stop the store, which ends a feed that is open.
            feed?.cancel()
            messages.complete(.success(all))
        } else if takesAll {
            feed?.sent()
        }
    }

    func end(_ refusal: Refusal) { messages.complete(.failure(refusal)) }
}
