internal import BelfryLMDB
internal import Crypto
internal import NotificationCore

// A list is read page by page, while notifications come and go. Its pages hold what there was when
// the first one was read: what comes later is told to those who watch, and would move its group to
// the top, where a page that goes on does not look.

extension DeviceListReader {
    /// What was there when the first page was read.
    struct Cut {
        /// The date of the newest.
        var date: WallInstant
        /// The newest of each app that has this date.
        ///
        /// Bounded: names of apps, which were validated.
        var deliveries: [String: UInt64] = [:]

        /// Apps of which that is kept, so that a token stays small.
        ///
        /// Where more delivered in one instant, of the others all that has this date counts as
        /// there: nothing is lost.
        private static let namedApps = 16

        init?(_ list: [ListedNotification]) {
            guard let newest = list.map(\.date).max() else { return nil }
            date = newest
            for notification in list where notification.date == newest {
                let known = deliveries[notification.app] ?? 0
                guard known > 0 || deliveries.count < Self.namedApps else { continue }
                deliveries[notification.app] = max(known, notification.delivery)
            }
        }

        /// Whether a notification was there.
        func has(_ notification: ListedNotification) -> Bool {
            guard notification.date == date else { return notification.date < date }
            let known = deliveries[notification.app]
            return notification.delivery
                <= known ?? (deliveries.count < Self.namedApps ? 0 : .max)
        }
    }

    /// The place after which a page begins: a notification, in the group that it is in.
    struct Position {
        var app: String
        /// Which thread it is: a thread's own name may be longer than a token.
        var threadDigest: [UInt8]
        var leadDate: WallInstant
        var leadDelivery: UInt64
        var memberDelivery: UInt64
        var cut: Cut

        /// The lead as the group had it when the page ended.
        var lead: ListedNotification {
            ListedNotification(
                app: app,
                identifier: "",
                delivery: leadDelivery,
                date: leadDate,
                content: NotificationContent()
            )
        }
    }

    static func token(
        _ group: NotificationGroup,
        _ member: ListedNotification,
        _ cut: Cut
    ) -> [UInt8] {
        var writer = ByteWriter(capacity: 64)
        writer.put(group.app)
        for byte in threadDigest(of: group.thread) { writer.put(byte) }
        writer.put(group.lead.date.nanoseconds)
        writer.put(group.lead.delivery)
        writer.put(member.delivery)
        writer.put(cut.date.nanoseconds)
        writer.putVarint(UInt64(cut.deliveries.count))
        for (app, delivery) in cut.deliveries {
            writer.put(app)
            writer.put(delivery)
        }
        return writer.bytes
    }

    /// Tells a thread from every other one.
    static func threadDigest(of thread: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(thread.utf8)))
    }

    /// Where a page ended; nil where a token is not of this list.
    static func position(_ token: [UInt8]) -> Position? {
        var reader = ByteReader(token)
        return try? Position(&reader)
    }
}

extension DeviceListReader.Position {
    fileprivate init(_ reader: inout ByteReader) throws(LMDBError) {
        app = try reader.text()
        threadDigest = try reader.bytes(SHA256.byteCount)
        leadDate = WallInstant(nanoseconds: try reader.number())
        leadDelivery = try reader.number()
        memberDelivery = try reader.number()
        cut = try DeviceListReader.Cut(&reader)
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}

extension DeviceListReader.Cut {
    fileprivate init(_ reader: inout ByteReader) throws(LMDBError) {
        date = WallInstant(nanoseconds: try reader.number())
        for _ in 0..<(try reader.count()) {
            let app = try reader.text()
            deliveries[app] = try reader.number()
        }
    }
}

extension NotificationContent {
    /// What groups and their summaries look at: the texts of a long list would not fit in memory.
    var forGroups: NotificationContent {
        var content = NotificationContent()
        content.threadIdentifier = threadIdentifier
        content.categoryIdentifier = categoryIdentifier
        content.summaryArgument = summaryArgument
        content.summaryArgumentCount = summaryArgumentCount
        content.communication = communication
        return content
    }
}
