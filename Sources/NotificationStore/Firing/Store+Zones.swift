internal import BelfryLMDB
internal import NotificationCore

// Dates are local to the zone of the trigger or of the device. The index of zones finds the dates
// that have to be computed again when a zone or the clock changed (TM-2).

extension Store {
    /// Names the zones whose rules changed since the store's dates were computed, and notes their
    /// new versions.
    ///
    /// The machine's zone database changed, or the server has another zone.
    static func changedZones(
        _ zones: ZoneDatabase,
        _ tables: Tables,
        _ state: inout StoreState,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> [String] {
        let rows = try transaction.rows(in: tables.zoneVersions, [])
        // Bounded: names of zones, which were found in the database.
        var changed: Set<String> = []
        for row in rows {
            let name = String(decoding: row.key, as: UTF8.self)
            let fingerprint = Key.number(zones.zone(name)?.fingerprint ?? 0)
            guard fingerprint != row.value else { continue }
            changed.insert(name)
            try transaction.put(fingerprint, forKey: row.key, in: tables.zoneVersions)
        }
        if let before = state.localZone, before != zones.localName {
            changed.insert(zones.localName)
        }
        state.localZone = zones.localName
        return changed.sorted()
    }
}
