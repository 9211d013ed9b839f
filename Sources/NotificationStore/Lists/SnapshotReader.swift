internal import BelfryLMDB
internal import NotificationCore

extension StoreReader {
    /// The center and its delivered list as references, all at one instant: at most
    /// ``StoreLimits/deliveredPerCenter`` small rows.
    ///
    /// The requests are read later, part by part.
    func snapshot(of center: UInt32) throws(LMDBError) -> Subscription.OpenSnapshot {
        try environment.read { transaction throws(LMDBError) in
            Subscription.OpenSnapshot(
                center: try transaction.center(center, tables),
                rows: try snapshotRows(of: center, in: transaction)
            )
        }
    }

    private func snapshotRows(
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

    /// Takes the first rows of a snapshot, as many as one message may hold.
    ///
    /// A notification that was removed meanwhile is left out once its record is gone: the event of
    /// its removal follows.
    func nextPart(
        of snapshot: inout Subscription.OpenSnapshot
    ) throws(LMDBError) -> SnapshotPart {
        let (delivered, rowCount) = try notifications(of: snapshot.rows)
        snapshot.rows.removeFirst(rowCount)
        return SnapshotPart(
            center: snapshot.center,
            delivered: delivered,
            isComplete: snapshot.rows.isEmpty
        )
    }

    private func notifications(
        of rows: [Subscription.SnapshotRow]
    ) throws(LMDBError) -> (delivered: [DeliveredNotification], rowCount: Int) {
        try environment.read { transaction throws(LMDBError) in
            var delivered: [DeliveredNotification] = []
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
                    DeliveredNotification(
                        request: request,
                        date: row.record.date,
                        delivery: row.delivery
                    )
                )
            }
            return (delivered, rowCount)
        }
    }
}
