internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The rules on the index of zones: the dates to compute again when a zone changes.

extension StoreRules {
    /// A row of the index of zones is about a request that waits for a date.
    mutating func checkZone(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let zone = try tables.zones.key(key)
        requireEmpty(value)
        switch zone.dated {
        case .summary:
            let center = try transaction.found(zone.center, in: tables.centers).row?.center
            if center?.summaryDue == nil { found.append("its center has no summary") }
        case .request(let sequence):
            guard let identifier = try identifier(ofRequest: sequence) else { return }
            if identifier.pending?.sequence != sequence {
                found.append("its request is not pending")
            }
        }
    }

    /// A center with notifications that wait for the summary has the summary's rows in the due
    /// index and in the index of zones.
    mutating func checkSummary(
        of number: CenterNumber,
        _ center: CenterState,
        _ tally: Tally
    ) throws(StoreFailure) {
        if center.heldCount != tally.held {
            found.append("counts \(center.heldCount) held notifications of \(tally.held)")
        }
        if (center.summaryDue != nil) != (center.heldCount > 0) {
            found.append("its summary is due for \(center.heldCount) notifications")
        }
        guard let due = center.summaryDue else { return }
        let key = DueKey(due, summaryOf: number)
        let isDue = try transaction.contains(key, in: tables.dueWall)
        let zone = ZoneKey("", of: number, .summary)
        let isInZone = try transaction.contains(zone, in: tables.zones)
        if !isDue || !isInZone {
            found.append("its summary is not in the indexes")
        }
    }

    /// A request that waits for a date is in the index of zones.
    mutating func checkIsInZone(
        _ pending: IdentifierRecord.Pending,
        _ center: CenterNumber
    ) throws(StoreFailure) {
        let record = try transaction.found(pending.sequence, in: tables.records).row
        guard let name = record?.request.trigger?.timeZone else { return }
        let key = ZoneKey(name, of: center, .request(pending.sequence))
        try require(key, in: tables.zones, "waits for a date and is not in the index of zones")
    }
}
