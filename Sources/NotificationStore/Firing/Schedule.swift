internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The index rows by which the pending requests of a center are found when they are due, or when
/// the device crosses the borders that they wait for.
struct Schedule: CenterPart {
    let center: CenterWork

    /// Writes the index rows of a pending request.
    ///
    /// `base` is when the request was added.
    func put(
        _ pending: IdentifierRecord.Pending,
        _ trigger: Trigger?,
        base: ElapsedInstant
    ) throws(StoreFailure) {
        switch pending.due {
        case nil:
            guard let region = trigger?.region else {
                throw .disagrees(pending.sequence, in: batch.tables.records)
            }
            let sequence = pending.sequence
            try center.regions.watch(region, for: sequence, addedAt: base)
        case .elapsed(let instant):
            let key = DueKey(instant, pending.sequence)
            try batch.transaction.insert(DueRow(), at: key, in: batch.tables.dueElapsed)
        case .wall(let date):
            let key = DueKey(date, pending.sequence)
            try batch.transaction.insert(DueRow(), at: key, in: batch.tables.dueWall)
            guard let zone = trigger?.timeZone else { return }
            try batch.transaction.put(zoneKey(zone, pending), in: batch.tables.zones)
            try noteVersion(ofZone: zone)
        }
    }

    /// Removes the index rows of a pending request; `isDue` says that it was found by them.
    func remove(
        _ pending: IdentifierRecord.Pending,
        _ trigger: Trigger?,
        isDue: Bool = false
    ) throws(StoreFailure) {
        switch pending.due {
        case nil:
            guard let region = trigger?.region else {
                throw .disagrees(pending.sequence, in: batch.tables.records)
            }
            try center.regions.unwatch(region, of: pending.sequence)
        case .elapsed(let instant):
            let (key, table) = (DueKey(instant, pending.sequence), batch.tables.dueElapsed)
            try batch.transaction.deleteExisting(key, in: table, wasRead: isDue)
        case .wall(let date):
            let (key, table) = (DueKey(date, pending.sequence), batch.tables.dueWall)
            try batch.transaction.deleteExisting(key, in: table, wasRead: isDue)
            guard let zone = trigger?.timeZone else { return }
            try batch.transaction.deleteExisting(zoneKey(zone, pending), in: batch.tables.zones)
        }
    }

    private func zoneKey(_ zone: String, _ pending: IdentifierRecord.Pending) -> ZoneKey {
        ZoneKey(zone, of: center.number, .request(pending.sequence))
    }

    /// Notes the version of the zone with which dates were computed; an empty name is the device's
    /// zone.
    func noteVersion(ofZone name: String) throws(StoreFailure) {
        let name = batch.zones.name(name, on: try center.device())
        guard let zone = batch.zones.zone(name) else { return }
        let (key, table) = (NameKey(name), batch.tables.zoneVersions)
        guard try !batch.transaction.contains(key, in: table) else { return }
        let row = ZoneVersionRow(fingerprint: zone.fingerprint)
        try batch.transaction.put(row, at: key, in: table)
    }

    /// The rules of the zone of a request's dates.
    ///
    /// A zone that the machine no longer has counts as UTC: a pending request has to fire.
    func rules(of request: RequestHead) throws(StoreFailure) -> ZoneRules {
        guard let name = request.trigger?.timeZone else { return .utc }
        return batch.zones.zone(batch.zones.name(name, on: try center.device()))?.rules ?? .utc
    }

    /// Gives when a new request fires first, and its trigger as it is accepted; nil is now.
    ///
    /// A request that waits for a place has no due instant.
    ///
    /// - Returns: A refusal where the trigger has no date, or names an unknown zone.
    func firstFire(
        of request: NotificationRequest
    ) throws(StoreFailure) -> Result<(due: Due?, trigger: Trigger)?, Refusal> {
        guard let given = request.trigger else { return .success(nil) }
        guard given.region == nil else { return .success((nil, given)) }
        var zone: String?
        if let name = given.timeZone { zone = batch.zones.name(name, on: try center.device()) }
        return Result { () throws(Refusal) in
            let first = try given.firstFire(at: batch.now, zone, batch.zones)
            return (first.due, first.trigger)
        }
    }

    // MARK: When dates change

    /// Computes a request's date again.
    ///
    /// `since` is when the change happened; a request that was due by then keeps its old date.
    ///
    /// - Returns: Whether the request is now due at another instant, or never.
    func recalculate(
        _ sequence: RequestNumber,
        _ record: RequestRecord.Head,
        since: WallInstant
    ) throws(StoreFailure) -> Bool {
        let identifier = try center.identifier(record.request.identifier)
        guard let pending = identifier.record.pending, pending.sequence == sequence,
            case .wall(let before) = pending.due,
            let trigger = record.request.trigger, let zone = trigger.timeZone
        else { throw identifier.disagreement(in: batch) }
        // Keep the old date where it was due by the change, unless it is from before the clock was
        // set.
        guard before > since || !before.isTime || Fault.dueDatesMoved.isPlanted else {
            return false
        }
        try noteVersion(ofZone: zone)
        // Ignore an occurrence that was due later than this: it fired by a wrong clock.
        let latest = since.advanced(byNanoseconds: Limits.latenessNanoseconds)
        let lastScheduled = pending.lastScheduled.flatMap {
            $0 > latest || Fault.backwardClockFiresAgain.isPlanted ? nil : $0
        }
        let due = trigger.nextFire(
            afterChangeAt: since,
            lastScheduled: lastScheduled,
            skipped: Fault.skippedOccurrenceComesBack.isPlanted ? nil : pending.skipped,
            addedAt: record.addedAt,
            in: try rules(of: record.request)
        )
        guard due != before || lastScheduled != pending.lastScheduled else { return false }
        guard let due else {
            try center.records.takePending(identifier)
            try center.events.record(.expired(identifier: identifier.name))
            return true
        }
        var moved = pending
        moved.due = .wall(due)
        moved.lastScheduled = lastScheduled
        try remove(pending, trigger)
        try put(moved, trigger, base: record.base)
        identifier.record.pending = moved
        return due != before
    }
}

extension ZoneDatabase {
    /// The zone that a trigger's zone name means on a device.
    ///
    /// An empty name is the device's zone, which is the server's zone unless the device reports
    /// one.
    func name(_ name: String, on device: DeviceState) -> String {
        let own = name.isEmpty ? device.timeZone : name
        return own.isEmpty ? localName : own
    }
}
