/// A delivered notification as the list on a device holds it (§11).
public struct ListedNotification: Hashable, Sendable {
    /// Whose it is: a bundle identifier.
    public var app: String
    /// Its identifier.
    public var identifier: String
    /// Its number among the app's deliveries.
    public var delivery: UInt64
    /// When it was delivered.
    public var date: WallInstant
    /// What it says.
    public var content: NotificationContent

    /// Makes an entry of the list.
    public init(
        app: String,
        identifier: String,
        delivery: UInt64,
        date: WallInstant,
        content: NotificationContent
    ) {
        self.app = app
        self.identifier = identifier
        self.delivery = delivery
        self.date = date
        self.content = content
    }

    /// Whether both are in the same thread of the same app: the count base of LK-2.
    public func sharesThread(with other: ListedNotification) -> Bool {
        app == other.app && content.groupingThread.isExactly(other.content.groupingThread)
    }

    /// Whether it stands above `other` in the list: newest first (NC-1).
    ///
    /// Of two with one date the later delivery is newer; two apps' are in the order of their names,
    /// so that every look at a list gives the same order.
    public func isAbove(_ other: ListedNotification) -> Bool {
        if date != other.date { return date > other.date }
        if app != other.app { return app < other.app }
        return delivery > other.delivery
    }

    /// Whether it stands above `other` in a scheduled summary (SSM-2, SSM-3).
    ///
    /// The higher score is featured; equal ones are in the order of the list.
    public func isAboveInSummary(_ other: ListedNotification) -> Bool {
        let score = content.relevanceScore
        let otherScore = other.content.relevanceScore
        return score == otherScore ? isAbove(other) : score > otherScore
    }
}
