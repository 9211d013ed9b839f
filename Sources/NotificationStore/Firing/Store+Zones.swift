internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// Dates are local to the zone of the trigger or of the device. The index of zones finds the dates
// to compute again when a zone or the clock changes (TM-2).

extension Store {
    /// Names the zones whose rules changed since the store's dates were computed, and notes their
    /// new versions.
    ///
    /// Rules change with the machine's zone database, or with the zone of the server.
    static func changedZones(
        _ zones: ZoneDatabase,
        _ tables: Tables,
        _ state: inout StoreState,
        in transaction: borrowing ChangeTransaction
    ) throws(StoreFailure) -> [String] {
        let table = tables.zoneVersions
        // Bounded: names of zones, which were found in the database.
        var changed: Set<String> = []
        for key in try transaction.keys(in: table) {
            let now = ZoneVersionRow(fingerprint: zones.zone(key.name)?.fingerprint ?? 0)
            // Compare bytes, so that a row that does not decode is written again.
            guard try transaction.bytes(at: key.bytes, in: table) != now.bytes else { continue }
            changed.insert(key.name)
            try transaction.put(now, at: key, in: table)
        }
        if state.localZone != zones.localName {
            changed.insert(zones.localName)
        }
        state.localZone = zones.localName
        return changed.sorted()
    }
}
