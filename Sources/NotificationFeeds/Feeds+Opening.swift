internal import Faults
package import NotificationCore
internal import NotificationStore

extension Feeds {
    /// Follows a center's events (FD-1); the messages begin at once, on a thread of the pump.
    ///
    /// - Parameters:
    ///   - request: The center, and the position at which to begin.
    ///   - sink: Where the messages go; kept until the feed ends.
    /// - Returns: The feed, to be cancelled when its reader is gone; the sink gets the feed, too.
    /// - Throws: That the app is not registered, that `after` is beyond the newest event, or a
    ///   limit.
    @discardableResult
    package func subscribe(
        _ request: SubscriptionRequest,
        sink: any FeedSink<EventFeed, EventFeedMessage>
    ) throws(Refusal) -> EventFeed {
        let request = try takingUp(request)
        let feed = try makeFeed(request, sink)
        try pump.add(feed)
        if !Fault.deafSubscriber.isPlanted { sink.begin(feed) }
        attach(feed)
        // Check again: a commit between the reading of the center and the adding of the feed did
        // not wake the feed.
        guard isRegistered(feed) else {
            feed.end(.notRegistered(request.center))
            return feed
        }
        if !Fault.tailLostAtSubscribe.isPlanted, let newest = try? reader.newest(of: feed.number) {
            feed.commit(event: newest.event, callback: newest.callback)
        }
        feed.open()
        pump.schedule(feed)
        if Fault.deafSubscriber.isPlanted { sink.begin(feed) }
        if request.role?.capabilities.contains(.backgroundPush) == true,
            !Fault.pushNotOfferedAtAttach.isPlanted
        {
            store.offerBackgroundPushes(to: request.center)
        }
        return feed
    }

    /// Gives a request that resumes a subscription the identifier, role and state of that
    /// subscription.
    private func takingUp(_ request: SubscriptionRequest) throws(Refusal) -> SubscriptionRequest {
        guard let resumed = request.resumedIdentifier else { return request }
        let number = try store.number(of: request.center)
        let now = store.clock.now().elapsed
        guard let said = sessions.said(by: resumed, for: number, at: now) else {
            throw .subscriptionLost
        }
        var request = request
        request.identifier = resumed
        request.role = said.role
        request.appState = said.appState
        return request
    }

    private func makeFeed(
        _ request: SubscriptionRequest,
        _ sink: any FeedSink<EventFeed, EventFeedMessage>
    ) throws(Refusal) -> EventFeed {
        let end = try store.end(of: request.center)
        if let after = request.after, after > end.center.lastEvent {
            throw .eventNumberUnknown(newest: end.center.lastEvent)
        }
        if let after = request.after, after > 0, after.next < end.center.firstEvent {
            throw .eventsTrimmed(first: end.center.firstEvent)
        }
        return EventFeed(request: request, from: end, sink: sink, feeds: self)
    }

    /// Adds a feed to its app's session, and tells the feed that is no longer the primary.
    private func attach(_ feed: EventFeed) {
        let request = feed.request
        // End the other feed: the client may notice that a connection was cut before the server
        // does.
        other(than: feed, named: request.identifier)?.end(.takenUp)
        let demoted = sessions.attach(
            request,
            owner: ObjectIdentifier(feed),
            to: feed.number,
            at: store.clock.now().elapsed
        )
        if feed.isEnded {
            sessions.detach(request.identifier, owner: ObjectIdentifier(feed), from: feed.number)
        }
        // Look the feed up only now, since the demoted one may have opened just before.
        guard let demoted, let other = other(than: feed, named: demoted) else { return }
        other.demote()
        pump.schedule(other)
    }

    /// Another feed of the same center, by its identifier.
    private func other(than feed: EventFeed, named name: String) -> EventFeed? {
        pump.feeds(of: feed.number).first { $0 !== feed && $0.identifier == name }
    }

    /// Whether the app of a feed is still registered; true where that cannot be read.
    func isRegistered(_ feed: EventFeed) -> Bool {
        do {
            return try reader.center(feed.request.center)?.number == feed.number
        } catch {
            return true
        }
    }

    /// Watches a device: tells first its state, then what it is to show, play and run (W-17).
    ///
    /// `apps` are the apps whose news are told; empty is all. `sink` takes the messages, and is
    /// kept until the feed ends.
    ///
    /// - Returns: The feed, to be cancelled when its reader is gone; the sink gets the feed, too.
    /// - Throws: That there are too many watches, or that the store is stopping.
    @discardableResult
    package func watchDevice(
        _ device: String,
        // Bounded: names of apps, which were validated.
        apps: Set<String> = [],
        sink: any FeedSink<DeviceFeed, DeviceFeedMessage>
    ) throws(Refusal) -> DeviceFeed {
        try open(DeviceFeed(device: device, apps: apps, sink: sink, feeds: self), sink)
    }

    /// Watches what the lock screen of a device would alert with, whether or not it is locked
    /// (WP-2): tells banners, as a locked device shows them, and what left the list, from now on.
    package func watchLockScreen(
        of device: String,
        sink: any FeedSink<DeviceFeed, DeviceFeedMessage>
    ) throws(Refusal) {
        let feed = DeviceFeed(
            device: device,
            apps: [],
            isOfLockScreen: true,
            sink: sink,
            feeds: self
        )
        try open(feed, sink)
    }

    @discardableResult
    private func open(
        _ feed: DeviceFeed,
        _ sink: any FeedSink<DeviceFeed, DeviceFeedMessage>
    ) throws(Refusal) -> DeviceFeed {
        try pump.add(feed)
        sink.begin(feed)
        // Read the snapshot after the next batch: a batch that began earlier notes no news for this
        // feed, and its changes are in the snapshot.
        store.afterNextBatch { [pump] result in
            switch result {
            case .success:
                feed.open()
                pump.schedule(feed)
            case .failure(let refusal): feed.end(refusal)
            }
        }
        return feed
    }
}
