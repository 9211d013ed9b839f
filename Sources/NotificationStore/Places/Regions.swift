internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

/// The rows by which reports of sensors find the regions that a center's pending requests wait for.
struct Regions: CenterPart {
    let center: CenterWork
    private var device: String { center.name.device }

    /// Writes the rows of a request's region: from now on the region is watched, and its state is
    /// unknown.
    func watch(
        _ region: Region,
        for request: RequestNumber,
        addedAt: ElapsedInstant
    ) throws(StoreFailure) {
        let record = RegionRecord(center: center.number, region: region, addedAt: addedAt)
        let key = RegionKey(request, at: RegionPlace(region.shape), on: device)
        try batch.transaction.put(record, at: key, in: tables.regions)
        let name = RegionNameKey(region.identifier, of: center.number, request)
        try batch.transaction.put(name, in: tables.regionNames)
    }

    /// Removes the rows of a request's region.
    func unwatch(_ region: Region, of request: RequestNumber) throws(StoreFailure) {
        let place = RegionPlace(region.shape)
        let key = RegionKey(request, at: place, on: device)
        try batch.transaction.deleteExisting(key, in: tables.regions)
        let name = RegionNameKey(region.identifier, of: center.number, request)
        try batch.transaction.deleteExisting(name, in: tables.regionNames)
        let state = RegionStateKey(request, of: place.sensor, on: device)
        try RegionStates(batch: batch).remove(state)
    }

    /// Why a request may not wait for its region; nil where it may, or waits for none.
    ///
    /// The new request replaces the pending request of `identifier`.
    func refusal(
        of request: NotificationRequest,
        as identifier: IdentifierWork
    ) throws(StoreFailure) -> Refusal? {
        guard let region = request.trigger?.region else { return nil }
        guard try center.locationAccess().isAllowed else { return .locationNotAuthorized }
        let replaced = identifier.record.pending?.sequence
        // Regions of one identifier are equal, so one beside the replaced request's tells about
        // all.
        let others = try batch.transaction.keys(
            in: batch.tables.regionNames,
            .identifier(region.identifier, of: center.number),
            atMost: 2
        ).filter { $0.request != replaced }
        if let other = others.first {
            let known = try center.records.head(other.request).request.trigger?.region
            return known?.shape == region.shape ? nil : .regionConflict
        }
        guard let limit = batch.profile.regionsPerApp,
            try count(without: replaced, upTo: limit) >= limit
        else { return nil }
        return .regionLimit(limit)
    }

    /// How many regions the app watches, by their identifiers, as far as `limit`.
    private func count(
        without replaced: RequestNumber?,
        upTo limit: Int
    ) throws(StoreFailure) -> Int {
        var count = 0
        var position: [UInt8]?
        let (table, prefix) = (batch.tables.regionNames, center.number.bytes)
        while count < limit,
            let found = try batch.transaction.keys(
                bytesOf: table.raw,
                prefix,
                from: position,
                atMost: 1
            ).first
        {
            let key = try table.key(found)
            if key.request == replaced {
                position = keyBehind(found)
                continue
            }
            count += 1
            let last = KeyPrefix<RegionNameKey>.identifier(key.identifier, of: center.number).bytes
            position = last + [UInt8](repeating: .max, count: 9)
        }
        return count
    }
}

/// The states of regions that a device is inside of, or that may change soon.
struct RegionStates {
    let batch: Batch
    private var table: TypedTable<RegionStateKey, RegionStateRecord> { batch.tables.regionStates }

    /// Reads the state of a region; nil where none is stored.
    func state(_ key: RegionStateKey) throws(StoreFailure) -> RegionStateRecord? {
        try batch.transaction.rowIfAny(key, in: table)
    }

    /// Replaces the state of a region, and the row by which its change is due.
    ///
    /// `stored` is the state in the table. `record` is the new state; nil, or an unremarkable
    /// state, has no row. `key` is the region.
    func replace(
        _ stored: RegionStateRecord?,
        with record: RegionStateRecord?,
        at key: RegionStateKey
    ) throws(StoreFailure) {
        let state = record?.state
        let new = state.map { $0.isInside || $0.changesAt != nil } == true ? record : nil
        guard new != stored else { return }
        batch.hasChanged = true
        let (before, after) = (stored?.state.changesAt, new?.state.changesAt)
        if before != after {
            if let before {
                let due = DueKey(before, regionOf: key.request)
                try batch.transaction.deleteExisting(due, in: batch.tables.dueElapsed)
            }
            if let after {
                let due = DueKey(after, regionOf: key.request)
                try batch.transaction.put(DueRow(), at: due, in: batch.tables.dueElapsed)
            }
        }
        if let new {
            try batch.transaction.put(new, at: key, in: table)
        } else {
            try batch.transaction.delete(key, in: table)
        }
    }

    /// Removes the state of a region that is no longer watched.
    func remove(_ key: RegionStateKey) throws(StoreFailure) {
        guard let stored = try state(key) else { return }
        try replace(stored, with: nil, at: key)
    }
}
