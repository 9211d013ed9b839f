internal import LMDB
internal import NotificationCore

extension StoreRules.TableName {
    func table(in tables: Tables) -> Table {
        switch self {
        case .meta: tables.meta
        case .categories: tables.categories
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
        case .idempotency: tables.idempotency
        }
    }
}

// Zones: what is to be computed again when one of them changes.

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
        guard let identifier = try identifier(ofRequest: sequence, transaction) else { return }
        if identifier.pending?.sequence != sequence { found.append("its request is not pending") }
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
