internal import LMDB
internal import NotificationCore

extension DeviceListReader {
    static func token(
        _ lead: ListedNotification,
        _ member: ListedNotification
    ) -> [UInt8] {
        var writer = ByteWriter(capacity: 64)
        for notification in [lead, member] {
            writer.put(notification.date.nanoseconds)
            writer.put(notification.delivery)
        }
        writer.put(lead.app)
        return writer.bytes
    }

    /// Where a page ended; nil where a token is not of this list.
    static func position(_ token: [UInt8]) -> Position? {
        var reader = ByteReader(token)
        guard let leadDate = try? reader.number(Int64.self),
            let leadDelivery = try? reader.number(UInt64.self),
            let memberDate = try? reader.number(Int64.self),
            let memberDelivery = try? reader.number(UInt64.self), let app = try? reader.text()
        else { return nil }
        func place(_ date: Int64, _ delivery: UInt64) -> ListedNotification {
            ListedNotification(
                app: app,
                identifier: "",
                delivery: delivery,
                date: WallInstant(nanoseconds: date),
                content: NotificationContent()
            )
        }
        return Position(
            lead: place(leadDate, leadDelivery),
            member: place(memberDate, memberDelivery)
        )
    }
}
