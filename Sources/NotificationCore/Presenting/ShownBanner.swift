internal import Faults

/// A notification on the screen that has no entry in the list: a person may act on it for as long
/// as it shows (P-1, D-26).
package struct ShownBanner: Hashable, Sendable {
    package var identifier: String
    package var delivery: DeliveryNumber
    /// The sequence number in the store of the notification's request.
    package var sequence: RequestNumber
    /// The number of the delivery's event.
    package var event: EventNumber
    /// When the notification was delivered, and the banner began to show.
    package var date: WallInstant
    /// When the notification leaves the screen.
    package var end: ElapsedInstant
    /// The replacement key of its request, where it is not the identifier; else empty.
    package var ownReplacementKey: String
    /// Whether an act on it waits for the unlock.
    package var isActedOn = false

    package init(
        identifier: String,
        delivery: DeliveryNumber,
        sequence: RequestNumber,
        event: EventNumber,
        date: WallInstant,
        end: ElapsedInstant,
        ownReplacementKey: String
    ) {
        self.ownReplacementKey = ownReplacementKey
        self.identifier = identifier
        self.delivery = delivery
        self.sequence = sequence
        self.event = event
        self.date = date
        self.end = end
    }
}

extension CenterState {
    /// Adds a banner, which replaces the banner with its identifier; banners that have left the
    /// screen are dropped, and the oldest one where ``Limits/shownBanners`` are shown already.
    ///
    /// A banner that an act waits on is not dropped and does not count, since the waiting acts are
    /// limited.
    package mutating func show(_ banner: ShownBanner, at now: ElapsedInstant) {
        hideBanner(of: banner.identifier)
        banners.removeAll { $0.end <= now }
        let free = banners.indices.filter {
            !banners[$0].isActedOn || Fault.actLostToALaterBanner.isPlanted
        }
        if free.count >= Limits.shownBanners { banners.remove(at: free[0]) }
        banners.append(banner)
    }

    /// Removes the banners that an occurrence of a request replaces: of its identifier, and of its
    /// replacement key (ADD-12).
    package mutating func hideBanners(replacedBy request: RequestHead) {
        guard !banners.isEmpty else { return }
        let own = request.ownReplacementKey
        let key = own.isEmpty ? request.identifier : own
        banners.removeAll {
            let other = $0.ownReplacementKey.isEmpty ? $0.identifier : $0.ownReplacementKey
            return $0.identifier.isExactly(request.identifier) || other.isExactly(key)
        }
    }

    /// Removes the banner of a notification: the person acted on it.
    package mutating func hideBanner(of identifier: String) {
        banners.removeAll { $0.identifier.isExactly(identifier) }
    }

    /// Keeps a banner until `end` at least, since an act on it waits for the unlock.
    package mutating func keepBanner(of identifier: String, until end: ElapsedInstant) {
        let index = banners.firstIndex { $0.identifier.isExactly(identifier) }
        guard let index else { return }
        banners[index].end = max(banners[index].end, end)
        banners[index].isActedOn = true
    }

    /// Notes that no act on a banner waits any more.
    package mutating func letGoBanner(of identifier: String) {
        let index = banners.firstIndex { $0.identifier.isExactly(identifier) }
        if let index { banners[index].isActedOn = false }
    }

    /// The banner of a notification, where it is on the screen now.
    package func banner(of identifier: String, at now: ElapsedInstant) -> ShownBanner? {
        banners.first { $0.identifier.isExactly(identifier) && now < $0.end }
    }
}
