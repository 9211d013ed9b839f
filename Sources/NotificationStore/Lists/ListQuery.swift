package import NotificationCore
internal import NotificationRecords

/// A query for a page of a center's list.
package struct ListQuery: Hashable, Sendable {
    package enum Order: Hashable, Sendable {
        /// By the identifiers' bytes.
        case identifier
        /// Pending requests by their next fire date.
        case nextFireDate
        /// Delivered notifications, the newest first.
        case newestFirst
    }

    package var center: CenterName
    /// Only these identifiers; empty is all.
    ///
    /// Bytes decide whether two identifiers are the same.
    package var identifiers: [String] = []
    /// Only this thread.
    package var threadIdentifier: String?
    /// Only this category.
    package var categoryIdentifier: String?
    package var order = Order.identifier
    /// The most entries of the page.
    package var pageSize = 100
    /// The ``Page/nextToken`` of the page before; nil for the first page.
    package var token: [UInt8]?

    /// Makes a query for the first page of the whole list of `center`.
    package init(center: CenterName) {
        self.center = center
    }
}

package struct Page<Entry: Sendable>: Sendable {
    /// The entries, in the order asked for.
    package var entries: [Entry]
    /// The token for the query for the next page; nil at the end.
    package var nextToken: [UInt8]?
    /// The newest event when the page was begun: a subscription that starts after it misses
    /// nothing.
    package var asOfEvent: EventNumber
}

package struct PendingRequest: Hashable, Sendable {
    package var request: NotificationRequest
    /// When the request fires next, unless the clock is set before that.
    package var nextFire: WallInstant?
    /// When the request was added.
    package var addedAt: WallInstant
}
