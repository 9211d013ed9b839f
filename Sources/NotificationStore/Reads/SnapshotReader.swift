internal import LMDB
internal import NotificationCore

extension StoreReader {
    /// The delivered list as references: at most ``StoreLimits/deliveredPerCenter`` small rows.
    ///
    /// The requests are read later, part by part.
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

    /// The first of `rows`, as many as one message may hold, and how many those are.
    ///
    /// A notification that was removed meanwhile is left out once its record is gone: the event of
    /// its removal follows.
    func snapshotPart(
        of center: NotificationCenter,
        _ rows: [Subscription.SnapshotRow]
    ) throws(LMDBError) -> (part: SnapshotPart, rowCount: Int) {
        try environment.read { transaction throws(LMDBError) in
            var delivered: [Notification] = []
            var rowCount = 0
            var byteCount = 0
            for row in rows.prefix(limits.eventsPerMessage)
            where byteCount < limits.eventBytesPerMessage {
                rowCount += 1
                let key = Key.number(row.record.sequence)
                guard let bytes = try transaction.value(forKey: key, in: tables.records) else {
                    continue
                }
                let request = try RequestRecord(bytes).request
                byteCount += request.content.byteCount
                delivered.append(
                    Notification(request: request, date: row.record.date, delivery: row.delivery)
                )
            }
            let part = SnapshotPart(
                center: center,
                delivered: delivered,
                isComplete: rowCount == rows.count
            )
            return (part, rowCount)
        }
    }
}
