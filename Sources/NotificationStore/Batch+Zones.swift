internal import LMDB
internal import NotificationCore

// Dates are local to a zone: of the trigger, or of the device. The index of zones finds what has to
// be computed again when a zone, or the clock itself, turns out to be another (design.md 6).

extension Batch {
    /// Gives the rules of the zone that a request's dates are local to.
    ///
    /// A zone that the machine no longer has is taken for UTC: what is pending has to fire.
    func rules(
        of request: NotificationRequest,
        on device: DeviceState
    ) -> ZoneRules {
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
    func indexZone(
        _ sequence: UInt64,
        _ record: RequestRecord,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        guard let name = record.request.trigger?.timeZone else { return }
        let key = Key.zone(name, center: record.center, sequence: sequence)
        try transaction.put([], forKey: key, in: tables.zones)
        let center = try center(record.center, in: transaction)
        let used = zoneName(name, on: try device(of: center, in: transaction))
        try noteVersion(ofZone: used, in: transaction)
    }

    /// Notes which version of a zone dates were computed in.
    func noteVersion(
        ofZone name: String,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        guard let zone = zones.zone(name) else { return }
        let row = Key.zoneVersion(name)
        guard try !transaction.contains(key: row, in: tables.zoneVersions) else { return }
        try transaction.put(
            Key.number(zone.fingerprint),
            forKey: row,
            in: tables.zoneVersions
        )
    }

    /// Takes that note away.
    func forgetZone(
        _ sequence: UInt64,
        _ record: RequestRecord,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        guard let name = record.request.trigger?.timeZone else { return }
        let key = Key.zone(name, center: record.center, sequence: sequence)
        try transaction.deleteExisting(key, in: tables.zones)
    }

    // MARK: Computing again

    /// Has every date computed again, in slices.
    func recalculateAll() {
        state.recalculation = StoreState.Recalculation.all
        hasChanged = true
    }

    /// Computes dates again where that was asked for, and gives how many rows it looked at.
    func recalculate(
        atMost limit: Int,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Int {
        guard let recalculation = state.recalculation else { return 0 }
        let position = recalculation.position
        let keys = try transaction.withCursor(in: tables.zones) { cursor throws(LMDBError) in
            var keys: [[UInt8]] = []
            // The beginning is no key.
            var found =
                position.isEmpty
                ? try cursor.move(to: .first) : try cursor.seek(atOrAfter: position)
            while found, keys.count < limit {
                keys.append(try cursor.key())
                found = try cursor.move(to: .next)
            }
            return keys
        }
        hasChanged = true
        for key in keys {
            let number = Key.sequence(inZone: key)
            if let center = Key.center(ofSummary: number) {
                try recalculateSummary(of: center, in: transaction)
            } else {
                try recalculate(number, in: transaction)
            }
        }
        state.recalculation =
            keys.count < limit
            ? nil : keys.last.map { StoreState.Recalculation(position: $0 + [0]) }
        return keys.count
    }

    private func recalculate(
        _ sequence: UInt64,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        let record = try transaction.record(sequence, tables)
        let key = Key.identifier(record.request.identifier, center: record.center)
        var center = try center(record.center, in: transaction)
        var identifier = try transaction.identifierRecord(key: key, tables)
        guard let pending = identifier.pending, pending.sequence == sequence,
            let trigger = record.request.trigger
        else { throw ByteReader.corrupted }
        // A date that passed meanwhile is late, not lost: what fires once is looked for from its
        // acceptance on.
        var after = now
        if !trigger.repeats { after.wall = min(now.wall, record.addedAt) }
        let rules = rules(of: record.request, on: try device(of: center, in: transaction))
        var due = trigger.nextFire(base: record.base, after: after, in: rules)
        if due == nil, !trigger.repeats {
            // In the new zone the date may lie before it was accepted: that is late too.
            after.wall = after.wall.advanced(byNanoseconds: -Limits.zoneDifferenceNanoseconds)
            due = trigger.nextFire(base: record.base, after: after, in: rules)
        }
        guard due != pending.due else { return }
        if let due {
            try unschedule(pending, record, in: transaction)
            identifier.pending?.due = due
            try schedule(
                .init(sequence: sequence, due: due, lastEvent: pending.lastEvent),
                record,
                in: transaction
            )
        } else {
            identifier.pending = nil
            try forget(pending, identifier, center, record.center, in: transaction)
            center.pendingCount -= 1
            try self.record(
                .expired(identifier: record.request.identifier),
                for: &center,
                number: record.center,
                in: transaction
            )
        }
        try setIdentifier(key: key, to: identifier, in: transaction)
        setCenter(record.center, center)
    }
}

extension Store {
    /// Whether the machine's zone database changed since the store's dates were computed; notes
    /// which version they are of.
    static func zonesChanged(
        _ zones: ZoneDatabase,
        _ tables: Tables,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Bool {
        let rows = try transaction.withCursor(in: tables.zoneVersions) { cursor throws(LMDBError) in
            var rows: [(key: [UInt8], value: [UInt8])] = []
            while try cursor.move(to: .next) { rows.append(try cursor.entry()) }
            return rows
        }
        var hasChanged = false
        for row in rows {
            let name = String(decoding: row.key, as: UTF8.self)
            let fingerprint = Key.number(zones.zone(name)?.fingerprint ?? 0)
            guard fingerprint != row.value else { continue }
            hasChanged = true
            try transaction.put(fingerprint, forKey: row.key, in: tables.zoneVersions)
        }
        return hasChanged
    }
}

extension StoreState {
    /// A wall clock that went back by more than this was wrong before, in nanoseconds.
    private static let wrongClockNanoseconds: Int64 = 24 * 3600 * 1_000_000_000

    /// Whether the wall clock went back so far since the last batch that it was wrong then: a
    /// smaller step fires nothing again, since the next dates are known already.
    func isWrong(before now: Now) -> Bool {
        let expected = self.now.wall(at: now.elapsed)
        return expected.nanoseconds - now.wall.nanoseconds > Self.wrongClockNanoseconds
    }
}
