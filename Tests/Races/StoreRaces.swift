internal import BelfryLocking
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationStore
internal import TestSupport

/// The store and its feeds: commands, lists, subscribers and watchers at once, and a stop among
/// them.
enum StoreRaces {
    private static let apps = (0..<4).map { CenterName.local("org.example.app\($0)") }
    private static let rounds = 40

    static func run() async throws {
        let test = try TestStore()
        try await test.authorize()
        for app in apps { try await test.authorize(for: app) }
        let bell = Bell()
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask { await follow(test, until: bell) }
                group.addTask { await comeAndGo(test, until: bell) }
                group.addTask { await watch(test, until: bell) }
                group.addTask { await list(test, until: bell) }
            }
            group.addTask {
                try await withThrowingTaskGroup { group in
                    for app in apps { group.addTask { try await write(test, app) } }
                    try await group.waitForAll()
                }
                bell.ring()
            }
            try await group.waitForAll()
        }
        precondition(test.failure == nil, "the store failed")
        await stop(test)
        test.close()
    }

    /// Adds, fires and removes.
    private static func write(_ test: TestStore, _ app: CenterName) async throws {
        for round in 0..<rounds {
            try await test.addAll(
                [.titled("now \(round)"), .titled("later \(round)", in: .seconds(1 + round % 3))],
                to: app
            )
            try await test.advance(by: .milliseconds(300))
            if round % 4 == 0 { try await test.updateDevice { $0.isMuted.toggle() } }
            if round % 8 == 0 {
                _ = try await test.result { $0.removeAllDelivered(from: app, completion: $1) }.get()
            }
        }
    }

    /// Subscribes, reads some messages, and cancels.
    private static func follow(_ test: TestStore, until bell: Bell) async {
        var round = 0
        while !bell.hasRung {
            let sink = EagerSink<EventFeed, EventFeedMessage> { $0.sent() }
            let request = SubscriptionRequest(
                center: apps[round % apps.count],
                identifier: "subscription \(round) \(UInt64.random(in: .min ... .max))"
            )
            let feed = try? test.feeds.subscribe(request, sink: sink)
            await sink.hear(3 + round % 5, until: bell)
            feed?.cancel()
            round += 1
        }
    }

    /// Subscribes and cancels at once: the feeds of the centers change in the midst of each commit.
    private static func comeAndGo(_ test: TestStore, until bell: Bell) async {
        var round = 0
        while !bell.hasRung {
            let sink = EagerSink<EventFeed, EventFeedMessage> { $0.sent() }
            let request = SubscriptionRequest(
                center: apps[round % apps.count],
                identifier: "visit \(round) \(UInt64.random(in: .min ... .max))"
            )
            try? test.feeds.subscribe(request, sink: sink).cancel()
            round += 1
            await Task.yield()
        }
    }

    /// Watches the device, sees something, and goes.
    private static func watch(_ test: TestStore, until bell: Bell) async {
        while !bell.hasRung {
            let sink = EagerSink<DeviceFeed, DeviceFeedMessage> { $0.sent() }
            let feed = try? test.feeds.watchDevice(CenterName.localDevice, sink: sink)
            await sink.hear(5, until: bell)
            feed?.cancel()
        }
    }

    private static func list(_ test: TestStore, until bell: Bell) async {
        while !bell.hasRung {
            for app in apps {
                _ = try? await test.pendingPage { $0.center = app }
                _ = try? await test.deliveredPage { $0.center = app }
            }
        }
    }

    /// Stops while everything goes on: commands may be refused then.
    private static func stop(_ test: TestStore) async {
        let bell = Bell()
        await withTaskGroup { group in
            for app in apps { group.addTask { try? await write(test, app) } }
            group.addTask { await follow(test, until: bell) }
            group.addTask { await watch(test, until: bell) }
            group.addTask {
                try? await Task.sleep(for: .milliseconds(200))
                test.feeds.stop()
                bell.ring()
            }
        }
    }
}

/// Says that it took each message from another thread than the one that brought it.
private final class EagerSink<Feed: Sendable, Message>: FeedSink {
    private struct State {
        var feed: Feed?
        var count = 0
    }

    private let state = Guarded(State())
    private let take: @Sendable (Feed) -> Void

    init(_ take: @escaping @Sendable (Feed) -> Void) { self.take = take }

    func begin(_ feed: Feed) { state.withLock { $0.feed = feed } }

    func send(_ message: Message) {
        let feed = state.withLock { state in
            state.count += 1
            return state.feed
        }
        guard let feed else { return }
        Task { [take] in take(feed) }
    }

    func end(_ refusal: Refusal) { state.withLock { $0.feed = nil } }

    /// Waits for so many messages, or for the end of all.
    func hear(_ count: Int, until bell: Bell) async {
        while !bell.hasRung, state.withLock({ $0.count < count && $0.feed != nil }) {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }
}
