internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

/// An event of a center as its history has it.
package struct HistoryRow: Sendable {
    package var event: Event
    /// When the request of the event was added; nil for an event without a request.
    package var addedAt: WallInstant?
    /// About how many bytes were read for it.
    package var byteCount: Int
}

extension DeviceApp {
    /// The last events of the app, the newest first, in one transaction: at most
    /// ``StoreLimits/rowsPerRead``, and those that pass ``StoreLimits/bytesPerPage`` together.
    ///
    /// `position` is the event before which the list goes on; nil at the end of the log.
    ///
    /// - Returns: The events, and whether there may be more before them.
    package func lastEvents(
        before position: EventNumber?,
        in reader: StoreReader
    ) throws(ReadError) -> (rows: [HistoryRow], hasMore: Bool) {
        let limits = reader.limits
        return try reader.environment.reading { transaction throws(StoreFailure) in
            let found = try transaction.lastEvents(
                of: number,
                before: position,
                atMost: limits.rowsPerRead,
                reader.tables
            )
            var rows: [HistoryRow] = []
            var byteCount = 0
            for (number, record) in found {
                let fired: EventRecord.Fired? =
                    switch record.kind {
                    case .delivered(let delivered): delivered.fired
                    case .suppressed(let fired, _, _), .missed(let fired): fired
                    default: nil
                    }
                let added = try fired.map { fired throws(StoreFailure) in
                    try transaction.row(fired.sequence, in: reader.tables.records).addedAt
                }
                rows.append(
                    HistoryRow(
                        event: try reader.event(number, record, in: transaction),
                        addedAt: added,
                        byteCount: record.byteCount
                    )
                )
                byteCount += record.byteCount
                guard byteCount < limits.bytesPerPage else { return (rows, true) }
            }
            return (rows, found.count == limits.rowsPerRead)
        }
    }
}
