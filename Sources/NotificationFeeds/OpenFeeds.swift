internal import NotificationCore

/// The open feeds of one kind, by the center or device that they follow.
struct OpenFeeds<Key: Hashable & Sendable, Feed: AnyObject & Sendable>: Sendable {
    private var feeds: [Key: [ObjectIdentifier: Feed]] = [:]
    private(set) var count = 0

    var all: [Feed] { feeds.values.flatMap(\.values) }

    func following(_ key: Key) -> [Feed] {
        guard count > 0, let found = feeds[key] else { return [] }
        return Array(found.values)
    }

    func count(following key: Key) -> Int { count > 0 ? feeds[key]?.count ?? 0 : 0 }

    /// Adds a feed; gives the refusal where it may not be added.
    mutating func insert(_ feed: Feed, following key: Key, limit: Int) -> Refusal? {
        guard count < limit else { return .tooManySubscriptions(limit) }
        count += 1
        feeds[key, default: [:]][ObjectIdentifier(feed)] = feed
        return nil
    }

    /// Forgets a feed that has ended, and the key where it was the last one.
    mutating func remove(_ feed: Feed, following key: Key) {
        guard feeds[key]?.removeValue(forKey: ObjectIdentifier(feed)) != nil else { return }
        count -= 1
        if feeds[key]?.isEmpty == true { feeds[key] = nil }
    }
}
