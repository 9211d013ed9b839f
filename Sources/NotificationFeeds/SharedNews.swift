internal import BelfryLocking
internal import NotificationStore

/// The news of one commit for a device, and the way to those of the next.
///
/// All watchers of a device share its news: each keeps the place up to which it was told, and news
/// are released with the last watcher that is still to be told.
final class SharedNews: Sendable {
    let news: [DeviceNews]
    /// About how many bytes all news of the device take until the end of these.
    let endByteCount: Int
    private let following = Guarded<SharedNews?>(nil)

    /// The end of a device's news, before the first of them.
    init() {
        news = []
        endByteCount = 0
    }

    private init(_ news: [DeviceNews], after last: SharedNews) {
        self.news = news
        endByteCount = news.reduce(last.endByteCount) { $0 + $1.byteCount }
    }

    // Release a long row one by one: nested releases would take the whole stack.
    deinit {
        var next = following.withLock { $0.take() }
        while next != nil, isKnownUniquelyReferenced(&next) {
            next = next?.following.withLock { $0.take() }
        }
    }

    var next: SharedNews? { following.withLock { $0 } }

    /// Appends news to the last ones, and gives these.
    func appending(_ news: [DeviceNews]) -> SharedNews {
        let added = SharedNews(news, after: self)
        following.withLock { $0 = added }
        return added
    }
}

/// The place of a watcher in the news of its device.
struct NewsPlace: Sendable {
    private var shared: SharedNews
    /// How many of the shared news were told.
    private var count: Int
    /// About how many bytes were told, of all news of the device.
    private(set) var byteCount: Int

    /// The place behind all news that were noted until now.
    init(behind last: SharedNews) {
        shared = last
        count = last.news.count
        byteCount = last.endByteCount
    }

    /// Moves to the next news of some apps, and gives them; nil where there are none.
    ///
    /// - Parameter apps: The apps; empty is all.
    // Bounded: names of apps, which were validated.
    mutating func next(of apps: Set<String>) -> DeviceNews? {
        while true {
            while count < shared.news.count {
                let item = shared.news[count]
                count += 1
                byteCount += item.byteCount
                if apps.isEmpty || item.app.map(apps.contains) ?? true { return item }
            }
            guard let next = shared.next else { return nil }
            shared = next
            count = 0
        }
    }
}
