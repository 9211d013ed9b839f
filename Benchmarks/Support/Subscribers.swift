internal import BelfryLocking
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationService

/// Subscribers of a store's one center, which take each message at once.
package final class Subscribers: Sendable {
    private struct State {
        /// How often a subscriber was caught up or was told a delivery.
        var toldCount = 0
        var expectedCount = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let count: Int
    private let state = Guarded(State())

    /// Subscribes to a store's center, and waits until all subscribers are caught up.
    package init(_ count: Int, of store: PendingStore) async throws {
        self.count = count
        for number in 0..<count {
            let request = SubscriptionRequest(center: store.center, identifier: "\(number)")
            let subscriber = Subscriber(of: store.center) { self.note($0) }
            try store.feeds.subscribe(request, sink: subscriber)
        }
        await wait(forEach: 1)
    }

    /// Waits until every subscriber was told so many further deliveries.
    package func wait(forEach deliveryCount: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.expectedCount += deliveryCount * count
                state.waiter = continuation
            }
            note(0)
        }
    }

    private func note(_ toldCount: Int) {
        let waiter = state.withLock { state in
            state.toldCount += toldCount
            return state.toldCount < state.expectedCount ? nil : state.waiter.take()
        }
        waiter?.resume()
    }
}

/// A subscriber that encodes its messages as the server does, and sends them nowhere.
private final class Subscriber: FeedSink {
    private let center: Belfry_V1_Center
    private let onMessage: @Sendable (_ toldCount: Int) -> Void
    private let feed = Guarded<EventFeed?>(nil)

    init(of name: CenterName, onMessage: @escaping @Sendable (_ toldCount: Int) -> Void) {
        var center = Belfry_V1_Center()
        center.appID = name.app
        center.deviceID = name.device
        self.center = center
        self.onMessage = onMessage
    }

    func begin(_ feed: EventFeed) { self.feed.withLock { $0 = feed } }

    func send(_ message: EventFeedMessage) {
        let now = WallInstant(nanoseconds: 0)
        keep(message.bytes(center: center, now: now, isPlaceToResume: true))
        var toldCount = message.isCaughtUp ? 1 : 0
        for event in message.events {
            if case .delivered = event.kind { toldCount += 1 }
        }
        feed.withLock { $0 }?.sent()
        onMessage(toldCount)
    }

    func end(_ refusal: Refusal) { feed.withLock { $0 = nil } }
}
