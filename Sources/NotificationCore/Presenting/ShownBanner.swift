/// A notification on the screen that has no entry in the list: a person may act on it for as long
/// as it shows (P-1, D-26).
package struct ShownBanner: Hashable, Sendable {
    /// The notification's identifier.
    package var identifier: String
    /// The number of its delivery.
    package var delivery: DeliveryNumber
    /// The sequence number in the store of the notification's request.
    package var sequence: RequestNumber
    /// The number of the delivery's event; 0 in a row of an older version.
    package var event: EventNumber
    /// When the notification was delivered.
    package var date: WallInstant
    /// When the notification leaves the screen.
    package var end: ElapsedInstant

    /// Names a notification that shows until `end`.
    package init(
        identifier: String,
        delivery: DeliveryNumber,
        sequence: RequestNumber,
        event: EventNumber,
        date: WallInstant,
        end: ElapsedInstant
    ) {
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
    /// screen are dropped, and the oldest banners where there are more than
    /// ``Limits/shownBanners``.
    package mutating func show(_ banner: ShownBanner, at now: ElapsedInstant) {
        hideBanner(of: banner.identifier)
        banners.removeAll { $0.end <= now }
        if banners.count >= Limits.shownBanners { banners.removeFirst() }
        banners.append(banner)
    }

    /// Removes the banner of a notification: the person acted on it, or another notification
    /// replaced it.
    package mutating func hideBanner(of identifier: String) {
        banners.removeAll { $0.identifier.isExactly(identifier) }
    }

    /// Keeps a banner until `end` at least, since an act on it waits for the unlock.
    package mutating func keepBanner(of identifier: String, until end: ElapsedInstant) {
        let index = banners.firstIndex { $0.identifier.isExactly(identifier) }
        if let index { banners[index].end = max(banners[index].end, end) }
    }

    /// The banner of a notification, where it is on the screen now.
    package func banner(of identifier: String, at now: ElapsedInstant) -> ShownBanner? {
        banners.first { $0.identifier.isExactly(identifier) && now < $0.end }
    }
}
