internal import BelfryLMDB
internal import NotificationCore

// Dates are local to a zone: of the trigger, or of the device. The index of zones finds what has to
// be computed again when a zone, or the clock itself, turns out to be another (TM-2).

extension Batch {
    /// Gives the rules of the zone that a request's dates are local to.
    ///
    /// A zone that the machine no longer has is taken for UTC: what is pending has to fire.
    func rules(of request: NotificationRequest, on device: DeviceState) -> ZoneRules {
        guard let name = request.trigger?.timeZone else { return .utc }
        return zone(named: name, on: device)?.rules ?? .utc
    }

    /// Gives a zone; nil where the machine has none of this name.
    ///
    /// An empty name is the device's.
    func zone(named name: String, on device: DeviceState) -> ZoneDatabase.Zone? {
        zones.zone(zoneName(name, on: device))
    }

    /// The zone that a name means.
    ///
    /// An empty one is the device's, which is the server's unless the device says another.
    func zoneName(_ name: String, on device: DeviceState) -> String {
        let own = name.isEmpty ? device.timeZone : name
        return own.isEmpty ? zones.localName : own
    }

    /// Notes which zone a request's dates are local to.
    func indexZone(_ sequence: UInt64, _ record: RequestRecord) throws(LMDBError) {
        guard let name = record.request.trigger?.timeZone else { return }
        let key = Key.zone(name, center: record.center, sequence: sequence)
        try transaction.put([], forKey: key, in: tables.zones)
        let center = try center(record.center)
        let used = zoneName(name, on: try device(of: center))
        try noteVersion(ofZone: used)
    }

    /// Notes which version of a zone dates were computed in.
    func noteVersion(ofZone name: String) throws(LMDBError) {
        guard let zone = zones.zone(name) else { return }
        let row = Key.zoneVersion(name)
        guard try !transaction.contains(key: row, in: tables.zoneVersions) else { return }
        try transaction.put(Key.number(zone.fingerprint), forKey: row, in: tables.zoneVersions)
    }

    /// Takes that note away.
    func forgetZone(_ sequence: UInt64, _ record: RequestRecord) throws(LMDBError) {
        guard let name = record.request.trigger?.timeZone else { return }
        let key = Key.zone(name, center: record.center, sequence: sequence)
        try transaction.deleteExisting(key, in: tables.zones)
    }
}

extension Store {
    /// Names the zones that are others than those that the store's dates were computed in, and
    /// notes what they are now.
    ///
    /// The machine's zone database changed, or the server's own zone.
    static func changedZones(
        _ zones: ZoneDatabase,
        _ tables: Tables,
        _ state: inout StoreState,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> [String] {
        let rows = try transaction.withCursor(in: tables.zoneVersions) { cursor throws(LMDBError) in
            var rows: [(key: [UInt8], value: [UInt8])] = []
            while try cursor.move(to: .next) { rows.append(try cursor.entry()) }
            return rows
        }
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
