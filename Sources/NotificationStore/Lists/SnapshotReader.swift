internal import BelfryLMDB
public import NotificationCore

/// A part of the snapshot with which a subscription may begin.
public struct SnapshotPart: Hashable, Sendable {
    /// The center as of ``CenterState/lastEvent``.
    public var center: CenterState
    /// Delivered notifications, the oldest first.
    public var delivered: [DeliveredNotification]
    /// Whether this is the last part.
    public var isComplete: Bool
}

/// A center as it was at one instant, and the part of its delivered list that is still to be read.
package struct CenterSnapshot: Sendable {
    /// A delivered notification that was not yet read.
    struct Row {
        var delivery: UInt64
        var record: DeliveredRecord
    }

    /// The center as of ``CenterState/lastEvent``.
    package let center: CenterState
    var rows: [Row]
}

extension StoreReader {
    /// Reads the center and the references of its delivered list, all at one instant: at most
    /// ``StoreLimits/deliveredPerCenter`` small rows.
    ///
    /// The requests are read later, part by part.
    package func snapshot(of center: UInt32) throws(ReadError) -> CenterSnapshot {
        try environment.read { transaction throws(LMDBError) in
            CenterSnapshot(
                center: try transaction.center(center, tables),
                rows: try snapshotRows(of: center, in: transaction)
            )
        }
    }

    private func snapshotRows(
        of center: UInt32,
        in transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> [CenterSnapshot.Row] {
        try transaction.rows(in: tables.delivered, Key.number(center)).map {
            row throws(LMDBError) in
            CenterSnapshot.Row(
                delivery: try Key.number(inNumbered: row.key),
                record: try DeliveredRecord(row.value)
            )
        }
    }

    /// Takes the first rows of a snapshot, as many as one message may hold.
    ///
    /// A notification that was removed meanwhile is left out once its record no longer exists: the
    /// event of the removal follows.
    package func nextPart(
        of snapshot: inout CenterSnapshot
    ) throws(ReadError) -> SnapshotPart {
        let (delivered, rowCount) = try notifications(of: snapshot.rows)
        snapshot.rows.removeFirst(rowCount)
        return SnapshotPart(
            center: snapshot.center,
            delivered: delivered,
            isComplete: snapshot.rows.isEmpty
        )
    }

    private func notifications(
        of rows: [CenterSnapshot.Row]
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
