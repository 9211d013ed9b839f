public import NotificationCore

/// Which part of a center's list is asked for.
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
    /// Two are the same where their bytes are.
    public var identifiers: [String] = []
    /// Only this thread.
    public var threadIdentifier: String?
    /// Only this category.
    public var categoryIdentifier: String?
    /// The order.
    public var order = Order.identifier
    /// The most entries of the page.
    public var pageSize = 100
    /// Where the page before ended: its ``Page/nextToken``.
    public var token: [UInt8]?

    /// Asks for the first page of all that `center` has.
    public init(center: CenterName) {
        self.center = center
    }
}

/// A part of a list.
public struct Page<Entry: Sendable>: Sendable {
    /// The entries, in the order asked for.
    public var entries: [Entry]
    /// What the query for the next part carries; nil at the end.
    public var nextToken: [UInt8]?
    /// The newest event when the page was begun: following from it misses nothing.
    public var asOfEvent: UInt64
}

/// A pending request.
public struct PendingRequest: Hashable, Sendable {
    /// The request.
    public var request: NotificationRequest
    /// When it fires next, if nobody sets the clock meanwhile.
    public var nextFire: WallInstant
    /// When it was added.
    public var addedAt: WallInstant
}
