package import NotificationCore
internal import NotificationStore

/// The news of open notifications that a content extension is still to be told.
struct ContentQueue: Sendable {
    private var news: [ContentNews] = []
    private var byteCount = 0

    /// How many bytes wait at most: an extension that takes nothing for so long is ended.
    private static let limit = 4 << 20

    var isEmpty: Bool { news.isEmpty }
    /// Whether more waits than may.
    var isTooLong: Bool { byteCount > Self.limit }

    /// Adds the news that are for an extension.
    mutating func append(_ more: [ContentNews], for name: String) {
        for item in more where item.contentExtension.isExactly(name) {
            news.append(item)
            byteCount += item.byteCount
        }
    }

    /// Puts the notifications that were open when the extension began to serve before the later
    /// news; those that were opened since are told once.
    mutating func begin(with open: [ContentNews]) {
        let first = open.filter { item in !news.contains { $0.tells(item) } }
        news = first + news
        byteCount += first.reduce(0) { $0 + $1.byteCount }
    }

    mutating func take(atMost count: Int) -> [ContentNews] {
        let taken = Array(news.prefix(count))
        news.removeFirst(taken.count)
        byteCount -= taken.reduce(0) { $0 + $1.byteCount }
        return taken
    }
}

extension ContentNews {
    /// Whether this tells of the same notification in the same presentation.
    fileprivate func tells(_ other: ContentNews) -> Bool {
        guard presentation == other.presentation, case .presented(let shown) = kind,
            case .presented(let its) = other.kind
        else { return false }
        return shown.reference == its.reference
    }
}

/// News of an open notification, as its extension is told.
package struct ToldContent: Sendable {
    package enum Kind: Sendable {
        /// A notification to show, with the buttons of the presentation.
        case presented(DeliveredNotification, [NotificationAction])
        /// The person pressed the play button.
        case media(MediaCommand)
        case closed
    }

    package var presentation: PresentationIdentifier
    package var center: CenterName
    package var kind: Kind

    /// Reads the facts that news are about; nil for a notification that is no longer kept.
    init?(_ news: ContentNews, _ reader: StoreReader) throws(ReadError) {
        presentation = news.presentation
        center = news.center
        switch news.kind {
        case .presented(let shown):
            guard let notification = try reader.notification(shown) else { return nil }
            kind = .presented(notification, shown.actions)
        case .media(let command): kind = .media(command)
        case .closed: kind = .closed
        }
    }
}
