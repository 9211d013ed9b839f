package import NotificationCore
package import NotificationFeeds
package import NotificationStore

extension TestStore {
    package func state(of center: CenterName? = nil) throws -> CenterState {
        try store.center(center ?? self.center)
    }

    package func pendingPage(
        _ configure: (inout ListQuery) -> Void = { _ in }
    ) async throws -> Page<PendingRequest> {
        var query = ListQuery(center: center)
        configure(&query)
        return try await result { [query] in $0.listPending(query, completion: $1) }.get()
    }

    package func deliveredPage(
        _ configure: (inout ListQuery) -> Void = { _ in }
    ) async throws -> Page<DeliveredNotification> {
        var query = ListQuery(center: center)
        configure(&query)
        return try await result { [query] in $0.listDelivered(query, completion: $1) }.get()
    }

    /// All pending requests that a query asks for, page after page.
    package func pending(
        _ configure: (inout ListQuery) -> Void = { _ in }
    ) async throws -> [PendingRequest] {
        try await pages { token in
            try await self.pendingPage { query in
                configure(&query)
                query.token = token
            }
        }.flatMap(\.entries)
    }

    /// All delivered notifications that a query asks for, page after page.
    package func delivered(
        _ configure: (inout ListQuery) -> Void = { $0.order = .newestFirst }
    ) async throws -> [DeliveredNotification] {
        try await pages { token in
            try await self.deliveredPage { query in
                configure(&query)
                query.token = token
            }
        }.flatMap(\.entries)
    }

    /// All pages of a list, the first of which has no token.
    package func pages<Entry: Sendable>(
        _ read: (_ token: [UInt8]?) async throws -> Page<Entry>
    ) async throws -> [Page<Entry>] {
        var pages = [try await read(nil)]
        while let token = pages.last?.nextToken { pages.append(try await read(token)) }
        return pages
    }

    /// Reads a page of what a device shows.
    package func shown(_ query: DeviceListQuery) async throws -> DeviceListPage {
        try await result { feeds.listNotificationCenter(query, completion: $1) }.get()
    }

    package func subscribe(
        after: EventNumber? = nil,
        wantsSnapshot: Bool = false,
        to center: CenterName? = nil,
        as role: DelegateRole? = nil,
        _ appState: AppState = .notRunning,
        named identifier: String = "subscription \(UInt64.random(in: .min ... .max))"
    ) throws -> TestSubscription {
        var request = SubscriptionRequest(
            center: center ?? self.center,
            identifier: identifier
        )
        request.after = after
        request.wantsSnapshot = wantsSnapshot
        request.role = role
        request.appState = appState
        let sink = RecordingSink<EventFeed, EventFeedMessage>()
        return TestSubscription(try feeds.subscribe(request, sink: sink), sink)
    }

    /// A center's events after a number, as a subscriber is told them.
    package func events(
        after: EventNumber = 0,
        of center: CenterName? = nil
    ) async throws -> [Event] {
        let subscription = try subscribe(after: after, to: center)
        defer { subscription.cancel() }
        return try await subscription.messagesUntilCaughtUp().flatMap(\.events)
    }
}
