/// A notification on the screen that has no entry in the list: a person may act on it for as long
/// as it shows (P-1, D-26).
public struct ShownBanner: Hashable, Sendable {
    /// The notification's identifier.
    public var identifier: String
    /// The number of its delivery.
    public var delivery: UInt64
    /// The store's number of the request that it came from.
    public var sequence: UInt64
    /// When it was delivered.
    public var date: WallInstant
    /// When it leaves the screen.
    public var end: ElapsedInstant

    /// Names a notification that shows until `end`.
    public init(
        identifier: String,
        delivery: UInt64,
        sequence: UInt64,
        date: WallInstant,
        end: ElapsedInstant
    ) {
        self.identifier = identifier
        self.delivery = delivery
        self.sequence = sequence
        self.date = date
        self.end = end
    }
}

extension CenterState {
    /// Notes that a banner shows, in the place of one with its identifier; those that have left the
    /// screen go, and the oldest where there are more than a person could have seen.
    public mutating func show(_ banner: ShownBanner, at now: ElapsedInstant) {
        hideBanner(of: banner.identifier)
        banners.removeAll { $0.end <= now }
        if banners.count >= Limits.shownBanners { banners.removeFirst() }
        banners.append(banner)
    }

    /// Notes that a notification shows no longer: the person has dealt with it, or another took
    /// its place.
    public mutating func hideBanner(of identifier: String) {
        banners.removeAll { $0.identifier.isExactly(identifier) }
    }

    /// Lets a banner show until `end` at least: an act on it waits for the unlock.
    public mutating func keepBanner(of identifier: String, until end: ElapsedInstant) {
        let index = banners.firstIndex { $0.identifier.isExactly(identifier) }
        if let index { banners[index].end = max(banners[index].end, end) }
    }

    /// The banner of a notification that shows now.
    public func banner(of identifier: String, at now: ElapsedInstant) -> ShownBanner? {
        banners.first { $0.identifier.isExactly(identifier) && now < $0.end }
    }
}
