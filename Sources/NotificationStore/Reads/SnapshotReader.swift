internal import LMDB
internal import NotificationCore

extension StoreReader {
    /// The delivered list as references: at most ``StoreLimits/deliveredPerCenter`` small rows.
    ///
    /// The requests are read later, part by part: a record stays while an event refers to it.
    func snapshotRows(
        of center: UInt32,
        in transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> [Subscription.SnapshotRow] {
        try transaction.withCursor(in: tables.delivered) { cursor throws(LMDBError) in
            var rows: [Subscription.SnapshotRow] = []
            var found = try cursor.seek(atOrAfter: Key.number(center))
            while found {
                let (key, value) = try cursor.entry()
                guard Key.belongs(key, to: center) else { break }
                var reader = ByteReader(key, from: 4)
                rows.append(
                    Subscription.SnapshotRow(
                        delivery: try reader.number(),
                        record: try DeliveredRecord(value)
                    )
                )
                found = try cursor.move(to: .next)
            }
            return rows
        }
    }

    /// The first of `rows`, as many as one message may hold.
    func snapshotPart(
        of center: NotificationCenter,
        _ rows: [Subscription.SnapshotRow]
    ) throws(LMDBError) -> SnapshotPart {
        try environment.read { transaction throws(LMDBError) in
            var delivered: [Notification] = []
            var byteCount = 0
            for row in rows.prefix(limits.eventsPerMessage)
            where byteCount < limits.eventBytesPerMessage {
                let request = try transaction.record(row.record.sequence, tables).request
                byteCount += request.content.byteCount
                delivered.append(
                    Notification(request: request, date: row.record.date, delivery: row.delivery)
                )
            }
            return SnapshotPart(
                center: center,
                delivered: delivered,
                isComplete: delivered.count == rows.count
            )
        }
    }
}
