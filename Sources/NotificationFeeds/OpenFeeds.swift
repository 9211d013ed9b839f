internal import NotificationCore

/// The feeds of one kind that are open, by what they follow.
struct OpenFeeds<Key: Hashable & Sendable, Feed: AnyObject & Sendable>: Sendable {
    private var feeds: [Key: [ObjectIdentifier: Feed]] = [:]
    /// How many there are.
    private(set) var count = 0

    /// All of them.
    var all: [Feed] { feeds.values.flatMap(\.values) }

    /// Those that follow something.
    func following(_ key: Key) -> [Feed] {
        guard count > 0, let found = feeds[key] else { return [] }
        return Array(found.values)
    }

    /// How many follow something.
    func count(following key: Key) -> Int { count > 0 ? feeds[key]?.count ?? 0 : 0 }

    /// Adds one; gives why it may not be.
    mutating func insert(_ feed: Feed, following key: Key, limit: Int) -> Refusal? {
        guard count < limit else { return .tooManySubscriptions(limit) }
        count += 1
        feeds[key, default: [:]][ObjectIdentifier(feed)] = feed
        return nil
    }

    /// Forgets one that has ended.
    mutating func remove(_ feed: Feed, following key: Key) {
        guard feeds[key]?.removeValue(forKey: ObjectIdentifier(feed)) != nil else { return }
        count -= 1
        if feeds[key]?.isEmpty == true { feeds[key] = nil }
    }
}
