internal import BelfryLocking
package import BelfryWebPush
internal import Faults
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationStore

/// How a server tells browsers of alerts while no page is open (WP-1).
package struct WebPushOptions: Sendable {
    /// The push services that are sent to.
    package var services: PushServices
    /// Where push services write to about the server: a `mailto:` or `https:` URI.
    package var contact: String
    /// Sends a request; gives nil where the push service was not reached, or did not answer.
    package var carry: @Sendable (PushRequest) async -> PushAnswer?

    package init(
        services: PushServices,
        contact: String,
        carry: @escaping @Sendable (PushRequest) async -> PushAnswer?
    ) {
        self.services = services
        self.contact = contact
        self.carry = carry
    }
}

/// Watches the devices that have browsers to tell, and tells these of the device's alerts.
final class WebPushes: Sendable {
    private struct State {
        /// Bounded: ``StoreLimits/webPushDevices``.
        var watches: [String: LockScreenWatch] = [:]
        var isStopped = false
    }

    /// How long an alert is of use to who was away.
    private static let lifeSeconds = 24 * 3_600
    /// After how long a watch that ended is opened again.
    private static let pause = Duration.seconds(1)

    let services: PushServices
    /// The key with which a browser subscribes.
    let publicKey: String
    // Weak, since a request that is open must not keep the store open.
    private weak let feeds: Feeds?
    /// Whether a token, by its digest, is neither revoked nor expired.
    private let counts: @Sendable ([UInt8]) -> Bool
    private let queue: PushQueue
    private let state = Guarded(State())

    /// Makes it; nil where the contact is none.
    ///
    /// `counts` tells whether a token, by its digest, is neither revoked nor expired.
    init?(
        _ options: WebPushOptions,
        feeds: Feeds,
        counts: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        let key = CurveKey(secret: feeds.store.webPushSecret)
        guard let sender = PushSender(key: key, contact: options.contact) else { return nil }
        services = options.services
        publicKey = sender.publicKey
        self.feeds = feeds
        self.counts = counts
        queue = PushQueue(sender: sender, carry: options.carry)
        queue.whenGone { [weak self] target in self?.forget(target) }
    }

    /// Begins to watch the devices that have browsers.
    func start() {
        guard let devices = try? feeds?.store.webPushDevices() else { return }
        for device in devices { refresh(device) }
    }

    /// Forgets the browsers whose tokens do not count any more.
    func refreshAll() {
        // Whoever changed the tokens must not wait for reads.
        Task {
            for device in state.withLock({ Array($0.watches.keys) }) { refresh(device) }
        }
    }

    var totals: PushQueue.Counts { queue.totals }

    /// Takes the present browsers of a device, once they have changed.
    func refresh(_ device: String) {
        var revoked: [PushQueue.Target] = []
        let ended: DeviceFeed? = state.withLock { state in
            guard !state.isStopped, let feeds else { return nil }
            let known = (try? feeds.store.webPushSubscriptions(of: device)) ?? []
            // Bounded: an identifier is 16 digits.
            var addresses: [String: PushQueue.Address] = [:]
            for subscription in known {
                if let token = subscription.token, !isCounted(token) {
                    revoked.append(.init(device: device, identifier: subscription.identifier))
                    continue
                }
                // An endpoint that is not allowed any more is not told.
                guard let endpoint = try? PushEndpoint(subscription.endpoint, of: services),
                    let receiver = PushReceiver(
                        point: subscription.point,
                        secret: subscription.secret
                    )
                else { continue }
                addresses[subscription.identifier] = .init(
                    endpoint: endpoint,
                    receiver: receiver
                )
            }
            queue.set(addresses, of: device)
            guard !addresses.isEmpty else {
                return state.watches.removeValue(forKey: device)?.close()
            }
            guard state.watches[device] == nil else { return nil }
            let watch = LockScreenWatch(of: self)
            state.watches[device] = watch
            do {
                try feeds.watchLockScreen(of: device, sink: watch)
            } catch {
                state.watches[device] = nil
                again(device)
            }
            return nil
        }
        ended?.cancel()
        for target in revoked { forget(target) }
    }

    private func isCounted(_ token: [UInt8]) -> Bool {
        counts(token) || Fault.revokedTokenPushedTo.isPlanted
    }

    /// Ends the watches and the requests that are open, and waits for none.
    func stop() {
        let feeds = state.withLock { state in
            state.isStopped = true
            defer { state.watches = [:] }
            return state.watches.values.compactMap { $0.close() }
        }
        for feed in feeds { feed.cancel() }
        queue.stop()
    }

    /// Forgets a browser that is not subscribed any more.
    private func forget(_ target: PushQueue.Target) {
        let store = feeds?.store
        store?.deleteWebPushSubscription(target.identifier, on: target.device) { [weak self] in
            guard case .success = $0 else { return }
            // The writer must not be kept.
            Task { self?.refresh(target.device) }
        }
    }

    private func again(_ device: String) {
        Task { [weak self] in
            try? await Task.sleep(for: Self.pause)
            self?.refresh(device)
        }
    }

    // MARK: From the watches

    fileprivate func told(_ frame: DeviceFrame) {
        switch frame {
        case .banner(_, let shown):
            let message = PushQueue.Message(
                subject: Self.subject(of: shown.reference),
                text: PushText(shown),
                urgency: shown.level >= .timeSensitive ? .high : .normal,
                end: PushQueue.seconds + Self.lifeSeconds
            )
            queue.put(message, to: shown.reference.center.device)
        case .news(.removed(let reference, _, _)):
            queue.drop(Self.subject(of: reference), of: reference.center.device)
        default: break
        }
    }

    fileprivate func ended(_ watch: LockScreenWatch) {
        let device = state.withLock { state -> String? in
            let device = state.watches.first { $0.value === watch }?.key
            if let device { state.watches[device] = nil }
            return state.isStopped ? nil : device
        }
        if let device { again(device) }
    }

    /// A notification, whichever of its deliveries: a later one replaces what was told of it.
    private static func subject(of reference: NotificationReference) -> [UInt8] {
        let parts = [reference.center.device, reference.center.app, reference.identifier]
        return Array(parts.joined(separator: "\0").utf8)
    }
}

/// The watch of one device's lock screen.
private final class LockScreenWatch: FeedSink {
    private struct State {
        var feed: DeviceFeed?
        var isClosed = false
    }

    private weak let owner: WebPushes?
    private let state = Guarded(State())

    init(of owner: WebPushes) { self.owner = owner }

    /// Gives the feed, which is to be cancelled.
    func close() -> DeviceFeed? {
        state.withLock { state in
            state.isClosed = true
            return state.feed.take()
        }
    }

    func begin(_ feed: DeviceFeed) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.feed = feed }
            return state.isClosed
        }
        if isClosed { feed.cancel() }
    }

    func send(_ message: DeviceFeedMessage) {
        if case .frames(let frames) = message {
            for frame in frames { owner?.told(frame) }
        }
        state.withLock { $0.feed }?.sent()
    }

    func end(_ refusal: Refusal) {
        _ = close()
        owner?.ended(self)
    }
}
