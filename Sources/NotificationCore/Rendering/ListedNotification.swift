/// A delivered notification as the list on a device holds it (§11).
package struct ListedNotification: Hashable, Sendable {
    package var app: String
    package var identifier: String
    package var delivery: DeliveryNumber
    /// When the notification was delivered, which decides its place in the list.
    package var date: WallInstant
    package var content: NotificationContent

    package init(
        app: String,
        identifier: String,
        delivery: DeliveryNumber,
        date: WallInstant,
        content: NotificationContent
    ) {
        self.app = app
        self.identifier = identifier
        self.delivery = delivery
        self.date = date
        self.content = content
    }

    /// Whether both notifications are in the same thread of the same app: LK-2 counts these
    /// together.
    package func sharesThread(with other: ListedNotification) -> Bool {
        app == other.app && content.groupingThread.isExactly(other.content.groupingThread)
    }

    /// Whether the notification is above `other` in the list: newest first (NC-1).
    ///
    /// Of two notifications with the same date the later delivery is newer; those of different apps
    /// are in the order of the apps' names. So a list always has the same order.
    package func isAbove(_ other: ListedNotification) -> Bool {
        if date != other.date { return date > other.date }
        if app != other.app { return app < other.app }
        return delivery > other.delivery
    }

    /// Whether the notification is above `other` in a scheduled summary (SSM-2, SSM-3).
    ///
    /// The higher relevance score comes first; notifications with equal scores are in the order of
    /// the list.
    package func isAboveInSummary(_ other: ListedNotification) -> Bool {
        let score = content.relevanceScore
        let otherScore = other.content.relevanceScore
        return score == otherScore ? isAbove(other) : score > otherScore
    }
}
