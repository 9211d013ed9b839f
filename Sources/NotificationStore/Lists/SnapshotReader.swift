internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

/// A part of the snapshot with which a subscription may begin.
package struct SnapshotPart: Hashable, Sendable {
    /// The center, as of its last event.
    package var center: CenterState
    /// Delivered notifications, the oldest first.
    package var delivered: [DeliveredNotification]
    /// Whether this is the last part.
    package var isComplete: Bool
}

/// A center as it was at one instant, and the part of its delivered list that is still to be read.
package struct CenterSnapshot: Sendable {
    /// The center at that instant.
    package let center: CenterState
    /// The delivered notifications that were not yet read.
    var rows: [(key: DeliveryKey, row: DeliveredRecord)]
}

extension StoreReader {
    /// Reads the center and the references of its delivered list, all at one instant: at most
    /// ``StoreLimits/deliveredPerCenter`` small rows.
    ///
    /// The requests are read later, part by part.
    package func snapshot(of center: CenterNumber) throws(ReadError) -> CenterSnapshot {
        try environment.reading { transaction throws(StoreFailure) in
            CenterSnapshot(
                center: try transaction.center(center, tables),
                rows: try transaction.rows(in: tables.delivered, .center(center))
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
        of rows: [(key: DeliveryKey, row: DeliveredRecord)]
    ) throws(StoreFailure) -> (delivered: [DeliveredNotification], rowCount: Int) {
        try environment.reading { transaction throws(StoreFailure) in
            var delivered: [DeliveredNotification] = []
            var rowCount = 0
            var byteCount = 0
            for (key, row) in rows.prefix(limits.eventsPerMessage)
            where byteCount < limits.eventBytesPerMessage {
                rowCount += 1
                let record = try transaction.keptRecord(row.sequence, tables)
                guard let request = record?.request, profile.lists(request) else { continue }
                byteCount += request.byteCount
                delivered.append(
                    DeliveredNotification(
                        request: request,
                        date: row.date,
                        delivery: key.number
                    )
                )
            }
            return (delivered, rowCount)
        }
    }
}
