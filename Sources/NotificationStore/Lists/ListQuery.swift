public import NotificationCore
internal import NotificationRecords

/// A query for a page of a center's list.
public struct ListQuery: Hashable, Sendable {
    /// The order of a list.
    public enum Order: Hashable, Sendable {
        /// By the identifiers' bytes.
        case identifier
        /// Pending requests by their next fire date.
        case nextFireDate
        /// Delivered notifications, the newest first.
        case newestFirst
    }

    /// The center.
    public var center: CenterName
    /// Only these identifiers; empty is all.
    ///
    /// Bytes decide whether two identifiers are the same.
    public var identifiers: [String] = []
    /// Only this thread.
    public var threadIdentifier: String?
    /// Only this category.
    public var categoryIdentifier: String?
    /// The order.
    public var order = Order.identifier
    /// The most entries of the page.
    public var pageSize = 100
    /// The ``Page/nextToken`` of the page before; nil for the first page.
    public var token: [UInt8]?

    /// Makes a query for the first page of the whole list of `center`.
    public init(center: CenterName) {
        self.center = center
    }
}

/// A page of a list.
public struct Page<Entry: Sendable>: Sendable {
    /// The entries, in the order asked for.
    public var entries: [Entry]
    /// The token for the query for the next page; nil at the end.
    public var nextToken: [UInt8]?
    /// The newest event when the page was begun: a subscription after it misses nothing.
    public var asOfEvent: EventNumber
}

/// A pending request.
public struct PendingRequest: Hashable, Sendable {
    /// The request.
    public var request: NotificationRequest
    /// When the request fires next, unless the clock is set before that.
    public var nextFire: WallInstant
    /// When the request was added.
    public var addedAt: WallInstant
}
