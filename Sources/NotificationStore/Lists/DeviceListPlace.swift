internal import BelfryHashing
package import NotificationCore
internal import NotificationRecords

// A list is read page by page, while notifications come and go. All pages show the notifications
// that existed when the first page was read: a later one would move its group to the top, which a
// later page no longer reads. Watchers are told of it.

/// The newest notifications of a device's list when its first page was read.
package struct DeviceListCut {
    /// The date of the newest notification.
    var date: WallInstant
    /// For each app with a notification of this date, the app's newest delivery.
    ///
    /// Bounded: names of apps, which were validated.
    var deliveries: [String: DeliveryNumber] = [:]

    /// The most apps that are kept here, so that a token stays small.
    ///
    /// Where more apps delivered at one instant, all notifications of the other apps with this date
    /// count as part of the list: no notification is lost.
    private static let namedApps = 16

    /// Makes the cut of a list; nil for an empty list.
    package init?(_ list: [ListedNotification]) {
        guard let newest = list.map(\.date).max() else { return nil }
        date = newest
        for notification in list where notification.date == newest {
            let known = deliveries[notification.app] ?? 0
            guard known > 0 || deliveries.count < Self.namedApps else { continue }
            deliveries[notification.app] = max(known, notification.delivery)
        }
    }

    /// Whether a notification was in the list when the first page was read.
    package func has(_ notification: ListedNotification) -> Bool {
        guard notification.date == date else { return notification.date < date }
        let known = deliveries[notification.app]
        return notification.delivery <= known ?? (deliveries.count < Self.namedApps ? 0 : .max)
    }

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        date = WallInstant(nanoseconds: try reader.number())
        for _ in 0..<(try reader.count()) {
            let app = try reader.text()
            deliveries[app] = try reader.serial()
        }
    }
}

/// The place in a device's list after which a page begins: a notification in its group.
package struct DeviceListPlace {
    package let app: String
    /// The digest of the group's thread: a thread's name may be too long for a token.
    private let threadDigest: [UInt8]
    private let leadDate: WallInstant
    /// The newest delivery of the group when the page ended.
    package let leadDelivery: DeliveryNumber
    /// The last notification of the page.
    package let memberDelivery: DeliveryNumber
    /// The newest notifications of the list when the first page was read.
    package let cut: DeviceListCut

    /// Names the place after a notification of a group.
    package init(
        after member: ListedNotification,
        in group: NotificationGroup,
        _ cut: DeviceListCut
    ) {
        app = group.app
        threadDigest = Self.digest(of: group.thread)
        leadDate = group.lead.date
        leadDelivery = group.lead.delivery
        memberDelivery = member.delivery
        self.cut = cut
    }

    package func isIn(thread: String) -> Bool { Self.digest(of: thread) == threadDigest }

    package var lead: ListedNotification {
        ListedNotification(
            app: app,
            identifier: "",
            delivery: leadDelivery,
            date: leadDate,
            content: NotificationContent()
        )
    }

    package var token: [UInt8] {
        var writer = ByteWriter(capacity: 64)
        writer.put(app)
        for byte in threadDigest { writer.put(byte) }
        writer.put(leadDate.nanoseconds)
        writer.put(leadDelivery)
        writer.put(memberDelivery)
        writer.put(cut.date.nanoseconds)
        writer.putVarint(UInt64(cut.deliveries.count))
        for (app, delivery) in cut.deliveries {
            writer.put(app)
            writer.put(delivery)
        }
        return writer.bytes
    }

    /// Reads a place that ``token`` wrote; nil for any other bytes.
    package init?(_ token: [UInt8]) {
        var reader = ByteReader(token)
        guard let place = try? DeviceListPlace(&reader) else { return nil }
        self = place
    }

    private init(_ reader: inout ByteReader) throws(RowProblem) {
        app = try reader.text()
        threadDigest = try reader.bytes(SHA256.byteCount)
        leadDate = WallInstant(nanoseconds: try reader.number())
        leadDelivery = try reader.serial()
        memberDelivery = try reader.serial()
        cut = try DeviceListCut(&reader)
        guard reader.isAtEnd else { throw .undecodable }
    }

    /// The digest by which threads are compared.
    private static func digest(of thread: String) -> [UInt8] {
        SHA256.digest(of: Array(thread.utf8).span)
    }
}
