internal import BelfryLMDB
internal import NotificationCore

extension StoreRules.TableName {
    func table(in tables: Tables) -> Table {
        switch self {
        case .meta: tables.meta
        case .categories: tables.categories
        case .stringTables: tables.stringTables
        case .apps: tables.apps
        case .prompts: tables.prompts
        case .leaving: tables.leaving
        case .identifiers: tables.identifiers
        case .callbacks: tables.callbacks
        case .endedCallbacks: tables.endedCallbacks
        case .dueElapsed: tables.dueElapsed
        case .dueWall: tables.dueWall
        case .zones: tables.zones
        case .zoneVersions: tables.zoneVersions
        case .delivered: tables.delivered
        case .events: tables.events
        case .centers: tables.centers
        case .expiry: tables.expiry
        case .centerNumbers: tables.centerNumbers
        case .records: tables.records
        case .devices: tables.devices
        case .unlockWaits: tables.unlockWaits
        case .sounds: tables.sounds
        case .attachmentUses: tables.attachmentUses
        case .attachments: tables.attachments
        case .attachmentOwners: tables.attachmentOwners
        case .attachmentExpiry: tables.attachmentExpiry
        case .idempotency: tables.idempotency
        }
    }
}

// The rules on the index of zones: the dates to compute again when a zone changes.

extension StoreRules {
    /// A row of the index of zones is about a request that waits for a date.
    mutating func checkZone(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        guard key.count > 12 else { throw ByteReader.corrupted }
        if !value.isEmpty { found.append("has a value") }
        let sequence = Key.sequence(inZone: key)
        if let center = Key.center(ofSummary: sequence) {
            let row = try transaction.value(forKey: Key.number(center), in: tables.centers)
            guard let row, (try? CenterRecord.center(row))?.summaryDue != nil else {
                found.append("its center has no summary")
                return
            }
            return
        }
        guard let identifier = try identifier(ofRequest: sequence, transaction) else { return }
        if identifier.pending?.sequence != sequence { found.append("its request is not pending") }
    }

    /// A center with notifications that wait for the summary has the summary's rows in the due
    /// index and in the index of zones.
    mutating func checkSummary(
        of number: UInt32,
        _ center: CenterState,
        _ tally: Tally,
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        if center.heldCount != tally.held {
            found.append("counts \(center.heldCount) held notifications of \(tally.held)")
        }
        if (center.summaryDue != nil) != (center.heldCount > 0) {
            found.append("its summary is due for \(center.heldCount) notifications")
        }
        guard let due = center.summaryDue else { return }
        let summary = Key.summaryNumber(number)
        let row = Key.due(due.nanoseconds, number: summary)
        let zone = Key.zone("", center: number, sequence: summary)
        let isDue = try transaction.contains(key: row, in: tables.dueWall)
        let isInZone = try transaction.contains(key: zone, in: tables.zones)
        if !isDue || !isInZone {
            found.append("its summary is not in the indexes")
        }
    }

    /// A request that waits for a date is in the index of zones.
    mutating func checkIsInZone(
        _ pending: IdentifierRecord.Pending,
        _ center: UInt32,
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let row = Key.number(pending.sequence)
        guard let bytes = try transaction.value(forKey: row, in: tables.records),
            let name = (try? RequestRecord(bytes))?.request.trigger?.timeZone
        else { return }
        let key = Key.zone(name, center: center, sequence: pending.sequence)
        if try !transaction.contains(key: key, in: tables.zones) {
            found.append("waits for a date and is not in the index of zones")
        }
    }
}
